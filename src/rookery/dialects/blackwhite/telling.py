"""A game's events in the words of blackwhite, as they happen or from its past.

Each event gives groups of lines: what stands in one group belongs together, and may be
sent on one line. A resignation waits for the win that follows it, as the seed draws them:
`RESIGN [PL1] & WIN [PL2]`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rookery.core.chance import Chance
from rookery.core.events import Ended, Out, Played, PublicEvent, Sat, Started
from rookery.core.game import Aside, Effect, Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.messages import Entry
from rookery.core.names import caseless, plain
from rookery.dialects.blackwhite import words
from rookery.dialects.blackwhite.words import GAME
from rookery.games.reversi import State
from rookery.games.reversi.effects import Flipped

Group = tuple[str, ...]  # lines that belong together


class Telling:
    """One game as it is told to one connection."""

    def __init__(self, table: TableId, me: PlayerId | None, called: str) -> None:
        self.table = table
        self.players: dict[Seat, PlayerId] = {}
        self.seat: Seat | None = None  # my own
        self.running = False
        self._me = me
        self._called = called  # how I wrote my own name
        self._names: dict[Seat, str] = {}
        self._turns: dict[Seat, str] = {}  # how it is said that it is their turn
        self._resigned: Group = ()
        self._state: State | None = None  # where the past that was told has come to

    def tell(self, event: PublicEvent, effects: Sequence[Effect]) -> Group:
        """The lines that tell of an event, but not whose turn it is, nor who has gone."""
        match event:
            case Sat(seat, player, name):
                self.players[seat], self._names[seat] = player, name
                self._turns.clear()
                if player == self._me:
                    self.seat = seat
            case Started():
                self.running = True
                # "Viewers get no ASSIGN."
                return () if self.seat is None else (words.assign(self.seat),)
            case Played():
                return _moves.find(event, effects)
            case Out(seat, Forfeit.RESIGNED):
                self._resigned = (words.named("RESIGN", self.name(seat)),)
            case Ended(outcome):
                self.running = False
                return (*self._resigned, self._result(outcome))
            case _:
                pass
        return ()

    def turn(self, seat: Seat) -> str:
        """The line that says that it is the turn of this seat."""
        if seat not in self._turns:
            self._turns[seat] = words.named("TURN", self.name(seat))
        return self._turns[seat]

    def name(self, seat: Seat) -> str:
        """The name of a player: my own as I wrote it, the other's made different from mine."""
        name = words.carried(plain(self._names[seat]))
        if self.players[seat] == self._me:
            return self._called
        alike = caseless(name) == caseless(self._called)
        return f"{name[: words.NAME_MAX - 4]} (2)" if alike else name

    def relive(self, entries: Iterable[Entry]) -> Iterator[tuple[PublicEvent, Sequence[Effect]]]:
        """Past events, each with its effects, which are played again: a log does not keep them."""
        for entry in entries:
            event = entry.event
            effects: Sequence[Effect] = ()
            if isinstance(event, Started):
                self._state = GAME.start(2, Chance(0))
            elif isinstance(event, Played):
                assert self._state is not None, "a game starts before its first move"
                step = GAME.play(self._state, event.seat, GAME.parse_move(event.move))
                self._state, effects = step.state, _plain(step.effects)
            yield event, effects

    def turn_now(self) -> str:
        """The line that says whose turn it is after the past that was told."""
        assert self._state is not None, "a running game has begun"
        return self.turn(self._state.turn)

    def _result(self, outcome: Outcome) -> str:
        winners = [Seat(n) for n, place in enumerate(outcome.places) if place == 1]
        if len(winners) != 1:
            return "TIE"  # also where nobody won: this language knows no other end
        return words.named("WIN", self.name(winners[0]))


class _MoveLines:
    """Writes moves and the discs they turn; the last is kept, for it is told to all in a row."""

    __slots__ = ("_effects", "_event", "_lines")

    def __init__(self) -> None:
        self._event: Played | None = None
        self._effects: Sequence[Effect] = ()
        self._lines: Group = ()

    def find(self, played: Played, effects: Sequence[Effect]) -> Group:
        """The lines that tell of this move and of the discs that it turned over."""
        if self._event is not played or self._effects is not effects:
            flipped = [effect for effect in effects if isinstance(effect, Flipped)]
            turned = [words.reversed_to(played.seat, at.col, at.row) for at in flipped]
            self._event, self._effects = played, effects
            self._lines = (words.played(played.seat, GAME.parse_move(played.move)), *turned)
        return self._lines


_moves: Final = _MoveLines()  # one for all connections, which is the point of it


def _plain(effects: Iterable[Effect | Aside]) -> Sequence[Effect]:
    return [effect for effect in effects if not isinstance(effect, Aside)]
