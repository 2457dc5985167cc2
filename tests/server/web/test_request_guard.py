"""The guard: how much a host may ask, at the bound, and which pages may write."""

import pytest
from starlette.requests import Request

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.network import HOSTS_MAX, Buckets, Rate
from rookery.server.web.guard import (
    CODES,
    CODES_LOOPBACK,
    PAGES,
    PAGES_LOOPBACK,
    READS,
    READS_LOOPBACK,
    WRITES,
    WRITES_LOOPBACK,
    RequestGuard,
)
from rookery.server.web.problems import HttpProblem

HOME = "127.0.0.1"
AWAY = "203.0.113.9"


class Clock:
    def __init__(self) -> None:
        self.now: Micros = 1_000_000

    def __call__(self) -> Micros:
        return self.now


def asking(host: str = AWAY, /, *, path: str = "/api/tables", **headers: str) -> Request:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request(
        {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": pairs,
            "client": (host, 0),
        }
    )


def problem_of(guard: RequestGuard, request: Request, *, writes: bool) -> HttpProblem:
    with pytest.raises(HttpProblem) as wrong:
        guard.token(request) if writes else guard.admit(request)
    return wrong.value


@pytest.mark.parametrize(("host", "rate"), [(AWAY, READS), (HOME, READS_LOOPBACK)])
def test_a_host_asks_as_much_as_its_burst_and_no_more(host: str, rate: Rate) -> None:
    guard = RequestGuard(Clock())
    for _ in range(rate.burst):
        guard.admit(asking(host))
    refused = problem_of(guard, asking(host), writes=False)
    assert (refused.problem.status, refused.problem.code) == (429, "too_fast")
    assert refused.headers == {"Retry-After": "1"}


@pytest.mark.parametrize(("host", "rate"), [(AWAY, PAGES), (HOME, PAGES_LOOPBACK)])
def test_a_host_looks_at_as_many_pages_as_its_burst_and_no_more(host: str, rate: Rate) -> None:
    guard = RequestGuard(Clock())
    for _ in range(rate.burst):
        guard.admit(asking(host, path="/assets/icon.svg"))
    assert problem_of(guard, asking(host, path="/"), writes=False).problem.status == 429


@pytest.mark.parametrize(("host", "rate"), [(AWAY, WRITES), (HOME, WRITES_LOOPBACK)])
def test_a_host_tries_to_write_as_much_as_its_burst_and_no_more(host: str, rate: Rate) -> None:
    guard = RequestGuard(Clock())
    guess = asking(host, authorization="Bearer guess")
    for _ in range(rate.burst):
        assert guard.token(guess) == "guess"
    assert problem_of(guard, guess, writes=True).problem.status == 429


@pytest.mark.parametrize(("host", "rate"), [(AWAY, CODES), (HOME, CODES_LOOPBACK)])
def test_a_host_tries_as_many_codes_as_its_burst_and_right_ones_for_ever(
    host: str, rate: Rate
) -> None:
    guard = RequestGuard(Clock())
    for _ in range(rate.burst * 2):
        guard.try_code(asking(host))
        guard.knew_code(asking(host))
    for _ in range(rate.burst):
        guard.try_code(asking(host))
    with pytest.raises(HttpProblem) as wrong:
        guard.try_code(asking(host))
    assert wrong.value.problem.status == 429


def test_writes_without_a_token_are_counted_too() -> None:
    guard = RequestGuard(Clock())
    codes = [problem_of(guard, asking(), writes=True).problem.code for _ in range(WRITES.burst + 1)]
    assert codes == ["no_token"] * WRITES.burst + ["too_fast"]


def test_one_more_comes_back_with_time_and_not_earlier() -> None:
    clock = Clock()
    guard = RequestGuard(clock)
    for _ in range(READS.burst):
        guard.admit(asking())
    clock.now += READS.every - 1
    problem_of(guard, asking(), writes=False)
    clock.now += 1
    guard.admit(asking())
    problem_of(guard, asking(), writes=False)


def test_what_was_refused_is_not_counted() -> None:
    clock = Clock()
    guard = RequestGuard(clock)
    for _ in range(READS.burst):
        guard.admit(asking())
    for _ in range(1_000):
        problem_of(guard, asking(), writes=False)
    clock.now += READS.every
    guard.admit(asking())


def test_a_flood_from_one_host_takes_nothing_from_another() -> None:
    guard = RequestGuard(Clock())
    for _ in range(READS.burst):
        guard.admit(asking(AWAY))
    problem_of(guard, asking(AWAY), writes=False)
    guard.admit(asking("203.0.113.10"))


def test_who_asks_slowly_is_never_refused() -> None:
    clock = Clock()
    guard = RequestGuard(clock)
    for _ in range(3 * READS.burst):
        guard.admit(asking())
        clock.now += READS.every


def test_addresses_that_one_owner_may_choose_from_are_one_host() -> None:
    guard = RequestGuard(Clock())
    for number in range(READS.burst):
        guard.admit(asking(f"2001:db8:0:1::{number:x}"))
    problem_of(guard, asking("2001:db8:0:1:ffff::1"), writes=False)
    guard.admit(asking("2001:db8:0:2::1"))


def test_a_host_that_has_all_at_hand_is_forgotten_first() -> None:
    buckets = Buckets(Rate(2, MICROS_A_SECOND), Rate(2, MICROS_A_SECOND), hosts=2)
    assert [buckets.take(host, 0) for host in ("idle", "busy", "busy")] == [0, 0, 0]
    assert buckets.take("new", MICROS_A_SECOND) == 0  # "idle" has all it had at the beginning
    assert buckets.take("busy", MICROS_A_SECOND) == 0
    assert buckets.take("busy", MICROS_A_SECOND) == MICROS_A_SECOND


def test_only_so_many_hosts_are_remembered() -> None:
    buckets = Buckets(WRITES, WRITES)
    for number in range(HOSTS_MAX + 1):
        buckets.take(f"host{number}", 0)
    assert len(buckets) <= HOSTS_MAX


@pytest.mark.parametrize(
    "origin",
    [
        "http://elsewhere.example",
        "http://rookery.example",
        "http://rookery.example:7351",
        "http://rookery.example:7350.elsewhere.example",
        "http://elsewhere.example/rookery.example:7350",
        "file://rookery.example:7350",
        "null",
        "",
        "http://",
    ],
)
def test_a_page_of_anywhere_else_may_not_write(origin: str) -> None:
    headers = {"host": "rookery.example:7350", "origin": origin, "authorization": "Bearer t"}
    refused = problem_of(RequestGuard(Clock()), asking(**headers), writes=True)
    assert (refused.problem.status, refused.problem.code) == (403, "bad_origin")


@pytest.mark.parametrize(
    "origin",
    [
        "http://rookery.example:7350",
        "HTTP://Rookery.Example:7350",
        "https://rookery.example:7350",  # a proxy in front of us ends the TLS
    ],
)
def test_a_page_of_our_own_may_write(origin: str) -> None:
    headers = {"host": "rookery.example:7350", "origin": origin, "authorization": "Bearer t"}
    assert RequestGuard(Clock()).token(asking(**headers)) == "t"


def test_a_page_that_says_its_origin_needs_a_host_to_match() -> None:
    headers = {"origin": "http://rookery.example", "authorization": "Bearer t"}
    assert (
        problem_of(RequestGuard(Clock()), asking(**headers), writes=True).problem.code
        == "bad_origin"
    )


@pytest.mark.parametrize("said", ["", "Bearer", "Bearer   ", "Basic dDp0", "t"])
def test_what_is_no_bearer_token_is_none(said: str) -> None:
    refused = problem_of(RequestGuard(Clock()), asking(authorization=said), writes=True)
    assert (refused.problem.status, refused.problem.code) == (401, "no_token")
    assert refused.headers == {"WWW-Authenticate": "Bearer"}


@pytest.mark.parametrize("said", ["Bearer t", "bearer t", "BEARER  t "])
def test_the_scheme_is_read_in_any_case(said: str) -> None:
    assert RequestGuard(Clock()).token(asking(authorization=said)) == "t"
