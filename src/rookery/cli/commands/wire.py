"""`rookery wire`: a raw console. What you type goes out as it is, and both directions are shown.

For people who write clients or servers of any dialect and want to see the bytes: every
line with the time and an arrow, and what cannot be printed as an escape.
"""

import os
import socket
import sys
from contextlib import suppress
from datetime import datetime
from typing import Final

import click

from rookery.cli.connection.address import READ, at_option, call, hear, parse_address
from rookery.cli.connection.server import ready
from rookery.cli.terminal.output import Output

_EXAMPLES: Final = """\b
Examples:
  rookery wire                                 type {"type":"list_games"} and see
  rookery wire --at games.example.org:3333
  printf '@PING\\n' | rookery wire --raw        exactly these bytes, then wait
"""

_OUT, _IN = ">", "<"


@click.command(short_help="Talk to a server byte by byte.", epilog=_EXAMPLES)
@at_option
@click.option("--crlf", is_flag=True, help="End what is typed in CR LF, not LF alone.")
@click.option("--raw", is_flag=True, help="Read bytes, not lines: nothing is added.")
def command(*, at: str, crlf: bool, raw: bool) -> None:
    """Send what is typed to a server, and show every byte of both directions.

    At the end of what is typed the server is told that no more comes, and what it still says
    is shown until it hangs up; Ctrl-C ends at once.
    """
    output, address = Output(), parse_address(at)
    line = call(address)
    output.say(f"Connected to {address}. Ctrl-D ends what you say, Ctrl-C everything.", "dim")
    waited_for = [line.fileno(), sys.stdin.fileno()]
    with line:
        while True:
            for came in ready(waited_for):
                if came == line.fileno():
                    heard = hear(line)
                    _show(output, _IN, heard)
                    if not heard:
                        output.say("The server hung up.", "dim")
                        return
                    continue
                typed = os.read(sys.stdin.fileno(), READ)
                if not typed:
                    waited_for.remove(came)
                    with suppress(OSError):  # that the server is gone is seen where it is heard
                        line.shutdown(socket.SHUT_WR)
                    continue
                said = typed if raw or not crlf else typed.replace(b"\n", b"\r\n")
                _show(output, _OUT, said)
                with suppress(OSError):
                    line.sendall(said)


def _show(output: Output, arrow: str, words: bytes) -> None:
    """Print bytes line by line with the time, escaped as Python does, line ends included."""
    now = datetime.now().astimezone().strftime("%H:%M:%S.%f")[:-3]
    style = "green" if arrow == _IN else "cyan"
    for piece in words.splitlines(keepends=True):
        text = piece.decode("utf-8", "backslashreplace")
        body = text.rstrip("\r\n")
        end = text[len(body) :].replace("\r", "\\r").replace("\n", "\\n")
        shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in body)
        output.say(f"{now} {arrow} {shown}{end}", style)
