"""A connection for who moderates: the organiser by the token, an account by its passphrase."""

from pathlib import Path

from rookery.cli.connection.accounts import passphrase_for, sign_in
from rookery.cli.connection.address import Address
from rookery.cli.connection.questions import Questions
from rookery.cli.connection.server import ServerConnection
from rookery.cli.connection.tours import call, place_of
from rookery.clients.native import NativeClient


def moderating(at: str, token: str | None, folder: Path | None, account: str | None) -> Questions:
    """Connect as the organiser, or as a moderator's account, to ask what only they may."""
    place = place_of(at, token, folder)
    client = call(place, organiser=True) if account is None else _as(account, place.address)
    return Questions(place.address, client)


def _as(account: str, address: Address) -> ServerConnection:
    """A connection that has signed in to this account."""
    speaker = NativeClient()
    speaker.me = sign_in(address, account, passphrase_for(account))
    client = ServerConnection(address, speaker)
    client.greet()
    return client
