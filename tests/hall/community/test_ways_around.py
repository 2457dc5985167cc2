"""Ways around a ban or a mute that are none: what is in the queue, names, and old mutes."""

from rookery.core.intents import Ban, HearLobby, JoinTour, KeepName, Mute, OpenTour, SayInLobby
from rookery.core.messages import LobbyHeard, TourJoined, TourMade
from rookery.core.network import API
from rookery.core.tour_values import Plan
from tests.hall.community.test_conduct import MINUTE, opened
from tests.hall.house import Guest, House


def unheard(house: House, who: Guest, intent: SayInLobby) -> None:
    """It was in the queue, and nothing follows from it."""
    batch = house.hall.receive(who.session, intent, house.now)
    assert not batch.records
    assert not batch.deliveries


def test_what_who_is_shown_out_has_asked_before_it_is_gone_is_not_heard() -> None:
    house, boss = opened()
    eve, bob = house.enter("Eve", house.connect("10.0.0.3")), house.enter("Bob")
    house.do(boss, Ban(eve.player))
    unheard(house, eve, SayInLobby("I am still here"))
    zoe = house.enter("Zoe", house.connect("10.0.0.4"))
    house.do(boss, Ban(zoe.player, home=True))
    unheard(house, zoe, SayInLobby("So am I"))
    assert not house.ask(bob, HearLobby(), LobbyHeard).lines


def test_who_is_banned_keeps_no_name() -> None:
    house, boss = opened()
    eve = house.enter("Eve")
    house.do(boss, Ban(eve.player))
    desk = house.connect(API, "api")
    assert house.no(desk, KeepName(eve.player, eve.token, "$argon2id$made-up")) == "banned"


def test_who_is_muted_again_is_muted_for_the_newer_time() -> None:
    house, boss = opened()
    eve = house.enter("Eve")
    house.do(boss, Mute(eve.player, MINUTE))
    house.do(boss, Mute(eve.player))
    house.now += MINUTE
    assert house.no(eve, SayInLobby("Hello")) == "muted"
    house.do(boss, Mute(eve.player, MINUTE))
    house.now += MINUTE
    house.do(eve, SayInLobby("Hello"))


def test_who_is_muted_does_not_speak_by_the_names_of_tours_and_teams() -> None:
    house, boss = opened()
    eve, bob = house.enter("Eve"), house.enter("Bob")
    plan = Plan("bughouse", name="Pairs")
    made = house.ask(bob, OpenTour(plan, ""), TourMade)
    house.do(boss, Mute(eve.player))
    assert house.no(eve, OpenTour(plan, "")) == "muted"
    house.ask(eve, OpenTour(Plan("bughouse"), ""), TourMade)  # nobody reads anything of hers
    assert house.no(eve, JoinTour(made.tour, team="You are all fools")) == "muted"
    house.ask(bob, JoinTour(made.tour, team="Rooks"), TourJoined)
    house.ask(eve, JoinTour(made.tour, team="Rooks"), TourJoined)
