"""Private tables: they are in no list, and for a stranger they are as if they were not there.

A session knows of such a table if it has its code, sits there, opened it or watches it; so do
house bots that were asked for, and the organiser, whose house it is. The log has only the
code's hash, beside the seed, which nobody is told.
"""

from hmac import compare_digest

from rookery.core.ids import Micros, SessionId
from rookery.core.messages import Refused
from rookery.core.network import API
from rookery.hall.people.asking import Refusal, refuse
from rookery.hall.people.players import hash_token
from rookery.hall.people.presence import Presence
from rookery.hall.people.warden import Warden
from rookery.hall.tables.table import Table


def opens(table: Table, code: str) -> bool:
    """Whether this code opens the private table."""
    return bool(code) and compare_digest(hash_token(code), table.lock)


def is_hidden(table: Table, session: SessionId, presence: Presence, code: str = "") -> bool:
    """Whether this session is not to know that there is such a table."""
    if not table.opened.private or opens(table, code):
        return False
    if presence.is_watching(session, table.id) or presence.is_organiser(session):
        return False
    mine = presence.players_of(session)
    return not any(player in table.seats or player == table.opened.by for player in mine)


def check_code(  # noqa: PLR0917 # all that a guess is judged by
    table: Table, session: SessionId, presence: Presence, code: str, warden: Warden, now: Micros
) -> None:
    """Refuse as `check_known` does, and count wrong codes against the session, as for tours.

    Codes that come over HTTP share a session; the web server counts them by host instead.
    """
    counts = bool(code) and table.opened.private and presence.host(session) != API
    if counts:
        refuse(warden.guesses_too_much(session, now))
    try:
        check_known(table, session, presence, code)
    except Refusal:
        if counts:
            warden.guessed(session, now)
        raise


def check_known(table: Table, session: SessionId, presence: Presence, code: str = "") -> None:
    """Refuse, as if there were no such table, where it is private and hidden from the session."""
    if is_hidden(table, session, presence, code):
        raise Refusal(Refused("no_table", f"There is no table {table.id}.", table.id))
