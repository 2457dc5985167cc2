"""Mutes and bans: who may, whom it stops, and that a restart keeps it."""

import pytest

from rookery.core.ids import PlayerId, SessionId, TableId
from rookery.core.intents import (
    Ban,
    CloseTable,
    Enter,
    HearLobby,
    LiftBan,
    Mute,
    Open,
    Organise,
    Reclaim,
    Rename,
    Say,
    SayInLobby,
    Seek,
    Show,
    Unmute,
)
from rookery.core.messages import LobbyHeard, Notice, Refused, Shown, Welcome
from rookery.core.network import LOOPBACK
from rookery.hall import community
from rookery.hall.limits import AHEAD_MAX, REASON_MAX
from tests.hall.house import SECOND, Guest, House

TOKEN = "the organiser's own"
MINUTE = 60 * SECOND


def opened() -> tuple[House, SessionId]:
    """A house, and a session of its organiser's."""
    house = House(organiser=TOKEN)
    session = house.connect("10.9.9.9")
    house.do(session, Organise(TOKEN))
    return house, session


def sentence(house: House, who: Guest | SessionId, intent: SayInLobby | Enter | Reclaim) -> str:
    return house.ask(who, intent, Refused).sentence


# -- muting


def test_who_is_muted_says_nothing_anywhere_and_is_told_for_how_long() -> None:
    house, boss = opened()
    eve, bob = house.enter("Eve"), house.enter("Bob")
    table = house.do(eve, Open("nim")).table
    assert table is not None
    house.do(boss, Mute(eve.player, 90 * MINUTE, "Shouting"))
    assert any(isinstance(one, Notice) and one.code == "muted" for one in house.heard(eve))
    said = sentence(house, eve, SayInLobby("hey"))
    assert said == "The organiser has muted you for 90 minutes more: Shouting."
    assert house.no(eve, Say(table, "hey")) == "muted"
    assert house.no(eve, Rename("I SHOUT BY MY NAME")) == "muted"
    house.do(bob, SayInLobby("it is quiet"))
    house.do(eve, Seek("tictactoe"))  # and plays as ever


def test_a_mute_ends_by_itself_and_survives_a_restart_until_then() -> None:
    house, boss = opened()
    eve = house.enter("Eve")
    house.do(boss, Mute(eve.player, 2 * MINUTE))
    house.restart()
    eve = house.back(eve)
    house.now += MINUTE
    said = sentence(house, eve, SayInLobby("hey"))
    assert said == "The organiser has muted you for 60 seconds more."
    house.now += MINUTE
    house.do(eve, SayInLobby("hey"))


def test_who_is_muted_does_not_get_around_it_as_another_from_the_same_home() -> None:
    house, boss = opened()
    home = "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"
    eve, mate = (house.enter(name, house.connect(home[0])) for name in ("Eve", "Mate"))
    house.do(boss, Mute(eve.player, MINUTE))
    again = house.enter("Not Eve", house.connect(home[1]))
    assert house.no(again, SayInLobby("hey")) == "muted"
    house.do(mate, SayInLobby("I was here before, and did nothing"))
    house.do(house.enter("Next door", house.connect(home[2])), SayInLobby("nor did I"))
    house.restart()
    house.do(house.connect("10.9.9.8"), Organise(TOKEN))
    assert house.no(house.back(again), SayInLobby("hey")) == "muted"
    house.now += MINUTE
    house.do(house.enter("Eve", house.connect(home[1])), SayInLobby("sorry"))


def test_behind_a_proxy_on_this_machine_only_who_is_muted_is() -> None:
    house, boss = opened()
    eve = house.enter("Eve", house.connect(LOOPBACK))
    house.do(boss, Mute(eve.player))
    house.do(house.enter("Ann", house.connect(LOOPBACK)), SayInLobby("hello"))


def test_who_is_unmuted_and_who_came_since_speak_again() -> None:
    house, boss = opened()
    eve = house.enter("Eve")
    house.do(boss, Mute(eve.player))
    new = house.enter("New")
    assert house.no(new, SayInLobby("hey")) == "muted"
    house.do(boss, Unmute(eve.player))
    for one in (eve, new):
        house.do(one, SayInLobby("thanks"))
    assert house.no(boss, Unmute(eve.player)) == "nothing_to_lift"


def test_what_somebody_said_goes_from_the_lobby_when_they_are_muted() -> None:
    house, boss = opened()
    eve, ann = house.enter("Eve"), house.enter("Ann")
    house.ask(ann, HearLobby(), LobbyHeard)
    house.do(eve, SayInLobby("buy my boat"))
    house.do(ann, SayInLobby("hello"))
    house.do(boss, Mute(eve.player))
    heard = house.ask(house.connect(), HearLobby(), LobbyHeard)
    assert [line.text for line in heard.lines] == ["hello"]


# -- banning


def test_who_is_banned_is_hung_up_on_with_the_reason_and_cannot_come_back() -> None:
    house, boss = opened()
    eve = house.enter("Eve")
    batch = house.hall.receive(boss, Ban(eve.player, reason="Cheating."), house.now)
    house.take(batch)
    assert [(one.session, one.notice.sentence) for one in batch.dismissals] == [
        (eve.session, "The organiser has banned you: Cheating.")
    ]
    house.hang_up(eve)
    for _ in range(2):
        back = house.ask(house.connect(), Reclaim(eve.player, eve.token), Refused)
        assert (back.code, back.sentence) == (
            "banned",
            "You are banned from this server for good: Cheating.",
        )
        house.restart()


def test_the_game_of_who_is_banned_ends_as_for_anybody_who_is_gone() -> None:
    house, boss = opened()
    eve, bob = house.enter("Eve"), house.enter("Bob")
    table = house.game("tictactoe", eve, bob)
    house.do(boss, Ban(eve.player))
    house.hang_up(eve)
    house.now += 600 * SECOND
    house.tick()
    ended = house.ask(bob, Show(table), Shown).line.outcome
    assert ended is not None
    assert (ended.how, ended.places) == ("gone", (2, 1))


def test_nobody_from_a_banned_home_comes_by_any_address_or_language() -> None:
    house, boss = opened()
    eve = house.enter("Eve", house.connect("2001:db8:1:2::1"))
    mate = house.enter("Mate", house.connect("2001:db8:1:2::2"))
    batch = house.hall.receive(boss, Ban(eve.player, home=True, time=MINUTE), house.now)
    house.take(batch)
    assert {one.session for one in batch.dismissals} == {eve.session, mate.session}
    for dialect in ("native", "fish", "othello"):
        session = house.connect("2001:db8:1:2:9::9", dialect)
        assert house.no(session, Enter("x", dialect)) == "banned"
    assert house.hall.community.may_not_come("2001:db8:1:3::1", house.now) is None
    house.restart()
    assert house.no(house.connect("2001:db8:1:2::1"), Reclaim(eve.player, eve.token)) == "banned"
    house.now += MINUTE
    house.ask(house.connect("2001:db8:1:2::1"), Reclaim(eve.player, eve.token), Welcome)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "127.4.5.6", "::ffff:127.0.0.1"])
def test_nobody_bans_this_machine_by_mistake(host: str) -> None:
    house, boss = opened()
    assert house.no(boss, Ban(host=host)) == "protected"
    house.do(boss, Ban(host=host, force=True))
    assert house.no(house.connect(LOOPBACK), Enter("me")) == "banned"
    house.do(boss, LiftBan(host=host))
    house.enter("me", house.connect(LOOPBACK))


def test_a_home_is_lifted_as_it_is_written_or_by_an_address_in_it() -> None:
    house, boss = opened()
    for lifted in ("2001:db8:1:2::/64", "2001:db8:1:2::77"):
        house.do(boss, Ban(host="2001:db8:1:2::1"))
        house.do(boss, LiftBan(host=lifted))
        assert house.no(boss, LiftBan(host=lifted)) == "nothing_to_lift"
    for wrong in ("somewhere", "10.0.0.0/8", ""):
        assert house.no(boss, Ban(host=wrong)) == "bad_option"


def test_the_ban_of_a_player_s_home_is_lifted_by_the_player_too() -> None:
    house, boss = opened()
    eve, bob = house.enter("Eve", house.connect("10.3.0.1")), house.enter("Bob")
    house.do(boss, Ban(eve.player, home=True, reason="Again"))
    house.do(boss, Ban(eve.player))
    house.do(boss, Ban(host="192.0.2.7"))
    house.restart()
    boss = house.connect("10.9.9.9")
    house.do(boss, Organise(TOKEN))
    sentence = house.ask(boss, LiftBan(bob.player), Refused).sentence
    assert sentence == f"Player {bob.player} is not banned."
    house.do(boss, LiftBan(eve.player, reason="It is a school"))
    assert house.no(boss, LiftBan(eve.player)) == "nothing_to_lift"
    house.restart()
    house.ask(house.connect("10.3.0.1"), Reclaim(eve.player, eve.token), Welcome)
    assert house.no(house.connect("192.0.2.7"), Enter("Cyd")) == "banned"


# -- who may


ORGANISERS = (
    Mute(PlayerId(1)),
    Unmute(PlayerId(1)),
    Ban(PlayerId(1)),
    LiftBan(PlayerId(1)),
    CloseTable(TableId(1)),
)


@pytest.mark.parametrize("wish", ORGANISERS)
def test_nobody_but_the_organiser_does_any_of_it(wish: Mute) -> None:
    house, _ = opened()
    for who in (house.connect(), house.enter("Bob")):
        assert house.no(who, wish) == "not_organiser"


def test_nobody_acts_against_the_organiser_or_by_mistake_against_its_home() -> None:
    house, boss = opened()
    me = house.enter("Organiser's own", boss)
    eve = house.enter("Eve", house.connect("10.9.9.9"))  # at the organiser's home
    other = house.connect("10.9.9.8")
    house.do(other, Organise(TOKEN))
    for session in (boss, other):
        assert house.no(session, Mute(me.player)) == "protected"
        assert house.no(session, Ban(me.player)) == "protected"
        assert house.no(session, Ban(eve.player, home=True)) == "protected"
        assert house.no(session, Ban(host="10.9.9.9")) == "protected"
    house.do(other, Ban(eve.player, home=True, force=True))


def test_the_organiser_closes_a_table_and_everyone_there_is_told_who_and_why() -> None:
    house, boss = opened()
    ann, bob = house.enter("Ann"), house.enter("Bob")
    table = house.game("tictactoe", ann, bob)
    house.do(boss, CloseTable(table, "Swearing"))
    outcome = house.ask(ann, Show(table), Shown).line.outcome
    assert outcome is not None
    assert outcome.reason == "The organiser closed the table: Swearing."


def test_a_reason_is_short_and_can_be_read_and_a_time_is_at_most_a_year() -> None:
    house, boss = opened()
    eve = house.enter("Eve")
    for reason in ("x" * (REASON_MAX + 1), "line\nbreak", "\u202eevil"):
        assert house.no(boss, Mute(eve.player, reason=reason)) == "bad_reason"
    for time in (-1, AHEAD_MAX + 1):
        assert house.no(boss, Ban(eve.player, time=time)) == "bad_option"
    house.do(boss, Ban(eve.player, time=AHEAD_MAX, reason="x" * REASON_MAX))
    assert house.no(boss, Mute(PlayerId(99))) == "no_such_player"


def test_sanctions_max(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(community, "SANCTIONS_MAX", 2)
    house, boss = opened()
    guests = [house.enter(f"g{n}") for n in range(3)]
    house.do(boss, Mute(guests[0].player, SECOND))
    house.do(boss, Ban(guests[1].player))
    assert house.no(boss, Mute(guests[2].player)) == "too_many"
    house.now += SECOND
    house.do(boss, Mute(guests[2].player))
