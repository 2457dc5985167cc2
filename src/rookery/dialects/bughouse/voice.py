"""What goes out: one answer a request, and broadcasts no faster than the old client can take.

The page: "never more than 700 bytes of unasked lines since a session's last request; what
is over waits for its next request or for 200 ms of silence". While an answer is owed all of
them wait: the client reads nothing else then. What waited comes after the answer, in its
order. Silence is when nothing was read or sent, and no answer is owed. It mutates, and the
connection owns it.
"""

from collections import deque
from typing import Final

from rookery.core.ids import Micros
from rookery.dialects.limits import BUGHOUSE_HELD_MAX

BURST: Final = 700  # bytes
SILENCE: Final[Micros] = 200_000
UNASKED: Final = "BROADCAST:"


class Voice:
    """Lines on their way out."""

    def __init__(self) -> None:
        self._said: list[bytes] = []
        self._held: deque[tuple[bytes, bool]] = deque()  # and whether it is lobby news
        self._weight = 0  # bytes held
        self._spent = 0  # bytes broadcast since the last request, or silence
        self._last: Micros = 0  # when something was read or sent
        self._owes = False  # a request is being looked into

    def heard(self, now: Micros) -> None:
        """A request has come, or several at once: there is room again."""
        self._spent = 0
        self._last = now

    def asked(self) -> None:
        """A request is taken up."""
        self._owes = True

    def answer(self, line: str, now: Micros) -> None:
        """Its answer; what waited for it follows."""
        self._said.append(f"{line}\n".encode())
        self._owes = False
        self._last = now
        self._let_go(now)

    def broadcast(self, line: str, now: Micros, *, lobby: bool = False) -> None:
        """Something nobody asked for. News of the lobby are dropped where too much waits."""
        wire = f"{UNASKED}{line}\n".encode()
        assert len(wire) <= BURST, "no line is longer than a burst"
        if lobby and self._weight > BUGHOUSE_HELD_MAX:
            return
        self.tick(now)
        self._held.append((wire, lobby))
        self._weight += len(wire)
        if len(self._held) == 1:  # else it waits its turn
            self._let_go(now)

    def drop_lobby(self) -> None:
        """A game begins: what waits of the lobby is of no more use."""
        self._held = deque(one for one in self._held if not one[1])
        self._weight = sum(len(wire) for wire, _ in self._held)

    def tick(self, now: Micros) -> None:
        """It is so late: after a silence there is room again."""
        if not self._owes and now >= self._last + SILENCE:
            self._spent = 0
            self._let_go(now)

    def deadline(self) -> Micros | None:
        """When the silence is long enough for what waits."""
        return self._last + SILENCE if self._held and not self._owes else None

    def drain(self) -> bytes:
        """All that can be sent now; it is given out once."""
        said = b"".join(self._said)
        self._said.clear()
        return said

    def _let_go(self, now: Micros) -> None:
        if self._owes:
            return
        while self._held and self._spent + len(self._held[0][0]) <= BURST:
            wire, _ = self._held.popleft()
            self._said.append(wire)
            self._weight -= len(wire)
            self._spent += len(wire)
            self._last = now
