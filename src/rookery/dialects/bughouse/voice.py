"""The lines to a client: one answer a request, and broadcasts no faster than it can take them.

The page: "at most 700 bytes of unasked lines, and the next only after 60 ms in which neither side
said anything (a request does *not* prove that the listener has read)". A move does prove something:
nobody moves before having read that it is the turn, so all that was sent up to that line has been
read, and in play nothing waits. While a window is built nothing else proves anything (see
`Window`). "A newcomer's first broadcast waits for 200 ms of silence", GAME_STARTED on a return for
600 ms, "the first YOUR_TURN of a game for 600 ms after GAME_STARTED", and longer for a client that
started the game and builds its window twice. While an answer is owed all
broadcasts wait. Lines that wait keep their order, but for NOTICE lines about who is gone or back:
they go only where nothing else waits, the newest of each player once a silence, so that nobody who
comes and goes delays a game. News carry the time they were decided at, not that at which they are
sent, after they were made safe: where a line waits for a silence, the next tick, which comes at
once, says when the silence began.
"""

from collections import deque
from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId
from rookery.dialects.bughouse.broadcasts.lobbynews import LobbyNews
from rookery.dialects.bughouse.pacing import PATIENCE, WELCOMES_A_RETURN, Pace, Window

UNASKED: Final = "BROADCAST:"
START: Final = "GAME_STARTED:"
TURN: Final = "YOUR_TURN"
TURN_WIRE: Final = f"{UNASKED}{TURN}\n".encode()


class HeldLine(Struct, frozen=True, gc=False):
    """A broadcast that waits, or is just being sent."""

    wire: bytes
    starts: bool = False  # says that a game begins
    after: Micros = 0  # … and this one comes so long after that
    silence: Micros = 0  # it waits for so much, whatever room there is


class Voice:
    """Sends one client its answers and broadcasts, and holds back what it cannot take yet."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._said: list[bytes] = []
        self._held: deque[HeldLine] = deque()
        self._lobby = LobbyNews()
        self._absences: dict[PlayerId, bytes] = {}  # the newest line of who is gone or back
        self._absences_told = False  # some were sent since the last silence
        self._window = Window()
        self._followed = True  # a request has followed the last news of the lobby
        self._sent = 0  # bytes broadcast
        self._read = 0  # … of which we know that they were read
        self._turns: deque[int] = deque()  # bytes sent up to each YOUR_TURN not acted on
        self._now: Micros = 0
        self._last: Micros = 0  # when something was read or sent
        self.asks_time = False  # it was sent, and since then nobody said how late it is
        self._starting = False  # … and it said that a game begins
        self._since: Micros | None = None  # when what is first in the queue came to be first
        self._started: Micros = 0  # when it was last said that a game begins
        self._fresh = False  # … and they have had no turn in it
        self._new = True  # nothing was broadcast yet
        self._owes = False  # a request is being looked into

    # -- what is read

    def heard(self, now: Micros) -> None:
        """Note that the client has sent a request, or several at once: a silence begins anew."""
        self._settle(now)
        if self._lobby:
            self._lobby.asked()
            if not self._followed and not self._held:
                self._since = now
        self._followed = True

    def asked(self, verb: str = "") -> None:
        """Note that a request is taken up: broadcasts wait until it is answered."""
        self._owes = True
        self._window.asked(verb, self._now)

    def acts(self) -> None:
        """Note that the client moves, so it has read all that was sent up to that YOUR_TURN."""
        if self._turns:
            self._read = max(self._read, self._turns.popleft())
        self._window.acts(self._now)

    # -- what is said

    def answer(self, line: str, now: Micros) -> None:
        """Send the answer to a request, and the broadcasts that waited for it."""
        self._said.append(f"{line}\n".encode())
        self._owes = False
        self._now = self._last = now
        self.asks_time = True
        if self._held:
            self._let_go(now)

    def broadcast(self, line: str, now: Micros) -> None:
        """Broadcast a line to the client, at once or when it may go."""
        starts = line.startswith(START)
        self._fresh = self._fresh or starts
        self._put(HeldLine(f"{UNASKED}{line}\n".encode(), starts=starts), now)

    def broadcast_return(self, line: str, now: Micros) -> None:
        """Broadcast GAME_STARTED to a client that came back, when it has long been silent."""
        self._fresh = True
        silence = WELCOMES_A_RETURN * self._pace.welcome
        self._put(HeldLine(f"{UNASKED}{line}\n".encode(), starts=True, silence=silence), now)

    def turn(self, now: Micros) -> None:
        """Broadcast YOUR_TURN; the first time in a game not too soon after its start."""
        after = self._pace.first_turn if self._fresh else 0
        self._fresh = False
        self._put(HeldLine(TURN_WIRE, after=after), now)

    def broadcast_at_once(self, words: bytes, turn: int, now: Micros) -> bool:
        """Broadcast lines of a game, if all can go or wait together; else do nothing, say False.

        The first `turn` bytes of the words end in YOUR_TURN; 0 where that is not among them.
        """
        if self._new or self._lobby.games or (turn and self._fresh):
            return False
        if self._held or self._owes:
            return not turn and self._hold(words, now)
        if self._sent - self._read + len(words) > self._pace.burst:
            return False
        self._said.append(words)
        if turn:
            self._turns.append(self._sent + turn)
        self._sent += len(words)
        self._now = max(self._now, now)
        self._last = now
        self.asks_time = True
        return True

    def _hold(self, words: bytes, now: Micros) -> bool:
        """Queue lines behind those that wait; False, and nothing done, if a turn waits there."""
        if self._held and self.holds_turn:
            return False
        if not self._held:
            self._since = now
        self._held += [HeldLine(line) for line in words.splitlines(keepends=True)]
        self._now = max(self._now, now)
        return True

    @property
    def holds_turn(self) -> bool:
        """Whether a YOUR_TURN waits to be sent."""
        return bool(self._held) and any(one.wire is TURN_WIRE for one in self._held)

    def drop_turn(self, now: Micros) -> None:
        """Drop the first YOUR_TURN that waits: the player's turn is over."""
        for n, one in enumerate(self._held):
            if one.wire is TURN_WIRE:
                del self._held[n]
                break
        self._let_go(now)

    def lobby(self, game: str, lines: tuple[str, ...], now: Micros) -> None:
        """Queue lobby news of a game; a drain sends them as soon as the client can take them."""
        self._now = max(self._now, now)
        if self._since is None:
            self._since = now
        self._lobby.add(game, lines, held=not self._may_tell_lobby())

    def absence(self, player: PlayerId, line: str, now: Micros) -> None:
        """Queue news of who is gone or back; a drain sends them when they delay nothing."""
        self._now = max(self._now, now)
        self._absences.pop(player, None)
        self._absences[player] = f"{UNASKED}{line}\n".encode()

    def drop_absences(self) -> None:
        """Drop what waits of who is gone or back: the game is over."""
        self._absences.clear()

    def join(self, game: str, now: Micros) -> None:
        """Broadcast what waits of a game as its own lines: a player of the client is in it now."""
        if self._lobby:
            for line in self._lobby.pop(game):
                self.broadcast(line, now)

    def drop_lobby(self) -> None:
        """Drop all lobby news that wait: a game of the client's players begins."""
        self._lobby.clear()

    # -- time

    def tick(self, now: Micros) -> None:
        """Note what time it is, and send what has waited for long enough."""
        if self.asks_time:
            self._settle(now)
        self._now = max(self._now, now)
        if self._held:
            self._let_go(now)

    def deadline(self) -> Micros | None:
        """When to `tick`, or to drain, at the latest; None where nothing waits for the time."""
        if self.asks_time:
            return self._now  # silence is counted from when it was sent, not from the next news
        waits = self._held or self._absences or (self._lobby.games and self._followed)
        if self._owes or not waits:
            return None
        moment = self._quiet_at()
        if self._held:
            first = self._held[0]
            if not self._new and not first.silence and self._fits(len(first.wire)):
                moment = 0
            if first.after:
                moment = max(moment, self._first_turn(first))
        return max(moment, self._now)

    def silence(self) -> Micros | None:
        """When to `tick` to learn of a silence; None if it is known, or an answer is owed."""
        moment = self._quiet_at()
        return None if self._owes or moment <= self._now else moment

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent now, lobby news among them if they may go."""
        if self._lobby.games and self._may_tell_lobby():
            self._tell_lobby()
        if self._absences and not (self._held or self._owes):
            self._tell_absences()
        if not self._said:
            return b""
        said = b"".join(self._said)
        self._said.clear()
        return said

    # -- what may go

    def _settle(self, now: Micros) -> None:
        """Count the silence from now, when lines were sent or a request came."""
        self._now = self._last = now
        if self._starting:
            self._start(now)
        self.asks_time = self._starting = False

    def _start(self, now: Micros) -> None:
        self._started = now
        if self._pace.gap:  # else its clients need no pace
            self._window.begin(now)

    def _put(self, line: HeldLine, now: Micros) -> None:
        self._now = max(self._now, now)
        waits = self._held or self._owes or self._new or line.after or line.silence
        if waits or not self._fits(len(line.wire)):
            self._held.append(line)
            if len(self._held) == 1:  # else it waits its turn
                self._since = now
                self._let_go(now)
        else:
            self._say(line, now)

    def _quiet_at(self) -> Micros:
        """When there was enough silence, or lines have waited for too long without one."""
        silence = self._pace.welcome if self._new else max(self._pace.gap, self._window.silence)
        if self._held:
            silence = max(silence, self._held[0].silence)
        quiet, stands = self._last + silence, self._window.stands
        if self._since is not None:
            quiet = min(quiet, max(self._since, stands) + PATIENCE)
        return max(quiet, stands)

    def _first_turn(self, line: HeldLine) -> Micros:
        """When a game's first YOUR_TURN may go."""
        return max(self._started + line.after, self._window.first_turn)

    def _fits(self, size: int) -> bool:
        on_the_way = self._sent - self._read
        return not on_the_way or on_the_way + size <= self._pace.burst

    def _let_go(self, now: Micros) -> None:
        """Send the lines that wait, in order, as far as the client can take them now."""
        if self._owes:
            return
        if now >= self._quiet_at():
            self._note_silence()
        elif self._new:
            return
        while self._held:
            first = self._held[0]
            if (
                not self._fits(len(first.wire))
                or (first.after and now < self._first_turn(first))
                or (first.silence and now < self._quiet_at())
            ):
                return
            self._say(self._held.popleft(), now)
            self._since = now if self._held else None

    def _say(self, line: HeldLine, now: Micros) -> None:
        self._said.append(line.wire)
        self._sent += len(line.wire)
        self._last = now
        self.asks_time = True
        if line.wire is TURN_WIRE:
            self._turns.append(self._sent)
        elif line.starts:
            self._starting = True
            self._start(now)
            self._turns.clear()

    def _note_silence(self) -> None:
        """All that was sent has been read."""
        self._new, self._read, self._absences_told = False, self._sent, False

    def _tell_absences(self) -> None:
        """Send who is gone or back, as much as fits, if none was told since the last silence."""
        if self._now >= self._quiet_at():
            self._note_silence()
        elif self._new or self._absences_told or self._now < self._window.stands:
            return
        while self._absences:
            player, wire = next(iter(self._absences.items()))
            if not self._fits(len(wire)):
                break
            del self._absences[player]
            self._say(HeldLine(wire), self._now)
            self._absences_told = True

    def _may_tell_lobby(self) -> bool:
        """Whether a request followed the last lobby news, and a silence followed that request."""
        return (
            self._followed and not self._owes and not self._held and self._now >= self._quiet_at()
        )

    def _tell_lobby(self) -> None:
        self._note_silence()
        while self._lobby:
            game, lines = self._lobby.first()
            wires = [f"{UNASKED}{line}\n".encode() for line in lines]
            if not self._fits(sum(map(len, wires))):
                break
            self._lobby.pop(game)
            for wire in wires:
                self._say(HeldLine(wire), self._now)
        self._followed, self._since = False, None
