"""The match that a client plays, and the move that it may still owe to the last one.

"A client moves on a STATE only", and once. So when a client's flag has fallen, or the organiser
decided its match while it was to move, its move is still on its way: the move comes when the next
match has begun, and does not belong to that. The server passes it over with a word. But a client
that had stopped thinking in time did mean the new match; if no other move follows, the server sends
it the state again.
"""

from collections.abc import Sequence
from typing import Final

from rookery.core.events import Ended, Out, Played
from rookery.core.game import VOIDED, Forfeit
from rookery.core.ids import PlayerId, Seat
from rookery.core.messages import News, Shown
from rookery.dialects.tourney.delay import Delay
from rookery.dialects.tourney.limits import ASKED_AGAIN
from rookery.dialects.tourney.match import MatchSide, begun, taken_up

PASSED_OVER: Final = "That move came too late for the last match, and is not one in this."


class Playing:
    """What the client was told of its match, and whether it owes a move to the last one."""

    def __init__(self) -> None:
        self.match: MatchSide | None = None
        self._asked = False  # the last state asked for our move, which has not come
        self._flagged = False  # nor will it: our time is over
        self._owes = False  # the last match ended so
        self.pause = Delay(ASKED_AGAIN)  # a move was passed over, and none has followed

    def be(self) -> None:
        """Forget all: the connection acts for another player now, whose program begins anew."""
        self.match = None
        self._asked = self._flagged = self._owes = False
        self.pause.stop()

    # -- what is told

    def begin(self, news: News, player: PlayerId | None) -> Sequence[str]:
        """The lines that tell the client of a game's start; none where it plays no part in it."""
        players = news.scene.players
        if self.match is not None or player not in players:
            return ()
        found = begun(news, Seat(players.index(player)))
        return () if found is None else self._start(*found, news.happened.to_act)

    def show(self, shown: Shown) -> Sequence[str]:
        """The lines that show the client its table: after an illegal move, or on coming back."""
        if self.match is None:
            found = taken_up(shown)
            return () if found is None else self._start(*found, shown.to_act)
        if shown.line.table != self.match.table or shown.view is None or not shown.to_act:
            return ()
        self._asked = self.match.seat in shown.to_act
        return (self.match.state(shown.view),)

    def hear(self, news: News, *, quiet: bool) -> Sequence[str]:
        """The lines that tell the client what happened at its own table."""
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
            decided = self._asked and event.outcome.how == VOIDED
            self._owes, self.match = self._flagged or decided, None
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
        """Whether the move that has just come was owed to the last match; none is owed then."""
        late, self._owes = self._owes, False
        if late and self._asked:
            self.pause.begin()
        else:
            self.pause.stop()
        if not late:
            self._asked = False
        return late
