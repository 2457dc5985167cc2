"""The link: all that connections know of the hall, wherever the hall is.

Up go connections, what they say and ask with the moment it was read, and that they are gone.
Down come messages in order, and that a question is answered, to each connection (`Subscriber`).
Where the hall is in the same process the runner itself is the link, and a call is a call.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from rookery.core.ids import Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.messages import Notice
from rookery.core.network import Doorway
from rookery.server.actor.broadcast import Subscriber
from rookery.server.net.fair import Throttle

# The last words to a client that cannot be in a hall what it was in the one before.
IN_DOUBT: Final = Notice(
    "closing", "The server was away and may not have heard you; call again, your games are safe."
)


class HallLink(Protocol):
    """The hall, as connections know it."""

    def connect(
        self, session: SessionId, host: str, subscriber: Subscriber, dialect: str, door: Doorway
    ) -> None:
        """Let a new connection into the hall, which speaks this dialect and came by this door."""
        ...

    @property
    def heard(self) -> Callable[[SessionId, Micros], object]:
        """Call this when a session said something, be it only that it is there."""
        ...

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """Ask these things for a session, read at `now`; `much`: more of it waits behind."""
        ...

    def hang_up(self, session: SessionId, now: Micros) -> None:
        """Note that a connection is gone; what it asked before is still dealt with."""
        ...

    def listen(
        self, pending_since: Callable[[SessionId], Micros | None], rests: Callable[[], None]
    ) -> None:
        """Set who knows when a session's oldest words that nobody heard yet were read.

        `rests` is called when the hall has nothing more to write.
        """
        ...

    @property
    def throttle(self) -> Throttle:
        """Says when there is time to serve floods, judged by what is decided here."""
        ...

    def is_busy(self) -> bool:
        """Whether something is about to be decided or written in this process."""
        ...

    @property
    def after_poll(self) -> Callable[[Callable[[], None]], None]:
        """Call this with what to do once all that lies at the sockets now is read."""
        ...
