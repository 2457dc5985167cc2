"""Members, who keep a name by a passphrase, and thieves, who would like to be them without it.

A member plays as anybody does. It keeps its name over HTTP once it has one. When it comes back
later it may have no token any more: then it says its passphrase first, as in another browser,
and sometimes mistypes it. A thief says other passphrases, and shows tokens that the server
never gave out.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from rookery.clients.native.words import Answer, Greeting, Hello, Request
from rookery_tools.sim.answers import ServerAnswers
from rookery_tools.sim.clients.native import NativePlayer
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.clients.web import post
from rookery_tools.sim.machine.agenda import SECOND
from rookery_tools.sim.machine.wires import WorldLine

KEEP: Final = "/api/accounts"
SIGN_IN: Final = "/api/accounts/sign-in"
MISTYPES: Final = 4  # one time in so many
NAMES: Final = 12  # people at whom a thief tries

Then = Callable[[int, Any], None]  # Any: JSON; status 0 is a line that was lost


class HttpErrand:
    """One HTTP request of a person over a connection of its own."""

    def __init__(self, person: WorldPerson, path: str, body: object, then: Then) -> None:
        self._words, self._then = post(path, body), then
        self._answers = ServerAnswers()
        self._line: WorldLine = person.town.net.call(person.host, person.port, self, person.where())
        person.errands.append(self._line)

    def connected(self) -> None:
        """Send the request."""
        self._line.send(self._words)

    def heard(self, came: bytes) -> None:
        """The answer; that was all."""
        for status, body in self._answers.feed(came):
            self._line.hang_up()
            self._done(status, msgspec.json.decode(body) if body else None)
            return

    def lost(self) -> None:
        """Report that the line was lost, and that the answer is not known."""
        self._done(0, None)

    def _done(self, status: int, found: Any) -> None:  # Any: JSON
        then, self._then = self._then, lambda _, __: None
        then(status, found)


class Member(NativePlayer):
    """A person who plays honestly, and keeps a name by a passphrase."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.passphrase = f"only {self.name} knows {self.chance.bits():016x}"
        self._keeping = self._kept = False
        self._signing = False

    def call(self) -> None:
        """Call the server; a member that has lost its token signs in over HTTP first."""
        if self.line is not None or self.gone or self._signing:
            return
        if self._kept and not self.town.calm and not self.chance.below(2):
            self._signing = True
            self._sign_in()
        else:
            super().call()

    def _sign_in(self) -> None:
        wrong = not self.chance.below(MISTYPES)
        said = self.passphrase.upper() if wrong else self.passphrase
        HttpErrand(self, SIGN_IN, {"name": self.name, "passphrase": said}, self._signed_in)

    def _signed_in(self, status: int, found: Any) -> None:  # Any: JSON
        """Take the token that signing in gave, if it did, and call the server."""
        self._signing = False
        if status == 200 and self.client.me is not None:
            player, token = found["player"], found["token"]
            self.client.me = msgspec.structs.replace(self.client.me, player=player, token=token)
        super().call()

    def _answered(self, asked: Request, answer: Answer) -> None:
        super()._answered(asked, answer)
        if isinstance(asked, Hello) and isinstance(answer, Greeting) and not self._keeping:
            self._keeping = True
            self.later(self.chance.below(3 * SECOND), self._keep)

    def _keep(self) -> None:
        me = self.client.me
        if me is None or me.player is None or self.town.calm:
            return
        body = {"player": me.player, "token": me.token, "passphrase": self.passphrase}
        HttpErrand(self, KEEP, body, self._has_kept)

    def _has_kept(self, status: int, _: Any) -> None:  # Any: JSON
        self._kept = status == 200  # else it is in doubt, and it stays with its token


class Thief(WorldPerson):
    """A person who tries to get into the accounts of others."""

    def begin(self) -> bytes:
        """The bytes of a first try."""
        self._answers = ServerAnswers()
        return self._try()

    def hear(self, came: bytes) -> None:
        """Try again some time after each answer."""
        for _ in self._answers.feed(came):
            self.later(self.chance.below(2 * SECOND), lambda: self.say(self._try()))

    def hurry(self) -> None:
        """Leave as the day ends."""
        self.leave()

    def _try(self) -> bytes:
        number = self.chance.between(1, NAMES)
        guess = self.chance.choice(
            ("correct horse battery", f"only p{number} knows", "", "a" * 200)
        )
        if self.chance.below(3):
            return post(SIGN_IN, {"name": f"p{number}", "passphrase": guess})
        token = self.chance.choice(("", "a" * 24, "correct horse battery"))
        return post(KEEP, {"player": number, "token": token, "passphrase": "it is mine by now"})
