"""The formats of tours over HTTP: what each declares of itself, for whoever opens one."""

from inspect import getdoc
from typing import Final

from msgspec import Struct

from rookery.core.options import Option, options_of
from rookery.core.presentation import first_sentence
from rookery.hall.tours.formats import FORMATS
from rookery.hall.tours.formats.base import Format
from rookery.server.web.api.calls import Asked, Call, Nothing


class ListedFormat(Struct, frozen=True):
    """A format: what can be set, and who may join it when."""

    name: str
    about: str  # the first sentence that it says of itself
    options: tuple[Option, ...]
    late: bool  # whether one may join after the start
    solo: bool  # whether it makes the teams itself: entrants are single players
    seeded: bool  # whether seeds may be drawn otherwise than by who came first
    most: int  # entrants it can have


class FormatList(Struct, frozen=True, tag="formats"):
    """The formats there are."""

    formats: tuple[ListedFormat, ...]


async def list_formats(asked: Asked) -> FormatList:
    """The formats there are, those of plug-ins last."""
    asked.query(Nothing)
    return FormatList(tuple(map(_listed, FORMATS.values())))


def _listed(one: type[Format]) -> ListedFormat:
    return ListedFormat(
        name=one.name,
        about=first_sentence(getdoc(one) or ""),
        options=options_of(one),
        late=one.late,
        solo=one.solo,
        seeded=one.seeded,
        most=one.most,
    )


CALLS: Final = (
    Call(
        "GET",
        "/api/formats",
        "The formats of tours there are, and what can be set",
        "tours",
        list_formats,
        FormatList,
        query=Nothing,
    ),
)
