"""Laws of what a game may declare for the bots that play any game: `evaluate`, `imagine`."""

from typing import Any, Final

from rookery.core.chance import Chance
from rookery.core.game import Evaluating, Imagining
from rookery.testing.cases import GameCase, PositionOf
from rookery.testing.law import Broken, Law

DRAWS: Final = 3  # states that are made up from one view


def an_evaluation_is_a_number_from_0_to_1(case: GameCase, spot: PositionOf) -> None:
    """For every seat, while the game goes on, and the same each time."""
    game: object = case.game
    assert isinstance(game, Evaluating), "only such games are tried"
    for seat in case.all_seats if case.game.to_act(spot.state) else ():
        worth: object = game.evaluate(spot.state, seat)
        if not (isinstance(worth, int | float) and 0 <= worth <= 1):
            raise Broken(f"a number from 0 to 1 for {case.seat_word(seat)}", repr(worth))
        if game.evaluate(spot.state, seat) != worth:
            raise Broken(f"{worth} again", game.evaluate(spot.state, seat))


def a_state_that_is_made_up_looks_as_what_it_was_made_from(
    case: GameCase, spot: PositionOf
) -> None:
    """To the seat that it was made up for; and that seat may play the same in it."""
    for seat in case.acting(spot.state):
        view = case.game.view(spot.state, seat)
        for seed in range(DRAWS):
            state = _made_up(case, view, seat, seed)
            who = case.seat_word(seat)
            if case.game.view(state, seat) != view:
                seen = case.game.view(state, seat)
                raise Broken(f"that {who} sees {view}", f"{seen} in {state}")
            if case.game.to_act(state) != case.game.to_act(spot.state):
                raise Broken(f"{case.acting(spot.state)} to act", case.acting(state))
            if case.legal(state, seat) != case.legal(spot.state, seat):
                moves = case.legal(spot.state, seat)
                raise Broken(f"the moves {moves} for {who}", case.legal(state, seat))


def a_state_that_is_made_up_can_be_played_to_its_end(case: GameCase, spot: PositionOf) -> None:
    """By the same rules; and the same chance makes up the same."""
    for seat in case.acting(spot.state)[:1]:
        view = case.game.view(spot.state, seat)
        state = _made_up(case, view, seat, 1)
        if _made_up(case, view, seat, 1) != state:
            raise Broken(f"{state} again", _made_up(case, view, seat, 1))
        for ply in case.walk_on(state, Chance(1)):
            state = ply.step.state
        if case.game.outcome(state) is None:
            raise Broken("an outcome in the end", state)


def _made_up(case: GameCase, view: object, seat: Any, seed: int) -> Any:
    game: object = case.game
    assert isinstance(game, Imagining), "only such games are tried"
    return game.imagine(view, seat, Chance(seed))


def _evaluated(case: GameCase) -> tuple[PositionOf, ...]:
    return case.running if isinstance(case.game, Evaluating) else ()


def _made_up_from(case: GameCase) -> tuple[PositionOf, ...]:
    return case.running if isinstance(case.game, Imagining) else ()


LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law(
        "An evaluation is a number from 0 to 1.",
        _evaluated,
        an_evaluation_is_a_number_from_0_to_1,
    ),
    Law(
        "A state that is made up looks as what it was made from.",
        _made_up_from,
        a_state_that_is_made_up_looks_as_what_it_was_made_from,
    ),
    Law(
        "A state that is made up can be played to its end.",
        _made_up_from,
        a_state_that_is_made_up_can_be_played_to_its_end,
    ),
)
