"""What a request is: a short conversation with the hall that ends in one answer.

The conversation returns a `RequestAnswer`: the one line that is owed to the client, and the
lines that are broadcast to it right behind.
"""

from typing import TypeAlias

from msgspec import Struct

from rookery.core.ids import PlayerId, Seat, Status, TableId
from rookery.core.intents import Survey
from rookery.core.messages import Surveyed, SurveyedTable
from rookery.dialects.bughouse.profile import NAME
from rookery.dialects.bughouse.session import Session
from rookery.dialects.conversation import Conversation


class RequestAnswer(Struct, frozen=True):
    """The one line that answers a request, and the lines to broadcast right behind it."""

    line: str = ""
    then: tuple[str, ...] = ()


class Whereabouts(Struct, frozen=True):
    """The game and the seat that a player is in, and whether the game has begun."""

    table: TableId
    seat: Seat
    begun: bool


Asking: TypeAlias = Conversation[RequestAnswer]


def survey(
    *, table: TableId | None = None, player: PlayerId | None = None, waiting: bool = False
) -> Conversation[tuple[SurveyedTable, ...]]:
    """Ask the hall how games stand: one, a player's, or the oldest; `waiting`: not yet begun."""
    reply = yield Survey(NAME, table, player, waiting)
    return reply.tables if isinstance(reply, Surveyed) else ()


def game(session: Session, text: str) -> Conversation[SurveyedTable | None]:
    """Ask the hall how the game stands whose number this field is; None if there is none now."""
    table = session.ledger.game_at(text)
    if table is None:
        return None
    found = yield from survey(table=table)
    return found[0] if found else None


def whereabouts(session: Session, text: str) -> Conversation[Whereabouts | None]:
    """The game and seat of the player whose number this field is; just after the end, the last."""
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
