"""Who hears what of a table, in which order, and what they must not hear."""

import pytest

from rookery.core.events import Ended, Opened, Out, Played, Rematched, Said, Sat, Started
from rookery.core.game import Aside
from rookery.core.ids import PlayerId, Seat, TableId, Wall
from rookery.core.intents import (
    History,
    Open,
    Play,
    Rematch,
    Rename,
    Resign,
    Say,
    Show,
    Sit,
    Unwatch,
    Watch,
)
from rookery.core.messages import Done, Entry, News, Past, Shown
from rookery.core.policy import Policy
from rookery.games.guess import Answered, GuessView
from rookery.hall.tables.news import Herald
from rookery.hall.tables.ruling import TableChange
from rookery.hall.tables.table import open_table
from tests.hall.house import Guest, House


def two(house: House) -> tuple[Guest, Guest]:
    return house.enter("ann"), house.enter("bob")


def moves(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.event.move for entry in entries if isinstance(entry.event, Played)]


def test_players_and_watchers_hear_every_event_once_and_in_order(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    house.ask(ann, Watch(table), Past)
    for session in (ann, bob, watcher):
        house.heard(session)
    house.do(ann, Play(table, "4"))
    house.do(bob, Resign(table))
    for session in (ann, bob, watcher):
        heard = house.news(session)
        assert [(h.n, type(h.event)) for h in heard] == [(6, Played), (7, Out), (8, Ended)]
    assert heard[0].to_act == (1,)
    assert heard[2].to_act == ()


def test_everyone_hears_one_event_before_anyone_hears_the_next() -> None:
    house = House(slow=True)
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.catch_up()
    house.do(bob, Resign(table))
    told = [(d.session, type(d.message)) for d in house.unsafe[0].deliveries]
    assert told == [(2, Done), (1, News), (2, News), (1, News), (2, News)]


def test_a_refusal_is_told_to_who_asked_and_nobody_else(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.heard(ann)
    house.no(bob, Play(table, "4"))
    assert house.heard(ann) == []


def test_who_stops_watching_hears_no_more(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    house.do(watcher, Unwatch(table))
    house.do(watcher, Unwatch(table))
    house.do(ann, Play(table, "4"))
    assert house.news(watcher) == []


def test_who_watched_and_hung_up_is_told_no_more(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    house.hang_up(watcher)
    house.do(ann, Play(table, "4"))
    assert house.news(watcher) == []


def test_watching_begins_with_the_past_and_misses_nothing(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    watcher = house.connect()
    past = house.ask(watcher, Watch(table), Past)
    assert [type(entry.event) for entry in past.events] == [Opened, Sat, Sat, Started]
    assert [entry.n for entry in past.events] == [1, 3, 4, 5], "the second is the seed"
    house.do(ann, Play(table, "4"))
    assert [news.n for news in house.news(watcher)] == [6]


def test_who_comes_back_asks_for_what_it_missed(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    last = house.news(ann)[-1].n
    house.do(ann, Play(table, "4"))
    house.hang_up(ann)
    house.do(bob, Play(table, "0"))
    ann = house.back(ann)
    past = house.ask(ann, Watch(table, last), Past)
    assert moves(past.events) == ["4", "0"]
    house.do(ann, Play(table, "1"))
    assert [news.n for news in house.news(ann)] == [past.events[-1].n + 1]


@pytest.mark.parametrize(("since", "count"), [(-(10**30), 4), (0, 4), (4, 1), (5, 0), (10**30, 0)])
def test_history_starts_after_any_number(house: House, since: int, count: int) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    assert len(house.ask(ann, History(table, since), Past).events) == count


def test_the_seed_is_in_no_history(house: House) -> None:
    ann, bob = two(house)
    table = house.game("guess", ann, bob)
    house.do(ann, Resign(table))
    past = house.ask(ann, History(table), Past)
    assert [entry.n for entry in past.events] == [1, 3, 4, 5, 6, 7]


def test_players_hear_that_it_goes_on_elsewhere_and_then_that_it_starts_there(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    house.do(ann, Resign(table))
    house.do(ann, Rematch(table))
    house.heard(bob)
    house.heard(watcher)
    house.do(bob, Rematch(table))
    heard = [(news.table, type(news.event)) for news in house.news(bob)]
    assert heard[1] == (table, Rematched)
    assert heard[-1] == (TableId(2), Started)
    assert [type(news.event) for news in house.news(watcher)][-1] == Rematched


def test_a_rematch_is_played_under_the_names_of_now(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Resign(table))
    house.do(ann, Rename("Anna"))
    house.do(ann, Rematch(table))
    house.do(bob, Rematch(table))
    again = house.show(bob, TableId(2)).line
    assert [seat.player_name for seat in again.seats] == ["bob", "Anna"]
    assert [seat.player_name for seat in house.show(bob, table).line.seats] == ["ann", "bob"]


# -- team chat


def test_what_is_said_to_a_team_is_heard_by_the_team_alone(house: House) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    sessions = [*(guest.session for guest in guests), watcher]
    for session in sessions:
        house.heard(session)
    house.do(guests[0], Say(table, "knights please", team=True))
    assert [len(house.news(session)) for session in sessions] == [1, 0, 0, 1, 0]
    house.do(guests[0], Say(table, "good luck"))
    assert [len(house.news(session)) for session in sessions] == [1, 1, 1, 1, 1]


def test_what_was_said_to_a_team_is_in_the_teams_history_alone_for_ever(house: House) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests)
    house.do(guests[0], Say(table, "knights please", team=True))
    house.do(guests[0], Resign(table))
    house.wait(1000)
    for guest, heard in zip(guests, (1, 0, 0, 1), strict=True):
        events = house.ask(guest, History(table), Past).events
        assert sum(isinstance(entry.event, Said) for entry in events) == heard
    events = house.ask(house.connect(), History(table), Past).events
    assert not any(isinstance(entry.event, Said) for entry in events)


# -- secrets


def guessing(house: House) -> tuple[Guest, Guest, TableId]:
    ann, bob = two(house)
    return ann, bob, house.game("guess low=1000 high=1999", ann, bob)


def test_a_secret_move_is_told_to_its_seat_alone(house: House) -> None:
    ann, bob, table = guessing(house)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    for session in (ann, bob, watcher):
        house.heard(session)
    house.do(ann, Play(table, "1500"))
    told = [next(n.event for n in house.news(s)) for s in (ann, bob, watcher)]
    assert [event.move for event in told if isinstance(event, Played)] == ["1500", "", ""]


def test_a_secret_move_is_in_its_seats_history_alone_until_the_end(house: House) -> None:
    ann, bob, table = guessing(house)
    house.do(ann, Play(table, "1500"))
    house.do(bob, Play(table, "1600"))
    watcher = house.connect()
    for session, told in ((ann, ["1500", ""]), (bob, ["", "1600"]), (watcher, ["", ""])):
        assert moves(house.ask(session, History(table), Past).events) == told
        assert moves(house.ask(session, Watch(table), Past).events) == told
    house.do(bob, Resign(table))
    assert moves(house.ask(watcher, History(table), Past).events) == ["1500", "1600"]


def test_a_seat_sees_its_own_guesses_and_not_the_number(house: House) -> None:
    ann, bob, table = guessing(house)
    house.do(ann, Play(table, "1500"))
    for session, own in ((ann, 1), (bob, 0), (house.connect(), 0)):
        view = house.ask(session, Show(table), Shown).view
        assert isinstance(view, GuessView)
        assert (len(view.own), view.secret) == (own, None)
    house.do(ann, Resign(table))
    view = house.show(bob, table).view
    assert isinstance(view, GuessView)
    assert view.secret is not None


def test_a_player_taken_over_takes_its_secrets_along(house: House) -> None:
    ann, _, table = guessing(house)
    house.do(ann, Play(table, "1500"))
    house.back(ann)
    assert moves(house.ask(ann.session, History(table), Past).events) == [""]


def test_an_aside_is_heard_by_its_seat_alone() -> None:
    """No game of ours has one yet; the next with hidden cards will."""
    opened = Opened("tictactoe", 1, 2, "none", Policy())
    dealt = (Aside(Seat(1), Answered(Seat(1), "ace")), Answered(Seat(0), "shuffled"))
    herald = Herald(
        TableChange(Sat(Seat(0), PlayerId(1), "ann"), dealt, open_table(TableId(1), opened)),
        0,
        Wall(0),
    )
    for seats, count in (((), 1), ((Seat(0),), 1), ((Seat(1),), 2), ((Seat(0), Seat(1)), 2)):
        news = herald.news(seats)
        assert news is not None
        assert len(news.happened.effects) == count
    assert herald.news(()) is herald.news(()), "one for all who look on"


def test_the_news_before_the_start_has_no_view_and_after_it_one_for_each_viewer(
    house: House,
) -> None:
    ann, bob = two(house)
    house.do(ann, Open("tictactoe"))
    assert house.show(ann, TableId(1)).view is None
    house.do(bob, Sit(TableId(1)))
    news = [message for message in house.heard(bob) if isinstance(message, News)]
    assert news[0].scene.players == (1, 2)
    assert news[-1].scene.view(None) is news[-1].scene.view(None), "made once"
    shown = house.show(ann, TableId(1))
    assert shown.view == news[-1].scene.view(None)
