"""A match as one of its two players is told of it. Pure: news in, lines out.

"A client moves on a STATE only": each one sent is an invitation to move. So a state goes
out after the start, after every legal move, and after the error of an illegal one; and
never at the end, where real clients would try to move on it.
"""

from collections.abc import Sequence

from msgspec import Struct

from rookery.core.events import Ended, Out, Played
from rookery.core.game import Forfeited, Outcome, View, other
from rookery.core.ids import Seat, TableId
from rookery.core.messages import News, Shown
from rookery.core.names import plain as without_number
from rookery.dialects.tourney.games import ROLES, Words, words_of
from rookery.dialects.tourney.naming import plain

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
