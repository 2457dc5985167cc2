"""Watching: who is told of which table or lobby from now on."""

from rookery.core.ids import SessionId
from rookery.core.intents import Unwatch, Watch, WatchLobby
from rookery.core.messages import Done, Refused
from rookery.hall.batch import Draft
from rookery.hall.people.presence import Presence
from rookery.hall.tables.answers import may_not_watch, past_page
from rookery.hall.tables.floor import Floor


def listen(
    draft: Draft,
    session: SessionId,
    intent: Watch | Unwatch | WatchLobby,
    floor: Floor,
    presence: Presence,
) -> None:
    """A session wants to hear of something, or no more."""
    match intent:
        case Watch():
            _watch(draft, session, intent, floor, presence)
        case Unwatch(table):
            presence.unwatch(session, table)
            draft.tell(session, Done(table))
        case WatchLobby(game):
            presence.watch_lobby(session, game)
            draft.tell(session, Done())


def _watch(
    draft: Draft, session: SessionId, intent: Watch, floor: Floor, presence: Presence
) -> None:
    refused = may_not_watch(presence, session, intent.table)
    reply = refused or past_page(floor, session, intent.table, intent.since)
    if not isinstance(reply, Refused):
        presence.watch(session, intent.table)
    draft.tell(session, reply)
