"""Join codes: for those who can say one, and for old clients who can only carry one."""

import pytest

from rookery.core.events import Returned, tour_stream
from rookery.core.ids import SessionId, TourId
from rookery.core.intents import (
    AnyIntent,
    Enter,
    EnterRoom,
    Gather,
    JoinTour,
    Leave,
    OpenTour,
    Play,
    Seek,
    ShowTour,
    Withdraw,
)
from rookery.core.messages import Done, News, Roomed, TourJoined, TourMade, TourShown, Welcome
from rookery.core.policy import Policy
from rookery.core.tour_values import DEFAULT_ABSENT, Plan
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import SECOND, House

CODE = "KXQTW"
OTHELLO = Plan("reversi", "joining", time="none")
BLACKWHITE = Plan("reversi size=10", "joining", time="none")
HERE, ELSEWHERE = "10.0.0.1", "10.0.0.2"


def contest(plan: Plan, code: str | None = CODE) -> Contest:
    return Contest(house_of_tours(), plan, code)


def come(house: House, name: str, host: str = HERE, tour: str = "") -> SessionId:
    """An othello client."""
    session = house.connect(host, "othello", tour)
    house.ask(session, Enter(name, "othello"), Welcome)
    return session


def entrants(one: Contest) -> list[str]:
    return [entrant.name for entrant in one.shown().entrants]


def playing(house: House, session: SessionId) -> bool:
    """Whether it has heard of a game that begins."""
    return any(isinstance(message, News) for message in house.heard(session))


# -- for those who can say one


def test_a_code_is_drawn_and_everyone_who_knows_it_may_join() -> None:
    one = contest(Plan(NIM), None)
    assert len(one.code) == 8
    assert one.code.isalpha()
    one.join("ann")
    bob = one.house.enter("bob")
    one.house.ask(bob, JoinTour(code=one.code.lower()), TourJoined)
    assert entrants(one) == ["ann", "bob"]


def test_who_does_not_know_the_code_does_not_join() -> None:
    one = contest(Plan(NIM))
    ann = one.house.enter("ann")
    assert one.house.no(ann, JoinTour(one.tour)) == "bad_code"
    assert one.house.no(ann, JoinTour(one.tour, "WRONG")) == "bad_code"
    assert one.house.no(ann, JoinTour(code="WRONG")) == "bad_code"
    assert one.house.no(ann, JoinTour()) == "no_tour"
    assert entrants(one) == []


def test_a_code_is_shown_to_whoever_runs_the_tour_and_to_nobody_else() -> None:
    house = house_of_tours()
    owner, other = house.enter("owner"), house.enter("other")
    made = house.ask(owner, OpenTour(Plan(NIM)), TourMade)
    house.ask(other, JoinTour(made.tour, made.code), TourJoined)
    assert house.ask(owner, ShowTour(made.tour), TourShown).code == made.code
    assert house.ask(other, ShowTour(made.tour), TourShown).code == ""
    assert house.ask(house.connect(), ShowTour(made.tour), TourShown).code == ""


@pytest.mark.parametrize("code", ["12345", "A B", "É", "A#B", "A:B", "A\n"])
def test_a_code_is_letters_and_digits_and_no_number(code: str) -> None:
    house = house_of_tours()
    assert house.no(house.enter("ann"), OpenTour(Plan(NIM), code)) == "bad_code"


def test_a_code_is_one_tours_while_it_lasts() -> None:
    house = house_of_tours()
    ann = house.enter("ann")
    house.ask(ann, OpenTour(Plan(NIM), "spring"), TourMade)
    assert house.no(ann, OpenTour(Plan(NIM), "SPRING")) == "bad_code"
    one = contest(Plan(NIM), "spring")
    assert one.code == "SPRING"


def test_when_a_tour_is_over_its_code_is_free_again() -> None:
    one = contest(Plan(NIM, time="none"))
    one.join("ann", "bob")
    one.start()
    one.play_on()
    Contest(one.house, Plan(NIM), CODE)


# -- for old clients


def test_a_code_behind_the_name_is_no_part_of_it() -> None:
    one = contest(OTHELLO)
    come(one.house, f"ann#{CODE}")
    come(one.house, f"b#b#{CODE.lower()}")
    assert entrants(one) == ["ann", "b#b"]


@pytest.mark.parametrize("name", ["ann#7", "ann#1234", "b#b", "c#", "a#b c d"])
def test_what_can_be_no_code_is_part_of_the_name(name: str) -> None:
    one = contest(OTHELLO)
    session = one.house.connect(dialect="othello")
    assert one.house.ask(session, Enter(name, "othello"), Welcome).name == name
    assert entrants(one) == []


@pytest.mark.parametrize("dialect", ["othello", "blackwhite", "bughouse", "fish", "fishcom"])
def test_a_code_that_no_tour_has_is_refused_in_every_language(dialect: str) -> None:
    one = contest(OTHELLO)
    session = one.house.connect(dialect=dialect)
    assert one.house.no(session, Enter("ann#WRONG", dialect)) == "bad_code"


def test_who_is_called_nothing_but_a_code_is_refused() -> None:
    one = contest(OTHELLO)
    session = one.house.connect(dialect="othello")
    assert one.house.no(session, Enter(f"#{CODE}", "othello")) == "bad_name"


def test_a_native_name_is_never_read_as_a_code() -> None:
    one = contest(OTHELLO, "")
    one.house.enter("ann#KXQTW")
    assert entrants(one) == []


def test_a_port_has_a_code() -> None:
    one = contest(OTHELLO)
    come(one.house, "ann", tour=CODE)
    assert entrants(one) == ["ann"]


def test_a_room_may_be_called_by_a_code() -> None:
    one = contest(BLACKWHITE)
    house = one.house
    session = house.connect(dialect="blackwhite")
    joined = house.ask(session, EnterRoom(CODE, "reversi size=10", name="ann"), TourJoined)
    assert (joined.tour, joined.entrant) == (one.tour, 1)
    den = house.connect(dialect="blackwhite")
    house.ask(den, EnterRoom("den", "reversi size=10", name="bob"), Roomed)
    assert entrants(one) == ["ann"]


def test_who_enters_a_room_that_is_a_code_waits_for_its_match() -> None:
    one = contest(BLACKWHITE)
    house = one.house
    sessions = [house.connect(dialect="blackwhite") for _ in "ab"]
    for n, session in enumerate(sessions):
        house.ask(session, EnterRoom(CODE, "reversi size=10", name=f"g{n}"), TourJoined)
    one.start()
    assert len(one.running()) == 1
    assert all(playing(house, session) for session in sessions)


@pytest.mark.parametrize(
    "wish", [Seek("reversi"), Gather("reversi", 2, 2), EnterRoom("den", "reversi")], ids=repr
)
def test_asking_for_a_game_means_being_ready_for_a_match(wish: AnyIntent) -> None:
    one = contest(OTHELLO)
    house = one.house
    ann, bob = come(house, f"ann#{CODE}"), come(house, f"bob#{CODE}")
    one.start()
    assert one.running() == []
    house.ask(ann, wish, TourJoined)
    assert one.running() == []
    house.ask(bob, wish, TourJoined)
    assert len(one.running()) == 1
    assert playing(house, ann)


def test_after_a_match_one_asks_again() -> None:
    one = contest(OTHELLO)
    house = one.house
    ann, bob = come(house, f"ann#{CODE}"), come(house, f"bob#{CODE}")
    one.start()
    for session in (ann, bob):
        house.ask(session, Seek("reversi"), TourJoined)
    house.ask(bob, Seek("reversi"), TourJoined)  # which counts for nothing while one plays
    house.do(ann, Leave(one.running()[0]))
    assert len(one.results()) == 1
    assert one.running() == []
    house.ask(ann, Seek("reversi"), TourJoined)
    assert one.running() == []
    house.ask(bob, Seek("reversi"), TourJoined)
    assert len(one.running()) == 1


def test_who_asks_for_no_other_game_after_a_match_is_away_from_then_on() -> None:
    one = contest(Plan("reversi", time="none"))
    house = one.house
    sessions = [come(house, f"{name}#{CODE}") for name in ("ann", "bob", "cyd")]
    one.start()
    for session in sessions:
        house.ask(session, Seek("reversi"), TourJoined)
    quitter = next(session for session in sessions if playing(house, session))
    house.do(quitter, Leave(one.running()[0]))
    house.wait(DEFAULT_ABSENT // SECOND - 1)
    assert len(one.results()) == 1
    house.wait(1)
    assert len(one.results()) == 3, "the third, who is there, has beaten both"


def test_who_may_not_play_there_is_refused_before_it_is_anybody() -> None:
    house = house_of_tours()
    fish = Contest(house, Plan("fish", "arena"), "FISHY")
    pairs = Contest(house, Plan("bughouse"), "PAIRS")
    only = Contest(house, Plan("reversi", policy=Policy(only="tourney")), "ONLYT")
    session = house.connect(dialect="othello")
    assert house.no(session, Enter(f"ann#{fish.code}", "othello")) == "wrong_dialect"
    assert house.no(session, Enter(f"ann#{only.code}", "othello")) == "wrong_dialect"
    bughouse = house.connect(dialect="bughouse")
    assert house.no(bughouse, Enter(f"ann#{pairs.code}", "bughouse")) == "no_team"


def test_a_tour_that_has_begun_and_takes_nobody_takes_nobody_by_a_code_either() -> None:
    one = contest(Plan("reversi", time="none"))
    one.join("ann", "bob")
    one.start()
    session = one.house.connect(dialect="othello")
    assert one.house.no(session, Enter(f"cyd#{CODE}", "othello")) == "too_late"


# -- coming back


def test_the_same_name_from_the_same_host_is_the_same_entrant() -> None:
    one = contest(OTHELLO)
    house = one.house
    house.hang_up(come(house, f"ann#{CODE}"))
    come(house, f"ann#{CODE}")
    assert entrants(one) == ["ann"]
    returned = house.streams[tour_stream(one.tour)][-1].event
    assert isinstance(returned, Returned)
    assert returned.player != returned.now


def test_another_name_or_host_or_one_who_is_there_is_somebody_else() -> None:
    one = contest(OTHELLO)
    house = one.house
    ann = come(house, f"ann#{CODE}")
    come(house, f"ann#{CODE}")
    house.hang_up(ann)
    come(house, f"ann#{CODE}", ELSEWHERE)
    come(house, f"bob#{CODE}")
    assert entrants(one) == ["ann", "ann²", "ann³", "bob"]


def test_who_came_back_plays_on_after_a_restart_too() -> None:
    one = contest(OTHELLO)
    house = one.house
    come(house, f"ann#{CODE}")
    come(house, f"bob#{CODE}")
    one.start()
    house.restart()
    sessions = [come(house, f"{name}#{CODE}") for name in ("ann", "bob")]
    one.organiser = house.connect()
    assert entrants(one) == ["ann", "bob"]
    for session in sessions:
        house.ask(session, Seek("reversi"), TourJoined)
    (table,) = one.running()
    house.do(sessions[0], Play(table, "d3"))


def test_who_came_back_as_another_while_its_match_ran_is_given_the_next_one() -> None:
    one = contest(OTHELLO)
    house = one.house
    ann, bob = come(house, f"ann#{CODE}"), come(house, f"bob#{CODE}")
    one.start()
    for session in (ann, bob):
        house.ask(session, Seek("reversi"), TourJoined)
    house.hang_up(ann)
    ann = come(house, f"ann#{CODE}")
    house.ask(ann, Seek("reversi"), TourJoined)
    house.wait(60)
    assert len(one.results()) == 1, "its old seat is lost"
    house.ask(bob, Seek("reversi"), TourJoined)
    assert len(one.running()) == 1


def test_who_is_out_is_not_taken_for_somebody_who_came_back() -> None:
    one = contest(OTHELLO)
    house = one.house
    house.hang_up(come(house, f"ann#{CODE}"))
    house.do(one.organiser, Withdraw(one.tour, 1))
    come(house, f"ann#{CODE}")
    assert [entrant.out for entrant in one.shown().entrants] == ["removed", ""]


def test_once_the_tour_is_over_asking_for_a_game_means_a_game() -> None:
    one = contest(Plan("reversi", "round_robin", time="none"))
    house = one.house
    ann, bob = come(house, f"ann#{CODE}"), come(house, f"bob#{CODE}")
    one.start()
    for session in (ann, bob):
        house.ask(session, Seek("reversi"), TourJoined)
    house.do(bob, Leave(one.running()[0]))
    assert one.status == "ended"
    house.ask(ann, Seek("reversi"), Done)
    assert one.tour == TourId(1)
