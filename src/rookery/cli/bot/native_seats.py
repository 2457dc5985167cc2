"""Where a native bot sits, how those games stand, and whose move is wanted first.

A turn has a number of its own. It stays the same while it is our turn at that table, though
what is seen may change, as when a partner captures something.
"""

from collections.abc import Collection

from msgspec import Struct

from rookery.cli.bot.pilot import Question, time_for
from rookery.clients.native.words import TableShown, Told
from rookery.core.events import Started
from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat, Status, TableId


class BotSeat(Struct):
    """A seat at a table, and what the bot knows of the game there."""

    variant: str
    seat: Seat | None = None
    playing: bool = False
    n: int = 0  # events so far
    to_act: tuple[Seat, ...] = ()
    left: tuple[Micros, ...] | None = None
    view: AnyView | None = None
    turn: int = 0  # its number while it is ours, or 0
    asked: bool = False  # whether legal moves are on their way
    sent: bool = False  # whether a move of ours is not judged yet
    tried: str = ""
    refused: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


class Seats:
    """All seats of one player, by table."""

    def __init__(self) -> None:
        self._places: dict[TableId, BotSeat] = {}
        self._turns = 0

    def __bool__(self) -> bool:
        return bool(self._places)

    @property
    def playing(self) -> Collection[TableId]:
        """The tables where the game runs."""
        return [table for table, place in self._places.items() if place.playing]

    @property
    def question(self) -> Question | None:
        """A move at the table where it has been our turn for longest."""
        open_ = [place for place in self._places.values() if place.turn and place.moves]
        for place in sorted(open_, key=lambda place: place.turn):
            if place.seat is not None and place.view is not None:
                millis = time_for(place.left, place.seat)
                return Question(
                    place.turn,
                    place.variant,
                    place.seat,
                    place.view,
                    place.moves,
                    millis,
                    place.left,
                )
        return None

    def clear(self) -> None:
        """We are nowhere; turns are counted on."""
        self._places.clear()

    def sit(self, table: TableId, variant: str, seat: Seat | None) -> None:
        """We are there, or will be; what is known already stays."""
        place = self._places.setdefault(table, BotSeat(variant))
        place.seat = seat if seat is not None else place.seat

    def leave(self, table: TableId) -> Seat | None:
        """We are there no more; the seat we had."""
        place = self._places.pop(table, None)
        return None if place is None else place.seat

    def swap(self, table: TableId, one: Seat, other: Seat) -> None:
        """The players of two seats changed places."""
        place = self._places.get(table)
        if place is not None and place.seat in (one, other):
            place.seat = other if place.seat == one else one

    def seat_at(self, table: TableId) -> Seat | None:
        """Our seat at this table; None if we have none."""
        place = self._places.get(table)
        return None if place is None else place.seat

    def shown(self, board: TableShown) -> None:
        """Take in a table that the server shows as it stands."""
        line = board.line
        place = BotSeat(line.variant, board.seat, line.status == Status.PLAYING, line.n)
        place.to_act, place.left, place.view = board.to_act, board.left, board.view
        self._places[line.table] = place
        self._count(place)

    def heard(self, told: Told, *, own: bool) -> bool:
        """Take in what happened; whether we are at that table."""
        place = self._places.get(told.table)
        if place is None or told.n <= place.n:
            return False
        place.n, place.to_act, place.left = told.n, told.to_act, told.left
        place.view = told.view if told.view is not None else place.view
        place.playing = place.playing or isinstance(told.event, Started)
        place.moves = ()  # they may be others now
        if own:
            place.sent, place.turn, place.refused = False, 0, ()
        self._count(place)
        return True

    def wonders(self, table: TableId) -> bool:
        """Whether the bot must ask for the legal moves at a table; notes that it does."""
        place = self._places.get(table)
        if place is None or not place.turn or place.asked or place.sent or place.moves:
            return False
        place.asked = True
        return True

    def learn(self, table: TableId, moves: tuple[str, ...]) -> None:
        """Take in the legal moves at a table, without those that were refused."""
        place = self._places.get(table)
        if place is not None:
            place.asked = False
            place.moves = tuple(move for move in moves if move not in place.refused)

    def played(self, move: str) -> TableId:
        """Note that this move answers the question; returns the table to play it at."""
        question = self.question
        assert question is not None, "only a question can be answered"
        table = next(t for t, place in self._places.items() if place.turn == question.turn)
        place = self._places[table]
        place.sent, place.moves, place.tried = True, (), move
        return table

    def refused(self, table: TableId) -> None:
        """Our move there was not taken."""
        place = self._places.get(table)
        if place is not None:
            place.sent, place.refused = False, (*place.refused, place.tried)

    def _count(self, place: BotSeat) -> None:
        if place.seat is None or place.seat not in place.to_act:
            place.turn = 0
        elif not place.turn:
            self._turns += 1
            place.turn = self._turns
