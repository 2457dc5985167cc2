"""The calls that the server still has to make to a fishcom client, one whenever none is open.

`start` comes once, before all else; then each game brings its introduction and its turns, and `end`
is the last. Calls of a game that is over are not made any more, and a turn is called with the game
as it stands then.
"""

from collections import deque

from rookery.core.ids import Seat
from rookery.dialects.fishcom import wire
from rookery.dialects.fishcom.profile import FishcomOptions
from rookery.dialects.fishcom.wire import FishCall
from rookery.games.fish import MOVE, FishView


class CallAgenda:
    """The calls of one client that are still to be made."""

    def __init__(self, options: FishcomOptions) -> None:
        self._options = options
        self.started = False  # whether the tournament is, for this client
        self._greeted = False  # whether it was called so
        self._seat = Seat(0)
        self._introduction: deque[FishCall] = deque()
        self._view: FishView | None = None  # the game as it stands; None between games
        self._must_move = False  # whether to call for a placement or move
        self._moved = False  # whether a take-turn was called in this game
        self._won: bool | None = None  # None before the end

    @property
    def playing(self) -> bool:
        """Whether the client is in a running game."""
        return self._view is not None

    def begin_tour(self) -> None:
        """Plan the call `start`, which is made once however often this is asked for."""
        self.started = True

    def begin_game(self, seat: Seat, view: FishView) -> None:
        """Plan the introduction, and perhaps a turn, of a game that begins or is taken up again."""
        self.begin_tour()
        self._seat, self._view, self._moved = seat, view, False
        patience = self._options.patience()
        self._introduction.extend(wire.introduction(seat, len(view.players), patience))
        self._must_move = view.turn == seat

    def look_on(self, view: FishView, *, moved: bool) -> None:
        """Take in how the game stands; plan a call where it has just become the client's turn."""
        before = None if self._view is None else self._view.turn
        if (moved or view.turn != before) and view.turn == self._seat:
            self._must_move = True
        self._view = view

    def end_game(self) -> None:
        """Drop the calls of the game, which is over."""
        self._view, self._must_move = None, False
        self._introduction.clear()

    def end_tour(self, *, won: bool) -> None:
        """Plan the call `end`, which tells the client whether it won the tournament."""
        self._won = won

    def next(self) -> FishCall | None:
        """Take out the next call to make; None if there is none."""
        if self.started and not self._greeted:
            self._greeted = True
            return wire.start(self._options.patience(first=True))
        if self._introduction:
            return self._introduction.popleft()
        if self._must_move and self._view is not None:
            first = self._view.phase == MOVE and not self._moved
            self._moved, self._must_move = self._moved or first, False
            patience = self._options.patience(first=first)
            return wire.turn(self._view, self._seat, patience)
        if self._won is not None and not self.playing:
            won, self._won = self._won, None
            return wire.end(self._options.patience(), won=won)
        return None
