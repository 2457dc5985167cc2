"""What a number means is not guessed at an edge: who speaks by numbers waits until it is sure."""

from collections.abc import Callable

from rookery.core.ids import MICROS_A_SECOND, SessionId
from tests.server.desk import until
from tests.server.spans import Span, spanned


async def settled(span: Span, claim: Callable[[], bool]) -> None:
    """Let both ends beat until this is so."""

    def so() -> bool:
        span.beats()
        return claim()

    await until(so)


def test_who_speaks_by_numbers_waits_until_what_they_mean_is_sure() -> None:
    async def told(span: Span) -> None:
        held: dict[SessionId, bool] = {}
        span.edge.hold = held.__setitem__
        early = span.ear(dialect="bughouse")
        assert held == {early.session: True}, "the hall has said nothing yet"
        await settled(span, lambda: not held[early.session])
        span.ear(dialect="native")
        span.ear(dialect="tourney")  # which asks itself, since its pings are answered at once
        late = span.ear(dialect="bughouse")
        assert list(held) == [early.session]
        span.held = True
        for _ in range(6):
            await span.passes(MICROS_A_SECOND // 10)
            span.edge.beat()
        assert held == {early.session: True, late.session: True}, "it may give others numbers"
        span.let_over()
        await settled(span, lambda: not any(held.values()))
        span.fail_over()
        assert all(held.values())
        await settled(span, lambda: not any(held.values()))
        span.gateway.say_stopping()
        await settled(span, lambda: all(held.values()))

    spanned(told)
