"""What the organiser decides by hand over HTTP: results, seeds; and TRF files."""

from contextlib import ExitStack

import msgspec

from rookery.core.messages import Done, Matches
from rookery.notation.trf_reading import read_trf
from tests.server.process import Server
from tests.server.web.asking import Entrant, ask, write
from tests.server.web.tours import SWISS, opened, refusal, running


def test_a_result_is_entered_and_corrected(server: Server, pair: tuple[Entrant, Entrant]) -> None:
    tour = running(server, pair, b'{"plan":{"variant":"nim","stays":true},"code":""}')
    for places in ([1, 2], [2, 1]):
        body = msgspec.json.encode({"places": places, "reason": "Played at the board."})
        assert write(server, f"/api/tours/{tour}/matches/1/result", body).read(Done) == Done()
        (match,) = ask(server, "GET", f"/api/tours/{tour}/matches").read(Matches).matches
        assert match.result is not None
        assert list(match.result.places) == places
        assert match.result.by_hand
    said = refusal(write(server, f"/api/tours/{tour}/matches/2/result", b'{"places":[1,2]}'))
    assert (said.status, said.code) == (404, "no_match")
    said = refusal(write(server, f"/api/tours/{tour}/matches/1/result", b'{"places":[1]}'))
    assert said.code == "bad_result"


def test_seeds_are_given_by_hand(server: Server, pair: tuple[Entrant, Entrant]) -> None:
    tour = opened(server, b'{"plan":{"variant":"nim","seeding":"hand"},"code":""}')
    for entrant in pair:
        entrant.join(tour)
    path = f"/api/tours/{tour}/seeds"
    start = f"/api/tours/{tour}/start"
    assert refusal(write(server, start)).code == "bad_seeds"
    assert refusal(write(server, path, b'{"order":[1,3]}')).code == "no_entrant"
    assert refusal(write(server, path, b'{"order":[1,1]}')).code == "bad_seeds"
    assert write(server, path, b'{"order":[2,"x"]}').problem.status == 422
    assert write(server, path, b'{"order":[2]}').read(Done) == Done()
    assert write(server, start).read(Done) == Done()
    (match,) = ask(server, "GET", f"/api/tours/{tour}/matches").read(Matches).matches
    assert match.sides == (2, 1)
    said = refusal(write(server, path, b'{"order":[1]}'))
    assert (said.status, said.code) == (409, "too_late")


def test_seeds_of_a_plan_that_has_others_are_refused(
    server: Server, pair: tuple[Entrant, Entrant]
) -> None:
    tour = opened(server)
    pair[0].join(tour)
    said = refusal(write(server, f"/api/tours/{tour}/seeds", b'{"order":[1]}'))
    assert said.sentence == f"The plan of tour {tour} says to seed by the order of joining."


# -- as a file


def test_a_tour_is_exported_as_trf(server: Server, pair: tuple[Entrant, Entrant]) -> None:
    tour = running(server, pair, SWISS)
    said = ask(server, "GET", f"/api/tours/{tour}/export?as=trf")
    assert said.status == 200
    assert said.headers["content-type"].startswith("text/plain")
    assert f'"tour-{tour}.trf"' in said.headers["content-disposition"]
    report = read_trf(said.body.decode())
    assert [line.name for line in report.lines] == ["ann", "bob"]
    assert (report.kind, report.rounds) == ("Individual: Swiss-System (Dutch)", 3)


def test_a_tour_that_trf_has_no_room_for_is_refused_with_a_sentence(server: Server) -> None:
    tour = opened(server, b'{"plan":{"variant":"fish","format":"groups","seats":4},"code":""}')
    with ExitStack() as calls:
        for name in ("ann", "bob", "cid", "dot"):
            calls.enter_context(Entrant(server, name)).join(tour)
        assert write(server, f"/api/tours/{tour}/start").read(Done) == Done()
        said = refusal(ask(server, "GET", f"/api/tours/{tour}/export?as=trf"))
    assert (said.status, said.code) == (422, "bad_option")
    assert said.sentence.endswith(".")
