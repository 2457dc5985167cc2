"""Judges that nobody acts as another, and that an account opens only to its passphrase.

A player belongs to the person who was first greeted as that player, in the native language or
by signing in, and to that person for good: nobody else is ever taken for it, whatever names,
numbers, tokens and passphrases they say.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from rookery_tools.sim.clients.member import KEEP, SIGN_IN, Member
from rookery_tools.sim.clients.person import WorldPerson
from rookery_tools.sim.frames import read_messages
from rookery_tools.sim.observer.transcript import cut_lines
from rookery_tools.sim.observer.verdict import Failing
from rookery_tools.sim.observer.web import read_http

SELVES: Final = "nobody is taken for another"
SPEAK: Final = (
    "flooder",
    "host",
    "liar",
    "member",
    "moderator",
    "native",
    "peeper",
)  # of whom greetings are read
WELCOME: Final = "200"
WRONG: Final = "403"


class _Greeted(msgspec.Struct):
    type: str = ""
    player: int | None = None


class _Said(msgspec.Struct):
    passphrase: str = ""


def judge_selves(people: Sequence[WorldPerson]) -> Iterator[Failing]:
    """Judge everyone who was greeted as a player."""
    owner: dict[int, str] = {}
    for person in people:
        greeted = list(_greeted(person)) if person.habits.kind in SPEAK else []
        for player in (*greeted, *_signed_in(person)):
            if (first := owner.setdefault(player, person.name)) != person.name:
                yield Failing(SELVES, f"{person.name} is taken for player {player}, who is {first}")
        yield from _judge_passphrases(person)


def _greeted(person: WorldPerson) -> Iterator[int]:
    for line in person.lines:
        down = read_messages(line.down) if person.habits.framed else line.down
        for _, words in cut_lines(down):
            if not words.startswith((b'{"type":"hello"', b'{"type":"welcome"')):
                continue
            said = msgspec.json.decode(words, type=_Greeted)
            if said.player is not None:
                yield said.player


def _signed_in(person: WorldPerson) -> Iterator[int]:
    for _, status, body in _about_accounts(person):
        if status == WELCOME and (said := msgspec.json.decode(body, type=_Greeted)).player:
            yield said.player


def _judge_passphrases(person: WorldPerson) -> Iterator[Failing]:
    """Judge that only the right passphrase signs in, and that the right one is never refused."""
    right = person.passphrase if isinstance(person, Member) else None
    for body, status, _ in _about_accounts(person):
        said = msgspec.json.decode(body, type=_Said).passphrase
        if status == WELCOME and said != right:
            yield Failing(SELVES, f"{person.name} has an account by the passphrase {said!r}")
        if status == WRONG and said == right:
            yield Failing(SELVES, f"{person.name} said its passphrase, and was refused")


def _about_accounts(person: WorldPerson) -> Iterator[tuple[bytes, str, bytes]]:
    """Each request about an account: its body, the answer's status, and the answer's body."""
    for line in (*person.errands, *(person.lines if person.habits.kind == "thief" else ())):
        for asked, answer in zip(read_http(line.up), read_http(line.down), strict=False):
            if asked[1].split()[1] in (KEEP, SIGN_IN):
                yield asked[2], " ".join(answer[1].split()[1:2]), answer[2]
