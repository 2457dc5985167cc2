"""What is wrong with a request, as a problem object (RFC 9457): a code, and a sentence.

The code is for programs, and the hall's own where the hall refused; the sentence is for
people. The headers that every answer has are here too.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ExceptionHandler

from rookery.core.messages import Refused

KIND: Final = "application/problem+json"
PLAIN: Final = "text/plain"

# What the hall says no to because of what is asked, not of how things stand.
_WRONG: Final = frozenset({"bad_option", "bad_code", "no_team", "bye"})
_MISSING: Final = frozenset({"no_table", "no_tour", "no_match", "no_entrant"})

_ROUTES: Final = {
    404: ("not_found", "There is nothing at that address; /api/docs says what there is."),
    405: ("bad_method", "That address takes no such method; /api/docs says which."),
}


class Problem(Struct, frozen=True):
    """Why a request was not done."""

    title: str
    status: int
    detail: str  # a sentence
    code: str  # a word for programs
    type: str = "about:blank"


class HttpProblem(Exception):
    """A request cannot be done; `problem` says why."""

    def __init__(
        self, status: HTTPStatus, code: str, sentence: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.problem = Problem(status.phrase, status.value, sentence, code)
        self.headers = headers


def refusal(refused: Refused) -> HttpProblem:
    """What the hall refused, as a problem."""
    match refused.code:
        case "bad_token":
            status = HTTPStatus.FORBIDDEN
        case "damaged":
            status = HTTPStatus.INTERNAL_SERVER_ERROR
        case "too_many":
            status = HTTPStatus.SERVICE_UNAVAILABLE
        case code if code in _MISSING:
            status = HTTPStatus.NOT_FOUND
        case code if code in _WRONG:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        case _:
            status = HTTPStatus.CONFLICT
    return HttpProblem(status, refused.code, refused.sentence)


def missing(sentence: str) -> HttpProblem:
    """There is no such thing."""
    return HttpProblem(HTTPStatus.NOT_FOUND, "not_found", sentence)


def damaged() -> HttpProblem:
    """It is there, or was, and its record cannot be read."""
    sentence = "The record of it is damaged and cannot be read; the server's log says more."
    return HttpProblem(HTTPStatus.INTERNAL_SERVER_ERROR, "damaged", sentence)


def respond(trouble: HttpProblem) -> Response:
    """The problem as an answer."""
    body = msgspec.json.encode(trouble.problem)
    return Response(body, trouble.problem.status, headers=trouble.headers, media_type=KIND)


def say(trouble: HttpProblem) -> Response:
    """The sentence as an answer, for who reads pages."""
    sentence = f"{trouble.problem.detail}\n".encode()
    return Response(sentence, trouble.problem.status, headers=trouble.headers, media_type=PLAIN)


# Starlette does in a thread what is no coroutine, which costs more than the answer.
async def _trouble(_: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HttpProblem), "Starlette sorts them"
    return respond(wrong)


async def _elsewhere(_: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException), "Starlette sorts them"
    status = HTTPStatus(wrong.status_code)
    code, sentence = _ROUTES.get(status, ("refused", f"{status.phrase}."))
    headers = None if wrong.headers is None else dict(wrong.headers)
    return respond(HttpProblem(status, code, sentence, headers))


# How an app answers what was raised on the way.
PROBLEM_HANDLERS: Final[Mapping[Any, ExceptionHandler]] = {
    HttpProblem: _trouble,
    HTTPException: _elsewhere,
}


# -- The headers that every answer has, whichever part of the server makes it.
#
# The page loads nothing from elsewhere and has no script or style in itself; a page of
# elsewhere may not show it, embed it, or keep a hand on its window.

HEADERS: Final = {
    # 'self' is the WebSocket of this address too (CSP level 3). The chess pieces are images
    # inside their style sheet.
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}
