"""Watching: who is told of which table or lobby from now on."""

from rookery.core.intents import Unwatch, Watch, WatchLobby
from rookery.core.messages import Done
from rookery.hall.people.asking import Asking
from rookery.hall.people.presence import Presence
from rookery.hall.tables.answers import check_watch, find, past_page
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.rulings.privacy import check_code


def listen(
    asking: Asking, intent: Watch | Unwatch | WatchLobby, floor: Floor, presence: Presence
) -> None:
    """Begin or stop telling a session of a table, or begin telling it of a lobby."""
    match intent:
        case Watch(table, since, code, glance):
            check_watch(presence, asking.session, table)
            found, now = find(floor, table), asking.draft.now
            check_code(found, asking.session, presence, code, floor.warden, now)
            past = past_page(floor, asking.session, table, since)
            presence.watch(asking.session, table, glance=glance)
            asking.tell(past)
        case Unwatch(table):
            presence.unwatch(asking.session, table)
            asking.tell(Done(table))
        case WatchLobby(game):
            presence.watch_lobby(asking.session, game)
            asking.tell(Done())
