"""What is charged to whom, moment by moment. Time is in the test's hand."""

from itertools import pairwise

import pytest

from rookery.core.events import Ended, Out, Played
from rookery.core.ids import Seat, TableId
from rookery.core.intents import LegalMoves, Play, Resign, Show
from rookery.core.messages import Moves, Refused, Shown
from tests.hall.house import SECOND, Guest, House


def two(house: House, time: str, variant: str = "tictactoe") -> tuple[Guest, Guest, TableId]:
    ann, bob = house.enter("ann"), house.enter("bob")
    slow, house.slow = house.slow, False
    table = house.game(variant, ann, bob, time=time)
    house.slow = slow
    return ann, bob, table


def left(house: House, who: Guest, table: TableId) -> list[float]:
    """What each seat has, in seconds."""
    shown = house.ask(who, Show(table), Shown).left
    assert shown is not None
    return [micros / SECOND for micros in shown]


def test_a_clock_runs_from_when_the_turn_was_handed_over_to_when_the_answer_was_read() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "1m")
    house.now += 5 * SECOND
    house.do(ann, Play(table, "4"))
    house.now += 30 * SECOND  # the disk
    house.catch_up()
    house.now += 7 * SECOND
    read = house.now
    house.now += 20 * SECOND  # the queue
    house.reply(bob, Play(table, "0"), read=read)
    house.catch_up()
    played = [event for event in house.events(table) if isinstance(event, Played)]
    assert [event.spent / SECOND for event in played] == [5, 7]
    assert left(house, ann, table) == [55, 53]


def test_a_turn_that_is_answered_before_it_was_handed_over_costs_nothing() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "1m")
    house.do(ann, Play(table, "4"))
    house.now += SECOND
    house.do(bob, Play(table, "0"))
    house.now += SECOND
    house.catch_up()
    assert house.last(table, Played) == Played(house.last(table, Played).seat, "0", 0)
    house.now += SECOND
    assert left(house, ann, table) == [59, 60], "only the one to act runs"


def test_an_answer_read_before_the_turn_was_handed_over_and_decided_after_costs_nothing() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "1m")
    house.do(ann, Play(table, "4"))
    house.now += SECOND
    read = house.now
    house.now += SECOND
    house.catch_up()
    house.reply(bob, Play(table, "0"), read=read)
    house.catch_up()
    assert house.last(table, Played).spent == 0


def test_what_is_shown_as_left_is_what_is_left_now(house: House) -> None:
    ann, _, table = two(house, "1m")
    house.now += 12 * SECOND
    assert left(house, ann, table) == [48, 60]


def test_in_bughouse_both_boards_run_at_once_and_the_news_has_both(house: House) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests, time="1m")
    house.now += 10 * SECOND
    house.heard(guests[3])
    house.do(guests[0], Play(table, "1:e2e4"))
    assert house.news(guests[3])[0].left == tuple(n * SECOND for n in (50, 60, 50, 60))
    house.now += 10 * SECOND
    assert left(house, guests[0], table) == [50, 50, 40, 60]


def test_the_first_flag_of_two_boards_loses_and_the_second_does_not_matter(house: House) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests, time="1m")
    house.now += SECOND
    house.do(guests[0], Play(table, "1:e2e4"))
    house.now += 200 * SECOND
    house.tick()
    assert [(out.seat, out.spent) for out in house.events(table) if isinstance(out, Out)] == [
        (2, 60 * SECOND)
    ]


def test_a_flag_falls_at_the_deadline_and_not_before(house: House) -> None:
    _, _, table = two(house, "1m")
    assert house.hall.deadline() == house.now + 60 * SECOND
    house.now += 60 * SECOND - 1
    assert house.tick().records == ()
    house.now += 1
    house.tick()
    outcome = house.last(table, Ended).outcome
    assert (outcome.winners, outcome.reason) == ((1,), "X ran out of time.")


def test_a_late_move_loses_even_if_the_timer_has_not_fired(house: House) -> None:
    ann, _, table = two(house, "1m")
    house.now += 60 * SECOND
    assert house.ask(ann, Play(table, "4"), Refused).code == "over"
    assert house.last(table, Ended).outcome.how == "late"
    assert not any(isinstance(event, Played) for event in house.events(table))


def test_a_flag_is_noticed_by_whatever_anyone_asks_at_the_table(house: House) -> None:
    _, bob, table = two(house, "1m")
    house.now += 61 * SECOND
    house.reply(bob, Resign(table))
    assert house.last(table, Ended).outcome.winners == (1,), "bob won before he resigned"


def test_however_late_a_flag_is_noticed_it_took_all_there_was_and_no_more(house: House) -> None:
    ann, _, table = two(house, "5s delay 2s")
    house.now += 500 * SECOND
    house.tick()
    assert house.last(table, Out).spent == 7 * SECOND
    assert left(house, ann, table) == [0, 5]


@pytest.mark.parametrize(
    ("time", "spend", "after"),
    [
        ("1m", 10, 50),
        ("1m+3s", 10, 53),
        ("1m delay 3s", 10, 53),
        ("1m delay 3s", 2, 60),
        ("9s/move", 8, 9),
    ],
)
def test_a_move_is_charged_as_the_time_control_says(
    house: House, time: str, spend: int, after: int
) -> None:
    ann, _, table = two(house, time)
    house.now += spend * SECOND
    house.do(ann, Play(table, "4"))
    assert left(house, ann, table)[0] == after


def test_a_refused_move_leaves_the_clock_running(house: House) -> None:
    ann, _, table = two(house, "1m")
    house.now += 30 * SECOND
    house.no(ann, Play(table, "nonsense"))
    house.wait(30)
    assert house.last(table, Ended).outcome.how == "late"


def test_who_moves_again_because_the_other_must_pass_is_given_a_new_turn(house: House) -> None:
    ann, bob, table = two(house, "10s/move", "reversi size=4")
    guests, moved = (ann, bob), list[Seat]()
    while to_act := house.show(ann, table).to_act:
        house.now += SECOND
        guest = guests[to_act[0]]
        moves = house.ask(guest, LegalMoves(table), Moves).moves
        house.do(guest, Play(table, moves[len(moved) % len(moves)]))
        moved.append(to_act[0])
    assert any(first == second for first, second in pairwise(moved)), "somebody passed"
    spent = [event.spent for event in house.events(table) if isinstance(event, Played)]
    assert set(spent) == {SECOND}


# -- seats whose connection is gone


def test_a_running_clock_runs_on_when_the_connection_goes(house: House) -> None:
    ann, bob, table = two(house, "50s")
    house.now += 10 * SECOND
    house.hang_up(ann)
    house.now += 10 * SECOND
    ann = house.back(ann)
    house.now += 10 * SECOND
    house.do(ann, Play(table, "4"))
    assert left(house, bob, table)[0] == 20


def test_the_clock_of_a_seat_that_is_away_runs_from_the_moment_the_turn_is_its() -> None:
    """And not from when the disk was done: there is nobody to hand it to."""
    house = House(slow=True)
    ann, bob, table = two(house, "50s")
    house.hang_up(bob)
    house.do(ann, Play(table, "4"))
    house.now += 30 * SECOND
    house.catch_up()
    assert left(house, ann, table) == [50, 20]
    house.wait(20)
    house.catch_up()
    assert house.last(table, Ended).outcome.reason == "O ran out of time."


def test_a_turn_on_its_way_when_the_connection_goes_counts_from_when_it_was_given() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "50s")
    house.do(ann, Play(table, "4"))
    house.now += 10 * SECOND
    house.hang_up(bob)
    house.now += 10 * SECOND
    house.catch_up()
    assert left(house, ann, table) == [50, 30]
    bob = house.back(bob)
    house.catch_up()
    house.do(bob, Play(table, "0"))
    house.catch_up()
    assert house.last(table, Played).spent == 20 * SECOND


def test_a_takeover_while_the_turn_is_on_its_way_does_not_start_the_clock_early() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "50s")
    house.do(ann, Play(table, "4"))
    house.now += 10 * SECOND
    bob = house.back(bob)
    house.now += 10 * SECOND
    house.catch_up()
    house.now += 5 * SECOND
    house.do(bob, Play(table, "0"))
    house.catch_up()
    assert house.last(table, Played).spent == 5 * SECOND


def test_a_batch_handed_over_after_the_end_starts_no_clock() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "50s")
    house.do(ann, Play(table, "4"))
    house.do(bob, Resign(table))
    house.catch_up()
    house.wait(1000)
    assert house.last(table, Ended).outcome.how == "resigned"
    assert house.show(ann, table).line.n == len(house.events(table))


# -- restarts


def test_after_a_restart_clocks_stand_where_the_last_event_left_them(house: House) -> None:
    ann, bob, table = two(house, "50s")
    house.now += 10 * SECOND
    house.do(ann, Play(table, "4"))
    house.now += 20 * SECOND  # bob thinks, and this is forgotten
    house.restart()
    house.now += 1000 * SECOND  # nobody was told the time
    assert left(house, house.enter("cleo"), table) == [40, 50]
    ann = house.back(ann)
    house.now += 5 * SECOND
    assert left(house, ann, table) == [40, 50], "bob is not back"
    bob = house.back(bob)
    house.now += 5 * SECOND
    assert left(house, ann, table) == [40, 45]
    house.do(bob, Play(table, "0"))
    assert house.last(table, Played).spent == 5 * SECOND


def test_a_restart_gives_everyone_the_grace_period_before_their_own_begins(house: House) -> None:
    ann, _, table = two(house, "none")
    house.restart()
    house.back(ann)
    house.wait(119.999999)
    assert house.hall.deadline() == house.now + 1
    house.wait(0.000001)
    assert house.last(table, Ended).outcome.reason == "O left the game."


def test_the_clock_of_who_stays_away_runs_when_the_grace_after_the_restart_is_over(
    house: House,
) -> None:
    _, bob, table = two(house, "50s")
    house.restart()
    house.back(bob)
    house.wait(60 + 49.999999)
    assert not any(isinstance(event, Ended) for event in house.events(table))
    house.wait(0.000001)
    assert house.last(table, Ended).outcome.reason == "X ran out of time."


def test_a_turn_that_comes_to_a_seat_not_yet_back_after_a_restart_waits_for_it(
    house: House,
) -> None:
    ann, bob, table = two(house, "50s")
    house.restart()
    ann = house.back(ann)
    house.do(ann, Play(table, "4"))
    house.wait(30)
    bob = house.back(bob)
    assert left(house, bob, table) == [50, 50]
    house.wait(5)
    assert left(house, bob, table) == [50, 45]


def test_who_comes_back_after_a_restart_and_goes_again_has_an_ordinary_grace(house: House) -> None:
    ann, bob, table = two(house, "none")
    house.restart()
    house.back(bob)
    house.hang_up(house.back(ann))
    house.wait(60)
    assert house.last(table, Ended).outcome.reason == "X left the game."


def test_a_game_nobody_comes_back_to_after_a_restart_is_abandoned(house: House) -> None:
    _, _, table = two(house, "none")
    house.restart()
    house.wait(120)
    assert house.last(table, Ended).outcome.how == "abandoned"


def test_what_was_decided_and_not_safe_when_the_server_died_did_not_happen() -> None:
    house = House(slow=True)
    ann, bob, table = two(house, "50s")
    house.do(ann, Play(table, "4"))
    house.restart()
    house.catch_up()
    ann = house.back(ann)
    house.catch_up()
    house.do(ann, Play(table, "0"))
    house.catch_up()
    assert [event.move for event in house.events(table) if isinstance(event, Played)] == ["0"]
    assert house.show(ann, table).line.seats[1].player == bob.player


def test_a_longer_first_move_is_told_with_the_turn_and_not_after_it(house: House) -> None:
    ann, bob, table = two(house, "2s/move first 5s")
    told = [news.left for news in house.news(bob) if news.to_act]
    assert told == [(5 * SECOND, 2 * SECOND)]
    house.do(ann, Play(table, "4"))
    house.do(bob, Play(table, "0"))
    assert [news.left for news in house.news(bob)] == [
        (2 * SECOND, 5 * SECOND),
        (2 * SECOND, 2 * SECOND),
    ]
