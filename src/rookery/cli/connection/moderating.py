"""A connection for who moderates: the organiser by the token, an account by its passphrase."""

from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from msgspec import Struct

from rookery.cli.connection.accounts import passphrase_for, sign_in
from rookery.cli.connection.server import Client, ConnectionLost
from rookery.cli.connection.tours import Gone, TourConnection, place_of
from rookery.clients.native import NativeClient
from rookery.clients.native.words import Request

A = TypeVar("A", bound=Struct)


class _Silent:
    """Says nothing that nobody asked for."""

    def say(self, text: str, style: str = "") -> None:
        """Nothing."""


class Moderator:
    """Asks what only moderators may. It mutates."""

    def __init__(
        self, at: str, token: str | None, folder: Path | None, account: str | None
    ) -> None:
        place = place_of(at, token, folder)
        self._address = place.address
        if account is None:
            self._client = TourConnection(_Silent(), place, organiser=True).client
            return
        speaker = NativeClient()
        speaker.me = sign_in(place.address, account, passphrase_for(account))
        self._client = Client(place.address, speaker)
        self._client.greet()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def ask(self, request: Request, kind: type[A]) -> A:
        """The answer. Raises Rejected, and Gone."""
        try:
            return self._client.ask(request, kind)
        except ConnectionLost:
            raise Gone(f"The server at {self._address} went away.") from None
