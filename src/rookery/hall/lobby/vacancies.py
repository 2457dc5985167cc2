"""What waits for players: open tables, gatherings and rooms that are not full, lost seats.

The house bots' dispatcher, which fills empty seats, asks once in a while; nothing is kept for it
on the way. It costs as much as there are things that wait, and rooms. A table for players of one
dialect is not filled by others, and a match of a tour has its players.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from rookery.core.events import Left, Opened, Record, Sat
from rookery.core.ids import Micros, PlayerId, SessionId
from rookery.core.intents import EnterRoom, Gather, Sit, TakeOver
from rookery.hall.lobby.gatherings import Gatherings
from rookery.hall.lobby.rooms import Rooms
from rookery.hall.people.presence import Presence
from rookery.hall.tables.floor import Floor

Fill = Sit | Gather | EnterRoom | TakeOver


class Vacancy(Struct, frozen=True):
    """Players who wait: for how many more, since when, and the intent that joins them."""

    variant: str
    # When somebody last came or went, by the time of day; of a lost seat, when it can be had,
    # as clocks count.
    since: Micros
    missing: int
    players: tuple[PlayerId, ...]  # those who wait there
    sessions: tuple[SessionId, ...]  # their connections
    fill: Fill
    house: int | None = None  # the level of bots that was asked for; 0: none may come


def vacancies(
    floor: Floor, gatherings: Gatherings, rooms: Rooms, presence: Presence, dialect: str
) -> tuple[Vacancy, ...]:
    """All vacancies that players of this dialect could fill, tables first, the oldest first."""
    found = (
        *_tables(floor),
        *_gatherings(gatherings),
        *_rooms(rooms),
        *_offers(floor),
    )
    return tuple(
        Vacancy(
            opened.variant,
            since,
            missing,
            players,
            tuple(s for s in map(presence.session_of, players) if s is not None),
            fill,
            opened.house,
        )
        for opened, since, missing, players, fill in found
        if missing > 0 and opened.tour is None and opened.policy.only in ("", dialect)
    )


_Found = tuple[Opened, Micros, int, tuple[PlayerId, ...], Fill]


def _tables(floor: Floor) -> Iterator[_Found]:
    for table_id in floor.tables.open_ids():
        table = floor.tables.get(table_id)
        if table is not None and not floor.chairs.is_deserted(table):
            since = _changed(floor.tables.past(table_id))
            missing = table.seats.count(None)
            yield table.opened, since, missing, table.joined, Sit(table_id)


def _changed(past: Sequence[Record]) -> Micros:
    """When somebody last sat down at an open table or left it."""
    kinds = (Opened, Sat, Left)
    return next(record.at for record in reversed(past) if isinstance(record.event, kinds))


def _gatherings(gatherings: Gatherings) -> Iterator[_Found]:
    for kind, crowd in gatherings.crowds():
        opened = kind.opened
        fill = Gather(
            opened.variant,
            kind.least,
            opened.seats,
            kind.wait,
            rank=max(one.rank for one in crowd.waiting),  # behind those who came by themselves
            time=opened.time,
            policy=opened.policy,
        )
        players = tuple(one.player for one in crowd.waiting)
        yield opened, crowd.since, kind.least - len(players), players, fill


def _rooms(rooms: Rooms) -> Iterator[_Found]:
    for room in rooms.idle():
        opened, players = room.opened, rooms.waiting(room)
        if not players:
            continue  # those who are there only look on
        fill = EnterRoom(opened.room, opened.variant, opened.time, opened.policy)
        yield opened, room.since, opened.seats - len(players), players, fill


def _offers(floor: Floor) -> Iterator[_Found]:
    for offer in floor.chairs.offers():
        table = offer.table
        fill = TakeOver(table.id, offer.seat)
        yield table.opened, offer.since, 1, offer.waiting, fill
