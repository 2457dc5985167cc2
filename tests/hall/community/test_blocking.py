"""Blocks: who wants nothing of somebody does not hear them, and is not sat down with."""

import pytest

from rookery.core.events import Said
from rookery.core.ids import PlayerId
from rookery.core.intents import (
    Block,
    Challenge,
    History,
    ListBlocked,
    Open,
    Say,
    Seek,
    Sit,
    Unblock,
    Watch,
)
from rookery.core.messages import Blocks, News, Past
from rookery.hall import community
from tests.hall.house import Guest, House


def blocked() -> tuple[House, Guest, Guest]:
    house = House()
    ann, eve = house.enter("Ann"), house.enter("Eve")
    house.do(ann, Block(eve.player))
    return house, ann, eve


def said(house: House, who: Guest) -> list[str]:
    news = (one.happened.event for one in house.heard(who) if isinstance(one, News))
    return [event.text for event in news if isinstance(event, Said)]


def test_who_is_blocked_neither_challenges_nor_sits_down_with_one_nor_finds_one() -> None:
    house, ann, eve = blocked()
    mine = house.do(ann, Open("nim")).table
    hers = house.do(eve, Open("tictactoe")).table
    assert mine is not None
    assert hers is not None
    assert house.no(eve, Sit(mine)) == "blocked"
    assert house.no(eve, Challenge(hers, ann.player)) == "blocked"
    assert house.do(eve, Seek("nim")).table != mine
    assert house.do(ann, Seek("tictactoe")).table != hers
    house.do(ann, Sit(hers))  # who blocked may, by name


def test_who_is_blocked_is_not_heard_live_nor_when_one_comes_back() -> None:
    house, ann, eve = blocked()
    bob = house.enter("Bob")
    table = house.game("tictactoe", ann, bob)
    house.ask(eve, Watch(table), Past)
    house.do(eve, Say(table, "boo"))
    house.do(bob, Say(table, "hello"))
    assert (said(house, ann), said(house, bob)) == (["hello"], ["boo", "hello"])
    past = house.ask(ann, History(table), Past).events
    assert [entry.event.text for entry in past if isinstance(entry.event, Said)] == ["hello"]


def test_blocks_survive_a_restart_and_can_be_taken_back() -> None:
    house, ann, eve = blocked()
    house.do(ann, Block(eve.player))  # a second time it changes nothing
    house.restart()
    ann, eve = house.back(ann), house.back(eve)
    listed = house.ask(ann, ListBlocked(), Blocks).blocked
    assert [(one.player, one.name) for one in listed] == [(eve.player, "Eve")]
    table = house.do(ann, Open("nim")).table
    assert table is not None
    assert house.no(eve, Sit(table)) == "blocked"
    house.do(ann, Unblock(eve.player))
    house.do(eve, Sit(table))
    assert house.no(ann, Block(ann.player)) == "protected"
    assert house.no(ann, Block(PlayerId(99))) == "no_such_player"


def test_blocks_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(community, "BLOCKS_A_PLAYER", 1)
    house, ann, eve = blocked()
    bob = house.enter("Bob")
    assert house.no(ann, Block(bob.player)) == "too_many"
    house.do(ann, Unblock(eve.player))
    house.do(ann, Block(bob.player))
