"""Moments: what a watcher was told, told again from the log alone, and nothing more than that."""

import msgspec
import pytest
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import Ended, Played, Said
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Play, Resign, Say, Watch
from rookery.core.messages import Moves, News, Past
from rookery.hall.tables.news import left_of
from rookery.server.web.history import Moment, Moments, TableReplay, moments_of, plain
from tests.hall.house import SECOND, Guest, House
from tests.server.web.stories import GAMES, TIMES, guessing, play_on, records_of

EVERYTHING = 10_000


def reel_of(house: House, table: TableId) -> TableReplay:
    replay = TableReplay(table)
    replay.grow(records_of(house, table))
    return replay


def moments(house: House, table: TableId, since: int = 0, most: int = EVERYTHING) -> Moments:
    return moments_of(reel_of(house, table), since, most)


def told(news: News) -> Moment:
    """The news as a moment, with the view of who only watches."""
    happened, scene = news.happened, news.scene
    return Moment(
        happened.n,
        happened.at,
        happened.event,
        tuple(plain(effect) for effect in happened.effects),
        happened.to_act,
        happened.left,
        None if scene.state is None else plain(scene.view(None)),
    )


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("game", GAMES)
def test_moments_are_what_a_watcher_was_told(game: str, time: str) -> None:
    house, chance = House(seed=5), Chance(7)
    guests = [house.enter(name) for name in ("ann", "bob", "cid", "dot")[: GAMES[game]]]
    watcher = house.connect()
    table = house.game(game, *guests, time=time)
    known = house.ask(watcher, Watch(table), Past).events[-1].n
    for _ in range(40):
        house.do(guests[0], Say(table, "Well."))
        if not play_on(house, table, guests, chance):
            break
    heard = [told(one) for one in house.heard(watcher) if isinstance(one, News)]
    found = moments(house, table, known).moments
    assert [shown_as_then(one) for one in found] == [shown_as_then(one) for one in heard]
    assert len(found) > 5


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_state_has_the_clocks_of_its_moment(game: str, time: str) -> None:
    house, chance = House(seed=5), Chance(7)
    guests = [house.enter(name) for name in ("ann", "bob", "cid", "dot")[: GAMES[game]]]
    table = house.game(game, *guests, time=time)
    for _ in range(10):
        house.wait(1)
        play_on(house, table, guests, chance)
    for moment in moments(house, table).moments:
        there, at = reel_of(house, table).stood(moment.n)
        assert (there.n, at) == (moment.n, moment.at)
        assert left_of(there, at) == moment.left


def shown_as_then(moment: Moment) -> Moment:
    """A moment without what news do not say: its notation, and of guess the move until the end."""
    moment = replace(moment, said="")
    guess = moment.view is not None and moment.view["type"] == "guess_view"
    if guess and isinstance(moment.event, Played):
        return replace(moment, event=replace(moment.event, move=""))
    return moment


def test_pages_put_together_are_the_whole() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim", ann, bob)
    house.do(ann, Play(table, "0,1"))
    house.do(bob, Say(table, "Hm.", team=True))
    house.do(bob, Play(table, "0,1"))
    whole = moments(house, table)
    found: list[Moment] = []
    more = True
    while more:
        page = moments(house, table, found[-1].n if found else 0, 2)
        assert len(page.moments) == 2 or not page.more
        found, more = [*found, *page.moments], page.more
    assert tuple(found) == whole.moments
    assert not whole.more


def test_two_games_with_other_secrets_and_guesses_are_told_alike_while_they_run() -> None:
    stories = []
    secrets = set()
    for seed in (1, 2, 3):
        house, table, (ann, bob), secret = guessing(seed)
        assert 1 < secret < 100
        house.do(ann, Play(table, str(secret - 1)))
        house.do(bob, Play(table, str(secret + 1)))
        stories.append(msgspec.json.encode(moments(house, table)))
        secrets.add(secret)
    assert len(secrets) == 3
    assert len(set(stories)) == 1


def test_the_guesses_and_the_secret_are_told_once_it_is_over() -> None:
    house, table, (ann, bob), secret = guessing(1)
    house.do(ann, Play(table, str(secret)))
    house.do(bob, Play(table, str(secret - 1)))
    found = moments(house, table).moments
    tried = [one.event.move for one in found if isinstance(one.event, Played)]
    assert tried == [str(secret), str(secret - 1)]
    assert found[-1].view is not None
    assert found[-1].view["secret"] == secret
    assert isinstance(found[-1].event, Ended)


def test_what_is_said_to_a_team_is_never_told_and_what_is_said_to_all_is() -> None:
    house = House()
    guests = [house.enter(name) for name in ("ann", "bob", "cid", "dot")]
    table = house.game("bughouse", *guests)
    house.do(guests[0], Say(table, "knight please", team=True))
    house.do(guests[1], Say(table, "good luck"))
    events = [one.event for one in moments(house, table).moments]
    assert [event.text for event in events if isinstance(event, Said)] == ["good luck"]
    house.do(guests[0], Resign(table))
    assert b"knight" not in msgspec.json.encode(moments(house, table))


@pytest.mark.parametrize("game", GAMES)
def test_the_seed_is_never_told(game: str) -> None:
    house = House()
    guests = [house.enter(name) for name in ("ann", "bob", "cid", "dot")[: GAMES[game]]]
    table = house.game(game, *guests)
    house.do(guests[0], Resign(table))
    text = msgspec.json.encode(moments(house, table))
    assert house.seeds
    assert not any(seed.encode() in text for seed in house.seeds)
    assert b"seed" not in text


def test_a_move_is_also_written_as_the_players_of_its_game_do() -> None:
    house = House()
    guests = [house.enter(name) for name in ("ann", "bob", "cid", "dot")]
    table = house.game("bughouse", *guests)
    for who, move in zip((0, 1, 0), ("1:e2e4", "1:d7d5", "1:e4d5"), strict=True):
        house.do(guests[who], Play(table, move))
    said = [one.said for one in moments(house, table).moments if one.said]
    assert said == ["e4", "d5", "exd5"]
    assert (
        moments(house, table, since=moments(house, table).moments[-2].n).moments[0].said == "exd5"
    )


def test_a_clock_that_ran_while_another_moved_shows_what_was_left_then() -> None:
    house = House()
    ann, bob, cid, dot = (house.enter(name) for name in ("ann", "bob", "cid", "dot"))
    table = house.game("bughouse", ann, bob, cid, dot, time="5m")
    house.wait(10)
    first, _ = (who for who in (ann, bob, cid, dot) if may_move(house, table, who))
    house.do(first, Play(table, house.ask(first, LegalMoves(table), Moves).moves[0]))
    left = moments(house, table).moments[-1].left
    assert left is not None
    assert sorted(left) == [290_000_000, 290_000_000, 300_000_000, 300_000_000]


def may_move(house: House, table: TableId, who: Guest) -> bool:
    return bool(house.ask(who, LegalMoves(table), Moves).moves)


def test_a_clock_runs_from_when_its_player_heard_of_the_turn() -> None:
    house = House()
    ann, bob, watcher = house.enter("ann"), house.enter("bob"), house.connect()
    table = house.game("nim", ann, bob, time="5m")
    house.ask(watcher, Watch(table), Past)
    house.slow = True
    house.do(ann, Play(table, "0,1"))
    house.now += 5 * SECOND
    house.catch_up()
    house.now += 5 * SECOND
    house.do(ann, Say(table, "Your move."))
    house.now += 2 * SECOND
    house.do(bob, Play(table, "1,1"))
    house.catch_up()
    heard = [told(one) for one in house.heard(watcher) if isinstance(one, News)]
    *_, said, played = moments(house, table).moments
    assert [said, played] == heard[-2:]
    assert said.left == (300 * SECOND, 295 * SECOND)
    assert played.left == (300 * SECOND, 293 * SECOND)
