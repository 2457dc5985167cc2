"""The link: all that connections know of the hall, wherever that is.

Up go connections, what they say and ask with the moment it was read, and that they are gone.
Down come messages in order, and that a question is answered, to whoever listens (`Listener`).
Where the hall is in the same process the keeper itself is the link, and a call is a call.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from rookery.core.ids import Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.messages import Notice
from rookery.core.visitors.doorway import Doorway
from rookery.server.fairness.throttle import Throttle
from rookery.server.keeping.teller import Listener

# The last words to who cannot be in a hall what it was in the one before.
IN_DOUBT: Final = Notice(
    "closing", "The server was away and may not have heard you; call again, your games are safe."
)


class HallLink(Protocol):
    """The hall, as connections know it."""

    def connect(
        self, session: SessionId, host: str, listener: Listener, dialect: str, door: Doorway
    ) -> None:
        """A new connection, which speaks this dialect and came by this door."""
        ...

    @property
    def heard(self) -> Callable[[SessionId, Micros], object]:
        """To be called when a session said something, be it only that it is there."""
        ...

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """A session asks these things, which were read at `now`; `much` more of it waits."""
        ...

    def hang_up(self, session: SessionId, now: Micros) -> None:
        """The connection is gone; what it asked before is still dealt with."""
        ...

    def listen(
        self, unheard: Callable[[SessionId], Micros | None], rests: Callable[[], None]
    ) -> None:
        """Who knows when the first was read of what a session said and nobody heard yet.

        `rests` is called when the hall has nothing more to write.
        """
        ...

    @property
    def throttle(self) -> Throttle:
        """When there is time for who asks much, by what is decided here."""
        ...

    def is_busy(self) -> bool:
        """Whether something is about to be decided or written here."""
        ...

    @property
    def after_a_look(self) -> Callable[[Callable[[], None]], None]:
        """To be called with what is to be done once all that lies at the sockets by now is read."""
        ...
