"""Clocks over HTTP: what a text is taken for, so that a page need not read it itself."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.clock import clock_for, in_words, parse_time_control
from rookery.core.errors import Mistake
from rookery.games import find_game
from rookery.hall.limits import TIME_MAX
from rookery.server.web.api.calls import Asked, Call, unfit


class ClockWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock as somebody wrote it."""

    text: Annotated[str, Meta(max_length=TIME_MAX, description="a clock", examples=["5+3"])] = (
        "none"
    )
    game: Annotated[
        str, Meta(max_length=40, description="the game whose phases it may name; any if empty")
    ] = ""


class ClockRead(Struct, frozen=True):
    """What it was taken for: `time` is how the server writes it, `words` a sentence."""

    time: str
    words: str


async def read_clock(asked: Asked) -> ClockRead:
    """What a clock's text is taken for."""
    wanted = asked.query(ClockWanted)
    try:
        if wanted.game:
            control = clock_for(wanted.text, find_game(wanted.game)())
        else:
            control = parse_time_control(wanted.text)
    except Mistake as wrong:
        raise unfit(str(wrong)) from None
    return ClockRead(str(control), in_words(control))


CALLS: Final = (
    Call(
        "GET",
        "/api/clock",
        "What a clock's text is taken for",
        "tables",
        read_clock,
        ClockRead,
        query=ClockWanted,
    ),
)
