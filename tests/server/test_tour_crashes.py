"""A tournament whose server is killed again and again: it goes on at the exact ply.

Five tourney clients play a double round robin of nim over TCP. The server is killed with
SIGKILL after so many lines, drawn from a seed, and then some turns of an empty loop more.
In the end every match was played once, and everything anyone was told is in the log.
`ROOKERY_KILLS=200` in the environment kills that often, instead of 20 times.
"""

import os
import selectors
from pathlib import Path

import pytest

from rookery.core.chance import Chance
from rookery.core.events import (
    Ended,
    MatchBegun,
    MatchEnded,
    Opened,
    Paired,
    Played,
    Record,
    Sat,
    Started,
    TourEnded,
    table_of,
)
from rookery.core.ids import Seat
from rookery.dialects.tourney.games import words_of
from rookery.hall.tables.table import Table, evolve, open_table
from rookery.store.sqlite import open_for_reading
from rookery.verify.log import check_log
from tests.server.entrants import Pairing, TourneyClient
from tests.server.process import PATIENCE, serving

PARTS = 2  # each a test of its own, so that they can be run beside each other
KILLS = int(os.environ.get("ROOKERY_KILLS", "20"))
ENTRANTS = 5
LINES_A_LIFE = 60  # a server is killed at the latest after so many
SPIN = 30_000  # turns of an empty loop: about a millisecond, several times what a write takes


class Siege:
    """The owner, the entrants, and the one who kills their server. It mutates."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = Chance(seed)
        self.owner = TourneyClient("owner", Chance(seed))
        self.entrants = [TourneyClient(f"p{n}", Chance(seed + n + 1)) for n in range(ENTRANTS)]

    def endure(self, kills: int) -> list[Record]:
        """Play through so many kills, then to the end; the log."""
        for life in range(kills):
            with serving(self.folder) as server:
                self._arrive(server.port, first=life == 0)
                self._live(self.chance.below(LINES_A_LIFE))
                for _ in range(self.chance.below(SPIN)):
                    pass
                server.kill()
                for one in self.entrants:
                    one.bereave()
        with serving(self.folder) as server:
            self._arrive(server.port, first=kills == 0)
            self._live(None)
            assert "/N" not in (report := self.owner.ask("@TOUR:REPORT")), report
            self.owner.say("@TOUR:END")
            for one in self.entrants:
                while not one.ended:
                    assert one.take(), "everyone is told of the end"
            assert server.stop() == 0
            for one in (self.owner, *self.entrants):
                one.close()
            log = open_for_reading(server.log_file)
            records = list(log.read())
            log.close()
        return records

    def _arrive(self, port: int, *, first: bool) -> None:
        self.owner.arrive(port)
        if first:
            assert self.owner.ask("@TOUR:CREATE:NIM") == "@TID:1"
        for one in self.entrants:
            one.arrive(port)
            if first:
                assert one.ask("@TOUR:JOIN") == "@MESSAGE:Tournament 1 successfully joined."
        if first:
            self.owner.say("@TOUR:START")

    def _live(self, lines: int | None) -> None:
        """Play until so many lines were heard, or to the end."""
        with selectors.DefaultSelector() as selector:
            for one in self.entrants:
                selector.register(one, selectors.EVENT_READ, one)
            while (lines is None or lines > 0) and self._left():
                ready = selector.select(PATIENCE)
                assert ready, "while matches are left somebody always has something to do"
                heard = sum(key.data.take() for key, _ in ready)
                lines = None if lines is None else lines - heard

    def _left(self) -> int:
        answer = self.owner.ask("@TOUR:MATCHES LEFT")
        return int(answer.removeprefix("@MESSAGE: There are ").partition(" ")[0])


@pytest.mark.parametrize("part", range(PARTS))
def test_a_tournament_goes_on_at_the_exact_ply_after_every_kill(part: int, disk: Path) -> None:
    siege = Siege(disk / "log", seed=100 + part)
    records = siege.endure(-(-KILLS // PARTS))
    assert list(check_log(records)) == []
    tables = played(records)
    everyone = [one.name for one in siege.entrants]
    assert set(tables) == {(a, b) for a in everyone for b in everyone if a != b}
    assert len([r for r in records if isinstance(r.event, Opened)]) == len(tables), "none twice"
    check_results(records, tables)
    for one in siege.entrants:
        assert one.errors == []
        assert one.ended == 1
        for pairing, memory in one.matches.items():
            moves, states, result = tables[pairing]
            assert in_order(memory.states, states), "every state we were told came about"
            mine = [move for seat, move in moves if pairing[seat] == one.name]
            assert in_order(memory.made, mine), "every move that was praised was made"
            assert memory.results in ([], [result]), "a result is told once"


Course = tuple[list[tuple[Seat, str]], list[str], str]  # moves, states, and who won


def played(records: list[Record]) -> dict[Pairing, Course]:
    """Every match of the log: its moves, its states as the wire has them, its result."""
    words = words_of("nim")
    assert words is not None
    streams: dict[str, list[Record]] = {}
    for record in records:
        if record.stream.startswith("table/"):
            streams.setdefault(record.stream, []).append(record)
    found: dict[Pairing, Course] = {}
    for stream, past in streams.items():
        opened, number = past[0].event, table_of(stream)
        assert isinstance(opened, Opened)
        assert number is not None
        table: Table = open_table(number, opened)
        names = tuple(r.event.name for r in past if isinstance(r.event, Sat))
        moves, states, result = [], [], ""
        for record in past[1:]:
            event = record.event
            assert not isinstance(event, MatchBegun)
            table = evolve(table, event)  # type: ignore[arg-type] # a table's stream is a table's
            if isinstance(event, Played):
                moves.append((event.seat, event.move))
            if isinstance(event, Played | Started) and table.to_act:
                states.append(words.state(table.game.view(table.state, Seat(0))))
            if isinstance(event, Ended):
                result = "HA"[event.outcome.winners[0]]
        assert (names[0], names[1]) not in found, "a match is played once"
        found[names[0], names[1]] = (moves, states, result)
    return found


def check_results(records: list[Record], tables: dict[Pairing, Course]) -> None:
    """The tour's own stream has each match once: paired, begun and come out."""
    events = [record.event for record in records if record.stream == "tour/1"]
    fixtures = [
        fixture for event in events if isinstance(event, Paired) for fixture in event.fixtures
    ]
    assert len(fixtures) == len(tables)
    assert sorted(e.match for e in events if isinstance(e, MatchBegun)) == [
        n + 1 for n in range(len(tables))
    ]
    ended = {e.match: e.result for e in events if isinstance(e, MatchEnded)}
    assert len(ended) == len([e for e in events if isinstance(e, MatchEnded)]) == len(tables)
    for number, result in ended.items():
        home, away = (f"p{side - 1}" for side in fixtures[number - 1].sides)
        assert "HA"[result.places.index(1)] == tables[home, away][2]
    assert isinstance(events[-1], TourEnded)


def in_order(some: list[str], all_of_them: list[str]) -> bool:
    """Whether these are among those, in the same order; what was told again counts once."""
    rest = iter(all_of_them)
    last = None
    for one in some:
        if one != last and one not in rest:
            return False
        last = one
    return True
