"""What the doctor says of numbers on the wire: each is one thing's at a time."""

from rookery.core.events import HALL_STREAM, Freed, HallEvent, Numbered, PlayerMade, Record
from rookery.core.ids import PlayerId
from rookery.verify.log import check_log

MADE = tuple(PlayerMade(PlayerId(n), "null", "", "", "tourney") for n in (1, 2))


def sentences(*events: HallEvent) -> list[str]:
    """The doctor's words about a log of two players and these events."""
    log = [Record(n, HALL_STREAM, n, n, event) for n, event in enumerate((*MADE, *events), 1)]
    return [problem.sentence for problem in check_log(log)]


def test_a_number_that_was_freed_may_be_given_again() -> None:
    first, again = (Numbered("tourney", "player", player, 1) for player in (1, 2))
    assert sentences(first, Freed("tourney", "player", 1), again) == []


def test_a_number_that_somebody_has_is_not_given_again() -> None:
    first, again = (Numbered("tourney", "player", player, 1) for player in (1, 2))
    assert sentences(first, again) == ["The dialect tourney gives its player 1 twice."]


def test_a_number_that_nobody_has_is_not_freed() -> None:
    freed = Freed("tourney", "player", 1)
    assert sentences(freed) == ["The dialect tourney has no player 1 to free."]
