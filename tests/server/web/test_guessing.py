"""Who guesses at a passphrase keeps its owner out of nothing, from however many hosts."""

import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos
from tests.server.worlds import HELLO, Caller, World

WORDS = "correct horse battery"
AT_HOME, ELSEWHERE = "10.0.0.1", "10.7.7.7"
SOON = 5 * SECOND
A_SECOND = 10  # guesses at one account that are looked at


def _post(path: str, **body: object) -> bytes:
    said = msgspec.json.encode(body)
    head = (
        f"POST /api/accounts{path} HTTP/1.1\r\nHost: 10.9.9.9:7350\r\nContent-Length: {len(said)}"
    )
    return head.encode() + b"\r\n\r\n" + said


class Guesser(Caller):
    """Somebody who guesses at Ann's passphrase, and again as soon as that was wrong. It mutates."""

    def __init__(self, world: World, host: str) -> None:
        self.wrong: list[Nanos] = []  # when it was told that a guess was
        super().__init__(world, host, self._guess())

    def _guess(self) -> bytes:
        return _post("/sign-in", name="ann", passphrase=f"perhaps {len(self.wrong)} this")

    def heard(self, came: bytes) -> None:
        """Guess again, if that was a whole answer."""
        super().heard(came)
        if self.said.endswith(b"}"):
            if b"bad_passphrase" in self.said:
                self.wrong.append(self.world.agenda.now)
            self.said = b""
            self.world.agenda.after(50 * MILLI, lambda: self.say(self._guess()))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    logging.disable(logging.WARNING)
    made = World(tmp_path)
    ann = Caller(made, AT_HOME, HELLO % b"ann")
    made.runs(SECOND)
    told = msgspec.json.decode(ann.said.splitlines()[0])
    keep = _post("", player=told["player"], token=told["token"], passphrase=WORDS)
    Caller(made, AT_HOME, keep)
    made.runs(SECOND)
    made.restart()
    yield made
    made.server.end()
    logging.disable(logging.NOTSET)


def signs_in(world: World, host: str) -> bool:
    """Whether the owner can sign in from there soon, without having to try again."""
    owner = Caller(world, host, _post("/sign-in", name="ann", passphrase=WORDS))
    world.runs(SOON)
    return owner.said.startswith(b"HTTP/1.1 200")


ONE = ("127.0.0.1",)  # which has more tries than others
FIFTY = tuple(f"10.1.0.{n}" for n in range(50))


@pytest.mark.parametrize("hosts", [ONE, FIFTY])
def test_the_owner_signs_in_at_home_and_elsewhere_after_a_restart(
    world: World, hosts: tuple[str, ...]
) -> None:
    guessers = [Guesser(world, host) for host in hosts]
    world.runs(8 * SECOND)
    assert all(one.wrong for one in guessers)
    assert signs_in(world, AT_HOME)
    assert signs_in(world, ELSEWHERE)


def test_where_the_owner_has_signed_in_it_is_at_home_after_a_restart(world: World) -> None:
    """It goes before all others there, however many they are."""
    assert signs_in(world, ELSEWHERE)
    world.restart()
    for n in range(200):
        Guesser(world, f"10.1.0.{n}")
    world.runs(SECOND // 2)
    owner = Caller(world, ELSEWHERE, _post("/sign-in", name="ann", passphrase=WORDS))
    world.runs(SECOND)
    assert owner.said.startswith(b"HTTP/1.1 200")


def test_all_hosts_together_guess_ten_times_a_second(world: World) -> None:
    """None of them is refused for what the others do."""
    guessers = [Guesser(world, f"10.1.0.{n}") for n in range(50)]
    world.runs(10 * SECOND)
    wrong = sorted(at for one in guessers for at in one.wrong)
    assert len(wrong) > 50
    for since in wrong:
        assert sum(since <= at < since + SECOND for at in wrong) <= A_SECOND + 1


@pytest.mark.parametrize("before", [1, len(FIFTY)])
def test_a_burst_from_fifty_hosts_holds_up_nobody_before_or_behind_it(
    world: World, before: int
) -> None:
    """From a new place, too, though nothing tells the owner from the others there."""
    wrong = _post("/sign-in", name="ann", passphrase="perhaps this one")
    for host in FIFTY[:before]:
        Caller(world, host, wrong)
    world.runs(50 * MILLI)
    owner = Caller(world, ELSEWHERE, _post("/sign-in", name="ann", passphrase=WORDS))
    world.runs(20 * MILLI)
    for host in FIFTY[before:]:
        Caller(world, host, wrong)
    world.runs(SECOND)
    assert owner.said.startswith(b"HTTP/1.1 200")
