"""A part of the transcripts once more, over real sockets to a real server.

Only those in which no time goes by and nobody hangs up: what is said then hangs on the
words alone. A client's lines are waited for before the next thing is done.
"""

import ast
import re
import socket
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from rookery.dialects.detect import recognise
from rookery.server.cluster.edge_link import AWAY, BACK
from tests.server.cluster import clustered, needs_broker
from tests.server.process import PATIENCE, Server, serving
from tests.transcripts.runner import CLOSED, Act, acts, framing_of

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
TIMED = re.compile(r"^(@ \+|restart|listen (?!bughouse))|! |\(\w+\)|@PING", re.MULTILINE)
DEALT = {"native", "fish", "fishcom"}  # what they say has times or dealt boards in it
CHOSEN = [
    path
    for path in sorted(TRANSCRIPTS.glob("*/*.txt"))
    if path.parent.name not in DEALT and not TIMED.search(path.read_text("utf-8"))
]


# Who is in a room where no game runs is hung up on by another hall.
GOING_ON = [path for path in CHOSEN if path.stem != "toolong"]


class Line:
    """One client's socket, and what the server has said on it and nobody looked at."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._said = b""

    def hear(self, dialect: str, lines: int) -> list[str]:
        """So many lines, whenever they come; fewer, and CLOSED, where the server hung up."""
        ended = False
        while len(heard := self._whole(dialect)) < lines and not ended:
            piece = self.socket.recv(1 << 16)
            ended = not piece
            self._said += piece
        self._said = b""
        return [*heard, CLOSED] if ended else heard

    def _whole(self, dialect: str) -> list[str]:
        """The lines so far, without one that has no end yet."""
        lines = framing_of(dialect).read(self._said)
        whole = [line for line in lines if not line.endswith("[no line end]")]
        # How long a hall was away hangs on the machine, and so does whether anyone is told.
        return [line for line in whole if not any(one.sentence in line for one in (AWAY, BACK))]


class Cast:
    """Everyone in a transcript, each with a socket; they call when they are first heard of."""

    def __init__(self, ports: list[tuple[int, int]]) -> None:
        # Of each server in turn: the one for all, and that for who cannot be recognised by
        # what it says first.
        self._ports = cycle(ports)
        self.lines: dict[str, Line] = {}

    def do(self, act: Act) -> None:
        """What the transcript says is done."""
        deed = act.deed
        framing = framing_of(deed.dialect)
        said = framing.write(deed.text) if deed.sign == ">" else ast.literal_eval(deed.text)
        if deed.who not in self.lines:
            known = recognise(said) == deed.dialect
            one_port, own_port = next(self._ports)
            self.lines[deed.who] = Line(one_port if known else own_port)
        self.lines[deed.who].socket.sendall(said)

    def compare(self, act: Act) -> None:
        """Everyone hears what the transcript says, in its order."""
        expected: dict[str, list[str]] = {}
        for line in act.heard:
            said = CLOSED if line.sign == CLOSED else line.text
            expected.setdefault(line.who, []).append(said)
        for who, wanted in expected.items():
            heard = self.lines[who].hear(act.deed.dialect, len(wanted))
            assert heard == wanted, f"line {act.deed.number}: {who} hears something else"
            if CLOSED in heard:
                self.lines.pop(who).socket.close()

    def close(self) -> None:
        """Everyone hangs up."""
        for line in self.lines.values():
            line.socket.close()


def played(
    deeds: list[Act],
    servers: list[Server],
    *,
    alone: bool,
    half_way: Callable[[], None] = lambda: None,
) -> None:
    """Everyone calls one server after the other, and hears what the transcript says."""
    ports = [(server.port, server.port_alone()) for server in servers]
    cast = Cast([(own, own) if alone else (one, own) for one, own in ports])
    try:
        for n, act in enumerate(deeds):
            if n == len(deeds) // 2:
                half_way()
            cast.do(act)
            cast.compare(act)
    finally:
        cast.close()


def told(path: Path, tmp_path: Path) -> tuple[list[Act], Path, bool]:
    """What is to be done, the settings of the servers, and whether only one port will do."""
    deeds = acts(path.read_text("utf-8"), path.parent.name)
    settings = tmp_path / "rookery.toml"
    options = deeds.pop(0).deed.text.split()[1:] if deeds[0].deed.sign == "l" else []
    settings.write_text("\n".join([f"[listen.{path.parent.name}]", "port = 0", *options]))
    return deeds, settings, bool(options)


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_transcript_plays_over_tcp_as_it_is_written(path: Path, tmp_path: Path) -> None:
    deeds, settings, alone = told(path, tmp_path)
    with serving(tmp_path, "--config", str(settings)) as server:
        played(deeds, [server], alone=alone)


@needs_broker
@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_transcript_plays_at_two_edges_as_it_is_written(path: Path, tmp_path: Path) -> None:
    deeds, settings, alone = told(path, tmp_path)
    with clustered(tmp_path, "--config", str(settings)) as cluster:
        played(deeds, cluster.edges, alone=alone)


@needs_broker
@pytest.mark.parametrize("path", GOING_ON, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_transcript_goes_on_when_the_hall_is_killed_half_way(
    path: Path, tmp_path: Path
) -> None:
    deeds, settings, alone = told(path, tmp_path)
    with clustered(tmp_path, "--config", str(settings)) as cluster:
        # At one edge: who looks on is in the order in which edges find the new hall.
        played(deeds, cluster.edges[:1], alone=alone, half_way=cluster.fail_over)


def test_there_are_transcripts_of_every_language_that_deals_nothing() -> None:
    assert {path.parent.name for path in CHOSEN} == {"blackwhite", "bughouse", "othello", "tourney"}
