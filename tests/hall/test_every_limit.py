"""Every bound of the hall has a test of its name at the bound, somewhere in this folder.

Or one of the names of several, where the same hall shows them: `test_this_and_that`.
"""

from rookery.hall import limits
from tests.hall import (
    test_accounts,
    test_blocking,
    test_casual_ratings,
    test_closing,
    test_conduct,
    test_holding,
    test_host_bounds,
    test_limits,
    test_lobby_chat,
    test_name_bounds,
    test_onlookers,
    test_private,
    test_rulings,
    test_takebacks,
    test_tours_limits,
    test_tours_scheduled,
)

ROOMS = (
    *(test_limits, test_tours_limits, test_tours_scheduled, test_takebacks, test_host_bounds),
    *(test_accounts, test_casual_ratings, test_name_bounds, test_private),
    *(test_blocking, test_conduct, test_lobby_chat, test_onlookers),
    *(test_holding, test_closing, test_rulings),
)


def test_every_limit_is_tried_here() -> None:
    bounds = {name for name in vars(limits) if name.isupper()} - {"MICROS_A_SECOND", "LOOPBACK"}
    tests = {name for room in ROOMS for name in vars(room)}
    named = [name.removeprefix("test_").upper() for name in tests if name.startswith("test_")]
    tried = {part for name in named for part in name.split("_AND_")}
    assert bounds <= tried
