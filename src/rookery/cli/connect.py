"""`rookery connect`: play a whole game as a person, over an old language.

The words are the dialect's own (`persons/`); here are the socket and the keyboard.
"""

import os
import selectors
import socket
import sys
from typing import Final

import click

from rookery.cli.client import HOST, PORT, parse_address
from rookery.cli.persons import PERSONS
from rookery.cli.persons.person import Person
from rookery.cli.stage import Stage
from rookery.cli.wire import call, hear

_EXAMPLES: Final = """\b
Examples:
  rookery connect blackwhite --name pl1
  rookery connect othello --at games.example.org:7350
"""


@click.command(short_help="Play over an old language.", epilog=_EXAMPLES)
@click.argument("dialect", type=click.Choice(list(PERSONS)))
@click.option(
    "--at", default=f"{HOST}:{PORT}", show_default=True, metavar="HOST:PORT", help="The server."
)
@click.option("--name", default="guest", show_default=True, help="What you are called.")
def command(*, dialect: str, at: str, name: str) -> None:
    """Play a game over DIALECT, as an old client would.

    The board is drawn after every move, and you are asked for yours. It works with every
    server of that language, Rookery or not.
    """
    stage, person = Stage(), PERSONS[dialect](name)
    with call(parse_address(at)) as line:
        line.sendall(person.begin())
        _play(stage, person, line)


def _play(stage: Stage, person: Person, line: socket.socket) -> None:
    """Until the server hangs up or there is nothing more to type."""
    typed = b""
    with selectors.DefaultSelector() as ready:
        ready.register(line, selectors.EVENT_READ)
        ready.register(sys.stdin.fileno(), selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                if key.fileobj is line:
                    heard = hear(line)
                    if not heard:
                        stage.say("The server hung up.", "dim")
                        return
                    _show(stage, person, heard)
                    continue
                piece = os.read(sys.stdin.fileno(), 1 << 16)
                if not piece:
                    return
                *whole, typed = (typed + piece).split(b"\n")
                for words in whole:
                    _say(stage, person, line, words.decode("utf-8", "replace"))


def _show(stage: Stage, person: Person, heard: bytes) -> None:
    for shown in person.hear(heard):
        if isinstance(shown, str):
            stage.say(shown)
        else:
            stage.show(shown)
    _ask(stage, person)


def _say(stage: Stage, person: Person, line: socket.socket, typed: str) -> None:
    stage.answered()
    said = person.say(typed) if typed.strip() else ""
    if isinstance(said, bytes):
        line.sendall(said)
        return
    if said:
        stage.say(said)
    _ask(stage, person)


def _ask(stage: Stage, person: Person) -> None:
    if prompt := person.prompt():
        stage.ask(prompt)
