"""Laws of the table: what is played, however wildly, is what the log replays.

Every registered game is played by people who do anything: legal moves, nonsense, moves
out of turn, offers and resignations at every moment, strangers among them, while flags
fall and seats are left. A second table is kept that hears only the events, and it must
be the same table after each of them.
"""

from functools import cache

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import (
    Closed,
    Ended,
    Opened,
    Played,
    Rematched,
    RematchWished,
    Said,
    Seeded,
    TableEvent,
    TakenBack,
)
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat, Status, TableId
from rookery.core.intents import (
    Abort,
    DeclineDraw,
    DeclineTakeBack,
    Leave,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    Say,
    Sit,
    Start,
    TableIntent,
    TakeBack,
)
from rookery.core.policy import Begin, Errors, Policy
from rookery.hall.tables.flags import fallen
from rookery.hall.tables.referee import Asker, called_off, decide, gone, vacate
from rookery.hall.tables.replay import replay
from rookery.hall.tables.ruling import Ruling
from rookery.hall.tables.table import Table, evolve, open_table
from rookery.testing import GameCase
from rookery.testing.cases import is_sentence, spread
from tests.laws.variants import CASES

ID = TableId(7)
STEPS = 150
SEEDS = 30
TIMES = (
    "none",
    "20s",
    "5s+2s",
    "9s delay 2s",
    "4s/move",
    "9s/move first 3s",
    "3s/move first 9s of phase",
)
NONSENSE = (
    "", " ", "\0", "e2e4", "-1", "99999999999999999999", "0,0", "0,0-0,0", "a1", "P@e4", "½",
    "\ud800", "move\nmove", "x" * 100_000, "é" * 101, "null", "1e3", "+4", "4 ",
)  # fmt: skip
TALK = ("hello", "\x1b[2J", "\0\0", "  ", "a\nb", "\u202eabc", "x" * 500, "x" * 501, "\ud800")


class Story(Struct, frozen=True):
    """A table as it was played, and everything that happened at it."""

    table: Table
    events: tuple[TableEvent, ...]


class Teller:
    """Plays one wild game, holding the laws at every step."""

    def __init__(self, case: GameCase, seed: int) -> None:
        self.case = case
        self.chance = Chance(seed + 1000 * CASES.index(case))
        self.now: Micros = 10**15
        opened = Opened(
            case.title, case.game.rules, case.seats, self.chance.choice(TIMES), self._policy(),
            PlayerId(1), takebacks=case.seats == 2 and not case.game.secret_moves,
        )  # fmt: skip
        self.table = self.heard = open_table(ID, opened)
        self.events: list[TableEvent] = [opened]
        self.positions: list[object] = []  # before each move that stands
        self._happen(Seeded(seed), evolve(self.table, Seeded(seed)))

    def tell(self) -> Story:
        """Play until it has been wild enough."""
        for player in range(1, self.case.seats + 1):
            if self.table.status is Status.OPEN and self.chance.below(60):
                self.ask(PlayerId(player), Sit(ID))
        for _ in range(STEPS):
            self.step()
        return Story(self.table, tuple(self.events))

    def step(self) -> None:
        """Time passes, and somebody does something."""
        chance = self.chance
        self.now += chance.choice((0, 1, 1000, MICROS_A_SECOND // 3, 2 * MICROS_A_SECOND))
        if self.table.status is Status.PLAYING:
            self._hand_over()
            self._befall()
        elif self.table.status is Status.OPEN and not chance.below(60):
            taken = [Seat(n) for n, who in enumerate(self.table.seats) if who is not None]
            self.take(vacate(self.table, frozenset(taken[: chance.below(3)])))
        self.ask(PlayerId(chance.between(1, self.case.seats + 2)), self._intent())

    def _befall(self) -> None:
        """Now and then something happens that nobody asked for."""
        fate = self.chance.below(400)
        if fate < 8:
            self.take(fallen(self.table, self.now))
        elif fate < 12:
            self._leave_for_good()
        elif fate == 12:
            self.take(called_off(self.table, "abandoned", "Everyone left the game."))

    def ask(self, player: PlayerId, intent: TableIntent) -> None:
        """This player asks this; the ruling is lawful."""
        ruling = decide(self.table, Asker(player, f"p{player}"), intent, self.now)
        assert ruling.changes or ruling.refused, "every intent has an answer"
        if ruling.refused is not None:
            assert is_sentence(ruling.refused.sentence)
        self.take(ruling)

    def take(self, ruling: Ruling) -> None:
        """These things happen."""
        for change in ruling.changes:
            self._happen(change.event, change.table)

    def _happen(self, event: TableEvent, after: Table) -> None:
        if self.table.status in (Status.OVER, Status.CLOSED):
            assert isinstance(event, Said | RematchWished | Rematched), "the end is the end"
        self.events.append(event)
        if isinstance(event, Played):
            self.positions.append(self.table.state)
        if isinstance(event, TakenBack):
            went = self.positions[-event.plies :]
            del self.positions[-event.plies :]
            assert after.state == went[0], "the position is that before the move"
            assert event.seat in after.to_act, "who asked moves again"
            assert after.plies == len(self.positions)
        before, self.table, self.heard = self.table, after, evolve(self.heard, event)
        assert same_clocks(self.heard, after, before) == after, f"{event}, replayed"
        assert after.n == len(self.events), "a table knows how much has happened"

    def _hand_over(self) -> None:
        """Some turns reach their seats, as after a write."""
        table = self.table
        for seat in table.to_act:
            if table.clock.since[seat] is None and self.chance.below(4):
                clock = self.table.clock.run(seat, self.now, table.game.phase(table.state))
                self.table = replace(self.table, clock=clock)

    def _leave_for_good(self) -> None:
        there = [Seat(n) for n in range(self.case.seats) if Seat(n) not in self.table.out]
        self.take(gone(self.table, self.chance.choice(there)))

    def _intent(self) -> TableIntent:
        chance = self.chance
        if self.table.offers and not chance.below(4):
            return OfferDraw(ID) if chance.below(3) else DeclineDraw(ID)
        if self.table.takeback is not None and chance.below(3):
            return TakeBack(ID) if chance.below(3) else DeclineTakeBack(ID)
        seat = chance.choice((None, 0, 1, -1, self.case.seats, 10**30))
        others: tuple[TableIntent, ...] = (
            Sit(ID, None if seat is None else Seat(seat)), Start(ID), Leave(ID), Resign(ID),
            Abort(ID), *(OfferDraw(ID),) * 3, *(DeclineDraw(ID),) * 2, Rematch(ID),
            *(TakeBack(ID),) * 3, DeclineTakeBack(ID),
            Say(ID, chance.choice(TALK), bool(chance.below(2))), Play(ID, chance.choice(NONSENSE)),
        )  # fmt: skip
        if self.table.status is Status.PLAYING and chance.below(5):
            others = (self._move(),)
        elif self.table.status is Status.PLAYING and chance.below(3):
            others = tuple(i for i in others if not isinstance(i, Leave | Resign | Abort))
        return chance.choice(others)

    def _move(self) -> TableIntent:
        """A legal move, though perhaps not from whoever asks."""
        table = self.table
        for seat in sorted(table.to_act):
            moves = spread(self.case.legal(table.state, seat), 40)
            player = table.seats[seat]
            if moves and player is not None:
                move = Play(ID, table.game.format_move(self.chance.choice(moves)))
                if self.chance.below(6):
                    self.ask(player, move)
                return move
        return Abort(ID)

    def _policy(self) -> Policy:
        chance = self.chance
        limit = chance.choice((0, 0, 1, 2, 5))
        errors = Errors(limit, bool(chance.below(2)), bool(chance.below(2)))
        return Policy(chance.choice((Begin.FULL, Begin.FULL, Begin.OWNER)), errors=errors)


def same_clocks(replayed: Table, played: Table, started: Table) -> Table:
    """A replay has no running clocks; start those that ran, in the phase they started in."""
    clock = replayed.clock
    for n, since in enumerate(played.clock.since):
        if since is not None:
            clock = clock.run(Seat(n), since, started.game.phase(started.state))
    return replace(replayed, clock=clock)


@cache
def told(case: GameCase, seed: int) -> Story:
    """One wild game."""
    return Teller(case, seed).tell()


every_case = pytest.mark.parametrize("case", CASES, ids=str)


@every_case
def test_a_table_is_the_same_replayed_from_its_log_as_it_was_played(case: GameCase) -> None:
    for seed in range(SEEDS):
        story = told(case, seed)
        log = msgspec.json.encode(story.events)
        events = msgspec.json.decode(log, type=tuple[TableEvent, ...])
        assert same_clocks(replay(ID, events), story.table, story.table) == story.table, seed


@every_case
def test_a_game_ends_at_most_once_and_says_why(case: GameCase) -> None:
    for seed in range(SEEDS):
        story = told(case, seed)
        ends = [event for event in story.events if isinstance(event, Ended | Closed)]
        assert len(ends) == (story.table.status in (Status.OVER, Status.CLOSED)), seed
        outcome = story.table.outcome
        assert [end.outcome for end in ends if isinstance(end, Ended)] == [outcome] * bool(outcome)
        if outcome is not None:
            assert is_sentence(outcome.reason), seed
            assert len(outcome.places) == case.seats
            assert set(outcome.places) <= set(range(1, case.seats + 1))


def test_the_stories_are_wild_enough_to_mean_something() -> None:
    """Every kind of event, and every way to end that people can bring about, comes up."""
    kinds: set[str] = set()
    ways: set[str] = set()
    for case in CASES:
        for seed in range(SEEDS):
            for event in told(case, seed).events:
                kinds.add(type(event).__name__)
                if isinstance(event, Ended):
                    ways.add(event.outcome.how)
    wanted = {"Sat", "Left", "Started", "Played", "Erred", "DrawOffered", "DrawDeclined", "Out"}
    wanted |= {"TakebackAsked", "TakebackDeclined", "TakenBack"}
    assert kinds >= wanted | {"Ended", "Closed", "Said", "RematchWished"}
    assert ways >= {"resigned", "late", "cheated", "gone", "agreed", "aborted", "abandoned"}
