"""Who is let in over HTTP: by which name it calls, what it says in the clear, what it may write."""

import http.client
import socket
import ssl
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec
import pytest

from rookery.core.messages import Done
from rookery.server.config import BadSetting, load
from rookery.server.web.app import CALLS
from rookery.server.web.guard import Admission, admission_of, is_address, read_name
from rookery.server.web.problems import HttpProblem, Problem
from tests.server.process import PATIENCE, Server, serving
from tests.server.web.asking import Answer, ask, ask_at_once, token

HERE = Path(__file__).parents[1]
CERT, KEY = HERE / "tls-cert.pem", HERE / "tls-key.pem"
TLS = ("--tls-cert", str(CERT), "--tls-key", str(KEY))
FOREIGN = ["evil.example", "evil.example:7350", "localhost.evil.example", "127.0.0.1.evil.example"]
PATHS = ["/", "/api/tables", "/metrics", "/docs/", "/nowhere"]
WRITES = [call.path.format(tour=1, match=1, entrant=1, table=1) for call in CALLS if call.writes]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    flags = ("--public-host", "games.example.org", "--public-host", "rooks.example")
    with serving(tmp_path_factory.mktemp("admission"), *flags) as server:
        yield server


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("sealed"), *TLS) as server:
        yield server


# -- names


@pytest.fixture(scope="module")
def to_strangers(server: Server) -> dict[tuple[str, str], Answer]:
    return ask_at_once(
        server,
        {
            (path, host): ("GET", path, None, {"Host": host})
            for path, host in product(PATHS, FOREIGN)
        },
    )


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("path", PATHS)
def test_by_a_foreign_name_nothing_is_to_be_had(
    to_strangers: dict[tuple[str, str], Answer], path: str, host: str
) -> None:
    answer = to_strangers[path, host]
    assert answer.status == 403
    name = host.partition(":")[0].encode()
    assert b"--public-host " + name in answer.body


def test_nor_done_though_the_page_and_the_name_are_one(server: Server) -> None:
    headers = {"Host": "evil.example", "Origin": "http://evil.example", **token(server)}
    answer = ask(server, "POST", "/api/tables", b'{"variant":"nim"}', headers)
    assert (answer.status, answer.problem.code) == (403, "bad_host")


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.:1",
        "127.0.0.1:7350",
        "192.168.1.20:7350",
        "[::1]:7350",
        "[fe80::1]",
        "games.example.org",
        "Rooks.Example:443",
        f"{socket.gethostname()}:7350",
    ],
)
def test_by_its_own_names_and_in_numbers_it_is_called(server: Server, host: str) -> None:
    assert ask(server, "GET", "/api/games", headers={"Host": host}).status == 200


def test_how_the_server_is_may_be_asked_by_any_name(server: Server) -> None:
    assert ask(server, "GET", "/healthz", headers={"Host": "rookery.default.svc"}).status == 200


def test_what_stands_behind_host_is_a_name_or_an_address() -> None:
    assert [read_name(host) for host in ("A.b.:80", "[::1]:80", "[::1", "", ":80")] == [
        *("a.b", "::1", None, None, None)
    ]
    assert all(map(is_address, ("10.0.0.1", "::1")))
    assert not any(map(is_address, ("10.0.0.1.evil", "1.2.3", "0x7f.1", "")))


NO_HOSTS = [
    *("127.0.0.1:80@evil.example", "localhost@evil.example", "[::1]:80@evil.example", "", ":80"),
    *(
        "localhost/evil.example",
        "localhost#",
        "localhost?",
        "localhost\\evil.example",
        "a b",
        "a,b",
    ),
    *("localhost:", "localhost:0", "localhost:99999", "localhost:80a", "localhost:+80", "a:1:2"),
    *("[::1", "::1", "[::1].evil.example", "[fe80::1%eth0]", "[::1%@evil.example]", "[127.0.0.1]"),
    *("l\xf6calhost", "localhost:\xb2", "local%68ost", "a..b", ".a", "*", "<b>", "0x7f.1", "1.2.3"),
    *("2130706433", "127.0.0.01", f"{'a' * 64}.example", "a." * 4000),
]


@pytest.fixture(scope="module", params=[(), ("--public-host", "*")], ids=["ours", "any"])
def any_sealed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("any"), *TLS, *request.param) as server:
        yield server


def test_what_is_no_host_is_refused_and_told_to_nobody(any_sealed: Server) -> None:
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    asked = {
        (host, path): ("GET", path, None, {"Host": host, "Origin": f"http://{host}", **more})
        for host in NO_HOSTS
        for path, more in (("/", {}), ("/api/games", {}), ("/ws/othello", upgrade))
    }
    for (host, path), answer in ask_at_once(any_sealed, asked).items():
        assert (answer.status, "location" in answer.headers) == (400, False), (host, path)


@pytest.mark.parametrize(
    "target", [".evil.example/", "@evil.example/", "http://evil.example/", "*"]
)
def test_a_redirect_is_never_made_of_a_target_that_is_no_path(
    any_sealed: Server, target: str
) -> None:
    answer = ask(any_sealed, "GET", target, headers={"Host": "localhost"})
    assert (answer.status, "location" in answer.headers) == (400, False)


def test_several_hosts_are_refused_and_none_is_only_in_http_1_0(any_sealed: Server) -> None:
    def status(request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", any_sealed.port), PATIENCE) as line:
            line.sendall(request)
            with line.makefile("rb") as lines:
                return lines.readline().split()[1]

    two = b"Host: localhost\r\nHost: evil.example\r\n\r\n"
    assert status(b"GET / HTTP/1.1\r\n" + two) == b"400"
    assert status(b"GET / HTTP/1.0\r\n" + two) == b"400"
    assert status(b"GET / HTTP/1.1\r\n\r\n") == b"400"
    assert status(b"GET / HTTP/1.0\r\n\r\n") == b"200"
    assert status(b"GET / HTTP/1.1\r\nHost: localhost\r\n evil.example\r\n\r\n") == b"400"


def test_any_name_will_do_where_somebody_else_looks_at_them() -> None:
    admission_of("0.0.0.0", ("*",), tls=False).check_name(["evil.example"])
    with pytest.raises(HttpProblem):
        admission_of("0.0.0.0", (), tls=False).check_name(["evil.example"])
    admission_of("lan.example", (), tls=False).check_name(["lan.example:7350"])


def test_public_names_are_given_as_every_setting_is(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text('public_host = ["a.example", "b.example"]\n')
    assert load({}, {}, file).public_host == ("a.example", "b.example")
    named = load({}, {"ROOKERY_PUBLIC_HOST": "c.example, d"}, file)
    assert named.public_host == ("c.example", "d")


@pytest.mark.parametrize("name", ["http://a.example", "a.example:80", "a b", "a..b", "ä.example"])
def test_what_is_no_name_is_one_sentence(name: str) -> None:
    with pytest.raises(BadSetting, match="without http:// and without a port"):
        load({"public_host": name}, {}, None)


# -- in the clear


def under_tls(server: Server, method: str, path: str, headers: dict[str, str]) -> int:
    trust = ssl.create_default_context(cafile=str(CERT))
    line = http.client.HTTPSConnection("localhost", server.port, timeout=PATIENCE, context=trust)
    try:
        line.request(method, path, b'{"variant":"nim"}' if method == "POST" else None, headers)
        return line.getresponse().status
    finally:
        line.close()


def test_a_page_is_shown_under_tls(sealed: Server) -> None:
    host = f"localhost:{sealed.port}"
    answer = ask(sealed, "GET", "/tables/1?a=b%20c", headers={"Host": host})
    assert answer.status == 307
    assert answer.headers["location"] == f"https://{host}/tables/1?a=b%20c"


@pytest.fixture(scope="module")
def in_the_clear(sealed: Server) -> dict[tuple[str, int], Answer]:
    words = b'{"variant":"nim"}'
    allowed: tuple[dict[str, str], ...] = ({}, token(sealed), {"Authorization": "Bearer wrong"})
    return ask_at_once(
        sealed,
        {
            (path, n): ("POST", path, words, headers)
            for path, (n, headers) in product(WRITES, enumerate(allowed))
        },
    )


@pytest.mark.parametrize("path", WRITES)
def test_nothing_is_written_in_the_clear(
    in_the_clear: dict[tuple[str, int], Answer], path: str
) -> None:
    for n in range(3):
        answer = in_the_clear[path, n]
        assert (answer.status, answer.problem.code) == (403, "no_tls")


def test_no_token_is_looked_at_in_the_clear_whatever_is_asked(sealed: Server) -> None:
    assert ask(sealed, "GET", "/api/tables", headers=token(sealed)).status == 403
    assert ask(sealed, "GET", "/", headers=token(sealed)).status == 403
    assert ask(sealed, "GET", "/api/tables").status == 200
    assert ask(sealed, "GET", "/healthz").status == 200


def test_under_tls_all_is_as_ever(sealed: Server) -> None:
    assert under_tls(sealed, "GET", "/", {}) == 200
    assert under_tls(sealed, "POST", "/api/tables", token(sealed)) == 200
    assert under_tls(sealed, "POST", "/api/tables", {}) == 401


def test_without_a_certificate_there_is_nothing_else(server: Server) -> None:
    Admission().check_secret(sealed=False)
    answer = ask(server, "POST", "/api/tables", b'{"variant":"nim"}', token(server))
    assert answer.read(Done).table is not None


# -- who may write is asked before what is written


@pytest.mark.parametrize("body", [None, b"", b"{", b'{"variant":7}', b"x" * 100_000])
@pytest.mark.parametrize("path", [*WRITES, "/api/tours/none/start", "/api/tours/1/matches/x/void"])
def test_who_may_not_write_is_told_so_whatever_it_wrote(
    server: Server, path: str, body: bytes | None
) -> None:
    nobody = ask(server, "POST", path, body)
    other = ask(server, "POST", path, body, {"Authorization": "Bearer of-another-server"})
    assert (nobody.status, nobody.problem.code) == (401, "no_token")
    assert (other.status, other.problem.code) == (403, "bad_token")


def test_and_who_may_is_told_what_is_wrong_with_it(server: Server) -> None:
    answer = ask(server, "POST", "/api/tables", b'{"variant":7}', token(server))
    assert answer.status == 422
    assert msgspec.json.decode(answer.body, type=Problem).code == "bad_option"
