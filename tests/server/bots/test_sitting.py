"""House bots at the runner's desk: when they come, what they do there, and when they go."""

import sys

import pytest

from rookery.core.events import Ended, Out, Played, Started, TakenOver
from rookery.core.game import Forfeit
from rookery.core.ids import SessionId, TableId
from rookery.core.intents import (
    Enter,
    EnterRoom,
    Gather,
    Leave,
    LeaveRoom,
    ListTables,
    OfferDraw,
    Open,
    Play,
    Rematch,
    Resign,
    Seek,
    Sit,
    Start,
    Ungather,
)
from rookery.core.policy import Begin, Gone, Policy
from rookery.server.bots.bots import LINGER
from rookery.server.config import BotTerms, HouseTerms
from tests.server.desk import until
from tests.server.housed import SECOND, Place, heard, story, table_of

BROKEN = (sys.executable, "-c", "raise SystemExit(1)")


# -- when they come


def test_a_bot_comes_when_the_wait_is_over_and_not_before() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("nim"))
        await place.desk.settled()
        await place.later(2)
        assert await place.bots() == []
        await place.later(1)
        await until(lambda: "started" in ann.kinds())
        assert await place.bots() == ["nim-2"]

    story(told)


def test_a_game_without_house_bots_has_none() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("nim"), Seek("tictactoe"))
        await place.desk.settled()
        await place.later(100)
        await until(lambda: "started" in ann.kinds())
        assert await place.bots() == ["tictactoe-2"]

    story(told, terms=HouseTerms(games=frozenset({"tictactoe"})))


def test_a_table_for_one_dialect_is_left_alone() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("nim", policy=Policy(only="native")))
        await place.desk.settled()
        await place.later(100)
        assert await place.bots() == []

    story(told)


def test_a_table_at_which_nobody_sits_is_left_alone() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open("nim", sit=False))
        await place.desk.settled()
        await place.later(100)
        assert await place.bots() == []

    story(told)


def test_a_port_with_terms_of_its_own_has_another_wait_and_level() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        assert ann.session == 1
        place.desk.ask(ann, Seek("nim"))
        await place.desk.settled()
        await place.later(9)
        assert await place.bots() == []
        await place.later(1)
        assert await place.bots() == ["nim-4"]

    story(told, own={SessionId(1): BotTerms(10 * SECOND, 4)})


def test_all_missing_seats_are_filled_at_once_and_their_names_differ() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("fish", 4))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        assert await place.bots() == ["fish-2", "fish-2-2", "fish-2-3"]

    story(told)


def test_a_gathering_is_filled_up_to_the_least_it_needs() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Gather("fish", 3, 4, wait=5 * SECOND, rank=30, unique=True))
        await place.desk.settled()
        await place.later()
        await place.later()
        assert await place.bots() == ["fish-2", "fish-2-2"]
        assert "started" not in ann.kinds()
        place.desk.passes(5 * SECOND)
        place.desk.ask(ann, ListTables())  # whoever asks makes the runner look at the time
        await until(lambda: "started" in ann.kinds())
        assert heard(ann, Started)[0].scene.players[0] == ann.player

    story(told)


def test_a_room_with_one_person_gets_a_bot_to_play_with() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, EnterRoom("den", "nim"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())

    story(told)


def test_bots_that_have_played_are_sent_again_under_the_same_name() -> None:
    async def told(place: Place) -> None:
        for name in ("ann", "bob"):
            ear = await place.desk.player(name)
            place.desk.ask(ear, Seek("nim"))
            await place.desk.settled()
            await place.later()
            await until(lambda ear=ear: "started" in ear.kinds())  # type: ignore[misc]
            place.desk.ask(ear, Resign(table_of(ear)))
            await until(lambda ear=ear: "ended" in ear.kinds())  # type: ignore[misc]
            assert await place.bots() == ["nim-2"]

    story(told)


# -- what they do


def test_a_bot_declines_a_draw() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("reversi"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, OfferDraw(table_of(ann)))
        await until(lambda: "draw_declined" in ann.kinds())

    story(told)


def test_a_bot_plays_again_in_a_room_too() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        entering = EnterRoom("den", "nim")
        place.desk.ask(ann, entering)
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, Resign(TableId(1)), entering)
        await until(lambda: len(heard(ann, Started)) == 2)

    story(told)


def test_a_bot_that_cannot_think_loses_its_seat_and_the_server_lives() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("nim"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, Play(table_of(ann), "0,1"))
        await until(lambda: "ended" in ann.kinds())
        out = heard(ann, Out)[0].happened.event
        ended = heard(ann, Ended)[0].happened.event
        assert isinstance(out, Out)
        assert isinstance(ended, Ended)
        assert (out.seat, out.why, ended.outcome.places) == (1, Forfeit.GONE, (1, 2))
        assert (await place.desk.player("bob")).player

    story(told, command=BROKEN)


def test_a_bot_plays_on_for_a_person_who_is_gone_where_the_table_says_so() -> None:
    async def told(place: Place) -> None:
        desk = place.desk
        ann, bob = await desk.player("ann"), await desk.player("bob")
        policy = Policy(gone=Gone.TAKEOVER, grace=10 * SECOND)
        desk.ask(ann, Open("nim", policy=policy))
        await place.desk.settled()
        desk.ask(bob, Sit(table_of(ann)))
        await until(lambda: "started" in ann.kinds())
        desk.runner.hang_up(bob.session, desk.time.now())
        desk.ask(ann, Play(table_of(ann), "0,1"))
        await place.later(9)
        assert await place.bots() == []
        await place.later(1)
        await until(lambda: len(heard(ann, Played)) == 2)
        assert heard(ann, TakenOver)
        assert await place.bots() == ["nim-2"]

    story(told)


# -- when they go


def test_when_the_person_leaves_an_open_table_the_bots_leave_too() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open("bughouse", policy=Policy(begin=Begin.OWNER)))
        await place.desk.settled()
        await place.later()
        await until(lambda: len(ann.kinds()) > 5)
        assert len(await place.bots()) == 3
        place.desk.ask(ann, Leave(table_of(ann)))
        await place.desk.settled()
        await place.later(1)
        assert await place.tables() == ["closed"]

    story(told)


def test_the_owner_starts_the_game_that_bots_have_filled() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open("bughouse", policy=Policy(begin=Begin.OWNER)))
        await place.desk.settled()
        await place.later()
        place.desk.ask(ann, Start(table_of(ann)))
        await until(lambda: "played" in ann.kinds())
        seats = {
            n.happened.event.seat
            for n in heard(ann, Played)
            if isinstance(n.happened.event, Played)
        }
        assert 0 not in seats

    story(told)


def test_when_nobody_gathers_any_more_but_bots_they_go() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        gathering = Gather("fish", 3, 4, wait=5 * SECOND)
        place.desk.ask(ann, gathering)
        await place.desk.settled()
        await place.later()
        place.desk.ask(ann, Ungather())
        await place.desk.settled()
        await place.later(1)
        await place.later(LINGER // SECOND)
        assert await place.bots() == []
        assert await place.tables() == []

    story(told)


def test_when_the_person_leaves_the_room_the_bot_goes() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, EnterRoom("den", "nim"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, LeaveRoom())
        await until(lambda: "done" in ann.kinds())
        await place.later(1)
        await place.later(LINGER // SECOND)
        assert await place.bots() == []

    story(told)


def test_a_bot_makes_way_in_a_room_for_a_person_who_looks_on() -> None:
    async def told(place: Place) -> None:
        ann, bob = await place.desk.player("ann"), await place.desk.player("bob")
        place.desk.ask(ann, EnterRoom("den", "nim"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(bob, EnterRoom("den", "nim"))
        await place.desk.settled()
        place.desk.ask(ann, Resign(TableId(1)))
        await until(lambda: len(heard(ann, Started)) == 2)
        assert heard(ann, Started)[1].scene.players == (ann.player, bob.player)

    story(told)


def test_when_the_last_person_is_out_the_bots_play_no_more() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("fish", 4))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, Resign(table_of(ann)))
        await until(lambda: "ended" in ann.kinds())
        gone = [n.happened.event for n in heard(ann, Out)]
        assert len([out for out in gone if isinstance(out, Out) and out.why is Forfeit.GONE]) >= 2

    story(told)


def test_a_bot_stays_a_while_for_a_return_game_and_then_goes() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("nim"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, Resign(table_of(ann)))
        await until(lambda: "ended" in ann.kinds())
        await place.later(LINGER // SECOND - 1)
        place.desk.ask(ann, Rematch(table_of(ann)))
        await until(lambda: len(heard(ann, Started)) == 2)
        place.desk.ask(ann, Resign(TableId(2)))
        await until(lambda: len(heard(ann, Ended)) == 2)
        await place.later(LINGER // SECOND)
        assert await place.bots() == []

    story(told)


@pytest.mark.parametrize("name", ["nim-2", "house"])
def test_nobody_else_can_be_a_bot_of_the_house(name: str) -> None:
    async def told(place: Place) -> None:
        ear = place.desk.ear()
        place.desk.ask(ear, Enter(name, "bot"), Seek("nim"))
        await place.desk.settled()
        await place.later()
        await until(lambda: "started" in ear.kinds())

    story(told)
