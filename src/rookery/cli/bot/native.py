"""The native dialect, for a bot: boards come ready with the news, and legal moves are asked for.

A bot sits down at any table where somebody waits for its game, and waits at a table of its own
while there is none; or it goes into a room, and plays when it has a seat there. In a tour it
plays the matches it is given, several at once where the tour has it so. After a lost
connection its token gives it back its seats.
"""

from collections.abc import Iterator
from typing import Final

from rookery.cli.bot.native_seats import Seats
from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
    LOST,
    RESIGNS,
    UNKNOWN,
    WON,
    BotWish,
    Heard,
    NoMoreGames,
    Over,
    Question,
    Unwelcome,
)
from rookery.cli.connection.address import NoServer
from rookery.clients.native import Answered, NativeClient, Unknown
from rookery.clients.native.words import Answer, Greeting, Hello, Request, TableShown, Told
from rookery.core.events import (
    Closed,
    Ended,
    Left,
    Opened,
    Played,
    Sat,
    Started,
    Swapped,
    TourClosing,
    TourEnded,
    Withdrawn,
)
from rookery.core.game import Outcome
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.intents import (
    EnterRoom,
    Farewell,
    JoinTour,
    Leave,
    LeaveRoom,
    LegalMoves,
    ListTables,
    Play,
    Resign,
    Seek,
    Show,
    Sit,
    Withdraw,
)
from rookery.core.messages import (
    Done,
    Moves,
    Notice,
    Refused,
    Roomed,
    RoomNews,
    TableLine,
    Tables,
    TourJoined,
    TourNews,
)
from rookery.games import format_variant

OPEN: Final = "open"


class NativePilot:
    """One player, at as many tables as it is given."""

    def __init__(self, wish: BotWish) -> None:
        self._wish = wish
        self._variant = format_variant(wish.game)
        self._client = NativeClient(wish.name)
        self._seats = Seats()
        self._ran: set[TableId] = set()  # where a game ran when the connection was lost
        self._shunned: set[TableId] = set()  # tables that would not have us
        self._tour: TourJoined | None = None
        self._entered = False  # in the tour, without being told under which numbers
        self._closing = False  # whether it begins no more matches
        self._inside = False  # whether we are in the room we want

    @property
    def question(self) -> Question | None:
        """A move at the first table where it is our turn."""
        return self._seats.question

    def begin(self) -> bytes:
        """Be a new player, or the same again."""
        self._inside = False
        self._ran.update(self._seats.playing)
        self._seats.clear()
        return self._client.ask(self._client.hello())

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's messages; yields what the bot is to send, say or count."""
        for happening in self._client.hear(came):
            match happening:
                case Told():
                    yield from self._news(happening)
                case TourNews():
                    yield from self._tour_news(happening)
                case Notice(sentence=sentence):
                    yield f"The server says: {sentence}"
                case RoomNews():
                    pass
                case Unknown():
                    if not self._client.greeted:
                        raise NoServer("What answers there does not speak as this Rookery does.")
                case Answered(asked, answer):
                    yield from self._answer(asked, answer)

    def play(self, move: str) -> bytes:
        """The move, at the table of the question."""
        return self._client.ask(Play(self._seats.played(move), move))

    def give_up(self) -> Iterator[Heard]:
        """Resign at the table of the question."""
        yield RESIGNS
        yield self._client.ask(Resign(self._seats.played("")))

    def again(self) -> bytes:
        """Look for a table, unless there is still one; in a tour matches begin by themselves."""
        return b"" if self._wish.in_tour or self._seats else self._client.ask(self._search())

    def idle(self) -> bytes:
        """The bytes that look for a table where somebody waits, while nobody comes to ours."""
        if self._client.busy or self._wish.in_tour or self._seats.playing or self._inside:
            return b""
        return self._client.ask(self._search())

    def farewell(self, *, withdraw: bool) -> bytes:
        """The bytes that leave games and room, and the tour if we withdraw."""
        leaving = [self._client.ask(Leave(table)) for table in self._seats.playing]
        if self._inside:
            leaving.append(self._client.ask(LeaveRoom()))  # the next game may have begun just now
        if self._tour is not None and self._closing:
            leaving.append(self._client.ask(Farewell()))  # who is in a strict tour may go only so
        elif self._tour is not None and withdraw:
            leaving = [self._client.ask(Withdraw(self._tour.tour))]  # which leaves its games, too
        return b"".join(leaving)

    def _search(self) -> Request:
        """The request that finds us a game: enter the room, also for the next, or list tables."""
        if not self._wish.room:
            return ListTables(OPEN)
        return EnterRoom(self._wish.room, self._variant, self._wish.time or "none")

    @property
    def _player(self) -> PlayerId | None:
        me = self._client.me
        return None if me is None else me.player

    # -- answers

    def _answer(self, asked: Request, answer: Answer) -> Iterator[Heard]:
        match asked, answer:
            case Hello(), Greeting():
                yield from self._arrive(answer.tables)
            case Hello(player=int()), Refused():
                # A server that has lost its log knows nobody.
                self._client.forget()
                self._tour = None
                yield "The server does not know us any more; coming as somebody new."
                yield self.begin()
            case JoinTour(), TourJoined(tour=tour, name=name):
                self._tour = answer
                yield f"Joined tour {tour} ({name})." if name else f"Joined tour {tour}."
            case JoinTour(), Refused(code="joined_before", sentence=sentence):
                # The server went away after it took us in, and before it could say so.
                self._entered = True
                yield sentence
            case EnterRoom(), Roomed():
                self._inside = True
            case Hello() | JoinTour() | Seek() | EnterRoom(), Refused(sentence=sentence):
                raise Unwelcome(sentence)
            case _:
                yield from self._at_tables(asked, answer)

    def _at_tables(self, asked: Request, answer: Answer) -> Iterator[Heard]:
        match asked, answer:
            case Show(), TableShown():
                self._seats.shown(answer)
                yield from self._wonder(answer.line.table)
            case ListTables(), Tables(tables=tables):
                yield from self._look(tables)
            case Sit(table=table), Refused():
                self._shunned.add(table)
                yield self.again()
            case ((Sit() | Seek()), Done(table=int(table), seat=int(seat))):
                self._seats.sit(TableId(table), self._variant, Seat(seat))
            case LegalMoves(table=table), Moves(moves=moves):
                self._seats.learn(table, moves)
            case LegalMoves(table=table), Refused():
                self._seats.learn(table, ())
            case ((Play(table=table) | Resign(table=table)), Refused(sentence=sentence)):
                yield f"The server says: {sentence}"
                self._seats.refused(table)
                yield from self._wonder(table)
            case _:
                pass

    def _arrive(self, tables: tuple[TableId, ...]) -> Iterator[Heard]:
        """Look at our tables on a new connection; games that ran and are not there have ended."""
        missed = sorted(self._ran.difference(tables))
        self._ran.clear()
        for table in tables:
            yield self._client.ask(Show(table))
        for table in missed:
            yield Over(UNKNOWN, f"The game at table {table} ended while we were away.")
        if self._wish.in_tour and self._tour is None:
            tour = None if self._wish.open_tour is None else TourId(self._wish.open_tour)
            yield self._client.ask(JoinTour(tour, self._wish.code, self._wish.team))
        elif not self._wish.in_tour and not tables and not missed:
            yield self.again()

    def _look(self, tables: tuple[TableLine, ...]) -> Iterator[Heard]:
        """Sit down where somebody waits, or open a table and wait."""
        if self._seats.playing:
            return
        for line in tables:
            if self._suits(line):
                yield self._client.ask(Sit(line.table))
                return
        if not self._seats:
            time = self._wish.time or "none"
            yield self._client.ask(Seek(self._variant, seats=self._wish.seats, time=time))

    def _suits(self, line: TableLine) -> bool:
        """Whether this table is of our game, has a free seat, and somebody waits there."""
        wish, there = self._wish, [seat.player for seat in line.seats if seat.connected]
        return (
            line.variant == self._variant
            and line.table not in self._shunned
            and wish.time in (None, line.time)
            and wish.seats in (None, len(line.seats))
            and bool(there)
            and self._player not in there
            and None in [seat.player for seat in line.seats]
        )

    # -- news

    def _news(self, told: Told) -> Iterator[Heard]:
        seats, table = self._seats, told.table
        match told.event:
            case Opened(variant=variant):
                seats.sit(table, variant, None)
            case Sat(seat=seat, player=player) if player == self._player:
                seats.sit(table, self._variant, seat)
            case Left(player=player) if player == self._player:
                seats.leave(table)
            case Swapped(one, other):
                seats.swap(table, one, other)
            case Ended(outcome):
                was = seats.leave(table)
                if was is not None or not self._wish.room:  # in a room one may have looked on
                    yield Over(_result(outcome, was), outcome.reason)
                yield from self._finish()
                return
            case Closed():
                seats.leave(table)
                yield self.again()
            case _:
                pass
        own = isinstance(told.event, Played) and told.event.seat == seats.seat_at(table)
        ours = seats.heard(told, own=own)
        if isinstance(told.event, Started):
            yield BEGINS  # only now: its reader may press Ctrl-C, and then we must know our seat
        if ours:
            yield from self._wonder(table)

    def _wonder(self, table: TableId) -> Iterator[Heard]:
        """Ask for the legal moves at a table, where it is our turn and we do not know them."""
        if self._seats.wonders(table):
            yield self._client.ask(LegalMoves(table))

    def _tour_news(self, told: TourNews) -> Iterator[Heard]:
        if self._tour is None and self._entered and self._player is not None:
            self._tour = TourJoined(told.tour, 0, self._player)  # only who is in it hears of it
        if self._tour is None or told.tour != self._tour.tour:
            return
        match told.event:
            case TourClosing():
                self._closing = True
                yield from self._finish()
            case TourEnded():
                yield NoMoreGames(f"Tour {told.tour} is over.")
            case Withdrawn(entrant=entrant, why=why) if entrant == self._tour.entrant:
                self._closing = True
                yield NoMoreGames(f"We are out of tour {told.tour}: {why}.")
            case _:
                pass

    def _finish(self) -> Iterator[Heard]:
        """A tour that begins no more matches is over for us with our last game."""
        if self._closing and self._tour is not None and not self._seats.playing:
            yield NoMoreGames(f"Tour {self._tour.tour} is over.")


def _result(outcome: Outcome, seat: Seat | None) -> str:
    if seat is None:
        return UNKNOWN
    if outcome.places[seat] != 1:
        return LOST
    return DRAWN if set(outcome.places) == {1} else WON
