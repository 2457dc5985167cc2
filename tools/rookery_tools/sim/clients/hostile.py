"""Who means no good: floods, half lines, lies, silence, and readers who do not read."""

import msgspec

from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import Play, Reclaim, Say, Sit, Watch
from rookery_tools.sim.clients.person import WorldPerson
from rookery_tools.sim.machine.agenda import MILLI, SECOND

UNREAD_MAX = 20_000  # bytes that one keeps under way; a socket would take no more


class Flooder(WorldPerson):
    """Says the same readable thing on and on, and reads or does not."""

    def begin(self) -> bytes:
        """The bytes of a hello; the flood begins a moment later."""
        self.later(MILLI, self._more)
        return b'{"type":"hello","version":1,"name":"%s"}\n' % self.name.encode()

    def _more(self) -> None:
        if self.line is None or self.town.calm:
            return
        if self.line.unread < UNREAD_MAX:
            words = self.chance.choice(
                (b'{"type":"list_tables"}\n', b'{"type":"ping"}\n', b"nonsense\n", b"\n")
            )
            self.say(words * self.chance.between(20, 120))
        self.later(self.chance.between(5, 60) * MILLI, self._more)

    def hear(self, _: bytes) -> None:
        """Ignore what the server says; now and then read nothing for some seconds."""
        if self.line is not None and not self.chance.below(40):
            self.line.reads = False
            self.later(self.chance.between(1, 8) * SECOND, self.line.read_on)

    def hurry(self) -> None:
        """Leave as the day ends."""
        self.leave()


class Liar(WorldPerson):
    """Claims to be others, plays for them, and speaks half a line at a time."""

    def begin(self) -> bytes:
        """The bytes of a hello; lies follow within a second."""
        self.later(self.chance.below(SECOND), self._lie)
        return b'{"type":"hello","version":1,"name":"%s"}\n' % self.name.encode()

    def _lie(self) -> None:
        if self.town.calm:
            self.leave()
            return
        table, player = TableId(self.chance.between(1, 9)), PlayerId(self.chance.between(1, 12))
        lie = self.chance.choice(
            (
                Play(table, "0,1", player=player),
                Play(table, "1:e2e4", player=None),
                Reclaim(player, "a-token-that-nobody-has"),
                Watch(table),
                Sit(table, Seat(0)),
                Say(table, "believe me", player=player),
            )
        )
        words = msgspec.json.encode(lie) + b"\n"
        if not self.chance.below(4):
            words = words[: self.chance.below(len(words))]  # the rest follows with the next, or not
        if not self.chance.below(10):
            words = bytes(self.chance.below(256) for _ in range(self.chance.between(1, 60)))
        self.say(words)
        if not self.chance.below(30):
            self.hang_up()
        else:
            self.later(self.chance.below(SECOND), self._lie)

    def hear(self, _: bytes) -> None:
        """Ignore what the server says."""

    def hurry(self) -> None:
        """Leave as the day ends."""
        self.leave()


class SilentCaller(WorldPerson):
    """Calls, says nothing or half a line, and hangs on."""

    def begin(self) -> bytes:
        """The first bytes of some request, which never ends."""
        words = (b"", b"{", b'{"type":"hel', b"ENTERROOM [x", b"2", b"GET / HT")
        return self.chance.choice(words)

    def hear(self, _: bytes) -> None:
        """Ignore what the server says."""

    def hurry(self) -> None:
        """Leave as the day ends."""
        self.leave()
