"""A table's life, claim by claim: opened, filled, played, ended, played again."""

import pytest

from rookery.core.events import (
    Closed,
    DrawDeclined,
    DrawOffered,
    Ended,
    Left,
    Opened,
    Played,
    Rematched,
    Said,
    Sat,
    Seeded,
    Started,
)
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import (
    Abort,
    AnyIntent,
    DeclineDraw,
    DeclineTakeBack,
    Leave,
    OfferDraw,
    Open,
    Play,
    Rematch,
    Resign,
    Say,
    Sit,
    Start,
    TakeBack,
    Watch,
)
from rookery.core.messages import Past
from rookery.core.policy import Begin, Policy
from tests.hall.house import Guest, House


def two(house: House) -> tuple[Guest, Guest]:
    return house.enter("ann"), house.enter("bob")


def kinds(house: House, table: TableId) -> list[type]:
    return [type(event) for event in house.events(table)]


def test_a_table_is_opened_seeded_and_sat_at_and_starts_when_full(house: House) -> None:
    table = house.game("tictactoe", *two(house))
    assert kinds(house, table) == [Opened, Seeded, Sat, Sat, Started]


def test_an_opened_table_has_its_texts_in_their_shortest_form(house: House) -> None:
    ann, _ = two(house)
    table = house.do(ann, Open("  reversi   size=8 ", time=" 60 ")).table
    assert table is not None
    opened = house.last(table, Opened)
    assert (opened.variant, opened.time, opened.seats, opened.by) == ("reversi", "1m", 2, 1)


@pytest.mark.parametrize(
    "intent",
    [
        Open("checkers"),
        Open(""),
        Open("reversi size=7"),
        Open("reversi size"),
        Open("tictactoe", seats=3),
        Open("tictactoe", seats=-1),
        Open("tictactoe", seats=10**30),
        Open("tictactoe", time="soon"),
        Open("tictactoe", time="-5s"),
        Open("fish rows=2 cols=4", seats=3),
        Open("tictactoe", policy=Policy(grace=-1)),
        Open("tictactoe", policy=Policy(only="\0")),
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_not_opened(house: House, intent: Open) -> None:
    assert house.no(house.enter("ann"), intent) == "bad_option"


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_a_table_is_not_opened_by_who_would_sit_where_there_is_no_seat(
    house: House, seat: int
) -> None:
    ann, bob = two(house)
    assert house.no(ann, Open("tictactoe", seat=Seat(seat))) == "no_such_seat"
    assert house.do(bob, Open("tictactoe")).table == 1, "no number was used up"


def test_one_can_choose_a_seat(house: House) -> None:
    ann, bob = two(house)
    assert house.do(ann, Open("tictactoe", seat=Seat(1))).seat == 1
    assert house.no(bob, Sit(TableId(1), Seat(1))) == "seat_taken"
    assert house.no(bob, Sit(TableId(1), Seat(-1))) == "no_such_seat"
    assert house.do(bob, Sit(TableId(1))).seat == 0
    assert house.no(house.enter("cleo"), Sit(TableId(1))) == "not_open"


def test_one_sits_only_once_at_a_table(house: House) -> None:
    ann, _ = two(house)
    house.do(ann, Open("tictactoe"))
    assert house.no(ann, Sit(TableId(1), Seat(1))) == "already_seated"


def test_one_can_open_a_table_for_others(house: House) -> None:
    ann, bob = two(house)
    done = house.do(ann, Open("tictactoe", sit=False))
    assert done.table is not None
    assert done.seat is None
    house.do(bob, Sit(done.table))
    house.do(house.enter("cleo"), Sit(done.table))
    assert house.show(bob, done.table).line.status == "playing"


def test_a_seat_that_is_left_before_the_start_is_free_again(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Open("fish", 3))
    house.do(bob, Sit(TableId(1)))
    house.do(ann, Leave(TableId(1)))
    assert house.do(house.enter("cleo"), Sit(TableId(1))).seat == 0


def test_a_table_that_the_last_one_leaves_is_closed(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Open("tictactoe"))
    house.do(ann, Leave(TableId(1)))
    assert kinds(house, TableId(1))[-2:] == [Left, Closed]
    assert house.no(bob, Sit(TableId(1))) == "not_open"


def test_nothing_is_said_or_done_at_a_closed_table(house: House) -> None:
    ann, _ = two(house)
    house.do(ann, Open("tictactoe"))
    house.do(ann, Leave(TableId(1)))
    house.ask(ann, Watch(TableId(1)), Past)
    assert house.no(ann, Say(TableId(1), "hello")) == "over"
    assert house.no(ann, Leave(TableId(1))) == "not_seated"


def test_a_table_that_waits_for_its_owner_starts_when_the_owner_says_so(house: House) -> None:
    ann, bob = two(house)
    table = house.do(ann, Open("tictactoe", policy=Policy(begin=Begin.OWNER))).table
    assert table is not None
    assert house.no(ann, Start(table)) == "not_ready"
    house.do(bob, Sit(table))
    assert house.show(ann, table).line.status == "open"
    assert house.no(bob, Start(table)) == "not_owner"
    house.do(ann, Start(table))
    assert house.no(ann, Start(table)) == "not_ready"
    assert house.show(ann, table).line.status == "playing"


def test_a_game_is_played_to_its_end_and_says_how_it_ended(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    for guest, move in ((ann, "0"), (bob, "3"), (ann, "1"), (bob, "4"), (ann, "2")):
        house.do(guest, Play(table, move))
    outcome = house.last(table, Ended).outcome
    assert outcome.winners == (0,)
    assert outcome.reason == "X has three in a row."
    assert house.no(bob, Play(table, "5")) == "over"


def test_a_move_is_judged_by_turn_then_notation_then_rules(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    assert house.no(bob, Play(table, "nonsense")) == "not_your_turn"
    assert house.no(ann, Play(table, "nonsense")) == "unreadable"
    assert house.no(ann, Play(table, "9")) == "out_of_range"
    assert house.no(house.enter("cleo"), Play(table, "0")) == "not_seated"
    assert house.do(ann, Play(table, "+0")).seat == 0
    assert house.last(table, Played).move == "0", "the log has the game's own text"


def test_who_resigns_loses(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(bob, Resign(table))
    outcome = house.last(table, Ended).outcome
    assert (outcome.winners, outcome.how, outcome.reason) == ((0,), "resigned", "O resigned.")


def test_leaving_a_running_game_loses_it(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Leave(table))
    assert house.last(table, Ended).outcome.how == "gone"
    assert house.no(ann, Leave(table)) == "over"


def test_a_draw_needs_a_yes_from_both(house: House) -> None:
    ann, bob = two(house)
    table = house.game("reversi", ann, bob)
    house.do(ann, OfferDraw(table))
    assert house.no(ann, OfferDraw(table)) == "offered_before"
    house.do(bob, OfferDraw(table))
    outcome = house.last(table, Ended).outcome
    assert outcome.drawn
    assert outcome.reason == "The players agreed on a draw."


def test_in_bughouse_one_of_each_team_is_enough_for_a_draw(house: House) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests)
    house.do(guests[0], OfferDraw(table))
    assert house.no(guests[3], OfferDraw(table)) == "offered_before", (
        "partners speak for each other"
    )
    house.do(guests[1], OfferDraw(table))
    assert house.last(table, Ended).outcome.drawn


@pytest.mark.parametrize("variant", ["fish", "nim", "guess"])
def test_games_without_draws_have_no_offers(house: House, variant: str) -> None:
    ann, bob = two(house)
    table = house.game(variant, ann, bob)
    assert house.no(ann, OfferDraw(table)) == "no_draws"
    assert house.no(bob, DeclineDraw(table)) == "no_offer"


def test_an_offer_is_gone_when_it_is_declined(house: House) -> None:
    ann, bob = two(house)
    table = house.game("reversi", ann, bob)
    house.do(ann, OfferDraw(table))
    house.do(bob, DeclineDraw(table))
    assert house.no(bob, DeclineDraw(table)) == "no_offer"
    house.do(bob, OfferDraw(table))
    assert house.show(ann, table).line.status == "playing"


def test_who_plays_on_has_declined(house: House) -> None:
    ann, bob = two(house)
    table = house.game("reversi", ann, bob)
    house.do(bob, OfferDraw(table))
    house.do(ann, Play(table, "d3"))
    house.do(ann, OfferDraw(table))
    assert house.show(ann, table).line.status == "playing"
    house.do(bob, OfferDraw(table))
    assert house.last(table, Ended).outcome.drawn


def test_who_offered_may_play_on_without_taking_it_back(house: House) -> None:
    ann, bob = two(house)
    table = house.game("reversi", ann, bob)
    house.do(ann, OfferDraw(table))
    house.do(ann, Play(table, "d3"))
    house.do(bob, OfferDraw(table))
    assert house.last(table, Ended).outcome.drawn


def test_a_side_offers_a_draw_once_between_moves_so_offers_cannot_fill_the_log(
    house: House,
) -> None:
    ann, bob = two(house)
    table = house.game("reversi", ann, bob)
    for _ in range(20):
        for guest in (ann, bob):
            house.reply(guest, OfferDraw(table))
            house.reply(guest, DeclineDraw(table))
    assert kinds(house, table)[5:] == [DrawOffered, DrawDeclined] * 2
    house.do(ann, Play(table, "d3"))
    house.do(ann, OfferDraw(table))


def test_a_game_can_be_called_off_before_its_second_move(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    house.do(bob, Abort(table))
    outcome = house.last(table, Ended).outcome
    assert (outcome.winners, outcome.how) == ((), "aborted")
    assert outcome.reason == "O called the game off."


def test_a_game_cannot_be_called_off_after_its_second_move(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    house.do(bob, Play(table, "0"))
    assert house.no(ann, Abort(table)) == "too_late"


def test_who_is_out_cannot_call_the_others_game_off(house: House) -> None:
    ann, bob, cleo = (house.enter(name) for name in "abc")
    table = house.game("fish", ann, bob, cleo)
    house.do(bob, Resign(table))
    assert house.no(bob, Abort(table)) == "out"
    assert house.no(bob, Resign(table)) == "out"
    assert house.no(bob, Play(table, "0,0")) == "not_your_turn"
    house.do(ann, Abort(table))


def test_what_cannot_be_printed_is_not_said(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Say(table, " \x1b[2J\0good\r\n luck\u202e "))
    assert house.last(table, Said).text == "[2Jgood luck"
    assert house.no(ann, Say(table, "\n\0 ")) == "empty"


def test_only_who_sits_or_watches_talks_at_a_table(house: House) -> None:
    ann, bob = two(house)
    cleo = house.enter("cleo")
    table = house.game("tictactoe", ann, bob)
    assert house.no(cleo, Say(table, "hello")) == "not_there"
    house.ask(cleo, Watch(table), Past)
    house.do(cleo, Say(table, "hello"))
    assert house.no(cleo, Say(table, "hello", team=True)) == "not_seated"


def test_a_rematch_starts_when_all_wish_for_it_with_the_seats_reversed(house: House) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests, time="5m")
    house.do(guests[0], Resign(table))
    for guest in guests:
        house.do(guest, Rematch(table))
    assert house.last(table, Rematched).table == 2
    shown = house.show(guests[0], TableId(2))
    assert [seat.player for seat in shown.line.seats] == [4, 3, 2, 1]
    assert (shown.line.time, shown.line.status, shown.seat) == ("5m", "playing", 3)


def test_a_rematch_is_made_once(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    assert house.no(ann, Rematch(table)) == "not_over"
    house.do(ann, Resign(table))
    house.do(ann, Rematch(table))
    assert house.no(ann, Rematch(table)) == "wished_before"
    house.do(bob, Rematch(table))
    assert house.no(ann, Rematch(table)) == "rematched"
    assert house.no(bob, Rematch(table)) == "rematched"
    assert house.no(house.enter("cleo"), Rematch(table)) == "not_seated"
    assert len(house.streams) == 3, "the hall and two tables"


def test_a_rematch_has_a_seed_of_its_own(house: House) -> None:
    ann, bob = two(house)
    table = house.game("guess", ann, bob)
    house.do(ann, Resign(table))
    for guest in (ann, bob):
        house.do(guest, Rematch(table))
    assert house.last(table, Seeded) != house.last(TableId(2), Seeded)


@pytest.mark.parametrize("table", [0, -1, 2, 10**30])
def test_a_table_that_is_not_there_is_refused_whatever_is_asked(house: House, table: int) -> None:
    ann, _ = two(house)
    house.do(ann, Open("tictactoe"))
    nowhere = TableId(table)
    asked: list[AnyIntent] = [
        Sit(nowhere), Leave(nowhere), Start(nowhere), Play(nowhere, "4"), Resign(nowhere),
        OfferDraw(nowhere), DeclineDraw(nowhere), TakeBack(nowhere), DeclineTakeBack(nowhere),
        Abort(nowhere), Say(nowhere, "x"),
        Rematch(nowhere), Watch(nowhere),
    ]  # fmt: skip
    assert {house.no(ann, intent) for intent in asked} == {"no_table"}


def test_names_at_a_table_are_those_under_which_people_sat_down(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    assert [event.name for event in house.events(table) if isinstance(event, Sat)] == ["ann", "bob"]
    assert house.last(table, Sat).player == PlayerId(2)
