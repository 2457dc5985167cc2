"""`rookery connect`: play a whole game as a person, over an old language.

The words are the dialect's own (`by_hand/`); here are the socket and the keyboard.
"""

import socket
from contextlib import suppress
from typing import Final

import click

from rookery.cli.by_hand import FOR_PROGRAMS, PERSONS, about_oneself
from rookery.cli.by_hand.person import PersonByHand, Who
from rookery.cli.connection.address import at_option, call, hear, parse_address
from rookery.cli.connection.waiting import ready
from rookery.cli.terminal.keyboard import Keyboard
from rookery.cli.terminal.output import Output

_EXAMPLES: Final = """\b
Examples:
  rookery connect blackwhite --name pl1
  rookery connect othello --at games.example.org:7350
  rookery connect fish --name ann --age 8
  rookery connect bughouse --name Ann --at games.example.org:3333
"""

_HELP: Final = f"""\
Play a game over DIALECT, as an old client would.

It is one of {", ".join(PERSONS)}; {", ".join(FOR_PROGRAMS)} is for programs alone.

The board is drawn after every move, and you are asked for yours; ? says what else can be
typed, and Ctrl-D hangs up. It works with every server of that language, Rookery or not.
"""


@click.command(short_help="Play over an old language.", help=_HELP, epilog=_EXAMPLES)
@click.argument("dialect", type=click.Choice(list(PERSONS)), metavar="DIALECT")
@at_option
@click.option("--name", default="guest", show_default=True, help="What you are called.")
@about_oneself
def command(*, dialect: str, at: str, name: str, **told: int) -> None:
    """Play a game over DIALECT."""
    output, person = Output(), PERSONS[dialect](Who(name, **told))
    with call(parse_address(at)) as line:
        _send(line, person.begin())
        output.say(f"Connected to {at}.", "dim")  # fish says nothing before its game begins
        _play(output, person, line)


def _play(output: Output, person: PersonByHand, line: socket.socket) -> None:
    """Carry lines between server and person until either of them ends."""
    with Keyboard(output) as typed:
        while True:
            came = ready([line.fileno(), typed.fileno()])
            if line.fileno() in came:
                heard = hear(line)
                if not heard:
                    output.say("The server hung up.", "dim")
                    return
                _show(output, person, line, heard)
            if typed.fileno() in came:
                typed.read()
                while (words := typed.line()) is not None:
                    _say(output, person, line, words)
                if typed.ended:
                    return


def _show(output: Output, person: PersonByHand, line: socket.socket, said: bytes) -> None:
    before, quiet = person.prompt(), True
    for heard in person.hear(said):
        match heard:
            case bytes():
                _send(line, heard)
                continue
            case str():
                output.say(heard)
            case _:
                output.show(heard)
        quiet = False
    if not quiet or person.prompt() != before:
        _ask(output, person)


def _say(output: Output, person: PersonByHand, line: socket.socket, typed: str) -> None:
    output.answered(typed)
    said = person.say(typed) if typed.strip() else ""
    if isinstance(said, bytes):
        _send(line, said)
        return
    if said:
        output.say(said)
    _ask(output, person)


def _send(line: socket.socket, words: bytes) -> None:
    with suppress(ConnectionError):  # that the server is gone is seen where it is heard
        line.sendall(words)


def _ask(output: Output, person: PersonByHand) -> None:
    output.ask(person.prompt())
