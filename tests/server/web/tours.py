"""Tours over HTTP: opened and started by the organiser, and how a request is refused."""

from msgspec import Struct

from rookery.core.messages import Done, TourMade
from tests.server.process import Server
from tests.server.web.asking import Answer, Entrant, write

NIM_TOUR = b'{"plan":{"variant":"nim"},"code":""}'
SWISS = b'{"plan":{"variant":"nim","format":"swiss rounds=3"},"code":""}'


class Refusal(Struct, frozen=True):
    status: int
    code: str
    sentence: str


def refusal(answer: Answer) -> Refusal:
    return Refusal(answer.status, answer.problem.code, answer.problem.detail)


def opened(server: Server, body: bytes = NIM_TOUR) -> int:
    made = write(server, "/api/tours", body).read(TourMade)
    return made.tour


def running(server: Server, pair: tuple[Entrant, Entrant], body: bytes = NIM_TOUR) -> int:
    tour = opened(server, body)
    for entrant in pair:
        entrant.join(tour)
    assert write(server, f"/api/tours/{tour}/start").read(Done) == Done()
    return tour
