"""The match that a client plays, told to it; and the move that it may still owe to the last one.

"A client moves on a STATE only", and once: each one sent is an invitation to move. So a state
goes out after the start, after every legal move, and after the error of an illegal one; and
never at the end, where real clients would try to move on it.

When a client's flag has fallen, or the organiser decided its match while it was to move, its
move is still on its way: it comes when the next match has begun, and does not belong to that. The
server passes it over with a word. But a client that had stopped thinking in time did mean the new
match; if no other move follows, the server sends it the state again.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from rookery.core.events import Ended, Out, Played
from rookery.core.game import VOIDED, Forfeit, Forfeited, Outcome, View, other
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.messages import News, Shown
from rookery.core.names import plain as without_number
from rookery.dialects.tourney.games import ROLES, Words, words_of
from rookery.dialects.tourney.profile import ASKED_AGAIN, plain
from rookery.dialects.tourney.timers import Delay

_AGREED = frozenset(
    {"agreed", "aborted", "abandoned", "voided", "closed"}
)  # ends that no move or forfeit explains


class MatchSide(Struct, frozen=True):
    """A running game, as the player in one of its seats is told of it."""

    table: TableId
    seat: Seat
    words: Words

    def start(self, opponent: str, view: View) -> Sequence[str]:
        """The lines that begin a match: role, opponent and state; also for a player who is back."""
        role = ROLES[self.seat][0]
        return (f"@GAME:START:{role}:{plain(opponent)}", self.state(view))

    def state(self, view: View) -> str:
        """The STATE line: whose turn it is, and what this seat may see."""
        return f"@GAME:STATE:{self.words.state(view)}"

    def moved(self, news: News, played: Played, *, quiet: bool) -> Sequence[str]:
        """The lines that tell of a legal move: praise for the mover, and the state if play goes on.

        `quiet` leaves the state out, because another answer tells it right after.
        """
        lines = []
        if played.seat == self.seat:
            lines.append(f"@GAME:MESSAGE:{self.words.done(news)}")
        if news.happened.to_act and not quiet:
            lines.append(self.state(news.scene.view(self.seat)))
        return lines

    def out(self, event: Out) -> Sequence[str]:
        """The line that tells both players why a seat lost without being beaten."""
        return (f"@GAME:MESSAGE:{Forfeited(event.seat, event.why).sentence(ROLES[event.seat])}",)

    def ended(self, event: Ended) -> Sequence[str]:
        """The RESULT line; before it the reason, where no move or forfeit has explained the end."""
        result = f"@GAME:RESULT:{_result(event.outcome)}"
        if event.outcome.how in _AGREED:
            return (f"@GAME:MESSAGE:{plain(event.outcome.reason)}", result)
        return (result,)

    def refusal(self, code: str, move: str) -> str | None:
        """The ERROR line for an illegal move; None where the game has no such refusal."""
        text = self.words.refusals.get(code)
        return None if text is None else f"@GAME:ERROR:{text.format(move)}"


def begun(news: News, seat: Seat) -> tuple[MatchSide, Sequence[str]] | None:
    """The match that has just started, and what this seat is told; None for other games."""
    words = words_of(news.scene.game.name)
    if words is None:
        return None
    match = MatchSide(news.happened.table, seat, words)
    opponent = without_number(news.scene.names[other(seat)])
    return match, match.start(opponent, news.scene.view(seat))


def taken_up(shown: Shown) -> tuple[MatchSide, Sequence[str]] | None:
    """The match at a table, if it runs, and the lines for a player who comes back to it."""
    words = words_of(shown.line.variant)
    if words is None or shown.seat is None or shown.view is None or not shown.to_act:
        return None
    match = MatchSide(shown.line.table, shown.seat, words)
    opponent = without_number(shown.line.seats[other(shown.seat)].player_name)
    return match, match.start(opponent, shown.view)


def _result(outcome: Outcome) -> str:
    """`H` or `A` name the winner; `T` is a tie, and where nobody won."""
    winners = outcome.winners
    return ROLES[winners[0]][0] if len(winners) == 1 else "T"


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
