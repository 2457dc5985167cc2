"""A connection for tours, and for the organiser, which comes back by itself when it drops.

A client that shows the organiser's token is the organiser; the token comes from `--token`,
from the environment, or from the server's folder. We look into that folder unasked only for
a server on this machine: a token is not shown to strangers.
"""

import os
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol

import click
from msgspec import Struct

from rookery.cli.connection.address import HOST, PORT, Address, NoServer, at_option, parse_address
from rookery.cli.connection.server import (
    ConnectionLost,
    Questions,
    Rejected,
    ServerConnection,
    connected_again,
    ready,
)
from rookery.clients.native.words import Greeting, Hello
from rookery.core.errors import Mistake
from rookery.core.ids import TourId
from rookery.core.intents import ListMatches, ListTours, Organise, ShowTour, WatchTour
from rookery.core.messages import Done, Matches, MatchLine, Notice, TourNews, Tours, TourShown
from rookery.core.tour_values import TourLine
from rookery.server.datadir import TOKEN_FILE, BadToken, read_token
from rookery.store import address as database


class Says(Protocol):
    """Prints sentences of the server that no command asked for."""

    def say(self, text: str, style: str = "") -> None:
        """Print a text of one line or several."""
        ...


class NoToken(Mistake):
    """Only the organiser may do this, and no token of the server was found."""


class TourServer(Struct, frozen=True):
    """Where a server is, and where to find the token of its organiser."""

    address: Address
    token: str | None = None
    folder: Path | None = None

    def flags(self) -> str:
        """The flags that make another command mean the same server."""
        at = "" if self.address == Address(HOST, PORT) else f" --at {self.address}"
        return at if self.folder is None else f"{at} --data {self.folder}"


# Any: click's decorators take whatever function they are put on.
def place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--at`, `--token` and `--data`, which every command about tours has."""
    for option in (
        click.option(
            "--data",
            "folder",
            type=click.Path(path_type=Path),
            callback=_no_address,
            metavar="FOLDER",
            help=f"The server's folder, with its {TOKEN_FILE}; data if not said and the server "
            "is on this machine.",
        ),
        click.option(
            "--token",
            envvar="ROOKERY_TOKEN",
            metavar="TOKEN",
            help="The organiser's token, which the server said at its first start; or set "
            "ROOKERY_TOKEN.",
        ),
        at_option,
    ):
        command = option(command)
    return command


def _no_address(_: click.Context, __: click.Parameter, folder: Path | None) -> Path | None:
    if folder is not None and str(folder).startswith(("postgresql:", "postgres:")):
        raise NoToken("The token of a server with a database: say --token, or set ROOKERY_DATA.")
    return folder


class TourConnection(Questions):
    """A connection for questions about tours, and as the organiser for more."""

    def __init__(self, output: Says, place: TourServer, *, organiser: bool = False) -> None:
        self._output = output
        self._call = partial(call, place, organiser=organiser)
        super().__init__(place.address, self._call())

    def shown(self, tour: TourId) -> TourShown:
        """A tour as it stands."""
        return self.ask(ShowTour(tour), TourShown)

    def matches(self, tour: TourId) -> tuple[MatchLine, ...]:
        """All matches of a tour, asked for page by page."""
        found: list[MatchLine] = []
        more = True
        while more:
            page = self.ask(ListMatches(tour, found[-1].match if found else 0), Matches)
            found += page.matches
            more = page.more and bool(page.matches)
        return tuple(found)

    def tours(self) -> tuple[TourLine, ...]:
        """Every tour of the server, also those that are over."""
        found: list[TourLine] = []
        more = True
        while more:
            page = self.ask(ListTours(found[-1].tour if found else TourId(0)), Tours)
            found += page.tours
            more = page.more and bool(page.tours)
        return tuple(found)

    def watch(self, tour: TourId) -> TourShown:
        """Watch a tour; returns it as it stands, and later events come as news."""
        return self.ask(WatchTour(tour), TourShown)

    def news(self) -> TourNews | None:
        """The next news, if some have come; what a server says is passed on."""
        while (said := self.client.heard()) is not None:
            if isinstance(said, Notice):
                self._output.say(said.sentence, "yellow")
        return self.client.tour_news()

    def wait(self, seconds: float | None, *also: int) -> list[int]:
        """Wait until the server sends something, one of these files is ready or the time is up.

        Returns which of the files are ready. Raises ConnectionGone.
        """
        ours = self.client.fileno()
        came = ready([ours, *also], seconds)
        if ours in came:
            try:
                self.client.read()
            except ConnectionLost:
                raise self.gone() from None
        return [number for number in came if number != ours]

    def come_back(self) -> None:
        """Connect again, after ever longer pauses. Raises NoServer when it takes too long."""
        self._output.say("The server is gone; going on as soon as it is back.", "yellow")
        self.client.close()
        self.client = connected_again(self._call, self._address)
        self._output.say("Connected again.", "yellow")


def call(place: TourServer, *, organiser: bool) -> ServerConnection:
    """A client, as the organiser where we know the token, or must be that. Raises NoServer."""
    key = find_token(place, needed=organiser)
    client = ServerConnection(place.address)
    try:
        client.ask(Hello(), Greeting)
        if key is not None:
            client.ask(Organise(key.token), Done)
    except ConnectionLost:
        client.close()
        raise NoServer(f"What answers at {place.address} hangs up at once.") from None
    except Rejected as no:
        if key is None or key.asked or organiser:
            client.close()
            source = "This" if key is None else key.source
            sentence = f"{source} is not the organiser's at {place.address}."
            raise Rejected(no.code, sentence if no.code == "bad_token" else str(no)) from None
    return client


class Key(Struct, frozen=True):
    """The organiser's token, and words for where it was found."""

    token: str
    source: str
    asked: bool  # whether somebody said to use it


def find_token(place: TourServer, *, needed: bool) -> Key | None:
    """The token to show to this server. Raises NoToken where one is needed and none is known."""
    if place.token:
        return Key(place.token, "The token that was given", asked=True)
    folder = place.folder
    if folder is None and is_local(place.address.host):
        data = os.environ.get("ROOKERY_DATA") or "data"
        if database.is_address(data):
            return _kept_in(database.read_address(data), asked=False)
        folder = Path(data)
    path = None if folder is None else folder / TOKEN_FILE
    if path is not None and (path.exists() or place.folder is not None):
        try:
            asked = place.folder is not None
            return Key(read_token(path), f"The token in {path}", asked=asked)
        except BadToken:
            if needed:
                raise
    if needed:
        seen = "" if path is None else f"; there is no {path}"
        raise NoToken(
            "This is for the organiser: say --token TOKEN, or --data and the server's folder"
            f"{seen}."
        )
    return None


def _kept_in(address: database.LogAddress, *, asked: bool) -> Key:
    """The token that is kept with the log in a database. Raises Mistake."""
    from rookery.store.database import read_organiser

    return Key(read_organiser(address), f"The token in {address}", asked=asked)


def is_local(host: str) -> bool:
    """Whether this is surely the machine we are on."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def place_of(at: str, token: str | None, folder: Path | None) -> TourServer:
    """The server that a command's options mean. Raises NoServer."""
    return TourServer(parse_address(at), token, folder)
