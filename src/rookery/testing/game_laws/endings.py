"""Laws of the end: places, reasons, and what a seat that gives up gets for it."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import GAME_OVER, IllegalMove
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import Seat
from rookery.testing.cases import GameCase, PositionOf, is_sentence, spread
from rookery.testing.game_laws.play import ends
from rookery.testing.law import Broken, Law


class ForfeitedIn(Struct, frozen=True):
    """A position, and why somebody forfeits in it."""

    spot: PositionOf
    why: Forfeit

    def smaller(self) -> Iterator["ForfeitedIn"]:
        """With fewer moves before."""
        return (ForfeitedIn(spot, self.why) for spot in self.spot.smaller())

    def told(self) -> Iterator[tuple[str, str]]:
        """As the position, and the reason."""
        yield from self.spot.told()
        yield "forfeit", self.why


def places_are_a_ranking_of_the_teams(case: GameCase, spot: PositionOf) -> None:
    """At the end of games that were played out."""
    outcome = case.game.outcome(spot.state)
    if outcome is not None:
        _check_places(case, outcome)


def an_outcome_has_a_word_a_sentence_and_scores(case: GameCase, spot: PositionOf) -> None:
    """A score for each seat, or none."""
    outcome = case.game.outcome(spot.state)
    if outcome is None:
        return
    if not outcome.how.isidentifier():
        raise Broken("one word for how it ended", repr(outcome.how))
    if not is_sentence(outcome.reason):
        raise Broken("a sentence for why it ended", repr(outcome.reason))
    if outcome.scores is not None and len(outcome.scores) != case.seats:
        raise Broken(f"{case.seats} scores, or None", outcome.scores)


def a_seat_that_forfeits_is_never_first(case: GameCase, given_up: ForfeitedIn) -> None:
    """However the others play on."""
    state, why = given_up.spot.state, given_up.why
    for seat in case.all_seats if case.game.to_act(state) else ():
        outcome = _finish(case, case.game.forfeit(state, seat, why).state)
        _check_places(case, outcome)
        if seat in outcome.winners:
            raise Broken(f"that {case.seat_word(seat)} does not win", outcome)
        if not is_sentence(outcome.reason):
            raise Broken("a sentence for why it ended", repr(outcome.reason))


def a_seat_that_forfeited_is_not_to_act_and_cannot_do_it_again(
    case: GameCase, spot: PositionOf
) -> None:
    """And is told so in a sentence."""
    for seat in case.all_seats if case.game.to_act(spot.state) else ():
        after = case.game.forfeit(spot.state, seat, Forfeit.RESIGNED).state
        if seat in case.game.to_act(after):
            raise Broken(f"{case.seat_word(seat)} not to act after it", case.game.to_act(after))
        refused = _refusal(case, after, seat)
        if not is_sentence(str(refused)):
            raise Broken("a sentence why one cannot forfeit again", repr(str(refused)))


def a_forfeit_does_not_change_the_state_it_is_given(case: GameCase, spot: PositionOf) -> None:
    """And two of them give the same."""
    if not case.game.to_act(spot.state):
        return
    before = repr(spot.state)
    steps = [case.game.forfeit(spot.state, Seat(0), Forfeit.LATE) for _ in range(2)]
    if steps[0] != steps[1]:
        raise Broken(f"{steps[0]} again", steps[1])
    if repr(spot.state) != before:
        raise Broken(f"still {before}", repr(spot.state))


def when_all_forfeit_the_game_ends_and_none_of_them_is_first(
    case: GameCase, spot: PositionOf
) -> None:
    """In whatever order."""
    for order in (case.all_seats, case.all_seats[::-1]):
        if not case.game.to_act(spot.state):
            return
        after, gone = spot.state, []
        for seat in order:
            if case.game.to_act(after):
                after = case.game.forfeit(after, seat, Forfeit.GONE).state
                gone.append(seat)
        outcome = case.game.outcome(after)
        if outcome is None:
            raise Broken("an outcome when all have forfeited", after)
        _check_places(case, outcome)
        if set(gone) & set(outcome.winners):
            raise Broken(f"that none of {gone} wins", outcome)


def nobody_forfeits_after_the_end(case: GameCase, spot: PositionOf) -> None:
    """The code says why."""
    if case.game.outcome(spot.state) is None:
        return
    for seat in case.all_seats:
        code = _refusal(case, spot.state, seat).code
        if code != GAME_OVER:
            raise Broken(f"the code {GAME_OVER!r}", repr(code))


def _refusal(case: GameCase, state: Any, seat: Seat) -> IllegalMove:
    try:
        case.game.forfeit(state, seat, Forfeit.RESIGNED)
    except IllegalMove as refused:
        return refused
    raise Broken(f"that {case.seat_word(seat)} cannot forfeit now", f"it could, in {state}")


def _finish(case: GameCase, state: Any) -> Outcome:
    """How it ends when the seats still in play on by chance."""
    for ply in case.walk_on(state, Chance(7)):
        state = ply.step.state
    ended = case.game.outcome(state)
    if ended is None:
        raise Broken("an outcome once the others have played on", state)
    return ended


def _check_places(case: GameCase, outcome: Outcome) -> None:
    """A place is one more than the number of teams before; nobody first moves all down."""
    places, teams = outcome.places, case.game.teams(case.seats)
    if len(places) != case.seats:
        raise Broken(f"{case.seats} places", places)
    by_team = dict(zip(teams, places, strict=True))
    if places != tuple(by_team[team] for team in teams):
        raise Broken(f"that team-mates share a place (the teams are {teams})", places)
    best = min(by_team.values())
    ranks = {place: best + sum(o < place for o in by_team.values()) for place in by_team.values()}
    if best < 1 or any(place != rank for place, rank in ranks.items()):
        raise Broken("places like 1, 2, 2, 4: one more than those before", places)


def _running(case: GameCase) -> tuple[PositionOf, ...]:
    return case.running


def _given_up(case: GameCase) -> Iterator[ForfeitedIn]:
    few = spread(case.running, max(2, case.effort.positions // 10))
    return (ForfeitedIn(spot, why) for why in Forfeit for spot in few)


_AGAIN = a_seat_that_forfeited_is_not_to_act_and_cannot_do_it_again
_ALL = when_all_forfeit_the_game_ends_and_none_of_them_is_first

LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law("Places are a ranking of the teams.", ends, places_are_a_ranking_of_the_teams, "end"),
    Law(
        "An outcome has a word, a sentence and a score for each seat or none.",
        ends,
        an_outcome_has_a_word_a_sentence_and_scores,
        "end",
    ),
    Law("A seat that forfeits is never first.", _given_up, a_seat_that_forfeits_is_never_first),
    Law("A seat that forfeited is not to act and cannot do it again.", _running, _AGAIN),
    Law(
        "A forfeit does not change the state it is given.",
        _running,
        a_forfeit_does_not_change_the_state_it_is_given,
    ),
    Law("When all forfeit the game ends and none of them is first.", _running, _ALL),
    Law("Nobody forfeits after the end.", ends, nobody_forfeits_after_the_end, "end"),
)
