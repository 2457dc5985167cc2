"""Names kept by a passphrase, over a real socket; and who guesses at them, without one."""

import asyncio
from collections.abc import Iterator
from http import HTTPStatus

import msgspec
import pytest

from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.intents import Reclaim
from rookery.core.network import Rate
from rookery.dialects.native import Hello
from rookery.server.web import passphrases
from rookery.server.web.passphrases import Passphrases
from rookery.server.web.problems import HttpProblem
from tests.server.process import Server, serving
from tests.server.web import asking
from tests.server.web.looking import Json, playing

WORDS = "correct horse battery"
HOME = "192.0.2.1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("accounts")) as server:
        yield server


def post(server: Server, path: str, **body: object) -> tuple[int, Json]:
    answer = asking.ask(server, "POST", path, body=msgspec.json.encode(body))
    return answer.status, msgspec.json.decode(answer.body)


def test_a_kept_name_is_the_same_player_in_another_browser(server: Server) -> None:
    with playing(server, "Ann") as (ann,):
        me = ann.ask(Hello(1, name="Ann A"))
        status, kept = post(
            server, "/api/accounts", player=me["player"], token=me["token"], passphrase=WORDS
        )
        assert (status, kept["name"]) == (HTTPStatus.OK, "Ann A")
    status, again = post(server, "/api/accounts/sign-in", name="ann a", passphrase=WORDS)
    assert (status, again["player"]) == (HTTPStatus.OK, me["player"])
    with playing(server, "Bob") as (bob,):
        welcome = bob.ask(Reclaim(PlayerId(again["player"]), again["token"]))
        assert welcome["name"] == "Ann A"
    kept_files = b"".join(one.read_bytes() for one in server.folder.iterdir() if one.is_file())
    assert WORDS.encode() not in kept_files
    assert b"$argon2id$" in kept_files


def test_a_wrong_passphrase_or_name_is_the_same_no(server: Server) -> None:
    said = [
        post(server, "/api/accounts/sign-in", name=name, passphrase="something else")
        for name in ("ann a", "nobody at all")
    ]
    assert said[0] == said[1]
    assert (said[0][0], said[0][1]["code"]) == (HTTPStatus.FORBIDDEN, "bad_passphrase")


def test_who_has_not_the_token_is_told_so_before_anything_is_hashed(server: Server) -> None:
    status, told = post(server, "/api/accounts", player=1, token="x", passphrase="short")
    assert (status, told["code"]) == (HTTPStatus.FORBIDDEN, "bad_token")


def test_a_page_of_anywhere_else_cannot_sign_anybody_in(server: Server) -> None:
    body = msgspec.json.encode({"name": "ann a", "passphrase": WORDS})
    headers = {"Origin": "http://evil.example"}
    answer = asking.ask(server, "POST", "/api/accounts/sign-in", body, headers)
    assert answer.status == HTTPStatus.FORBIDDEN


# -- guessing, with the time in our hand


class Time:
    """What time it is. It mutates."""

    def __init__(self) -> None:
        self.now = 0


def tried(desk: Passphrases, home: str, kept: str, name: str = "ann") -> str:
    try:
        asyncio.run(desk.check(name, kept, "a wrong guess", home))
    except HttpProblem as no:
        return no.problem.code
    return "ok"


def test_one_host_guesses_ten_times_and_then_once_in_ten_seconds() -> None:
    time = Time()
    desk = Passphrases(lambda: time.now)
    names = [str(n) for n in range(passphrases.TRIES.burst + 1)]
    codes = [tried(desk, "192.0.2.1", "", name) for name in names]
    assert codes == ["bad_passphrase"] * passphrases.TRIES.burst + ["too_fast"]
    time.now += passphrases.TRIES.every
    assert [tried(desk, "192.0.2.1", "", name) for name in "ab"] == ["bad_passphrase", "too_fast"]
    desk.close()


def test_each_hash_has_a_salt_of_the_machine_and_nothing_else_by_chance() -> None:
    """Else the log of a made-up world would not be the same in every run."""
    same, own = Passphrases(lambda: 0, salt=lambda: b"s" * 16), Passphrases(lambda: 0)
    for desk, hashes in ((same, 1), (own, 2)):
        assert len({asyncio.run(desk.hashed(WORDS, HOME)) for _ in range(2)}) == hashes
        desk.close()


def test_few_are_looked_at_at_once_and_the_loop_goes_on() -> None:
    desk = Passphrases(lambda: 0, Rate(1_000, 1), Rate(1_000, 1))

    async def many() -> tuple[int, int]:
        most = passphrases.WAITING_A_HOST + 1  # one is under way at once
        asked = [desk.hashed(f"{WORDS} {n}", HOME) for n in range(most + 5)]
        done = asyncio.gather(*asked, return_exceptions=True)
        turns = 0
        while not done.done():
            turns += 1
            await asyncio.sleep(0)
        return turns, sum(isinstance(one, HttpProblem) for one in await done)

    turns, refused = asyncio.run(many())
    assert refused == 5
    assert turns > 100
    desk.close()


@pytest.mark.parametrize("said", ["", "short", "x" * 201])
def test_a_passphrase_is_neither_short_nor_endless(said: str) -> None:
    desk = Passphrases(lambda: 0)
    with pytest.raises(HttpProblem, match="10 to 200"):
        asyncio.run(desk.hashed(said, HOME))
    desk.close()


def test_names_are_kept_five_at_once_from_one_host() -> None:
    time = Time()
    desk = Passphrases(lambda: time.now)
    for _ in range(passphrases.NAMES.burst):
        asyncio.run(desk.keep(WORDS, "192.0.2.1"))
    with pytest.raises(HttpProblem, match="Too many names"):
        asyncio.run(desk.keep(WORDS, "192.0.2.1"))
    time.now += 600 * MICROS_A_SECOND
    asyncio.run(desk.keep(WORDS, "192.0.2.1"))
    desk.close()
