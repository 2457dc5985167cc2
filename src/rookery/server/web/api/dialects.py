"""The dialects there are over HTTP: what each declares of its clients, for whoever connects one."""

from typing import Final

from msgspec import Struct

from rookery.core.manners import FirstLines, Manners, Words
from rookery.core.plugin import HOUSE
from rookery.dialects import LANGUAGES, origin_of
from rookery.server.web.api.calls import Asked, Call, Nothing


class ListedDialect(Struct, frozen=True):
    """A dialect: what its clients say and can do; `words` is missing where it has all games."""

    name: str
    hello: str  # what the client of one `ann` says first
    words: tuple[Words, ...] | None
    named: bool  # whether its players have names
    tables: bool  # whether they come to tables that others have opened
    teams: bool  # whether they can say for whom they play
    tours: bool  # whether they can say which tour they mean
    joins: str  # what they say to join one by {code}
    joins_open: str  # … and a {tour} without a code
    farewells: bool  # whether they can take leave at its end
    websocket: str  # where it is spoken in one; empty where it is not
    about: str  # what it is like, for people
    first_session: tuple[FirstLines, ...]  # lines to try it by hand; where there are none, `hello`
    docs: str  # its page here; empty where it has none, as it came with a plug-in


class DialectList(Struct, frozen=True, tag="dialects"):
    """The dialects there are."""

    dialects: tuple[ListedDialect, ...]


async def list_dialects(asked: Asked) -> DialectList:
    """The dialects there are, in the order in which they are recognised."""
    asked.query(Nothing)
    return DialectList(tuple(map(_listed, LANGUAGES)))


def _listed(one: Manners) -> ListedDialect:
    return ListedDialect(
        name=one.name,
        hello=one.hello,
        words=one.words,
        named=one.named,
        tables=one.tables,
        teams=one.teams,
        tours=one.tours,
        joins=one.joins,
        joins_open=one.joins_open,
        farewells=one.farewells,
        websocket=f"/ws/{one.name}" if one.message_max else "",
        about=one.about,
        first_session=one.first_session,
        docs=docs_of(one.name),
    )


def docs_of(name: str) -> str:
    """Where a dialect's page is among the documentation; only the house's own have one there."""
    return f"/docs/dialects/{name}" if origin_of(name) == HOUSE else ""


CALLS: Final = (
    Call(
        "GET",
        "/api/dialects",
        "The dialects there are, and what their clients say",
        "health",
        list_dialects,
        DialectList,
        query=Nothing,
    ),
)
