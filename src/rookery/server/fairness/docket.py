"""The docket: what was asked of the hall and is not decided yet.

While there is time for all of it, it is decided in the order it was read. When there is not,
sessions have their turns by the time that they and their hosts have taken (`shares`), until
nothing waits any more. What one session asks is always decided in its order. It mutates,
and the keeper owns it.
"""

from collections import deque
from collections.abc import Container
from typing import Final, Generic, TypeVar

from rookery.core.ids import Micros, SessionId
from rookery.server.fairness.shares import Flow, Shares

T = TypeVar("T")

TRIED_MAX: Final = 16  # sessions passed over when somebody is looked for who asked little


class _Line(Generic[T]):
    """One session's part of the docket while there is not time for all."""

    __slots__ = ("asked", "flow", "session")

    def __init__(self, session: SessionId, flow: Flow) -> None:
        self.session = session
        self.flow = flow
        self.asked: deque[tuple[T, Micros]] = deque()


class Docket(Generic[T]):
    """What waits to be decided."""

    def __init__(self) -> None:
        self._hosts: dict[SessionId, str] = {}
        self._asked: deque[tuple[SessionId, T, Micros]] = deque()
        self._shares = Shares()
        self._lines: dict[SessionId, _Line[T]] = {}
        self._by_flow: dict[Flow, _Line[T]] = {}
        self.shared = False  # there was not time for all

    def __bool__(self) -> bool:
        return bool(self._asked) or bool(self._shares)

    def connect(self, session: SessionId, host: str) -> None:
        """This session is from there."""
        self._hosts[session] = host

    def leave(self, session: SessionId) -> None:
        """The session is gone, and all it asked was decided."""
        self._hosts.pop(session, None)

    def put(self, session: SessionId, asked: T, now: Micros) -> None:
        """The session asks this, which was read at `now`."""
        if self.shared:
            self._put(session, asked, now)
        else:
            self._asked.append((session, asked, now))

    def take(self, but: Container[SessionId] = ()) -> tuple[SessionId, T, Micros] | None:
        """What is to be decided next; None where nothing is, or only of those.

        It is looked for only so far: who asked little is near the front.
        """
        if not self.shared:
            return self._asked.popleft() if self._asked else None
        passed: list[Flow] = []
        found = None
        while found is None and len(passed) < TRIED_MAX:
            flow = self._shares.next()
            if flow is None:
                break
            line = self._by_flow[flow]
            if line.session in but:
                passed.append(flow)
            else:
                asked, now = line.asked.popleft()
                found = (line.session, asked, now)
                if line.asked:
                    self._shares.again(flow)
        for flow in passed:
            self._shares.again(flow)
        if not self._shares:
            self._in_order()
        return found

    def share(self) -> None:
        """There is not time for all: let them take turns."""
        if not self.shared and self._asked:
            self.shared = True
            for session, asked, now in self._asked:
                self._put(session, asked, now)
            self._asked.clear()

    def charge(self, session: SessionId, spent: int) -> None:
        """So many nanoseconds were this session's doing."""
        line = self._lines.get(session)
        if line is not None:
            self._shares.charge(line.flow, spent)

    def since(self, session: SessionId) -> Micros | None:
        """When the first was read of what this session asked; None where all was decided."""
        if not self.shared:
            return next((now for one, _, now in self._asked if one == session), None)
        line = self._lines.get(session)
        return line.asked[0][1] if line is not None and line.asked else None

    def _put(self, session: SessionId, asked: T, now: Micros) -> None:
        line = self._lines.get(session)
        if line is None:
            flow = self._shares.flow(self._hosts.get(session, ""))
            self._shares.settle(flow)  # whether a session is new is known where it is heard
            line = self._lines[session] = self._by_flow[flow] = _Line(session, flow)
        line.asked.append((asked, now))
        self._shares.wait(line.flow)

    def _in_order(self) -> None:
        """Nothing waits: there is time for all again."""
        self.shared = False
        for line in self._lines.values():
            self._shares.leave(line.flow)
        self._lines.clear()
        self._by_flow.clear()
