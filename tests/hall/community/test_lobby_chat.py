"""The lobby's chat: who hears what, and how much of it."""

import pytest

from rookery.core.ids import SessionId
from rookery.core.intents import Block, HearLobby, SayInLobby
from rookery.core.messages import LobbyHeard, LobbySaid
from rookery.hall import community
from rookery.hall.community import ALL_RATE, TALK_RATE
from rookery.hall.limits import LOBBY_KEPT, LOBBY_LINE_MAX
from tests.hall.house import SECOND, Guest, House

MARKUP = "<img src=x onerror=alert(1)> & \"quotes\" 'too'"


def hearing(house: House, name: str, host: str = "10.0.0.1") -> Guest:
    guest = house.enter(name, house.connect(host))
    house.ask(guest, HearLobby(), LobbyHeard)
    house.heard(guest)
    return guest


def lines(house: House, who: Guest | SessionId) -> list[str]:
    return [one.said.text for one in house.heard(who) if isinstance(one, LobbySaid)]


def test_who_listens_hears_it_and_nobody_else_does(house: House) -> None:
    ann, bob, cyd = hearing(house, "Ann"), hearing(house, "Bob"), house.enter("Cyd")
    house.do(ann, SayInLobby("hello"))
    house.ask(bob, HearLobby(hear=False), LobbyHeard)
    house.do(cyd, SayInLobby("hi"))
    assert (lines(house, ann), lines(house, bob), lines(house, cyd)) == (
        ["hello", "hi"],
        ["hello"],
        [],
    )


def test_lobby_kept(house: House) -> None:
    """Who comes is told the last lines, and nothing of it is in the log."""
    ann = house.enter("Ann")
    before = len(house.log)
    for n in range(LOBBY_KEPT + 1):
        house.now += 60 * SECOND
        house.do(ann, SayInLobby(f"line {n}"))
    heard = house.ask(house.connect(), HearLobby(), LobbyHeard)
    assert [line.text for line in heard.lines] == [f"line {n}" for n in range(1, LOBBY_KEPT + 1)]
    assert (heard.lines[-1].name, heard.lines[-1].at) == ("Ann", house.now)
    assert len(house.log) == before


def test_a_line_has_nothing_in_it_that_cannot_be_seen(house: House) -> None:
    ann = hearing(house, "Ann")
    assert house.no(ann, SayInLobby(" \u202e\n ")) == "empty"
    house.do(ann, SayInLobby(f"\x1b[2J{MARKUP}\x00"))
    assert lines(house, ann) == [f"[2J{MARKUP}"]
    assert house.no(house.connect(), SayInLobby("hey")) == "no_player"


def test_lobby_line_max(house: House) -> None:
    ann = hearing(house, "Ann")
    assert house.no(ann, SayInLobby("x" * (LOBBY_LINE_MAX + 1))) == "too_long"
    house.do(ann, SayInLobby("x" * LOBBY_LINE_MAX))
    assert lines(house, ann) == ["x" * LOBBY_LINE_MAX]


def test_a_home_says_so_much_whoever_it_says_to_be_and_goes_on_after_a_while(house: House) -> None:
    for n in range(TALK_RATE.burst):
        host = f"2001:db8:1:2::{n + 1}"
        house.do(house.enter(f"g{n}", house.connect(host)), SayInLobby("spam"))
    last = house.enter("g", house.connect("2001:db8:1:2:9::9"))
    assert house.no(last, SayInLobby("spam")) == "too_fast"
    house.do(house.enter("Ann", house.connect("2001:db8:1:3::1")), SayInLobby("hello"))
    house.now += TALK_RATE.every
    house.do(last, SayInLobby("sorry"))


def test_all_homes_together_say_no_more_than_can_be_read(house: House) -> None:
    for n in range(ALL_RATE.burst):
        house.do(house.enter("g", house.connect(f"10.1.{n}.1")), SayInLobby("flood"))
    ann = house.enter("Ann", house.connect("10.2.0.1"))
    assert house.no(ann, SayInLobby("hello")) == "too_fast"
    house.now += ALL_RATE.every
    house.do(ann, SayInLobby("hello"))


def test_lobby_hearers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(community, "LOBBY_HEARERS", 1)
    house = House()
    ann = hearing(house, "Ann")
    assert house.no(house.connect(), HearLobby()) == "too_many"
    house.ask(ann, HearLobby(), LobbyHeard)  # she does already
    house.hang_up(ann)
    house.ask(house.connect(), HearLobby(), LobbyHeard)


def test_who_has_blocked_somebody_hears_nothing_of_them_now_or_from_before(house: House) -> None:
    ann, eve = hearing(house, "Ann"), house.enter("Eve")
    house.do(eve, SayInLobby("one"))
    house.do(ann, Block(eve.player))
    house.do(eve, SayInLobby("two"))
    assert lines(house, ann) == ["one"]
    assert house.ask(ann, HearLobby(), LobbyHeard).lines == ()
