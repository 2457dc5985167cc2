"""A connection for who moderates: the organiser by the token, an account by its passphrase."""

from pathlib import Path

from rookery.cli.connection.accounts import passphrase_for, sign_in
from rookery.cli.connection.questions import Questions
from rookery.cli.connection.server import Client
from rookery.cli.connection.tours import call, place_of
from rookery.clients.native import NativeClient


class Moderator(Questions):
    """Asks what only moderators may. It mutates."""

    def __init__(
        self, at: str, token: str | None, folder: Path | None, account: str | None
    ) -> None:
        self._place = place_of(at, token, folder)
        self._account = account
        super().__init__(self._place.address)

    def _call(self) -> Client:
        if self._account is None:
            return call(self._place, organiser=True)
        speaker = NativeClient()
        speaker.me = sign_in(self._address, self._account, passphrase_for(self._account))
        client = Client(self._address, speaker)
        client.greet()
        return client
