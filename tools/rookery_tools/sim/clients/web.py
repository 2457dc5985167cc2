"""People who ask over HTTP: a reader reads all there is, an organiser runs a tour.

Requests go over one connection for as long as it stands; answers are cut out of the bytes here.
"""

from collections import deque
from typing import Any, Final

import msgspec

from rookery_tools.sim.answers import ServerAnswers
from rookery_tools.sim.clients.native import CODE
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MILLI, SECOND
from rookery_tools.sim.machine.process import HOST, ORGANISER

# What a reader asks for; a number is drawn for {}.
PATHS: Final = (
    *("/api/tables", "/api/tables?status=playing", "/api/tables/{}", "/api/tables/{}/log"),
    *("/api/tables/{}/log", "/api/tables/{}/log", "/api/tables/{}/moments"),
    *("/api/tables/{}/state", "/api/tables/{}/file", "/api/players", "/api/players/{}"),
    *("/api/players/{}/games", "/api/tours", "/api/tours/{}", "/api/seeks", "/api/games"),
    *("/api/tables/{}/tryout", "/api/tables/{}/analysis?n=6", "/api/leaderboards/nim"),
    *("/healthz", "/metrics", "/api/server", "/", "/api/dialects", "/nowhere"),
)


def get(path: str) -> bytes:
    """The bytes of a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


def post(path: str, body: object = None, token: str = "") -> bytes:
    """The bytes of a POST request with this JSON body, and with this token if there is one."""
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\n"
    words = b"" if body is None else msgspec.json.encode(body)
    head += f"Authorization: Bearer {token}\r\n" if token else ""
    head += "Content-Type: application/json\r\n"
    return f"{head}Content-Length: {len(words)}\r\n\r\n".encode() + words


class Reader(WorldPerson):
    """A person who reads tables, players and tours over HTTP, one request after the other."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self._answers = ServerAnswers()

    def begin(self) -> bytes:
        """The bytes of the first request."""
        self._answers = ServerAnswers()
        return self._next()

    def hear(self, came: bytes) -> None:
        """Send the next request some time after each answer."""
        for _ in self._answers.feed(came):
            self.later(self.pause(), lambda: self.say(self._next()))

    def hurry(self) -> None:
        """Leave as the day ends."""
        self.leave()

    def _next(self) -> bytes:
        path = self.chance.choice(PATHS).replace("{}", str(self.chance.between(1, 12)))
        return get(path)


class WebOrganiser(WorldPerson):
    """A person who opens a tour over HTTP, starts it, and ends it as the day ends."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self._answers = ServerAnswers()
        self._owed: deque[str] = deque()  # what was asked and is not answered
        self._tour = 0  # of which it has heard
        self._looks = False  # again, in a while

    def begin(self) -> bytes:
        """The bytes that look at the tours on a new connection, to go on from there."""
        self._answers, self._looks = ServerAnswers(), False
        self._owed.clear()
        return self._look()

    def hear(self, came: bytes) -> None:
        """Do what follows from each answer, and look at the tours again once a second."""
        for status, body in self._answers.feed(came):
            if not self._owed:  # the answer to nothing that was asked
                self.hang_up()
                return
            self._answered(self._owed.popleft(), status, _read(body))
        if not self._looks:  # once a second, however many answers came
            self._looks = True
            self.later(SECOND, self._look_again)

    def _look_again(self) -> None:
        self._looks = False
        self.say(self._look())

    def hurry(self) -> None:
        """End every tour there is; then go."""
        self.say(self._look())

    def _ask(self, path: str) -> bytes:
        self._owed.append(path)
        return get(path)

    def _post(self, path: str, body: object = None) -> bytes:
        self._owed.append(path)
        return post(path, body, ORGANISER)

    def _look(self) -> bytes:
        """The bytes that ask for all tours; none while an answer is owed."""
        return b"" if self._owed else self._ask("/api/tours?limit=200")

    def _answered(self, asked: str, status: int, found: Any) -> None:  # Any: JSON
        match asked:
            case "/api/tours" if status == 200:
                self._tour = found["tour"]
            case "/api/tours?limit=200" if status == 200:
                self.say(self._go_on([one for one in found["tours"] if not _is_over(one)]))
            case _:
                pass

    def _go_on(self, tours: list[Any]) -> bytes:
        """The bytes that open a tour, start it or end it, by the tours there are."""
        if self.town.calm and not tours:
            self.later(100 * MILLI, self.leave)
            return b""
        if self.town.calm:
            doing = "cancel" if tours[0]["status"] == "open" else "end"
            return self._post(f"/api/tours/{tours[0]['tour']}/{doing}")
        if not tours and not self._tour:
            plan = {"variant": "nim sticks=2,3", "format": "round_robin", "time": "10s"}
            return self._post("/api/tours", {"plan": plan, "code": CODE})
        if tours and tours[0]["status"] == "open" and tours[0]["entrants"] > 1:
            return self._post(f"/api/tours/{tours[0]['tour']}/start")
        return b""


def _read(body: bytes) -> Any:  # Any: JSON
    """What an answer says; None where it says nothing that can be read."""
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None


def _is_over(line: Any) -> bool:  # Any: JSON
    return line["status"] in ("ended", "cancelled")
