"""Where hundreds look on, more happens when they know what did; others do not wait for that.

Nor does a move wait for those who come into rooms.
"""

from itertools import count

from rookery.core.ids import TableId
from rookery.core.intents import EnterRoom, ListGames, Play, Watch
from tests.server.desk import AtOnce, Desk, Ear, story, until

CROWD = 480
CAME = 20
MILLI = 1_000_000  # nanoseconds


async def _scene(desk: Desk) -> tuple[list[Ear], TableId, TableId]:
    """Ann and Bob, at whose table hundreds look on, and Cyd and Dan at theirs."""
    players = [await desk.player(name) for name in ("ann", "bob", "cyd", "dan")]
    ann, bob, cyd, dan = players
    watched = await desk.game(ann, bob, "nim sticks=200", "60m")
    other = await desk.game(cyd, dan, "tictactoe", "60m")
    for _ in range(CROWD):
        desk.ask(desk.ear(), Watch(watched))
    await desk.settled()
    return players, watched, other


def test_a_move_elsewhere_goes_before_the_next_one_where_hundreds_look_on() -> None:
    async def told(desk: Desk) -> None:
        (ann, bob, cyd, _), watched, other = await _scene(desk)
        crowd = desk.runner._broadcaster  # noqa: SLF001 # whether it is behind is not told
        mover, waits = ann, bob
        while not crowd.is_behind:  # they move faster than the crowd can be told
            answers = mover.answers
            desk.ask(mover, Play(watched, "0,1"))
            await until(lambda: mover.answers > answers)  # noqa: B023 # it is awaited here
            mover, waits = waits, mover
        order: list[str] = []
        mover.answered = lambda: order.append("watched")  # type: ignore[method-assign]
        cyd.answered = lambda: order.append("other")  # type: ignore[method-assign]
        desk.ask(mover, Play(watched, "0,1"))
        desk.ask(cyd, Play(other, "4"))
        await until(lambda: len(order) == 2)
        assert order == ["other", "watched"]

    watch = count(0, MILLI // 4)
    story(told, writer=AtOnce, elapsed=lambda: next(watch))


def test_a_move_goes_before_all_who_come_into_rooms_at_once() -> None:
    """A clock waits for the move, and none for them; they come from elsewhere, and came first."""

    async def told(desk: Desk) -> None:
        cyd, dan = [await desk.player(name) for name in ("cyd", "dan")]
        table = await desk.game(cyd, dan, "tictactoe", "60m")
        order: list[str] = []
        cyd.answered = lambda: order.append("moved")  # type: ignore[method-assign]
        asking = desk.ear("10.0.0.9")  # much, so that there is not time for all
        desk.runner.ask(asking.session, [ListGames()] * 9, desk.time.now(), much=True)
        for n in range(CAME):
            ear = desk.ear(f"10.1.0.{n}")
            ear.answered = lambda: order.append("came")  # type: ignore[method-assign]
            desk.ask(ear, EnterRoom("hall", "reversi size=10", name=f"v{n}"))
        desk.ask(cyd, Play(table, "4"))
        await until(lambda: len(order) == CAME + 1)
        assert order.index("moved") == 0

    watch = count(0, MILLI // 4)
    story(told, writer=AtOnce, elapsed=lambda: next(watch))
