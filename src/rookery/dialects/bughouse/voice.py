"""What goes out: one answer a request, and broadcasts no faster than the old client can take.

The page: "at most 700 bytes of unasked lines, and the next only after 60 ms in which neither
side said anything (a request does *not* prove that the listener has read)". A move does prove
something: nobody moves before having read that it is the turn, so all that was sent up to that
line has been read, and in play nothing waits. "A newcomer's first broadcast waits for 200 ms of
silence; the first YOUR_TURN of a game for 600 ms after GAME_STARTED." While an answer is owed
all of them wait. What waits keeps its order. News carry the time they were decided at, not
that at which they are sent, after they were made safe: where something waits for a silence,
the next tick, which comes at once, says when that began. It mutates, and the connection owns it.
"""

from collections import deque
from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.dialects.bughouse.broadcasts.lobbynews import LobbyNews
from rookery.dialects.bughouse.pacing import PATIENCE, Pace

UNASKED: Final = "BROADCAST:"
START: Final = "GAME_STARTED:"
TURN: Final = "YOUR_TURN"
TURN_WIRE: Final = f"{UNASKED}{TURN}\n".encode()


class HeldLine(Struct, frozen=True, gc=False):
    """A line on its way out."""

    wire: bytes
    starts: bool = False  # says that a game begins
    after: Micros = 0  # … and this one comes so long after that


class Voice:
    """Lines on their way out."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._said: list[bytes] = []
        self._held: deque[HeldLine] = deque()
        self._lobby = LobbyNews()
        self._followed = True  # a request has followed the last news of the lobby
        self._sent = 0  # bytes broadcast
        self._read = 0  # … of which we know that they were read
        self._turns: deque[int] = deque()  # bytes sent up to each YOUR_TURN not acted on
        self._now: Micros = 0
        self._last: Micros = 0  # when something was read or sent
        self.asks_time = False  # it was sent, and since then nobody said how late it is
        self._starting = False  # … and it said that a game begins
        self._since: Micros | None = None  # when what is first in the queue came to be first
        self._started: Micros = 0  # when it was last said that a game begins
        self._fresh = False  # … and they have had no turn in it
        self._new = True  # nothing was broadcast yet
        self._owes = False  # a request is being looked into

    # -- what is read

    def heard(self, now: Micros) -> None:
        """A request has come, or several at once."""
        self._settle(now)
        if self._lobby:
            self._lobby.asked()
            if not self._followed and not self._held:
                self._since = now
        self._followed = True

    def asked(self) -> None:
        """A request is taken up."""
        self._owes = True

    def acts(self) -> None:
        """Somebody moves who was told that it is their turn: so much has been read."""
        if self._turns:
            self._read = max(self._read, self._turns.popleft())

    # -- what is said

    def answer(self, line: str, now: Micros) -> None:
        """The answer to a request; what waited for it follows."""
        self._said.append(f"{line}\n".encode())
        self._owes = False
        self._now = self._last = now
        self.asks_time = True
        if self._held:
            self._let_go(now)

    def broadcast(self, line: str, now: Micros) -> None:
        """Something nobody asked for."""
        starts = line.startswith(START)
        self._fresh = self._fresh or starts
        self._put(HeldLine(f"{UNASKED}{line}\n".encode(), starts=starts), now)

    def turn(self, now: Micros) -> None:
        """That it is their turn; the first time in a game not too soon."""
        after = self._pace.first_turn if self._fresh else 0
        self._fresh = False
        self._put(HeldLine(TURN_WIRE, after=after), now)

    def broadcast_at_once(self, words: bytes, turn: int, now: Micros) -> bool:
        """Whole lines of a game at once, where all of them can go or wait; else nothing is done.

        The first `turn` bytes end in that it is their turn; none do where it is not.
        """
        if self._new or self._lobby.games or (turn and self._fresh):
            return False
        if self._held or self._owes:
            return not turn and self._hold(words, now)
        if self._sent - self._read + len(words) > self._pace.burst:
            return False
        self._said.append(words)
        if turn:
            self._turns.append(self._sent + turn)
        self._sent += len(words)
        self._now = max(self._now, now)
        self._last = now
        self.asks_time = True
        return True

    def _hold(self, words: bytes, now: Micros) -> bool:
        """Let these lines wait behind all others; whether they may, and no turn waits there."""
        if self._held and self.holds_turn:
            return False
        if not self._held:
            self._since = now
        self._held += [HeldLine(line) for line in words.splitlines(keepends=True)]
        self._now = max(self._now, now)
        return True

    @property
    def holds_turn(self) -> bool:
        """Whether YOUR_TURN waits."""
        return bool(self._held) and any(one.wire is TURN_WIRE for one in self._held)

    def drop_turn(self, now: Micros) -> None:
        """It is their turn no more: the first YOUR_TURN that waits is not said."""
        for n, one in enumerate(self._held):
            if one.wire is TURN_WIRE:
                del self._held[n]
                break
        self._let_go(now)

    def lobby(self, game: str, lines: tuple[str, ...], now: Micros) -> None:
        """News of the lobby; they go out when this is drained, or when they may."""
        self._now = max(self._now, now)
        if self._since is None:
            self._since = now
        self._lobby.add(game, lines, held=not self._may_tell_lobby())

    def join(self, game: str, now: Micros) -> None:
        """They are in this game: what waits of it is news of the lobby no more."""
        if self._lobby:
            for line in self._lobby.pop(game):
                self.broadcast(line, now)

    def drop_lobby(self) -> None:
        """A game of theirs begins: what waits of others is of no more use."""
        self._lobby.clear()

    # -- time

    def tick(self, now: Micros) -> None:
        """It is so late."""
        if self.asks_time:
            self._settle(now)
        self._now = max(self._now, now)
        if self._held:
            self._let_go(now)

    def deadline(self) -> Micros | None:
        """When to `tick`, or to drain, at the latest."""
        if self.asks_time:
            return self._now  # silence is counted from when it was sent, not from the next news
        if self._owes or not (self._held or (self._lobby.games and self._followed)):
            return None
        moment = self._quiet_at()
        if self._held:
            first = self._held[0]
            if not self._new and self._fits(len(first.wire)):
                moment = 0
            if first.after:
                moment = max(moment, self._started + first.after)
        return max(moment, self._now)

    def silence(self) -> Micros | None:
        """When to `tick`, so that it is known that there was silence; None where it is."""
        moment = self._quiet_at()
        return None if self._owes or moment <= self._now else moment

    def drain(self) -> bytes:
        """All that can be sent now; it is given out once."""
        if self._lobby.games and self._may_tell_lobby():
            self._tell_lobby()
        if not self._said:
            return b""
        said = b"".join(self._said)
        self._said.clear()
        return said

    # -- what may go

    def _settle(self, now: Micros) -> None:
        """What was sent, or comes now, counts from now."""
        self._now = self._last = now
        if self._starting:
            self._started = now
        self.asks_time = self._starting = False

    def _put(self, line: HeldLine, now: Micros) -> None:
        self._now = max(self._now, now)
        if self._held or self._owes or self._new or line.after or not self._fits(len(line.wire)):
            self._held.append(line)
            if len(self._held) == 1:  # else it waits its turn
                self._since = now
                self._let_go(now)
        else:
            self._say(line, now)

    def _quiet_at(self) -> Micros:
        """When it has been quiet for long enough, or loud for too long."""
        quiet = self._last + (self._pace.welcome if self._new else self._pace.gap)
        return quiet if self._since is None else min(quiet, self._since + PATIENCE)

    def _fits(self, size: int) -> bool:
        on_the_way = self._sent - self._read
        return not on_the_way or on_the_way + size <= self._pace.burst

    def _let_go(self, now: Micros) -> None:
        """Say what may be said of what waits."""
        if self._owes:
            return
        if now >= self._quiet_at():
            self._new, self._read = False, self._sent
        elif self._new:
            return
        while self._held:
            first = self._held[0]
            if not self._fits(len(first.wire)) or (
                first.after and now < self._started + first.after
            ):
                return
            self._say(self._held.popleft(), now)
            self._since = now if self._held else None

    def _say(self, line: HeldLine, now: Micros) -> None:
        self._said.append(line.wire)
        self._sent += len(line.wire)
        self._last = now
        self.asks_time = True
        if line.wire is TURN_WIRE:
            self._turns.append(self._sent)
        elif line.starts:
            self._started, self._starting = now, True
            self._turns.clear()

    def _may_tell_lobby(self) -> bool:
        """Whether the last news were followed by a request, and that by a silence."""
        return (
            self._followed and not self._owes and not self._held and self._now >= self._quiet_at()
        )

    def _tell_lobby(self) -> None:
        self._new, self._read = False, self._sent
        while self._lobby:
            game, lines = self._lobby.first()
            wires = [f"{UNASKED}{line}\n".encode() for line in lines]
            if not self._fits(sum(map(len, wires))):
                break
            self._lobby.pop(game)
            for wire in wires:
                self._say(HeldLine(wire), self._now)
        self._followed, self._since = False, None
