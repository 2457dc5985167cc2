"""House bots that were asked for: of which level, at once, or not at all."""

from pathlib import Path

import pytest

from rookery.core.events import Ended, Opened, Sat, Started, TakenOver
from rookery.core.ids import SessionId, TableId
from rookery.core.intents import Open, Play, Rematch, Resign, Seek, Sit
from rookery.core.policy import Begin, Gone, Policy
from rookery.server.config import BotTerms, HouseTerms
from tests.server.desk import until
from tests.server.housed import SECOND, Place, heard, story, table_of
from tests.server.process import serving

PATIENT = ("--house", "on,wait=3600")  # by themselves they come in an hour


# -- at once: in these the house looks only if it is in a hurry


@pytest.mark.parametrize("wish", [Seek("nim", house=4), Open("nim", house=4)], ids=repr)
def test_a_bot_of_the_level_that_was_asked_for_comes_at_once(wish: Open | Seek) -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, wish)
        await until(lambda: "started" in ann.kinds())
        assert await place.bots() == ["nim-4"]

    story(told)


@pytest.mark.parametrize(("game", "seats"), [("fish", 4), ("bughouse", 4), ("fish", 3)])
def test_all_free_seats_are_filled(game: str, seats: int) -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open(game, seats, house=2))
        await until(lambda: "started" in ann.kinds())
        names = [f"{game}-2", f"{game}-2-2", f"{game}-2-3"]
        assert await place.bots() == names[: seats - 1]

    story(told)


def test_many_who_ask_in_the_same_moment_all_have_theirs() -> None:
    async def told(place: Place) -> None:
        ears = [await place.desk.player(name) for name in ("ann", "bob", "cid")]
        for level, ear in enumerate(ears, 1):
            place.desk.ask(ear, Open("nim", house=level))
        await until(lambda: all("started" in ear.kinds() for ear in ears))
        assert await place.bots() == ["nim-1", "nim-2", "nim-3"]

    story(told)


def test_who_asks_again_later_has_another() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        for count, level in enumerate((1, 5), 1):
            place.desk.ask(ann, Open("nim", house=level))
            await until(lambda count=count: len(heard(ann, Started)) == count)  # type: ignore[misc]
        assert await place.bots() == ["nim-1", "nim-5"]

    story(told)


def test_the_owner_starts_the_game_with_the_bots_it_asked_for() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open("nim", policy=Policy(begin=Begin.OWNER), house=3))
        await until(lambda: len(heard(ann, Sat)) == 2)
        assert "started" not in ann.kinds()

    story(told)


# -- not at all, or as the house does by itself


def test_where_none_are_wanted_none_come() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open("nim", house=0), Seek("tictactoe"))
        await place.desk.settled()
        await place.later(100)
        await until(lambda: "started" in ann.kinds())
        assert await place.bots() == ["tictactoe-2"]

    story(told)


@pytest.mark.parametrize(("level", "names"), [(0, []), (3, ["nim-3"])])
def test_the_table_s_word_goes_before_the_port_s(level: int, names: list[str]) -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        assert ann.session == 1
        place.desk.ask(ann, Seek("nim", house=level))
        await place.desk.settled()
        await place.later(1)
        assert await place.bots() == names

    story(told, own={SessionId(1): BotTerms(0, 5)})


def test_nobody_waits_at_a_table_at_which_nobody_sits() -> None:
    async def told(place: Place) -> None:
        ann, bob = await place.desk.player("ann"), await place.desk.player("bob")
        place.desk.ask(ann, Open("nim", sit=False, house=1))
        await place.desk.settled()
        await place.later(100)
        assert await place.bots() == []
        place.desk.ask(bob, Sit(TableId(1)))
        await place.desk.settled()
        await place.later(0)
        assert await place.bots() == ["nim-1"]

    story(told)


def test_a_house_that_has_no_bots_for_the_game_any_more_sends_none() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Seek("nim", house=2))
        await place.desk.settled()
        await place.later(100)
        assert await place.bots() == []

    story(told, terms=HouseTerms(games=frozenset({"fish"})))


@pytest.mark.parametrize(("level", "names"), [(0, []), (1, ["nim-1"])])
def test_who_plays_on_for_one_who_is_gone_is_of_the_level_too(level: int, names: list[str]) -> None:
    async def told(place: Place) -> None:
        desk = place.desk
        ann, bob = await desk.player("ann"), await desk.player("bob")
        policy = Policy(gone=Gone.TAKEOVER, grace=10 * SECOND)
        # Both are there before the house can look.
        desk.ask(ann, Open("nim", policy=policy, house=level))
        desk.ask(bob, Sit(TableId(1)))
        await until(lambda: "started" in ann.kinds())
        desk.runner.hang_up(bob.session, desk.time.now())
        await place.desk.settled()
        await place.later(10)
        await until(lambda: len(heard(ann, TakenOver)) == len(names))
        assert await place.bots() == names

    story(told)


def test_a_return_game_with_a_bot_that_was_asked_for() -> None:
    async def told(place: Place) -> None:
        ann = await place.desk.player("ann")
        place.desk.ask(ann, Open("nim", house=4))
        await until(lambda: "started" in ann.kinds())
        place.desk.ask(ann, Resign(table_of(ann)))
        await until(lambda: "ended" in ann.kinds())
        place.desk.ask(ann, Rematch(table_of(ann)))
        await until(lambda: len(heard(ann, Started)) == 2)
        (opened,) = (news.happened.event for news in heard(ann, Opened))
        assert isinstance(opened, Opened)
        assert opened.house == 4
        assert await place.bots() == ["nim-4"]

    story(told)


# -- at a real server


def test_over_the_wire_a_bot_comes_plays_and_plays_again(tmp_path: Path) -> None:
    with serving(tmp_path, *PATIENT) as server:
        ann = server.enter("ann")
        table = ann.done(Open("nim rows=1 sticks=1", house=3)).table
        assert table is not None
        ann.news(Started)
        ann.done(Play(table, "0,1"))
        ann.news(Ended)
        ann.done(Rematch(table))
        opened = ann.news(Opened)
        assert isinstance(opened.event, Opened)
        assert (opened.table, opened.event.house) == (table + 1, 3)
        # The seats are exchanged: now it is the bot that takes the last one.
        assert ann.news(Ended).table == table + 1


def test_after_a_restart_the_return_game_is_with_the_same_bot(tmp_path: Path) -> None:
    with serving(tmp_path, *PATIENT) as server:
        ann = server.enter("ann")
        table = ann.done(Open("nim", house=5)).table
        assert table is not None
        ann.news(Started)
        server.kill()
    with serving(tmp_path, *PATIENT) as server:
        back = server.call().back(ann)
        back.done(Resign(table))
        back.news(Ended)
        back.done(Rematch(table))
        opened = back.news(Opened)
        assert isinstance(opened.event, Opened)
        assert opened.event.house == 5
        bot = back.news(Sat).event
        assert isinstance(bot, Sat)
        assert bot.name == "Bot, level 5"


def test_a_server_without_a_house_says_that_it_has_no_bots(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-house") as server:
        ann = server.enter("ann")
        assert ann.ask(Open("nim", house=3)).code == "no_bots"
        assert ann.done(Open("nim", house=0)).table == 1


def test_a_server_with_bots_for_some_games_says_which_it_lacks(tmp_path: Path) -> None:
    with serving(tmp_path, "--house", "on,games=nim") as server:
        ann = server.enter("ann")
        refused = ann.ask(Seek("reversi", house=3))
        assert (refused.code, refused.sentence) == (
            "no_bots",
            "This server has no bots for reversi.",
        )
