"""Challenges: a player who waits at a table asks a connected player to come.

The guest hears it at once, and once for each table; nothing of it is in the log.
"""

from collections import Counter
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Status, TableId
from rookery.core.intents import Challenge
from rookery.core.messages import Done, Notice, Refused
from rookery.core.network import home_of
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.register import People
from rookery.hall.tables.answers import find
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.privacy import check_known, opens

A_TABLE: Final = 8  # people that are asked to one table; to ask more is to ask everybody
AGAIN: Final[Micros] = 10 * MICROS_A_SECOND  # until one is asked again from the same home
KEPT: Final = 10_000  # that are remembered; then anybody may be asked again


class Challenges:
    """Remembers which players were asked to which tables."""

    def __init__(self, floor: Floor, people: People) -> None:
        self._floor = floor
        self._presence = people.presence
        self._conduct = people.register.conduct
        self._asked: set[tuple[TableId, PlayerId]] = set()
        self._counts: Counter[TableId] = Counter()
        self._next: dict[tuple[str, PlayerId], Micros] = {}  # when a home may ask somebody again

    def send(self, asking: Asking, intent: Challenge) -> None:
        """Tell the guest of the challenge. Raises Refusal."""
        who, table = asking.who, find(self._floor, intent.table)
        check_known(table, asking.session, self._presence)
        if who.id not in table.seats or table.status is not Status.OPEN:
            raise _no(table.id, "not_seated", "Sit at a table that waits for players to challenge.")
        if table.opened.private and not opens(table, intent.code):
            raise _no(table.id, "bad_code", "That is not the code of your table.")
        session = self._presence.session_of(intent.guest)
        if intent.guest in table.seats or session is None:
            raise _no(table.id, "not_there", "They are not here just now, or sit there already.")
        if self._conduct.has_blocked(intent.guest, who.id):
            raise _no(table.id, "blocked", "They take no challenges from you.")
        if not self._presence.manners(session).challenges:
            raise _no(table.id, "wrong_dialect", "Their program has no word for challenges.")
        key = (table.id, intent.guest)
        if key in self._asked or self._counts[table.id] >= A_TABLE:
            raise _no(table.id, "asked_before", "You have asked them already, or enough others.")
        pair, now = (home_of(self._presence.host(asking.session)), intent.guest), asking.draft.now
        if now < self._next.get(pair, now):
            raise _no(table.id, "asked_before", "They were asked just now; wait a little.")
        if len(self._asked) >= KEPT:
            self._asked.clear()
            self._counts.clear()
            self._next.clear()
        self._next[pair] = now + AGAIN
        self._asked.add(key)
        self._counts[table.id] += 1
        opened = table.opened
        clock = "no clock" if opened.time == "none" else opened.time
        link = f"/tables/{table.id}{f'?code={intent.code}' if opened.private else ''}"
        sentence = f"{who.shown} challenges you to {opened.variant}, {clock}: {link}"
        asking.draft.tell(session, Notice("challenged", sentence))
        asking.tell(Done(table.id))


def _no(table: TableId, code: str, sentence: str) -> Refusal:
    return Refusal(Refused(code, sentence, table))
