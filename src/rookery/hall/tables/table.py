"""A table: one game being played, as a value that only events change.

`evolve` is the one way a table becomes another, and it never asks the time, chance or
the world: replaying a log gives the table that was played. The referee, who decides
which events happen, is next door in `referee.py`.
"""

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.clock import Budget, Clock, PerMove, TimeControl, Unlimited, parse_time_control
from rookery.core.errors import BROKEN, FAILED, RulesFailed, ask
from rookery.core.events import (
    Closed,
    DrawDeclined,
    DrawOffered,
    Ended,
    Erred,
    Left,
    Opened,
    Out,
    Owned,
    Played,
    Rematched,
    RematchWished,
    Said,
    Sat,
    Seeded,
    Started,
    Swapped,
    TableEvent,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TakenOver,
)
from rookery.core.game import Aside, Effect, Outcome, Step
from rookery.core.ids import NOBODY, SEATS_MAX, PlayerId, Seat, Status, TableId, put
from rookery.games import AnyGame, parse_variant
from rookery.games.absent_game import Absent, absent, game_or_absent
from rookery.hall.limits import EARLIER_MAX

Effects = tuple[Effect | Aside, ...]

NO_TEAMS: Final[frozenset[int]] = frozenset()


_SEATS: Final = tuple(frozenset(range(seats)) for seats in range(SEATS_MAX + 1))
_PLAYING: Final = Status.PLAYING  # asked for thrice a move, and an enum is slow to say


class Earlier(Struct, frozen=True, gc=False):
    """An earlier position, and the seat that moved from it."""

    seat: Seat
    state: Any  # Any: only the game can read it


class Table(Struct, frozen=True, gc=False):
    """Everything there is to know of one game. `replay` makes one from its events."""

    id: TableId
    opened: Opened
    game: AnyGame
    clock: Clock
    teams: tuple[int, ...]
    seats: tuple[PlayerId | None, ...]
    names: tuple[str, ...]
    errors: tuple[int, ...]  # illegal moves that count, by seat
    owner: PlayerId | None = None  # the player who may start it; at first the one who opened it
    joined: tuple[PlayerId, ...] = ()  # who sits here, in the order they came
    n: int = 1  # events so far, the opening included
    status: Status = Status.OPEN
    seed: int | None = None
    lock: str = ""  # the hash of its code, where it is private
    state: Any = None  # Any: only the game can read it; None before the start
    plies: int = 0
    chats: int = 0  # what was said, by anyone
    asides: int = 0  # … by those who do not sit here
    out: frozenset[Seat] = NOBODY  # seats that resigned, were late, cheated or left
    offers: frozenset[int] = NO_TEAMS  # teams that would take a draw
    asked: frozenset[int] = NO_TEAMS  # teams that have offered one since the last move
    earlier: tuple[Earlier, ...] = ()  # the last positions, where moves may be taken back
    takeback: Seat | None = None  # the seat that asks for a move back
    begged: frozenset[Seat] = NOBODY  # seats that have asked for one since the last move
    takebacks: int = 0
    paid: tuple[int, ...] = ()  # moves to come by seat that had their increment; () for none
    wishes: frozenset[Seat] = NOBODY  # seats that would play again
    outcome: Outcome | None = None
    rematch: TableId | None = None

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats whose turn it is; none unless the game is running. Raises RulesFailed."""
        if self.status is not _PLAYING:
            return NOBODY
        try:
            acts = self.game.to_act(self.state)
            if not are_seats(acts, self):
                raise TypeError("who is to act is a frozenset of seats")
        except BROKEN as wrong:
            raise RulesFailed(self.id) from wrong
        return acts

    @property
    def phase(self) -> str:
        """The rules' word for what is done now; empty before the start. Raises RulesFailed."""
        try:
            return "" if self.state is None else self.game.phase(self.state)
        except BROKEN as wrong:
            raise RulesFailed(self.id) from wrong

    @property
    def rests(self) -> str:
        """Why nothing can be played here now, as a stand-in has the game's place; else empty."""
        return self.game.why if isinstance(self.game, Absent) else ""

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat where this player sits, or None."""
        return Seat(self.seats.index(player)) if player in self.seats else None


def are_seats(acts: frozenset[Seat], table: Table) -> bool:
    """Whether what a game (perhaps a plug-in's) says is to act is a set of this table's seats."""
    return type(acts) is frozenset and acts <= _SEATS[len(table.seats)]


@lru_cache(maxsize=1024)
def variant_of(text: str) -> AnyGame:
    """The game a text means; frozen, so that tables can share it. Raises BadOption."""
    return parse_variant(text)


@lru_cache(maxsize=1024)
def judge_of(text: str, rules: int, package: str, secret: bool) -> AnyGame:  # cached
    """The game by which a table is judged, or a stand-in where this server does not have it."""
    return game_or_absent(text, rules, package, secret=secret)


@lru_cache(maxsize=1024)
def control_of(text: str) -> TimeControl:
    """The time control a text means; frozen, so that tables can share it. Raises BadTimeControl."""
    return parse_time_control(text)


def teams_of(game: AnyGame, seats: int, table: TableId | None = None) -> tuple[int, ...]:
    """The team of each seat, as the rules say. Raises RulesFailed."""
    return ask(table, _teams, game, seats)


def _teams(game: AnyGame, seats: int) -> tuple[int, ...]:
    teams = game.teams(seats)
    if type(teams) is not tuple or not all(type(team) is int for team in teams):
        raise TypeError("teams are a tuple of whole numbers")
    if len(teams) != seats:
        raise ValueError("there is a team for every seat")
    return teams


def open_table(table: TableId, opened: Opened, why: str = "") -> Table:
    """The table right after it was opened; with a reason `why`, without rules and moves as text."""
    if why:
        name = opened.variant.partition(" ")[0]
        game = absent(name, opened.rules, why, secret=opened.secret)
    else:
        game = judge_of(opened.variant, opened.rules, opened.package, opened.secret)
    seats = opened.seats
    return Table(
        id=table,
        opened=opened,
        game=game,
        clock=Clock.of(control_of(opened.time), seats),
        teams=teams_of(game, seats, table),
        seats=(None,) * seats,
        names=("",) * seats,
        errors=(0,) * seats,
        owner=opened.by,
    )


def evolve(table: Table, event: TableEvent) -> Table:
    """The table after this event. There is no other way to change a table."""
    return advance(table, event)[0]


def advance(
    table: Table, event: TableEvent, step: Step[Any] | None = None
) -> tuple[Table, Effects]:
    """The table after this event, and its effects; `step` spares asking the rules for them."""
    n = table.n + 1
    if isinstance(event, Played):
        if step is None:
            step = table.game.play(table.state, event.seat, table.game.parse_move(event.move))
        return played(table, event.seat, event.spent, step), step.effects
    match event:
        case Out(seat, why, spent):
            if step is None:
                step = table.game.forfeit(table.state, seat, why)
            # Per-move clocks are set when they start; a replay has started none.
            clock = table.clock.run(seat, 0, table.game.phase(table.state)).stop(seat, spent)
            out = table.out | {seat}
            return replace(table, n=n, state=step.state, clock=clock, out=out), step.effects
        case Ended(outcome):
            status, clock = Status.OVER, _at_rest(table)
            if outcome.how == FAILED:
                table = without_rules(table, outcome.reason)
            return replace(table, n=n, status=status, outcome=outcome, clock=clock), ()
        case Started():
            assert table.seed is not None, "a table is seeded before its game starts"
            state = table.game.start(len(table.seats), Chance(table.seed))
            return replace(table, n=n, status=Status.PLAYING, state=state), ()
        case TakenBack():
            return _taken_back(table, n, event), ()
        case Erred(seat):
            return replace(table, n=n, errors=put(table.errors, seat, table.errors[seat] + 1)), ()
        case _:
            return _sociable(table, n, event), ()


def without_rules(table: Table, why: str) -> Table:
    """The table with a stand-in for its game that cannot break, and its clocks stopped."""
    game, seats = table.game, range(len(table.seats))
    stand_in = absent(game.name, table.opened.rules, why, secret=game.secret_moves)
    clock = table.clock
    for seat in seats:
        clock = clock.stop(Seat(seat))
    return replace(table, game=stand_in, clock=clock)


def _at_rest(table: Table) -> Clock:
    """The clocks after the end; every per-move clock still in the game is set back to its start.

    The log does not say which of them had started, and a replay must come to the same.
    """
    clock = table.clock.stop_all()
    match clock.control:
        case PerMove(each=each):
            left = tuple(x if n in table.out else each for n, x in enumerate(clock.left))
            return replace(clock, left=left)
        case Unlimited() | Budget():
            return clock


def played(table: Table, seat: Seat, spent: int, step: Step[Any]) -> Table:
    """The table after a legal move."""
    phase = table.game.phase(table.state)
    errors = table.errors
    if errors[seat] and table.opened.policy.errors.in_a_row:
        errors = put(errors, seat, 0)
    # A side that plays on without answering an offer has declined it.
    offers = table.offers if table.teams[seat] in table.offers else NO_TEAMS
    clock = table.clock.charge(seat, spent, phase)
    if table.opened.takebacks:
        table = _remembered(table, seat)
        if table.paid and table.paid[seat]:
            clock = clock.without_increment(seat)
            table = replace(table, paid=put(table.paid, seat, table.paid[seat] - 1))
    return replace(
        table,
        n=table.n + 1,
        state=step.state,
        clock=clock,
        plies=table.plies + 1,
        errors=errors,
        offers=offers,
        asked=NO_TEAMS,
    )


def _remembered(table: Table, seat: Seat) -> Table:
    """The table with the position before this move kept, and requests for a takeback dropped."""
    earlier = (*table.earlier[1 - EARLIER_MAX :], Earlier(seat, table.state))
    return replace(table, earlier=earlier, takeback=None, begged=NOBODY)


def _taken_back(table: Table, n: int, event: TakenBack) -> Table:
    """The table with its position taken back; the time thought is spent, and increments are kept.

    If the increment were taken off now, a flag could fall by an agreement. Instead the next moves
    of a seat that had one earn none.
    """
    kept = len(table.earlier) - event.plies
    paid = table.paid or (0,) * len(table.seats)
    for undone in table.earlier[kept:]:
        paid = put(paid, undone.seat, paid[undone.seat] + 1)
    return replace(
        table,
        n=n,
        state=table.earlier[kept].state,
        clock=table.clock.interrupted(event.thought),
        plies=table.plies - event.plies,
        earlier=table.earlier[:kept],
        offers=NO_TEAMS,
        asked=NO_TEAMS,
        takeback=None,
        begged=NOBODY,
        takebacks=table.takebacks + 1,
        paid=paid if any(paid) else (),
    )


def _sociable(
    table: Table,
    n: int,
    event: Opened
    | Seeded
    | Sat
    | Left
    | Owned
    | Swapped
    | TakenOver
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | Closed
    | Said
    | RematchWished
    | Rematched,
) -> Table:
    """The table after an event that the rules of the game do not see."""
    match event:
        case Opened():
            raise AssertionError("a table is opened once")
        case Seeded(seed, lock):
            return replace(table, n=n, seed=seed, lock=lock)
        case Sat() | Left() | Owned() | Swapped() | TakenOver():
            return _seated(replace(table, n=n), event)
        case DrawOffered() | DrawDeclined() | TakebackAsked() | TakebackDeclined():
            return _proposed(replace(table, n=n), event)
        case Closed():
            return replace(table, n=n, status=Status.CLOSED)
        case Said(player):
            asides = table.asides + (player not in table.seats)
            return replace(table, n=n, chats=table.chats + 1, asides=asides)
        case RematchWished(seat):
            return replace(table, n=n, wishes=table.wishes | {seat})
        case Rematched(other):
            return replace(table, n=n, rematch=other)


def _proposed(
    table: Table, event: DrawOffered | DrawDeclined | TakebackAsked | TakebackDeclined
) -> Table:
    """The table after a side offered, asked for or declined a draw or a takeback."""
    match event:
        case DrawOffered(seat):
            team = frozenset({table.teams[seat]})
            return replace(table, offers=table.offers | team, asked=table.asked | team)
        case DrawDeclined():
            return replace(table, offers=NO_TEAMS)
        case TakebackAsked(seat):
            return replace(table, takeback=seat, begged=table.begged | {seat})
        case TakebackDeclined():
            return replace(table, takeback=None)


def _seated(table: Table, event: Sat | Left | Owned | Swapped | TakenOver) -> Table:
    """The table after somebody came, went, or changed places."""
    seats, names, joined = table.seats, table.names, table.joined
    match event:
        case Owned(player):
            return replace(table, owner=player)
        case Sat(seat, player, name):
            seats, names, joined = (
                put(seats, seat, player),
                put(names, seat, name),
                (*joined, player),
            )
        case Left(seat):
            joined = tuple(player for player in joined if player != seats[seat])
            seats, names = put(seats, seat, None), put(names, seat, "")
        case TakenOver(seat, player, name):
            joined = tuple(player if who == seats[seat] else who for who in joined)
            seats, names = put(seats, seat, player), put(names, seat, name)
        case Swapped(one, other):
            seats = put(put(seats, one, seats[other]), other, seats[one])
            names = put(put(names, one, names[other]), other, names[one])
    return replace(table, seats=seats, names=names, joined=joined)
