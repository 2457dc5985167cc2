"""Where hundreds look on, more happens when they know what did; others do not wait for that."""

from itertools import count

from rookery.core.ids import TableId
from rookery.core.intents import Play, Watch
from tests.server.desk import AtOnce, Desk, Ear, story, until

CROWD = 480
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
        for turn in range(10):  # faster than the crowd can be told
            mover = (ann, bob)[turn % 2]
            answers = mover.answers
            desk.ask(mover, Play(watched, "0,1"))
            await until(lambda: mover.answers > answers)  # noqa: B023 # it is awaited here
        order: list[str] = []
        ann.answered = lambda: order.append("watched")  # type: ignore[method-assign]
        cyd.answered = lambda: order.append("other")  # type: ignore[method-assign]
        desk.ask(ann, Play(watched, "0,1"))
        desk.ask(cyd, Play(other, "4"))
        await until(lambda: len(order) == 2)
        assert order == ["other", "watched"]

    watch = count(0, MILLI // 4)
    story(told, scribe=AtOnce, elapsed=lambda: next(watch))
