"""A name kept by a passphrase: its player is the same from anywhere, and nobody else is."""

import pytest

from rookery.core.events import NameKept, PassphraseReset
from rookery.core.ids import SessionId
from rookery.core.intents import (
    Admit,
    Ban,
    Enter,
    GiveUpName,
    KeepName,
    ListPlayers,
    Open,
    Organise,
    Reclaim,
    Rename,
    ResetPassphrase,
)
from rookery.core.messages import Players, Welcome
from rookery.core.network import API
from rookery.hall.limits import HOMES_A_PLAYER, REASON_MAX, TOKENS_A_PLAYER
from rookery.hall.people import accounts
from tests.hall.house import Guest, House

HASH = "$argon2id$made-up"
TOKEN = "the organiser's own"


def desk(house: House) -> SessionId:
    return house.connect(API, "api")


def kept(name: str = "Ann") -> tuple[House, Guest]:
    house = House()
    ann = house.enter(name)
    house.ask(desk(house), KeepName(ann.player, ann.token, HASH), Welcome)
    return house, ann


def listed(house: House) -> list[str]:
    return [one.name for one in house.ask(house.connect(), ListPlayers(), Players).players]


def test_who_said_the_passphrase_is_the_same_player_with_a_token_of_its_own() -> None:
    house, ann = kept()
    given = house.ask(desk(house), Admit(ann.player, HASH), Welcome)
    assert (given.player, given.token != ann.token) == (ann.player, True)
    for token in (ann.token, given.token):
        house.restart()
        assert house.ask(house.connect(), Reclaim(ann.player, token), Welcome).name == "Ann"


def test_another_passphrase_makes_every_other_token_void() -> None:
    house, ann = kept()
    before = house.ask(desk(house), Admit(ann.player, HASH), Welcome)
    after = house.ask(desk(house), Admit(ann.player, HASH, "$other", alone=True), Welcome)
    for token in (ann.token, before.token):
        assert house.no(house.connect(), Reclaim(ann.player, token)) == "bad_token"
    assert house.ask(house.connect(), Reclaim(ann.player, after.token), Welcome).name == "Ann"
    assert house.no(desk(house), Admit(ann.player, HASH)) == "bad_token"


def test_who_is_here_by_an_old_token_is_hung_up_on_when_the_passphrase_is_changed() -> None:
    house, ann = kept()
    batch = house.hall.receive(desk(house), Admit(ann.player, HASH), house.now)
    house.take(batch)
    assert batch.dismissals == ()  # to sign in elsewhere changes nothing here
    change = Admit(ann.player, HASH, "$other", alone=True)
    batch = house.hall.receive(desk(house), change, house.now)
    house.take(batch)
    (gone,) = batch.dismissals
    assert (gone.session, gone.notice.code) == (ann.session, "signed_out")
    after = len(house.log)
    house.take(house.hall.receive(ann.session, Open("nim"), house.now))
    assert len(house.log) == after  # what she asks until she is gone is not heard


def test_the_reason_of_a_reset_can_be_read_like_any_other() -> None:
    house, ann, boss = organised()
    for reason in ("a\nb", "\x1b[2J", "x" * (REASON_MAX + 1)):
        assert house.no(boss, ResetPassphrase(ann.player, "$new", reason)) == "bad_reason"
    house.ask(boss, ResetPassphrase(ann.player, "$new", "  forgotten "), Welcome)
    (reset,) = [r.event for r in house.log if isinstance(r.event, PassphraseReset)]
    assert reset.reason == "forgotten"


def test_tokens_a_player() -> None:
    house, ann = kept()
    given = [
        house.ask(desk(house), Admit(ann.player, HASH), Welcome).token
        for _ in range(TOKENS_A_PLAYER + 1)
    ]
    assert house.no(house.connect(), Reclaim(ann.player, given[0])) == "bad_token"
    assert house.ask(house.connect(), Reclaim(ann.player, given[1]), Welcome).name == "Ann"


def test_homes_a_player() -> None:
    """The last places where it has signed in, also after a restart; the log has no address."""
    house, ann = kept()
    places = [f"192.0.2.{n}" for n in range(HOMES_A_PLAYER + 1)]
    for place in places:
        house.ask(desk(house), Admit(ann.player, HASH, home=place), Welcome)
    assert not any(place in str(record.event) for record in house.log for place in places)
    house.restart()
    owner = house.hall.accounts.keeper("ann")
    assert owner is not None
    assert [owner.is_at_home(place) for place in places] == [False] + [True] * HOMES_A_PLAYER
    house.ask(desk(house), Admit(ann.player, HASH, "$new", alone=True, home=places[0]), Welcome)
    owner = house.hall.accounts.keeper("ann")
    assert owner is not None
    assert [owner.is_at_home(place) for place in places] == [True] + [False] * HOMES_A_PLAYER


def test_whoever_comes_by_a_kept_name_plays_and_is_told_apart_at_once() -> None:
    house, _ = kept()
    guest = house.ask(house.connect(), Enter("ann"), Welcome)
    assert guest.name == "ann²"
    house.enter("Аnn", house.connect("10.0.0.9", "fish"), "fish")
    assert listed(house) == ["Ann", "ann²", "Аnn³"]


def test_who_was_there_before_is_told_apart_too_and_so_is_who_comes_back(house: House) -> None:
    here, away, ann = house.enter("Ann"), house.enter("Ann"), house.enter("Ann")
    house.hang_up(away)
    house.ask(desk(house), KeepName(ann.player, ann.token, HASH), Welcome)
    assert listed(house) == ["Ann²", "Ann"]
    assert house.ask(house.connect(), Reclaim(away.player, away.token), Welcome).name == "Ann³"
    assert house.ask(house.connect(), Reclaim(here.player, here.token), Welcome).name == "Ann²"


def test_who_keeps_a_name_is_it_without_a_number_whatever_it_had(house: House) -> None:
    one, two = house.enter("Ann"), house.enter("Ann")
    house.game("tictactoe", one, two)
    house.ask(desk(house), KeepName(two.player, two.token, HASH), Welcome)
    assert listed(house) == ["Ann³", "Ann"]


def test_nobody_takes_a_kept_name_by_calling_itself_so() -> None:
    house, _ = kept()
    eve = house.enter("Eve")
    house.do(eve, Rename("Ann"))
    assert listed(house)[1] == "Ann²"
    assert house.no(desk(house), KeepName(eve.player, eve.token, HASH)) == "name_taken"


def test_a_kept_name_stays_and_is_kept_once() -> None:
    house, ann = kept()
    assert house.no(ann, Rename("Bea")) == "kept"
    assert house.no(desk(house), KeepName(ann.player, ann.token, HASH)) == "kept"


def test_nobody_keeps_a_name_with_another_s_token_or_one_of_the_house(house: House) -> None:
    ann, boss = house.enter("Ann"), house.enter("Organiser")
    bot, old = (
        house.enter("Bot, level 9"),
        house.enter("old", house.connect("10.0.0.9", "fish"), "fish"),
    )
    assert house.no(desk(house), KeepName(ann.player, boss.token, HASH)) == "bad_token"
    for one in (boss, bot, old):
        assert house.no(desk(house), KeepName(one.player, one.token, HASH)) == "bad_name"
    assert not [record for record in house.log if isinstance(record.event, NameKept)]


def test_accounts_max(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "ACCOUNTS_MAX", 2)
    house, _ = kept()
    bob, cyd = house.enter("Bob"), house.enter("Cyd")
    house.ask(desk(house), KeepName(bob.player, bob.token, HASH), Welcome)
    assert house.no(desk(house), KeepName(cyd.player, cyd.token, HASH)) == "too_many"


def test_no_client_can_ask_for_it() -> None:
    house, ann = kept()
    for intent in (KeepName(ann.player, ann.token, HASH), Admit(ann.player, HASH)):
        assert house.no(house.connect(), intent) == "not_yours"


# -- given up, reset, and banned


def organised(name: str = "Ann") -> tuple[House, Guest, SessionId]:
    """A house with an account, and the organiser at its desk."""
    house = House(organiser=TOKEN)
    ann = house.enter(name)
    house.ask(desk(house), KeepName(ann.player, ann.token, HASH), Welcome)
    boss = desk(house)
    house.do(boss, Organise(TOKEN))
    return house, ann, boss


def test_the_owner_gives_a_name_up_and_somebody_else_keeps_it() -> None:
    house, ann = kept()
    assert house.no(desk(house), GiveUpName(ann.player, "$other")) == "bad_token"
    house.ask(desk(house), GiveUpName(ann.player, HASH), Welcome)
    assert house.no(desk(house), Admit(ann.player, HASH)) == "bad_token"
    house.restart()
    ann = house.back(ann)  # she is a guest again, with her token
    house.do(ann, Rename("Anna"))
    new = house.enter("Ann")
    house.ask(desk(house), KeepName(new.player, new.token, HASH), Welcome)


def test_the_organiser_resets_a_passphrase_and_every_token_is_void() -> None:
    house, ann, boss = organised()
    reset = ResetPassphrase(ann.player, "$new", "Forgotten")
    assert house.no(house.connect(), reset) == "not_yours"
    assert house.no(desk(house), reset) == "not_organiser"
    assert house.no(boss, ResetPassphrase(house.enter("Bob").player, "$new")) == "not_kept"
    batch = house.hall.receive(boss, reset, house.now)
    house.take(batch)
    assert [one.session for one in batch.dismissals] == [ann.session]
    for _ in range(2):
        assert house.no(house.connect(), Reclaim(ann.player, ann.token)) == "bad_token"
        assert house.no(desk(house), Admit(ann.player, HASH)) == "bad_token"
        house.restart()
    given = house.ask(desk(house), Admit(ann.player, "$new"), Welcome)
    assert house.ask(house.connect(), Reclaim(ann.player, given.token), Welcome).name == "Ann"


def test_who_is_banned_is_given_no_token_for_the_passphrase() -> None:
    house, eve, boss = organised("Eve")
    house.do(boss, Ban(eve.player))
    assert house.no(desk(house), Admit(eve.player, HASH)) == "banned"
