"""A long row is a tuple of which one value can be changed without copying all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.hall.tours.tour import PAGE, LongRow

lengths = st.sampled_from([0, 1, 2, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 5])


def row(length: int) -> LongRow[int]:
    return LongRow[int]().longer(range(length))


@given(lengths)
def test_a_roll_has_its_values_in_their_order(length: int) -> None:
    made = row(length)
    assert list(made) == list(range(length))
    assert [made[at] for at in range(length)] == list(range(length))
    assert len(made) == length
    assert bool(made) == bool(length)


@given(st.lists(lengths, max_size=5))
def test_however_it_grew_it_is_the_same_roll(parts: list[int]) -> None:
    grown, length = LongRow[int](), 0
    for part in parts:
        grown = grown.longer(range(length, length + part))
        length += part
    assert grown == row(length)
    assert hash(grown) == hash(row(length))


@given(lengths.filter(bool).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_another_value_changes_one_place_of_a_new_roll(case: tuple[int, int]) -> None:
    length, at = case
    before = row(length)
    after = before.put(at, -1)
    assert list(after) == [-1 if n == at else n for n in range(length)]
    assert before == row(length)
    assert after.put(at, at) == before


@given(lengths, st.integers(0, 3 * PAGE))
def test_the_rest_from_a_place_on(length: int, first: int) -> None:
    assert list(row(length).since(first)) == list(range(length))[first:]


def test_a_change_copies_one_page_alone() -> None:
    before = row(3 * PAGE)
    after = before.put(PAGE, -1)
    assert [one is other for one, other in zip(before.pages, after.pages, strict=True)] == [
        True,
        False,
        True,
    ]


def test_what_is_behind_the_end_is_not_there() -> None:
    with pytest.raises(IndexError):
        row(PAGE)[PAGE]
