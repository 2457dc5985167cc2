"""What the table's policies decide: illegal moves, and seats that are left."""

import pytest

from rookery.core.events import Ended, Erred, Out
from rookery.core.game import Forfeit
from rookery.core.ids import TableId
from rookery.core.intents import Open, Play, Seek, Sit
from rookery.core.messages import Refused
from rookery.core.policy import Errors, Gone, Policy
from tests.hall.house import SECOND, Guest, House


def two(house: House) -> tuple[Guest, Guest]:
    return house.enter("ann"), house.enter("bob")


def errors(limit: int, *, in_a_row: bool = True, out_of_turn: bool = False) -> Policy:
    return Policy(errors=Errors(limit, in_a_row, out_of_turn))


def err(house: House, guest: Guest, table: TableId, move: str = "nonsense") -> str:
    return house.ask(guest, Play(table, move), Refused).code


def how(house: House, table: TableId) -> str | None:
    ends = [event for event in house.events(table) if isinstance(event, Ended)]
    return ends[0].outcome.how if ends else None


def test_illegal_moves_are_told_and_stay_without_end_by_default(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    for _ in range(50):
        assert house.no(ann, Play(table, "nonsense")) == "unreadable"
    assert how(house, table) is None


def test_one_illegal_move_loses_where_one_is_enough(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=errors(1))
    assert err(house, ann, table) == "unreadable"
    outcome = house.last(table, Ended).outcome
    assert (outcome.winners, outcome.reason) == ((1,), "X made too many illegal moves.")


def test_the_third_illegal_move_loses_where_three_do(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=errors(3))
    err(house, ann, table)
    err(house, ann, table, "9")
    assert how(house, table) is None
    err(house, ann, table)
    assert how(house, table) == "cheated"
    assert [e.code for e in house.events(table) if isinstance(e, Erred)] == [
        "unreadable", "out_of_range", "unreadable",
    ]  # fmt: skip


@pytest.mark.parametrize(("in_a_row", "ended"), [(True, None), (False, "cheated")])
def test_a_legal_move_wipes_the_slate_only_where_errors_count_in_a_row(
    house: House, in_a_row: bool, ended: str | None
) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=errors(2, in_a_row=in_a_row))
    err(house, ann, table)
    house.do(ann, Play(table, "4"))
    house.do(bob, Play(table, "0"))
    err(house, ann, table)
    assert how(house, table) == ended


def test_the_others_move_does_not_wipe_my_slate(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=errors(2, out_of_turn=True))
    err(house, bob, table)
    house.do(ann, Play(table, "4"))
    err(house, bob, table)
    assert how(house, table) == "cheated"


@pytest.mark.parametrize(("counts", "ended"), [(False, None), (True, "cheated")])
def test_moves_out_of_turn_count_only_where_they_do(
    house: House, counts: bool, ended: str | None
) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=errors(1, out_of_turn=counts))
    assert err(house, bob, table, "0") == "not_your_turn"
    assert how(house, table) == ended


def test_who_is_out_of_a_game_of_three_makes_no_more_errors(house: House) -> None:
    guests = [house.enter(name) for name in "abc"]
    table = house.game("fish", *guests, policy=errors(1, out_of_turn=True))
    err(house, guests[0], table)
    assert house.no(guests[0], Play(table, "0,0")) == "not_your_turn"
    assert house.show(guests[1], table).to_act == (1,)


# -- seats that are left


def test_a_seat_that_is_gone_past_its_grace_loses(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(grace=10 * SECOND))
    house.hang_up(ann)
    house.wait(9.999999)
    assert how(house, table) is None
    house.wait(0.000001)
    outcome = house.last(table, Ended).outcome
    assert (outcome.winners, outcome.reason) == ((1,), "X left the game.")


def test_a_seat_that_comes_back_in_time_plays_on(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(grace=10 * SECOND))
    house.hang_up(ann)
    house.wait(9)
    ann = house.back(ann)
    house.wait(100)
    house.do(ann, Play(table, "4"))


def test_every_absence_has_a_grace_period_of_its_own(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(grace=10 * SECOND))
    house.hang_up(ann)
    house.wait(9)
    house.hang_up(house.back(ann))
    house.wait(9)
    assert how(house, table) is None
    house.wait(1)
    assert how(house, table) == "gone"


def test_a_seat_on_hold_is_waited_for_and_its_clock_runs(house: House) -> None:
    ann, bob = two(house)
    policy = Policy(gone=Gone.HOLD, grace=SECOND)
    table = house.game("tictactoe", ann, bob, time="1h", policy=policy)
    house.hang_up(ann)
    house.wait(3599)
    assert how(house, table) is None
    assert house.show(bob, table).left == (SECOND, 3600 * SECOND)
    house.wait(1)
    assert how(house, table) == "late"


def test_a_game_on_hold_that_everyone_left_waits_for_days(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(gone=Gone.HOLD, grace=0))
    house.hang_up(ann)
    house.hang_up(bob)
    house.wait(6 * 24 * 3600)
    house.do(house.back(ann), Play(table, "4"))


def test_a_seat_that_may_not_go_is_out_when_its_connection_goes(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(gone=Gone.AT_ONCE))
    house.hang_up(bob)
    assert (how(house, table), house.last(table, Ended).outcome.winners) == ("gone", (0,))


def test_a_seat_that_may_not_go_has_one_grace_period_after_a_restart(house: House) -> None:
    guests = [house.enter(name) for name in "abc"]
    table = house.game("fish", *guests, policy=Policy(gone=Gone.AT_ONCE, grace=10 * SECOND))
    house.restart()
    house.back(guests[1])
    house.wait(9.999)
    assert not [event for event in house.events(table) if isinstance(event, Out)]
    house.wait(0.001)
    outs = [event.seat for event in house.events(table) if isinstance(event, Out)]
    assert (outs, how(house, table)) == ([0, 2], None)


def test_a_seat_that_may_not_go_loses_alone_while_others_may_still_come_back(house: House) -> None:
    guests = [house.enter(name) for name in "ab"]
    table = house.game("fish", *guests, policy=Policy(gone=Gone.AT_ONCE, grace=10 * SECOND))
    house.restart()
    house.hang_up(house.back(guests[0]))
    assert (house.last(table, Out).seat, how(house, table)) == (0, None)
    house.do(house.back(guests[1]), Play(table, "0,0"))


def test_a_game_that_everyone_left_is_abandoned_and_nobody_wins(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.hang_up(ann)
    house.wait(5)
    house.hang_up(bob)
    house.wait(55)
    outcome = house.last(table, Ended).outcome
    assert (outcome.winners, outcome.how) == ((), "abandoned")
    assert outcome.reason == "Everyone left the game."


def test_fish_plays_on_without_a_seat_that_is_gone(house: House) -> None:
    guests = [house.enter(name) for name in "abc"]
    table = house.game("fish", *guests)
    house.hang_up(guests[0])
    house.wait(60)
    assert house.last(table, Out) == Out(house.last(table, Out).seat, Forfeit.GONE)
    assert house.show(guests[1], table).to_act == (1,)
    house.do(guests[1], Play(table, "0,0"))


def test_fish_is_abandoned_when_all_who_are_not_out_have_left(house: House) -> None:
    guests = [house.enter(name) for name in "abc"]
    table = house.game("fish", *guests, policy=Policy(errors=Errors(1)))
    err(house, guests[0], table)
    house.hang_up(guests[1])
    house.hang_up(guests[2])
    house.wait(60)
    assert how(house, table) == "abandoned", "who is out and still looks on does not count"


def test_bughouse_is_lost_by_the_team_of_who_left_though_the_other_board_plays(
    house: House,
) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests)
    house.hang_up(guests[2])
    house.do(guests[0], Play(table, "1:e2e4"))
    house.wait(60)
    assert house.last(table, Ended).outcome.winners == (0, 3)


def test_a_grace_of_nothing_is_over_at_once(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(grace=0))
    house.hang_up(ann)
    house.wait(0)
    assert how(house, table) == "gone"


# -- who may sit


def test_only_players_of_the_tables_dialect_may_sit(house: House) -> None:
    ann, bob = house.enter("ann", dialect="fish"), house.enter("bob", dialect="native")
    table = house.do(ann, Open("fish", policy=Policy(only="fish"))).table
    assert table is not None
    assert house.no(bob, Sit(table)) == "wrong_dialect"
    assert house.no(bob, Seek("fish", policy=Policy(only="fish"))) == "wrong_dialect"
    assert house.no(bob, Open("fish", policy=Policy(only="fish"))) == "wrong_dialect"
    house.do(house.enter("cleo", dialect="fish"), Sit(table))


def test_anyone_may_open_a_table_for_players_of_another_dialect(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob", dialect="fish")
    table = house.do(ann, Open("fish", policy=Policy(only="fish"), sit=False)).table
    assert table is not None
    house.do(bob, Sit(table))
    assert house.no(ann, Sit(table)) == "wrong_dialect"
