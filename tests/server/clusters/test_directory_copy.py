"""What an edge knows of numbers and names: of those who have a number, and of nobody else."""

from rookery.core.ids import PlayerId
from rookery.hall.people.numbers import PLAYER
from rookery.server.cluster.edge_copies import DirectoryCopy
from rookery.server.cluster.frames import NumberGiven

ANN = PlayerId(7)


def named(name: str) -> NumberGiven:
    """A player is called so from now on."""
    return NumberGiven("", PLAYER, 0, ANN, name)


def numbered(dialect: str, number: int, player: int = ANN, name: str = "ann") -> NumberGiven:
    """A dialect has this number for a player; or for nobody."""
    return NumberGiven(dialect, PLAYER, number, player, name if player else "")


def test_who_has_a_number_has_a_name_and_may_change_it() -> None:
    copy = DirectoryCopy()
    copy.take(numbered("bughouse", 1))
    assert copy.name_of(ANN) == "ann"
    copy.take(named("Anna"))
    assert copy.name_of(ANN) == "Anna"


def test_the_name_of_who_has_none_is_not_kept() -> None:
    copy = DirectoryCopy()
    copy.take(named("ann"))
    assert copy.name_of(ANN) is None


def test_a_name_goes_with_the_last_number() -> None:
    copy = DirectoryCopy()
    copy.take(numbered("bughouse", 1))
    copy.take(numbered("tourney", 4))
    copy.take(numbered("bughouse", 1, 0))
    assert copy.name_of(ANN) == "ann"
    copy.take(numbered("tourney", 4, 9, "zoe"))
    assert copy.name_of(ANN) is None
    assert copy.name_of(PlayerId(9)) == "zoe"
