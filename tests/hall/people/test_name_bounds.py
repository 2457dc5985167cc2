"""How long a name may be, of a player and of a dialect."""

from rookery.core.intents import Enter, Open, Rename
from rookery.core.policy import Policy
from rookery.hall import limits
from tests.hall.house import House


def test_name_max(house: House) -> None:
    longest = "é" * limits.NAME_MAX
    ann = house.enter(longest, dialect="d" * limits.NAME_MAX)
    house.do(ann, Rename(longest))
    assert house.no(ann, Rename(longest + "x")) == "bad_name"
    assert house.no(ann, Enter(longest + "x")) == "bad_name"
    assert house.no(ann, Enter("bob", "d" * (limits.NAME_MAX + 1))) == "bad_dialect"
    only = "d" * limits.NAME_MAX
    house.do(ann, Open("nim", policy=Policy(only=only)))
    assert house.no(ann, Open("nim", policy=Policy(only=only + "d"))) == "bad_option"
