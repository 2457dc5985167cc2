"""The laws of games on every registered game: those that anyone may use, and by more texts.

`rookery.testing` has the laws, and what they are tried on; here they are tried on more
variants, and readers on texts that hypothesis invents.
"""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.games import GAMES, parse_variant
from rookery.testing import GAME_LAWS, GameCase
from rookery.testing.cases import PositionOf
from rookery.testing.game_laws import texts
from rookery.testing.game_laws.views import hides_something
from tests.laws.notation import anything
from tests.laws.variants import CASES

every_case = pytest.mark.parametrize("case", CASES, ids=str)
POSITIONED = [case for case in CASES if texts.has_positions(case)]


@cache
def any_move_text(case: GameCase) -> st.SearchStrategy[str]:
    """Thought of once for a variant, not once for an example."""
    return anything(texts.move_texts(case))


@cache
def any_spot(case: GameCase) -> st.SearchStrategy[PositionOf]:
    """Hypothesis looks at all of them when it first draws, which takes longer than the law."""
    return st.sampled_from(case.spots)


@cache
def any_position_text(case: GameCase) -> st.SearchStrategy[str]:
    return anything(texts.position_texts(case))


@every_case
def test_a_game_keeps_the_laws(case: GameCase) -> None:
    """All of them in one test: the games that they are tried on are played once."""
    broken = []
    for law in GAME_LAWS:
        try:
            law.hold(case)
        except AssertionError as wrong:
            wrong.add_note(f"{law.name} ({case})")
            broken.append(wrong)
    if broken:
        raise ExceptionGroup(f"{case} breaks {len(broken)} laws", broken)


@every_case
@given(choice=st.data())
def test_any_text_is_no_move_or_one_that_is_written_and_read_the_same(
    case: GameCase, choice: st.DataObject
) -> None:
    typed = texts.Typed(choice.draw(any_move_text(case)))
    texts.a_text_is_no_move_or_one_that_is_written_and_read_the_same(case, typed)


@every_case
@given(choice=st.data())
def test_any_readable_text_is_accepted_exactly_if_its_move_is_legal(
    case: GameCase, choice: st.DataObject
) -> None:
    spot = choice.draw(any_spot(case))
    typed = texts.Typed(choice.draw(any_move_text(case)), spot)
    texts.a_readable_text_is_accepted_exactly_if_its_move_is_legal(case, typed)


@pytest.mark.parametrize("case", POSITIONED, ids=str)
@given(choice=st.data())
def test_any_text_is_no_position_or_one_that_can_be_played_on(
    case: GameCase, choice: st.DataObject
) -> None:
    typed = texts.Typed(choice.draw(any_position_text(case)))
    texts.a_text_is_no_position_or_one_that_can_be_played_on(case, typed)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_by_its_name_alone_is_its_defaults(name: str) -> None:
    assert parse_variant(name) == GAMES[name]()
    assert GAMES[name].name == name


@every_case
def test_a_variant_is_found_in_the_registry_by_its_text(case: GameCase) -> None:
    assert parse_variant(case.title) == case.game


def test_some_game_hides_something() -> None:
    assert any(hides_something(case) for case in CASES)


@every_case
def test_laws_have_something_to_look_at(case: GameCase) -> None:
    assert len(case.ended) == len(case.walks) >= 2
    assert case.spots
    assert case.some_moves
