"""Pilots and a real hall, without sockets, on a made clock; a function thinks for them all."""

from collections import Counter
from collections.abc import Callable

from rookery.bots.answering import think
from rookery.bots.asking import Thought
from rookery.cli.bot import PILOTS
from rookery.cli.bot.pilot import BotWish, CallAgain, NoMoreGames, Over, Pilot, Question
from rookery.core.events import TableEvent, table_of
from rookery.core.ids import MICROS_A_SECOND
from rookery.dialects.bughouse import BughouseOptions
from rookery.games import parse_variant
from rookery.hall.tables.replay import replay
from rookery.hall.tables.table import Table
from tests.transcripts.wired_hall import WiredHall

AT_ONCE = BughouseOptions(gap=0, welcome=0, first_turn=0)  # nobody here has an old client

MOMENT = MICROS_A_SECOND // 4  # long enough for what a dialect says only in silence
Chooser = Callable[[Question, int], str]


def level_one(question: Question, seed: int) -> str:
    """A beginner's move."""
    thought = Thought(
        question.variant, 1, question.seat, question.view, question.moves, seed, question.millis
    )
    move = think(thought, lambda: False)
    assert move is not None, "a beginner never waits"
    return move


class Bots:
    """Whoever has come, by name, and all that came of it. Mutates."""

    def __init__(self, choose: Chooser = level_one, games: int = 1) -> None:
        self.hall = WiredHall()
        self.hall.options["bughouse"] = AT_ONCE
        self.pilots: dict[str, Pilot] = {}
        self.dialects: dict[str, str] = {}
        self.results: dict[str, list[str]] = {}
        self.said: dict[str, list[str]] = {}
        self.finished: dict[str, str] = {}
        self.moves = Counter[str]()
        self._choose, self._games, self._seed = choose, games, 0

    def come(
        self, dialect: str, game: str, *names: str, code: str = "", team: str = "", room: str = ""
    ) -> None:
        """These bots begin, one after the other."""
        for name in names:
            self.come_at_once(dialect, game, name, code=code, team=team, room=room)

    def come_at_once(
        self, dialect: str, game: str, *names: str, code: str = "", team: str = "", room: str = ""
    ) -> None:
        """These bots begin, and only then is anybody answered."""
        for name in names:
            wish = BotWish(parse_variant(game), name, code, team=team, room=room)
            self.pilots[name] = PILOTS[dialect](wish)
            self.dialects[name] = dialect
            self.results[name], self.said[name] = [], []
            self.call(name)
        self.settle(0)

    def call(self, name: str) -> None:
        """A bot's connection begins."""
        self.hall.connect(name, self.dialects[name])
        self._send(name, self.pilots[name].begin())

    def settle(self, turns: int = 100_000) -> None:
        """Until nobody has anything to say, or so many moves were made."""
        until = self.moves.total() + turns
        while True:
            for silence in (0, MOMENT):
                self.hall.advance(silence)
                while sum(self._listen(name) for name in self.pilots):
                    pass
            rested = sorted(self.pilots, key=lambda name: self.moves[name])
            if self.moves.total() == until or not any(self._think(name) for name in rested):
                return

    def idle(self) -> None:
        """A moment in which everyone looks for something to do."""
        for name, pilot in self.pilots.items():
            self._send(name, pilot.idle())
        self.settle()

    def table(self, number: int) -> Table:
        """A table as the log has it."""
        events: list[TableEvent] = []
        for record in self.hall.records:
            if table_of(record.stream) == number:
                assert isinstance(record.event, TableEvent)
                events.append(record.event)
        found = table_of(f"table/{number}")
        assert found is not None
        return replay(found, events)

    def _listen(self, name: str) -> bool:
        if name not in self.hall.lines:
            return False
        said = self.hall.take(name)
        for heard in self.pilots[name].hear(said):
            match heard:
                case bytes():
                    self._send(name, heard)
                case str():
                    self.said[name].append(heard)
                case Over(result, _):
                    self.results[name].append(result)
                    if len(self.results[name]) == self._games:
                        return self._go(name)
                    self._send(name, self.pilots[name].again())
                case NoMoreGames(sentence):
                    self.finished[name] = sentence
                    return self._go(name)
                case CallAgain():
                    self.hall.hang_up(name)
                    self.call(name)
        return bool(said)

    def _go(self, name: str) -> bool:
        """This bot has enough."""
        self._send(name, self.pilots[name].farewell(withdraw=False))
        if name in self.hall.lines:
            self.hall.hang_up(name)
        return True

    def _think(self, name: str) -> bool:
        question = self.pilots[name].question
        if question is None or name not in self.hall.lines:
            return False
        self._seed += 1
        self.moves[name] += 1
        self._send(name, self.pilots[name].play(self._choose(question, self._seed)))
        return True

    def _send(self, name: str, words: bytes) -> None:
        if words and name in self.hall.lines:
            self.hall.send(name, words)
