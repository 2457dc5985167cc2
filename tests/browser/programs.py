"""Programs that play at tables which people look at. They do nothing by themselves.

Their connections are closed with the server. Those of the native dialect read what they are
told as plain JSON: tables and tours have different words.
"""

from typing import Any

import msgspec

from tests.browser.people import PATIENCE
from tests.server.process import UNASKED, Server

Told = dict[str, Any]  # Any: JSON is whatever was sent


class Wire:
    """A connection of bytes. It keeps what was not asked for yet."""

    def __init__(self, server: Server) -> None:
        self._socket = server.call().socket
        self._socket.settimeout(PATIENCE / 1000)
        self.heard = b""

    def say(self, words: bytes) -> None:
        """Send these, and the end of a line."""
        self._socket.sendall(words + b"\n")

    def hang_up(self) -> None:
        """Close the connection."""
        self._socket.close()

    def more(self) -> None:
        """Wait until something more was heard."""
        try:
            piece = self._socket.recv(1 << 16)
        except TimeoutError:
            raise AssertionError(f"nothing came after {self.heard!r}") from None
        assert piece, f"hung up after {self.heard!r}"
        self.heard += piece

    def line(self) -> bytes:
        """The next line."""
        while b"\n" not in self.heard:
            self.more()
        line, _, self.heard = self.heard.partition(b"\n")
        return line


class Line:
    """A connection in the native dialect, as a player if it has a name, or is somebody again."""

    def __init__(
        self, server: Server, name: str | None = None, again: "Line | None" = None
    ) -> None:
        self._wire = Wire(server)
        who = {"name": name} if again is None else {"player": again.player, "token": again.token}
        welcome = self.ask("hello", version=1, **who)
        self.player: int = welcome["player"]
        self.token: str | None = welcome["token"]

    def ask(self, kind: str, **fields: object) -> Told:
        """The answer to this, which is no refusal."""
        self._wire.say(msgspec.json.encode({"type": kind, **fields}))
        while (told := msgspec.json.decode(self._wire.line(), type=Told))["type"] in UNASKED:
            pass
        assert told["type"] != "refused", f"{kind} {fields} is refused: {told}"
        return told

    def hang_up(self) -> None:
        """Be gone."""
        self._wire.hang_up()


def game(server: Server, variant: str, *names: str, moves: int = 0) -> list[Line]:
    """Those who play at a new table, after so many moves from the middle of what is legal."""
    lines = [Line(server, name) for name in names]
    opened = lines[0].ask("open", variant=variant, seats=len(names), time="5m", house=0)
    table: int = opened["table"]
    for line in lines[1:]:
        line.ask("sit", table=table)
    for number in range(moves):
        acting = lines[0].ask("show", table=table)["to_act"]
        if not acting:
            break
        line = lines[acting[number % len(acting)]]
        legal = line.ask("legal_moves", table=table)["moves"]
        line.ask("play", table=table, move=legal[len(legal) // 2])
    return lines
