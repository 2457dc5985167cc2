"""Every act of the organiser over HTTP: what it does, and each way it is refused."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from rookery.core.intents import Sit
from rookery.core.messages import Done, Matches, TourMade, TourShown
from rookery.server.web.app import CALLS
from tests.server.process import Server, serving
from tests.server.web.asking import Entrant, ask, token, write
from tests.server.web.tours import NIM_TOUR, Refusal, opened, refusal, running

NIM = b'{"variant":"nim"}'
ACTS = [c.path for c in CALLS if c.writes and c.path.startswith("/api/tours/")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("organising")) as server:
        yield server
        assert server.stop() == 0, server.complaints()
        assert "Traceback" not in server.complaints()


def status_of(server: Server, tour: int) -> str:
    return ask(server, "GET", f"/api/tours/{tour}").read(TourShown).line.status


# -- tables


def test_a_table_is_opened_at_which_anybody_may_sit(server: Server) -> None:
    body = b'{"variant":"reversi size=6","time":"3m","policy":{"gone":"hold"}}'
    done = write(server, "/api/tables", body).read(Done)
    assert done.table is not None
    ann = server.enter("ann")
    assert ann.done(Sit(done.table)).table == done.table
    shown = msgspec.json.decode(ask(server, "GET", f"/api/tables/{done.table}").body)
    assert shown["line"]["variant"] == "reversi size=6"
    assert shown["policy"]["gone"] == "hold"


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b'{"variant":"go"}', 422, "go"),
        (b'{"variant":"reversi size=7"}', 422, "size"),
        (b'{"variant":"nim","time":"soon"}', 422, "soon"),
        (b'{"variant":"nim","seats":99}', 422, "99"),
        (b'{"variant":"nim","policy":{"grace":-1}}', 422, "grace"),
        (b'{"variant":"nim","odd":1}', 422, "odd"),
        (b'{"variant":7}', 422, "variant"),
        (b"{}", 422, "variant"),
        (b"[]", 422, "object"),
        (b"", 400, "no JSON"),
        (b"{", 400, "no JSON"),
        (b'{"variant":"\xff"}', 400, "no JSON"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(
    server: Server, body: bytes, status: int, sentence: str
) -> None:
    refused = refusal(write(server, "/api/tables", body))
    assert refused.status == status
    assert sentence in refused.sentence
    assert refused.sentence.endswith(".")


# -- tours


def test_a_tour_is_opened_with_the_code_that_was_asked_for(server: Server) -> None:
    made = write(server, "/api/tours", b'{"plan":{"variant":"nim"},"code":"Club"}').read(TourMade)
    assert made.code == "CLUB"


def test_a_tour_without_a_code_of_its_own_is_given_one(server: Server) -> None:
    assert write(server, "/api/tours", b'{"plan":{"variant":"nim"}}').read(TourMade).code


def test_nobody_else_is_shown_the_code(server: Server) -> None:
    made = write(server, "/api/tours", b'{"plan":{"variant":"nim"}}').read(TourMade)
    shown = ask(server, "GET", f"/api/tours/{made.tour}")
    assert shown.read(TourShown).code == ""
    assert made.code.encode() not in shown.body


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b'{"plan":{"variant":"go"}}', "go"),
        (b'{"plan":{"variant":"nim","format":"lottery"}}', "lottery"),
        (b'{"plan":{"variant":"nim","points":"many"}}', "many"),
        (b'{"plan":{"variant":"nim","ties":["luck"]}}', "luck"),
        (b'{"plan":{"variant":"nim","parallel":-1}}', "-1"),
        (b'{"plan":{"variant":"nim"},"code":"12345"}', "letter"),
        (b'{"plan":{}}', "variant"),
        (b'{"plan":"nim"}', "object"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_a_sentence(
    server: Server, body: bytes, sentence: str
) -> None:
    refused = refusal(write(server, "/api/tours", body))
    assert refused.status == 422
    assert sentence in refused.sentence


def test_a_tour_starts_pauses_goes_on_and_ends(
    server: Server, pair: tuple[Entrant, Entrant]
) -> None:
    tour = running(server, pair)
    seen = [status_of(server, tour)]
    for act in ("pause", "start", "cancel"):
        assert write(server, f"/api/tours/{tour}/{act}").read(Done) == Done()
        seen.append(status_of(server, tour))
    assert seen == ["running", "paused", "running", "cancelled"]


def test_a_tour_ends_when_what_runs_is_played_out(
    server: Server, pair: tuple[Entrant, Entrant]
) -> None:
    tour = running(server, pair)
    assert write(server, f"/api/tours/{tour}/end").read(Done) == Done()
    assert status_of(server, tour) == "closing"


def test_a_match_is_voided_and_played_again(server: Server, pair: tuple[Entrant, Entrant]) -> None:
    tour = running(server, pair)
    table = pair[0].until("news")["table"]
    assert write(server, f"/api/tours/{tour}/matches/1/void").read(Done) == Done()
    while (again := pair[0].until("news")["table"]) == table:
        pass
    matches = ask(server, "GET", f"/api/tours/{tour}/matches").read(Matches)
    assert (matches.matches[0].voided, matches.matches[0].table) == (1, again)


def test_an_entrant_is_put_out(server: Server, pair: tuple[Entrant, Entrant]) -> None:
    tour = running(server, pair)
    assert write(server, f"/api/tours/{tour}/entrants/2/withdraw").read(Done) == Done()
    shown = ask(server, "GET", f"/api/tours/{tour}").read(TourShown)
    assert [bool(entrant.out) for entrant in shown.entrants] == [False, True]


@pytest.mark.parametrize(
    ("state", "act", "refused"),
    [
        ("open", "start", Refusal(409, "too_few", "needs 2 entrants")),
        ("open", "pause", Refusal(409, "not_running", "does not run")),
        ("open", "matches/1/void", Refusal(404, "no_match", "no match 1")),
        ("open", "entrants/1/withdraw", Refusal(404, "no_entrant", "no entrant 1")),
        ("over", "start", Refusal(409, "over", "is over")),
        ("over", "pause", Refusal(409, "not_running", "does not run")),
        ("over", "end", Refusal(409, "over", "is over")),
        ("over", "cancel", Refusal(409, "over", "is over")),
        ("over", "matches/1/void", Refusal(409, "over", "is over")),
        ("over", "entrants/1/withdraw", Refusal(409, "over", "is over")),
    ],
)
def test_an_act_in_the_wrong_state_is_refused_with_the_halls_sentence(
    server: Server, state: str, act: str, refused: Refusal
) -> None:
    tour = opened(server)
    if state == "over":
        assert write(server, f"/api/tours/{tour}/cancel").status == 200
    said = refusal(write(server, f"/api/tours/{tour}/{act}"))
    assert (said.status, said.code) == (refused.status, refused.code)
    assert refused.sentence in said.sentence


@pytest.mark.parametrize("path", ACTS)
def test_a_tour_that_is_not_there_is_missing(server: Server, path: str) -> None:
    there = path.format(tour=999_999, match=1, entrant=1)
    call = next(c for c in CALLS if c.path == path and c.writes)
    body = b"" if call.example is None else msgspec.json.encode(call.example)
    said = refusal(write(server, there, body))
    assert said == Refusal(404, "no_tour", "There is no tour 999999.")


@pytest.mark.parametrize("path", ACTS)
@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "9" * 30, "%00"])
def test_what_is_no_number_is_missing(server: Server, path: str, number: str) -> None:
    there = path.format(tour=number, match=number, entrant=number)
    assert write(server, there).status == 404


# -- who may


@pytest.mark.parametrize("path", [c.path for c in CALLS if c.writes])
def test_each_act_needs_the_token_and_a_page_of_our_own(server: Server, path: str) -> None:
    there = path.format(tour=1, match=1, entrant=1, table=1, report=1)
    body = NIM if there == "/api/tables" else NIM_TOUR
    right = token(server)
    elsewhere = {**right, "Origin": "http://elsewhere.example"}
    statuses = [
        (ask(server, "POST", there, body, headers).problem.status)
        for headers in ({}, {"Authorization": "Bearer guess"}, elsewhere)
    ]
    assert statuses == [401, 403, 403]


def test_a_page_of_our_own_may_act(server: Server) -> None:
    headers = {**token(server), "Origin": f"http://127.0.0.1:{server.port}"}
    assert ask(server, "POST", "/api/tables", NIM, headers).status == 200


def test_the_token_in_the_address_does_not_do(server: Server) -> None:
    secret = token(server)["Authorization"].removeprefix("Bearer ")
    said = ask(server, "POST", f"/api/tables?token={secret}", NIM)
    assert said.problem.code == "no_token"


def test_a_refusal_never_tells_the_token_that_was_tried(server: Server) -> None:
    said = ask(server, "POST", "/api/tables", NIM, {"Authorization": "Bearer S3cretGuess"})
    assert b"S3cretGuess" not in said.body
    assert "S3cretGuess" not in server.complaints()


def test_after_a_restart_the_organiser_is_the_same_player(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert write(server, "/api/tables", NIM).read(Done).table == 1
        server.kill()
    with serving(tmp_path) as server:
        assert write(server, "/api/tables", NIM).read(Done).table == 2
        count = ask(server, "GET", "/metrics").body
        assert b"\nrookery_players 1\n" in count
