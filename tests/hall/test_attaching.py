"""Who was connected all the while, at an edge that no hall could hear: clocks, and who it is."""

import pytest

from rookery.core.events import Played
from rookery.core.ids import SessionId, TableId, Wall
from rookery.core.intents import (
    AccountIntent,
    Admit,
    KeepName,
    Organise,
    Play,
    Reclaim,
    ResetPassphrase,
    Watch,
)
from rookery.core.messages import Welcome
from rookery.core.network import API, Attachment
from rookery.core.policy import Policy
from tests.hall.house import SECOND, Guest, House

PATIENT = Policy(grace=5 * SECOND)


def begun() -> tuple[House, Guest, Guest, TableId]:
    """Ann has a turn, and the server is started again."""
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim sticks=2,2", ann, bob, time="20s", policy=PATIENT)
    house.restart()
    return house, ann, bob, table


def attach(house: House, guest: Guest) -> SessionId:
    """The edge that kept this one's connection is heard again."""
    session = house.connect()
    before = Attachment((guest.player,))
    house.take(house.hall.attach(session, before, house.now, Wall(house.now)))
    return session


def charged(house: House, session: SessionId, table: TableId) -> float:
    """Play, and be charged so many seconds."""
    house.do(session, Play(table, "0,1"))
    event = house.log[-1].event
    assert isinstance(event, Played)
    return event.spent / SECOND


def test_who_was_told_that_no_clock_runs_is_not_charged_though_its_edge_was_late() -> None:
    house, ann, _, table = begun()
    house.wait(7)  # the grace, in which no clock runs, and two seconds in which hers does
    session = attach(house, ann)
    house.wait(1)
    assert charged(house, session, table) == 1


def test_who_called_again_so_late_is_charged_from_the_end_of_the_grace() -> None:
    house, ann, _, table = begun()
    house.wait(7)
    session = house.back(ann).session
    house.wait(1)
    assert charged(house, session, table) == 3


def test_who_thinks_is_charged_on_when_another_is_attached() -> None:
    house, ann, bob, table = begun()
    session = house.back(ann).session
    house.wait(2)
    attach(house, bob)
    house.wait(1)
    assert charged(house, session, table) == 3


HASH, OTHER, TOKEN = "$argon2id$made-up", "$argon2id$other", "the organiser's own"


def changed(intent: AccountIntent, house: House) -> None:
    """The server's desk says that a passphrase is another one."""
    desk = house.connect(API, "api")
    if isinstance(intent, ResetPassphrase):
        house.reply(desk, Organise(TOKEN))
    house.ask(desk, intent, Welcome)


def kept_and_changed(*, reset: bool) -> tuple[House, Guest, Attachment]:
    """Ann, who keeps her name, what she was at her edge, and a hall that died over a change."""
    house = House(organiser=TOKEN)
    ann = house.enter("ann")
    changed(KeepName(ann.player, ann.token, HASH), house)
    before = house.hall.attaching.of(ann.session)
    change = (
        ResetPassphrase(ann.player, OTHER, "asked for")
        if reset
        else Admit(ann.player, HASH, OTHER, alone=True)
    )
    changed(change, house)
    return house, ann, before


@pytest.mark.parametrize("reset", [False, True])
def test_who_was_not_told_that_its_token_is_void_is_not_taken_for_its_player(reset: bool) -> None:
    house, _, before = kept_and_changed(reset=reset)
    house.restart()
    session = house.connect()
    house.take(house.hall.attach(session, before, house.now, Wall(house.now)))
    assert house.hall.presence.players_of(session) == ()
    assert not house.hall.attaching.is_again(session, before)


def test_who_came_by_the_new_passphrase_is_attached_as_ever() -> None:
    house, ann, _ = kept_and_changed(reset=True)
    desk = house.connect(API, "api")
    token = house.ask(desk, Admit(ann.player, OTHER), Welcome).token
    session = house.connect()
    house.ask(session, Reclaim(ann.player, token), Welcome)
    before = house.hall.attaching.of(session)
    house.restart()
    again = house.connect()
    house.take(house.hall.attach(again, before, house.now, Wall(house.now)))
    assert house.hall.presence.players_of(again) == (ann.player,)
    assert house.hall.attaching.is_again(again, before)


def test_an_edge_hears_no_more_of_who_is_hung_up_on_for_a_void_token(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    changed(KeepName(ann.player, ann.token, HASH), house)
    table = house.game("nim sticks=2,2", ann, bob)
    house.hall.attaching.watch_all()
    house.reply(ann, Watch(table))
    desk = house.connect(API, "api")
    admit = Admit(ann.player, HASH, OTHER, alone=True)
    house.take(house.hall.receive(desk, admit, house.now))
    house.hall.presence.unwatch(ann.session, table)
    batch = house.hall.tick(house.now)
    assert ann.session not in {stood.session for stood in batch.standing}
