"""The match that one plays, and the move that one may still owe to the last.

"A client moves on a STATE only", and once. So when a flag has fallen, the move that it was
too late for is still on its way: it comes when the next match has begun, and is none of
that. It is passed over with a word. Whoever had stopped thinking in
time did mean the new match; if nothing follows, it is given the state again. It mutates,
and the connection owns it.
"""

from collections.abc import Sequence
from typing import Final

from rookery.core.events import Ended, Out, Played
from rookery.core.game import Forfeit
from rookery.core.ids import PlayerId, Seat
from rookery.core.messages import News, Shown
from rookery.dialects.tourney.delay import Delay
from rookery.dialects.tourney.limits import ASKED_AGAIN
from rookery.dialects.tourney.match import MatchSide, begun, taken_up

PASSED_OVER: Final = "That move came too late for the last match, and is not one in this."


class Playing:
    """What one was told of a match, and what one owes."""

    def __init__(self) -> None:
        self.match: MatchSide | None = None
        self._asked = False  # the last state asked for our move, which has not come
        self._flagged = False  # nor will it: our time is over
        self._owes = False  # the last match ended so
        self.pause = Delay(ASKED_AGAIN)  # a move was passed over, and none has followed

    def be(self) -> None:
        """It is about somebody else from now on, whose program begins anew."""
        self.match = None
        self._asked = self._flagged = self._owes = False
        self.pause.stop()

    # -- what is told

    def begin(self, news: News, player: PlayerId | None) -> Sequence[str]:
        """A game has started, maybe one's own."""
        players = news.scene.players
        if self.match is not None or player not in players:
            return ()
        found = begun(news, Seat(players.index(player)))
        return () if found is None else self._start(*found, news.happened.to_act)

    def show(self, shown: Shown) -> Sequence[str]:
        """A table as it stands: after an illegal move, or to take it up again."""
        if self.match is None:
            found = taken_up(shown)
            return () if found is None else self._start(*found, shown.to_act)
        if shown.line.table != self.match.table or shown.view is None or not shown.to_act:
            return ()
        self._asked = self.match.seat in shown.to_act
        return (self.match.state(shown.view),)

    def hear(self, news: News, *, quiet: bool) -> Sequence[str]:
        """Something happened at one's table."""
        match, event = self.match, news.happened.event
        assert match is not None, "one hears of the table where one plays"
        if isinstance(event, Played):
            if news.happened.to_act and not quiet:
                self._asked = match.seat in news.happened.to_act
            return match.moved(news, event, quiet=quiet)
        if isinstance(event, Out):
            ours = event.seat == match.seat and event.why is Forfeit.LATE
            self._flagged = self._asked and ours
            return match.out(event)
        if isinstance(event, Ended):
            self._owes, self.match = self._flagged, None
            self._asked = self._flagged = False
            self.pause.stop()
            return match.ended(event)
        return ()  # what this language cannot say

    def _start(
        self, match: MatchSide, lines: Sequence[str], to_act: Sequence[Seat]
    ) -> Sequence[str]:
        self.match, self._asked = match, match.seat in to_act
        return lines

    # -- what is moved

    def is_late(self) -> bool:
        """Whether the move that has just come is the one that was owed; it is owed no more."""
        late, self._owes = self._owes, False
        if late and self._asked:
            self.pause.begin()
        else:
            self.pause.stop()
        if not late:
            self._asked = False
        return late
