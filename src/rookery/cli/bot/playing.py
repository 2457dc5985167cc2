"""A bot at work: a pilot, a mind and a socket, game after game, until there are enough.

While the mind thinks, the pilot goes on hearing: pings are answered, and a move that comes
too late for its turn is thrown away. When the server goes away we call again, after ever
longer pauses, for as long as it takes.
"""

import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from rookery.cli.bot.mind import Mind, MindLost
from rookery.cli.bot.pilot import (
    DRAWN,
    LOST,
    WON,
    CallAgain,
    Heard,
    NoMoreGames,
    Over,
    Pilot,
    Question,
)
from rookery.cli.connection.address import Address, NoServer, call, hear
from rookery.cli.connection.server import PAUSES
from rookery.cli.terminal.output import Output

RESTLESS: Final = 2.0  # seconds between two looks for something to do
SIT: Final = 1.0  # seconds after which a bot that chose to wait is asked again
STEADY: Final = 5.0  # seconds after which a connection is thought to hold
SILENCE: Final = 30  # seconds after which a silent connection is tried
OUTDATED: Final = 2.0  # seconds in which a thought of a game that is over may hold up the next
PARTING: Final = 1.0  # seconds in which a server may take our last words


class BotGames:
    """Runs one bot, over as many connections as it takes."""

    def __init__(self, output: Output, pilot: Pilot, mind: Mind, games: int | None) -> None:
        self._output, self._pilot, self._mind = output, pilot, mind
        self._most = games
        self._results: Counter[str] = Counter()
        self._line: socket.socket | None = None
        self._recall = False  # whether the pilot wants a new connection
        self._asked: Question | None = None  # what the mind thinks about
        self._late = 0.0  # when it is too late for it
        self._outdated: float | None = None  # since when another turn waits behind it
        self._sat: Question | None = None  # what it chose to wait at
        self._until = 0.0  # and how long

    def run(self, address: Address) -> None:
        """Play until there are enough games or no more, and take leave; of a tour only at Ctrl-C.

        Raises NoServer for the first call only.
        """
        try:
            self._run(address)
        except KeyboardInterrupt:
            self._leave(withdraw=True)
            raise
        self._leave(withdraw=False)

    def _run(self, address: Address) -> None:
        tries = 0
        self._line = _tuned(call(address))
        while True:
            began = time.monotonic()
            if self._talk(self._line):
                return
            tries = 0 if self._recall or time.monotonic() - began > STEADY else tries
            if not self._recall:
                self._output.say("The server hung up; calling again until it answers.", "yellow")
            self._recall = False
            self._line.close()
            while (line := self._call(address, tries)) is None:
                tries += 1
            tries += 1
            self._line = line

    def _leave(self, *, withdraw: bool) -> None:
        if self._line is not None:
            _part(self._line, self._pilot.farewell(withdraw=withdraw))

    def close(self) -> None:
        """Hang up, and print how many games were won."""
        if self._line is not None:
            self._line.close()
        self._mind.close()
        won, drawn, lost = (self._results[result] for result in (WON, DRAWN, LOST))
        if played := self._results.total():
            games = f"{played} game{'' if played == 1 else 's'}"
            self._output.say(f"{games}: {won} won, {drawn} drawn, {lost} lost.")

    def _call(self, address: Address, tries: int) -> socket.socket | None:
        time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
        try:
            return _tuned(call(address))
        except NoServer:
            return None

    def _talk(self, line: socket.socket) -> bool:
        """Play over this connection until it is lost; returns whether the bot is done."""
        self._send(self._pilot.begin())
        restless = time.monotonic() + RESTLESS
        with selectors.DefaultSelector() as ready:
            ready.register(line, selectors.EVENT_READ)
            while True:
                self._think()
                minded = self._asked is not None
                if minded:
                    ready.register(self._mind, selectors.EVENT_READ)
                keys = [key.fileobj for key, _ in ready.select(self._pause(restless))]
                if minded:
                    ready.unregister(self._mind)
                if line in keys:
                    came = hear(line)
                    if not came:
                        return False
                    if self._take(self._pilot.hear(came)):
                        return True
                    if self._recall:
                        return False
                answered = self._mind in keys
                given_up = minded and time.monotonic() > self._patience
                if (answered or given_up) and self._answer(heard=answered):
                    return True
                if time.monotonic() >= restless:
                    self._send(self._pilot.idle())
                    restless = time.monotonic() + RESTLESS

    def _pause(self, restless: float) -> float:
        """How long nothing need be done if nothing comes."""
        moments = [restless]
        if self._asked is not None:
            moments.append(self._patience)
        if self._sat is not None:
            moments.append(self._until)
        return max(0.0, min(moments) - time.monotonic())

    def _take(self, happenings: Iterable[Heard]) -> bool:
        """Do what the pilot yields; returns whether the bot is done."""
        for heard in happenings:
            match heard:
                case bytes():
                    self._send(heard)
                case str():
                    self._output.say(heard)
                case Over(result, sentence):
                    self._results[result] += 1
                    self._mind.over()
                    number = self._results.total()
                    self._output.say(f"Game {number}: {result}. {sentence}".rstrip())
                    if self._most is not None and number >= self._most:
                        return True
                    self._send(self._pilot.again())
                case NoMoreGames(sentence):
                    self._output.say(sentence)
                    return True
                case CallAgain():
                    self._recall = True
        return False

    # -- thinking

    @property
    def _patience(self) -> float:
        """When the mind is given up, if it has not answered by then."""
        return self._late if self._outdated is None else min(self._late, self._outdated + OUTDATED)

    def _think(self) -> None:
        """Give the mind the pilot's question, unless it still thinks about another."""
        question = self._pilot.question
        if question is None or self._asked is None or question.turn == self._asked.turn:
            self._outdated = None
        elif self._outdated is None:
            self._outdated = time.monotonic()
        if question is None or self._asked is not None:
            return
        if question == self._sat and time.monotonic() < self._until:
            return
        self._asked, self._sat = question, None
        self._late = time.monotonic() + self._mind.ask(question)

    def _answer(self, *, heard: bool) -> bool:
        """Play what was thought of, if that is still wanted; returns whether the bot is done."""
        asked, self._asked = self._asked, None
        assert asked is not None, "only who was asked answers"
        now = self._pilot.question
        if now is not None and now.turn != asked.turn:
            now = None
        try:
            move = self._mind.answer() if heard else _lost()
        except MindLost as lost:
            self._output.say(str(lost), "yellow")
            self._mind.restart()
            if now is not None and self._mind.resigns:
                return self._take(self._pilot.give_up())
            move = asked.moves[0]
        if now is None:
            return False
        if move is None:
            self._sat, self._until = now, time.monotonic() + SIT
        elif move in now.moves:
            self._send(self._pilot.play(move))
        return False

    def _send(self, words: bytes) -> None:
        assert self._line is not None, "nobody speaks before the first call"
        if words:
            with suppress(OSError):  # that the server is gone is seen where it is heard
                self._line.sendall(words)


def _lost() -> str:
    raise MindLost("The bot thought too long, and is started again.")


def _tuned(line: socket.socket) -> socket.socket:
    """The connection without delays, and with a watch on a server that vanishes."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":  # elsewhere it takes longer until it is noticed
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENCE)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, SILENCE)
    return line


def _part(line: socket.socket, words: bytes) -> None:
    """Send the last bytes, then read to the end: closing unread would reset, and lose them."""
    with line, suppress(OSError):  # it may be gone already
        line.settimeout(PARTING)
        line.sendall(words)
        line.shutdown(socket.SHUT_WR)
        until = time.monotonic() + PARTING
        while time.monotonic() < until and line.recv(1 << 16):
            pass
