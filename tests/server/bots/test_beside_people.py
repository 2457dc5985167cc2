"""People who think at one board of bughouse, and house bots at the other, in a made-up world.

In such a world a process that thinks for the bots hangs or dies now and then, and its bot is
late: so every move has its least time, but only most have their longest.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import pytest

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import Told
from rookery.core.chance import Chance
from rookery.core.events import Played, Record, TableEvent, TakenOver, table_stream
from rookery.core.ids import MICROS_A_SECOND, Seat, TableId
from rookery.core.intents import Leave, LegalMoves, Open, Play, Sit
from rookery.core.messages import Moves
from rookery.core.policy import Gone, Policy
from rookery.server.config import Settings
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from rookery_tools.sim.machine.process import HOST, PORT
from rookery_tools.sim.machine.wires import Network, WorldLine
from rookery_tools.sim.script import WorldScript
from rookery_tools.sim.single_server import SingleServer

TABLE: Final = TableId(1)
BOARDS: Final = {Seat(0): 1, Seat(1): 1, Seat(2): 2, Seat(3): 2}
LONG: Final = 1_000.0  # seconds that nobody thinks who is to move in the test


class Person:
    """Sits at this seat, and thinks so many seconds about each move in turn, the last for ever."""

    def __init__(self, agenda: WorldAgenda, opening: Open | Sit, thinks: Iterable[float]) -> None:
        self.client = NativeClient(f"p{opening.seat}")
        self.line: WorldLine | None = None
        self._agenda, self._opening, self._thinks = agenda, opening, [*thinks]
        self._on_turn = False

    def say(self, request: Open | Sit | LegalMoves | Play | Leave) -> None:
        """Ask this of the server."""
        assert self.line is not None, "a person has called before saying anything"
        self.line.send(self.client.ask(request))

    def connected(self) -> None:
        """Greet the server, and sit down."""
        assert self.line is not None, "a person is connected by a call"
        self.line.send(self.client.ask(self.client.hello()))
        self.say(self._opening)

    def heard(self, came: bytes) -> None:
        """Think when it is one's turn."""
        for told in self.client.hear(came):
            match told:
                case Told(to_act=to_act):
                    had, self._on_turn = self._on_turn, self._opening.seat in to_act
                    if self._on_turn and not had:
                        think = self._thinks.pop(0) if self._thinks else LONG
                        then = partial(self.say, LegalMoves(TABLE))
                        self._agenda.after(round(think * SECOND), then)
                case Answered(LegalMoves(), Moves(moves=moves)) if moves:
                    self.say(Play(TABLE, moves[len(moves) // 2]))
                case _:
                    pass

    def lost(self) -> None:
        """Nobody is cut off here."""


class Beside:
    """A server with house bots, and the people who call it."""

    def __init__(self, folder: Path, house: dict[str, object]) -> None:
        agenda = self.agenda = WorldAgenda()
        net = self._net = Network(agenda, Chance(7), Counter())
        script = WorldScript(seed=1, fares=(), people=(), faults=())
        terms = {"enabled": True, "wait": 1, "level": 1, "workers": 1, **house}
        settings = Settings(host=HOST, port=PORT, house=terms)
        self._server = SingleServer(script, net, Chance(3), settings, folder)
        self._server.start()
        self._calls = 0

    def calls(self, opening: Open | Sit, *thinks: float) -> Person:
        """Somebody calls who sits down like this."""
        person = Person(self.agenda, opening, thinks)
        self._calls += 1
        person.line = self._net.call(f"10.0.{self._calls}.1", PORT, person, 0)
        return person

    def close(self) -> None:
        """Stop the server."""
        self._server.end()

    def passes(self, seconds: float) -> None:
        """Time passes."""
        until = self.agenda.now + round(seconds * SECOND)
        while self.agenda.now < until:
            assert not self._server.seen.mistakes
            self._server.step(until)

    def log(self) -> list[tuple[float, TableEvent]]:
        """What happened at the table, each with its time in seconds."""
        records: tuple[Record, ...]
        records, wrong = self._server.read()
        assert not wrong
        return [
            (record.at / 1e6, record.event)  # type: ignore[misc] # the table's own stream
            for record in records
            if record.stream == table_stream(TABLE)
        ]

    def moves(self, board: int) -> list[tuple[float, Seat, float]]:
        """The moves on this board: when, whose, and how many seconds each took."""
        return [
            (at, event.seat, event.spent / 1e6)
            for at, event in self.log()
            if isinstance(event, Played) and BOARDS[event.seat] == board
        ]


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Beside]:
    """A server with house bots as they are by default."""
    world = Beside(tmp_path, {})
    yield world
    world.close()


def turn_of(person: list[tuple[float, Seat, float]], n: int) -> tuple[float, float]:
    """When the person began to think about this move of theirs, and when it was made."""
    at, _, spent = [move for move in person if move[1] == 0][n]
    return at - spent, at


def test_bots_wait_for_a_person_who_thinks_long_after_quick_moves(beside: Beside) -> None:
    beside.calls(Open("bughouse", seat=Seat(0)), 0.5, 0.5, 60)
    beside.passes(80)
    since, until = turn_of(beside.moves(1), 2)
    assert until - since >= 60
    meanwhile = [(at, spent) for at, _, spent in beside.moves(2) if since < at < until]
    assert 6 <= len(meanwhile) <= 11, "one each 6 s, and one that was begun before"
    assert all(spent >= 5.9 for at, spent in meanwhile if at - spent > since)


def test_bots_wait_no_longer_than_the_person_thinks(beside: Beside) -> None:
    beside.calls(Open("bughouse", seat=Seat(0)), *[2.0] * 20)
    beside.passes(40)
    first = turn_of(beside.moves(1), 0)[1]
    spent = [spent for at, _, spent in beside.moves(2) if at - spent > first]
    assert len(spent) >= 8
    assert min(spent) >= 1.9
    assert median(spent) <= 3.5


def test_bots_answer_the_person_on_their_own_board_soon(beside: Beside) -> None:
    beside.calls(Open("bughouse", seat=Seat(0)), *[4.0] * 20)
    beside.passes(40)
    answers = [spent for _, seat, spent in beside.moves(1) if seat == 1]
    assert len(answers) >= 6
    assert 0.9 <= min(answers) <= median(answers) <= 1.5


def test_bots_use_a_twentieth_of_their_clock_at_most(beside: Beside) -> None:
    beside.calls(Open("bughouse", seat=Seat(0), time="40s"), 0.5, 30)
    beside.passes(35)
    left = {Seat(2): 40.0, Seat(3): 40.0}
    taken = [(seat, spent) for _, seat, spent in beside.moves(2)]
    assert len(taken) > 15
    over = []
    for seat, spent in taken:
        over.append(spent - left[seat] / 20)
        left[seat] -= spent
    assert median(over) <= 0.05


def test_bots_wait_for_two_people_at_one_board(beside: Beside) -> None:
    beside.calls(Open("bughouse", seat=Seat(0)), 0.5, 0.5, 30)
    beside.passes(0.5)
    beside.calls(Sit(TABLE, Seat(1)), 0.5, 0.5, 30)
    beside.passes(80)
    since = turn_of(beside.moves(1), 2)[0]
    during = [at for at, _, _ in beside.moves(2) if since < at < since + 60]
    assert 7 <= len(during) <= 12


def test_bots_do_not_wait_for_a_person_for_whom_a_bot_plays(beside: Beside) -> None:
    policy = Policy(gone=Gone.TAKEOVER, grace=2 * MICROS_A_SECOND)
    lost = beside.calls(Open("bughouse", seat=Seat(0), policy=policy), 0.5, 0.5, 600)
    beside.passes(0.5)
    beside.calls(Sit(TABLE, Seat(1)), *[2.0] * 40)
    beside.passes(10)
    assert lost.line is not None
    lost.line.hang_up()
    beside.passes(40)
    gone = next(at for at, event in beside.log() if isinstance(event, TakenOver))
    spent = [spent for at, _, spent in beside.moves(2) if at - spent > gone]
    assert len(spent) >= 8
    assert median(spent) <= 3.5
