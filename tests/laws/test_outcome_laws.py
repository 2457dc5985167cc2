"""Laws of the end: places, reasons, and what a seat that gives up gets for it."""

from typing import Any

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import GAME_OVER, IllegalMove
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import Seat
from tests.laws.variants import CASES, Case
from tests.laws.walks import all_seats, is_sentence, positions, spread, walk_on, walks

pytestmark = pytest.mark.parametrize("case", CASES, ids=str)


def running(case: Case) -> list[Any]:
    """Positions of games still going on."""
    return [state for state in positions(case) if case.game.to_act(state)]


def finish(case: Case, state: Any) -> Outcome:
    """How it ends when the seats still in play on by chance."""
    plies = walk_on(case, state, Chance(7))
    ended = case.game.outcome(plies[-1].step.state if plies else state)
    assert ended is not None, "a game that nobody is to act in has ended"
    return ended


def check_places(case: Case, outcome: Outcome) -> None:
    """A place is one more than the number of teams before; nobody first moves all down."""
    assert len(outcome.places) == case.seats
    teams = case.game.teams(case.seats)
    by_team = dict(zip(teams, outcome.places, strict=True))
    assert outcome.places == tuple(by_team[team] for team in teams), "team-mates share a place"
    best = min(by_team.values())
    assert best >= 1
    for place in by_team.values():
        assert place - best == sum(other < place for other in by_team.values())


def test_every_seat_is_in_a_team_and_has_a_name_of_its_own(case: Case) -> None:
    assert len(case.game.teams(case.seats)) == case.seats
    names = [case.game.seat_name(seat) for seat in all_seats(case)]
    assert all(names)
    assert len(set(names)) == case.seats


def test_places_are_a_ranking_of_the_teams(case: Case) -> None:
    for one in walks(case):
        outcome = case.game.outcome(one.end)
        assert outcome is not None
        check_places(case, outcome)


def test_an_outcome_has_a_word_a_sentence_and_a_score_for_each_seat_or_none(case: Case) -> None:
    for one in walks(case):
        outcome = case.game.outcome(one.end)
        assert outcome is not None
        assert outcome.how.isidentifier()
        assert is_sentence(outcome.reason)
        assert outcome.scores is None or len(outcome.scores) == case.seats


@pytest.mark.parametrize("why", Forfeit)
def test_a_seat_that_forfeits_is_never_first(case: Case, why: Forfeit) -> None:
    for state in spread(running(case), 6):
        for seat in all_seats(case):
            outcome = finish(case, case.game.forfeit(state, seat, why).state)
            check_places(case, outcome)
            assert seat not in outcome.winners
            assert is_sentence(outcome.reason)


def test_a_seat_that_forfeited_is_not_to_act_and_cannot_do_it_again(case: Case) -> None:
    for state in running(case):
        for seat in all_seats(case):
            after = case.game.forfeit(state, seat, Forfeit.RESIGNED).state
            assert seat not in case.game.to_act(after)
            with pytest.raises(IllegalMove) as caught:
                case.game.forfeit(after, seat, Forfeit.GONE)
            assert is_sentence(str(caught.value))


def test_a_forfeit_does_not_change_the_state_it_is_given(case: Case) -> None:
    for state in running(case):
        before = repr(state)
        steps = [case.game.forfeit(state, Seat(0), Forfeit.LATE) for _ in range(2)]
        assert steps[0] == steps[1]
        assert repr(state) == before


def test_when_all_forfeit_the_game_ends_and_none_of_them_is_first(case: Case) -> None:
    for state in running(case):
        for order in (all_seats(case), all_seats(case)[::-1]):
            after, gone = state, []
            for seat in order:
                if case.game.to_act(after):
                    after = case.game.forfeit(after, seat, Forfeit.GONE).state
                    gone.append(seat)
            outcome = case.game.outcome(after)
            assert outcome is not None
            check_places(case, outcome)
            assert not set(gone) & set(outcome.winners)


def test_nobody_forfeits_after_the_end(case: Case) -> None:
    for one in walks(case):
        for seat in all_seats(case):
            with pytest.raises(IllegalMove) as caught:
                case.game.forfeit(one.end, seat, Forfeit.RESIGNED)
            assert caught.value.code == GAME_OVER
