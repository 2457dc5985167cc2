"""What a request is: a short conversation with the hall that ends in one answer.

It returns an `RequestAnswer`: the one line that is owed, and what is broadcast to this connection
right behind it.
"""

from typing import TypeAlias

from msgspec import Struct

from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import Survey
from rookery.core.messages import Surveyed, SurveyedTable
from rookery.core.status import Status
from rookery.dialects.bughouse.manners import NAME
from rookery.dialects.bughouse.session import Session
from rookery.dialects.conversation import Conversation


class RequestAnswer(Struct, frozen=True):
    """The one line that is owed, and what is said unasked behind it."""

    line: str = ""
    then: tuple[str, ...] = ()


class Whereabouts(Struct, frozen=True):
    """Where a player is: which game, which seat, and whether it has begun."""

    table: TableId
    seat: Seat
    begun: bool


Asking: TypeAlias = Conversation[RequestAnswer]


def survey(
    *, table: TableId | None = None, player: PlayerId | None = None, waiting: bool = False
) -> Conversation[tuple[SurveyedTable, ...]]:
    """The open and running games, or those that wait: the oldest, one, or a player's."""
    reply = yield Survey(NAME, table, player, waiting)
    return reply.tables if isinstance(reply, Surveyed) else ()


def game(session: Session, text: str) -> Conversation[SurveyedTable | None]:
    """How the game stands that this field means; None if there is none, or no more."""
    table = session.ledger.game_at(text)
    if table is None:
        return None
    found = yield from survey(table=table)
    return found[0] if found else None


def whereabouts(session: Session, text: str) -> Conversation[Whereabouts | None]:
    """Where the player is that this field means; just after the end, where it was."""
    player = session.ledger.player_at(text)
    if player is None:
        return None
    for standing in (yield from survey(player=player)):
        seat = Seat(standing.seats.index(player))
        return Whereabouts(standing.table, seat, standing.status == Status.PLAYING)
    memory = session.memory_of(player=player)
    if memory is None:
        return None
    return Whereabouts(memory.table, Seat(memory.seats.index(player)), begun=True)
