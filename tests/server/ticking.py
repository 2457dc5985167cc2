"""A clock that goes on by itself: whoever looks at it has taken a little time."""

TICK = 50_000  # nanoseconds


class Ticking:
    """Each look takes a tick; a test adds what else takes time. It mutates."""

    def __init__(self, tick: int = TICK) -> None:
        self.now = 0
        self._tick = tick

    def __call__(self) -> int:
        """The time, after a tick."""
        self.now += self._tick
        return self.now
