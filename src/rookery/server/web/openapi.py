"""The OpenAPI document, made from the calls and the very types they read and answer with."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from rookery import __version__
from rookery.server.web.problems import KIND, Problem
from rookery.server.web.routes import JSON, Call

# By the names of classes that are called otherwise; all others go by their own.
CALLED: Final[dict[str, str]] = {}


def called(kind: str) -> str:
    """What the class of this name is called outside."""
    return CALLED.get(kind, kind)


# -- The OpenAPI document, made from the calls and the very types they read and answer with.

# Any: JSON, as deep as it goes.
Json = dict[str, Any]

_SCHEMAS: Final = "#/components/schemas/"
_REFUSAL: Final = "#/components/responses/{status}"
_ABOUT: Final = (
    "What the hall knows, and what its organiser may do. Whatever is refused is answered by a "
    "problem object (RFC 9457) with a sentence in `detail` and a word for programs in `code`. "
    "Times are whole microseconds. Long lists come in pages: give `next` of one as `after` to "
    "have the next."
)
_PROOF: Final = (
    "The organiser's token: the server prints it at its first start, and keeps it in "
    "`organiser.token` beside its log."
)
_REFUSED: Final = {
    400: "The body cannot be read",
    401: "A token is needed",
    403: "That is not the token, or not the way or the name to send it by",
    404: "There is no such thing",
    409: "Not as things stand",
    413: "The body is too long",
    422: "Something given does not fit",
    429: "Too many requests from one host; `Retry-After` says when to come back",
    500: "The record of it in the log is damaged",
    503: "The server is busy, going down, or cannot write its log",
}
_HEADERS: Final[dict[int, Json]] = {
    401: {"WWW-Authenticate": {"schema": {"const": "Bearer"}, "required": True}},
    429: {
        "Retry-After": {
            "description": "seconds",
            "schema": {"type": "integer", "minimum": 1},
            "required": True,
        }
    },
}


def document(calls: Sequence[Call]) -> Json:
    """The whole document."""
    types: list[type[Struct]] = [Problem]
    for call in calls:
        types += [kind for kind in (call.answer, call.body, call.at, call.query) if kind]
    kinds = list(dict.fromkeys(types))
    made = msgspec.json.schema_components(kinds, ref_template=f"{_SCHEMAS}{{name}}")
    by_kind = dict(zip(kinds, map(_called, made[0]), strict=True))
    schemas: Json = {called(name): _called(schema) for name, schema in made[1].items()}
    shown = {by_kind[kind]["$ref"] for call in calls for kind in (call.at, call.query) if kind}
    paths: Json = {}
    for call in calls:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, by_kind, schemas)
    statuses = sorted({status for call in calls for status in _statuses(call)})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rookery",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": topic} for topic in dict.fromkeys(call.topic for call in calls)],
        "paths": paths,
        "components": {
            "schemas": {n: s for n, s in schemas.items() if f"{_SCHEMAS}{n}" not in shown},
            "responses": {str(status): _refusal(status, by_kind[Problem]) for status in statuses},
            "securitySchemes": {
                "organiser": {"type": "http", "scheme": "bearer", "description": _PROOF}
            },
        },
    }


def _called(made: Any) -> Any:  # Any: JSON
    """The same with every type called as it is outside."""
    match made:
        case dict():
            return {
                name: called(one) if name == "title" and isinstance(one, str) else _called(one)
                for name, one in made.items()
            }
        case str() if made.startswith(_SCHEMAS):
            return f"{_SCHEMAS}{called(made.removeprefix(_SCHEMAS))}"
        case list():
            return [_called(one) for one in made]
        case _:
            return made


def _operation(call: Call, by_kind: dict[type[Struct], Json], schemas: Json) -> Json:
    found: Json = {
        "operationId": call.name,
        "summary": call.about,
        "tags": [call.topic],
        "parameters": [
            *_parameters("path", call.at, by_kind, schemas),
            *_parameters("query", call.query, by_kind, schemas),
        ],
        "responses": {"200": _answer(call, by_kind)},
    }
    for status in _statuses(call):
        found["responses"][str(status)] = {"$ref": _REFUSAL.format(status=status)}
    if call.body is not None:
        body: Json = {"schema": by_kind[call.body]}
        if call.example is not None:
            body["example"] = msgspec.to_builtins(call.example)
        found["requestBody"] = {"required": True, "content": {JSON: body}}
    if call.writes:
        found["security"] = [{"organiser": []}]
    return found


def _answer(call: Call, by_kind: dict[type[Struct], Json]) -> Json:
    schema = {"type": "string"} if call.answer is None else by_kind[call.answer]
    # A file of JSON is described by what it is, not by how it is laid out.
    content = {
        kind: {"schema": {} if call.answer is None and kind == JSON else schema}
        for kind in call.kinds
    }
    return {"description": call.about, "content": content}


def _refusal(status: int, problem: Json) -> Json:
    found: Json = {"description": _REFUSED[status], "content": {KIND: {"schema": problem}}}
    if status in _HEADERS:
        found["headers"] = _HEADERS[status]
    return found


def _statuses(call: Call) -> list[int]:
    """How a call may be refused."""
    found = {403, 429, 500, 503, *call.refusals}
    if call.query is not None:
        found.add(422)
    if call.at is not None:
        found.add(404)
    if call.writes:
        found |= {401, 409, 422}
    if call.anyone:
        found |= {404, 409, 422}
    if call.body is not None:
        found |= {400, 413}
    return sorted(found)


def _parameters(
    where: str, kind: type[Struct] | None, by_kind: dict[type[Struct], Json], schemas: Json
) -> list[Json]:
    if kind is None:
        return []
    schema = schemas[by_kind[kind]["$ref"].rpartition("/")[2]]
    found = []
    for name, described in schema["properties"].items():
        rest = dict(described)
        about = rest.pop("description", "")
        required = where == "path" or name in schema.get("required", ())
        found.append(
            {"name": name, "in": where, "required": required, "description": about, "schema": rest}
        )
    return found
