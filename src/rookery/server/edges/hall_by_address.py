"""Which hall is meant: by the port that was called, the path (`/h/NAME/`), or the host's name.

A path beats a name, and a name beats the port. Clients that speak no HTTP have only the port.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rookery.server.config import HallPlace
from rookery.server.web.api.problems import missing
from rookery.server.web.guard.admission import name_in

PREFIX: Final = "/h/"
HALL: Final = "rookery.hall"  # in a request's scope: which hall it is for
NO_SUCH_HALL: Final = "There is no hall of that name here."
BY_PATH: Final = "rookery.by_path"  # in a request's scope: whether its path said so


class Chosen(Struct, frozen=True):
    """The hall that a request means, and the path within that hall."""

    hall: str
    path: str
    by_path: bool


class Choosing:
    """How callers of one port say which hall they mean."""

    def __init__(self, usual: str, halls: Collection[str], places: Iterable[HallPlace]) -> None:
        self._usual = usual
        self._halls = halls
        self._named = {name: place.hall for place in places for name in place.names}

    def choose(self, path: str, hosts: Sequence[str]) -> Chosen:
        """Find the hall that a request means, whether or not there is such a hall."""
        if path.startswith(PREFIX):
            hall, _, rest = path.removeprefix(PREFIX).partition("/")
            return Chosen(hall, f"/{rest}", by_path=True)
        named = [self._named[name] for name in map(name_in, hosts) if name in self._named]
        return Chosen(named[0] if named else self._usual, path, by_path=False)

    def hall_at(self, path: str, hosts: Sequence[str]) -> tuple[str, str]:
        """The hall that is meant, and the path in it. Raises Trouble if there is no such hall."""
        chosen = self.choose(path, hosts)
        if chosen.hall not in self._halls:
            raise missing(NO_SUCH_HALL)
        return chosen.hall, chosen.path


class ChoosesHall:
    """Middleware: notes in every request which hall it is for, and takes that off its path."""

    def __init__(self, app: ASGIApp, choosing: Choosing) -> None:
        self._app = app
        self._choosing = choosing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the hall, and pass the request on."""
        chosen = self._choosing.choose(scope["path"], Headers(scope=scope).getlist("host"))
        scope = {**scope, HALL: chosen.hall, BY_PATH: chosen.by_path}
        if chosen.by_path:
            raw: bytes = scope.get("raw_path") or scope["path"].encode()
            rest = raw.removeprefix(PREFIX.encode()).partition(b"/")[2]
            scope.update(path=chosen.path, raw_path=b"/" + rest)
        await self._app(scope, receive, send)
