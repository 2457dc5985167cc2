"""The generator gives the draws it always gave: logs keep seeds, and not what was dealt."""

import pytest

from rookery.core.chance import Chance


# The reference implementation of SplitMix64 gives these for this seed.
def test_the_bits_are_those_of_splitmix64() -> None:
    chance = Chance(1234567)
    assert [chance.bits() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_below_gives_what_it_always_gave() -> None:
    chance = Chance(1)
    assert [chance.below(6) for _ in range(12)] == [5, 1, 0, 5, 3, 2, 3, 3, 0, 4, 3, 4]


def test_between_gives_what_it_always_gave() -> None:
    chance = Chance(1)
    assert [chance.between(-3, 3) for _ in range(12)] == [
        -1,
        -3,
        -2,
        -3,
        2,
        -1,
        -3,
        0,
        -2,
        1,
        -2,
        -1,
    ]


def test_choice_gives_what_it_always_gave() -> None:
    chance = Chance(1)
    assert "".join(chance.choice("abcdefghij") for _ in range(12)) == "fjafbifdaaha"


def test_shuffling_gives_what_it_always_gave() -> None:
    assert Chance(1).shuffled(range(10)) == [4, 2, 8, 1, 9, 3, 0, 6, 7, 5]


def test_the_same_seed_gives_the_same_draws_and_another_gives_others() -> None:
    one, same, another = Chance(5), Chance(5), Chance(6)
    assert [one.bits() for _ in range(10)] == [same.bits() for _ in range(10)]
    assert Chance(5).bits() != another.bits()


def test_the_largest_seed_is_a_seed() -> None:
    assert 0 <= Chance((1 << 64) - 1).bits() < 1 << 64


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_of_other_than_64_bits_is_our_mistake(seed: int) -> None:
    with pytest.raises(AssertionError):
        Chance(seed)


def test_drawing_from_nothing_is_our_mistake() -> None:
    with pytest.raises(AssertionError):
        Chance(1).choice([])


def test_all_faces_of_a_die_come_up_about_as_often() -> None:
    chance = Chance(42)
    rolls = [chance.between(1, 6) for _ in range(6000)]
    assert all(900 < rolls.count(face) < 1100 for face in range(1, 7))


def test_all_orders_of_three_come_up_about_as_often() -> None:
    chance = Chance(42)
    orders = ["".join(chance.shuffled("abc")) for _ in range(6000)]
    assert len(set(orders)) == 6
    assert all(900 < orders.count(order) < 1100 for order in set(orders))


# With n just over half of all values, the upper half would be too likely for its remainders.
def test_a_draw_that_would_favour_small_numbers_is_thrown_away() -> None:
    n = (1 << 63) + 1
    bits = Chance(1)
    drawn = [bits.bits() for _ in range(20)]
    chance = Chance(1)
    kept = [number for number in drawn if number < n]
    assert 0 < len(kept) < len(drawn)
    assert [chance.below(n) for _ in kept] == kept


def test_shuffling_leaves_what_it_is_given_alone() -> None:
    cards = [1, 2, 3, 4, 5]
    shuffled = Chance(3).shuffled(cards)
    assert cards == [1, 2, 3, 4, 5]
    assert sorted(shuffled) == cards


def test_there_is_one_way_to_shuffle_nothing_or_one_thing() -> None:
    assert Chance(1).shuffled("") == []
    assert Chance(1).shuffled("a") == ["a"]
