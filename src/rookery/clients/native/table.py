"""A table as a client knows it: what the server showed, and the news since.

Whether it comes from a server or from a log, everything that happens is a `Told`, and only
`heard` makes a new `KnownTable` of it. No rules are needed for that: boards come ready with
the news.
"""

from msgspec import Struct
from msgspec.structs import replace

from rookery.clients.native.players import Players, seated
from rookery.clients.native.words import TableShown, Told
from rookery.core.events import Closed, Ended, Opened, Played, PublicEvent, Started, TakenBack
from rookery.core.game import AnyView, Outcome
from rookery.core.ids import Micros, Seat, Status, TableId
from rookery.games import AnyGame
from rookery.games.absent_game import game_or_absent


class KnownTable(Struct, frozen=True):
    """A table as far as the client knows it: players, turn, clocks, board and result."""

    table: TableId
    variant: str
    time: str
    players: Players
    n: int = 0  # events so far
    status: str = Status.OPEN
    mine: Seat | None = None  # the client's own seat
    to_act: tuple[Seat, ...] = ()
    thinking: tuple[Seat, ...] = ()  # those of them whose turn it was before the last event too
    left: tuple[Micros, ...] | None = None
    view: AnyView | None = None
    outcome: Outcome | None = None
    last: tuple[tuple[Seat, str], ...] = ()  # each seat's last move, the newest at the end

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for the client's own move."""
        return self.mine is not None and self.mine in self.to_act


def known_table(board: TableShown, before: KnownTable | None = None) -> KnownTable:
    """The table that a server shows, with the last moves that `before` knows. Raises BadOption."""
    line = board.line
    names = tuple(seat.player_name for seat in line.seats)
    offers = frozenset() if before is None else before.players.offers
    return KnownTable(
        table=line.table,
        variant=line.variant,
        time=line.time,
        players=Players(game_or_absent(line.variant, None, "", secret=False), names, offers),
        n=line.n,
        status=line.status,
        mine=board.seat,
        to_act=board.to_act,
        left=board.left,
        view=board.view,
        outcome=line.outcome,
        last=() if before is None else before.last,
    )


def heard(known: KnownTable, told: Told) -> KnownTable:
    """The table after this piece of news."""
    mover = told.event.seat if isinstance(told.event, Played) else None
    after = replace(
        known,
        players=seated(known.players, told.event),
        n=told.n,
        status=_status(known.status, told.event),
        to_act=told.to_act,
        thinking=tuple(seat for seat in told.to_act if seat in known.to_act and seat != mover),
        left=told.left,
        view=told.view if told.view is not None else known.view,
    )
    match told.event:
        case Played():
            return moved(after, told.event)
        case TakenBack():
            return replace(after, last=())  # what was played before is not told again
        case Ended(outcome):
            return replace(after, outcome=outcome)
        case _:
            return after


def moved(known: KnownTable, played: Played) -> KnownTable:
    """The table with this as the newest move."""
    others = tuple((seat, move) for seat, move in known.last if seat != played.seat)
    return replace(known, last=(*others, (played.seat, played.move)))


def opened(table: TableId, event: Opened) -> KnownTable:
    """The table right after its first event, which opens it."""
    players = Players(_game(event), ("",) * event.seats)
    return KnownTable(table, event.variant, event.time, players)


def _game(opened: Opened) -> AnyGame:
    return game_or_absent(opened.variant, opened.rules, opened.package, secret=opened.secret)


def _status(status: str, event: PublicEvent) -> str:
    match event:
        case Started():
            return Status.PLAYING
        case Ended():
            return Status.OVER
        case Closed():
            return Status.CLOSED
        case _:
            return status
