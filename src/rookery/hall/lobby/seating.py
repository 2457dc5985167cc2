"""Opening tables, finding seats, and passing what is asked at a table on to the referee.

A seek is no thing of its own: a player who seeks sits down at the oldest open table of that
kind, or opens one and waits at it. So seeks are in the log like any table, and players
of different dialects find each other without knowing.
"""

from collections.abc import Callable, Sequence

from rookery.core.events import Opened, Rematched, Sat, Seeded
from rookery.core.game import VOIDED, Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, Status, TableId
from rookery.core.intents import (
    Abort,
    Open,
    Rematch,
    Say,
    Seek,
    Sit,
    TableIntent,
    TakeOver,
    TurnTold,
)
from rookery.core.messages import Done, Noted, Refused
from rookery.core.names import numbered
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.asking import Asking, Refusal, refuse, wrong_dialect
from rookery.hall.people.players import Player, hash_token
from rookery.hall.people.register import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.opening import read_opening
from rookery.hall.tables.privacy import check_code
from rookery.hall.tables.referee import Asker, begin, called_off, decide, ended_by, expelled
from rookery.hall.tables.registry import kind_of
from rookery.hall.tables.ruling import TableChange
from rookery.hall.tables.table import Table, advance, open_table


class Seating:
    """Brings players and tables together; `bots` names the games that the house has bots for."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        seeds: Callable[[], int],
        bots: frozenset[str] = frozenset(),
    ) -> None:
        self._warden = people.warden
        self._presence = people.presence
        self._register = people.register
        self._players = people.register.players
        self._conduct = people.register.conduct
        self._floor = floor
        self._seeds = seeds
        self._bots = bots

    def open(self, asking: Asking, intent: Open | Seek) -> None:
        """Open a table, or for a seek find one; tables are reserved for the organiser to open."""
        who, organiser = asking.who, self._presence.is_organiser(asking.session)
        opened = read_opening(intent, who.id)
        sits = isinstance(intent, Seek) or intent.sit
        if sits or not organiser:
            refuse(self._too_busy(who.id))
        if sits:
            refuse(_may_not_sit(who, opened))
        refuse(_no_such_seat(intent, opened) or self._no_bots(opened))
        found = self._found(who, opened) if isinstance(intent, Seek) else None
        if found is not None:
            self.at_table(asking, Sit(found))
            return
        if not organiser:
            refuse(self._warden.no_room(who.id, opened))
        refuse(self._too_full(organiser=organiser))
        self._open(asking, intent, opened)

    def _found(self, who: Player, opened: Opened) -> TableId | None:
        """The oldest open table that suits this player, who seeks one like `opened`."""
        unheard = self._conduct.unheard_by((who.id,))
        for table in self._floor.tables.open_like(kind_of(opened)):
            found = self._floor.tables.get(table)
            if found is None or who.id in found.seats or self._floor.chairs.is_deserted(found):
                continue
            if found.opened.private or (opened.unrated and not found.opened.unrated):
                continue
            if self._unwanted(found, who) or not unheard.isdisjoint(found.seats):
                continue
            if _agree(opened.house, found.opened.house, found.seats.count(None)):
                return table
        return None

    def _open(self, asking: Asking, intent: Open | Seek, opened: Opened) -> None:
        lock = hash_token(intent.code) if isinstance(intent, Open) and intent.code else ""
        changes, who, draft = self._lay(opened, lock=lock), asking.who, asking.draft
        table = changes[-1].table
        seat = None
        if isinstance(intent, Seek) or intent.sit:
            wanted = intent.seat if isinstance(intent, Open) else None
            ruling = decide(table, Asker(who.id, who.shown), Sit(table.id, wanted), draft.now)
            assert ruling.refused is None, "a new table has room for whoever opened it"
            changes += ruling.changes
            seat = changes[-1].table.seat_of(who.id)
        asking.tell(Done(table.id, seat))
        self._floor.commit(draft, changes)

    def may_not_sit(self, who: Player, opened: Opened) -> Refused | None:
        """Why this player may not have a seat at a new table like this; None if it may."""
        refused = self._too_busy(who.id) or _may_not_sit(who, opened)
        return refused or self._warden.no_room(who.id, opened) or self._too_full()

    def begin_with(
        self,
        draft: Draft,
        opened: Opened,
        sitters: Sequence[tuple[PlayerId, str]],
        seed: int | None = None,
    ) -> None:
        """Open a table with these players in its seats, from the first on, and start its game."""
        self._begin(draft, self._seated(draft, opened, sitters, seed))

    def expel(self, draft: Draft, table_id: TableId, seat: Seat, why: Forfeit) -> None:
        """Put a seat of a running game out, for a reason that lies outside the table."""
        table = self._floor.tables.get(table_id)
        if table is not None and table.status is Status.PLAYING and seat not in table.out:
            spent = table.clock.spent(seat, draft.now)
            self._floor.commit(draft, expelled(table, seat, why, spent).changes)

    def expel_from_all(self, draft: Draft, player: PlayerId, why: Forfeit) -> None:
        """Put a player out of every running game it is in."""
        for table_id in self._floor.tables.of_player(player):
            table = self._floor.tables.get(table_id)
            seat = None if table is None else table.seat_of(player)
            if seat is not None:
                self.expel(draft, table_id, seat, why)

    def call_off(self, draft: Draft, table_id: TableId) -> None:
        """End a running game because the organiser voided it: it counts for nothing."""
        table = self._floor.tables.get(table_id)
        if table is not None and table.status is Status.PLAYING:
            ruling = called_off(table, VOIDED, "The organiser voided the game.")
            self._floor.commit(draft, ruling.changes)

    def overrule(self, draft: Draft, table_id: TableId, outcome: Outcome) -> None:
        """End a running game with the outcome that the organiser entered for it."""
        table = self._floor.tables.get(table_id)
        if table is not None and table.status is Status.PLAYING:
            self._floor.commit(draft, ended_by(table, outcome).changes)

    def at_table(self, asking: Asking, intent: TableIntent) -> None:
        """Have the referee decide an intent at a table, and commit the ruling. Raises Refusal."""
        draft, who = asking.draft, asking.who
        table = self._floor.tables.get(intent.table)
        if table is None:
            raise Refusal(self._floor.tables.refusal(intent.table))
        if table.opened.private and not who.is_bot:
            code = intent.code if isinstance(intent, Sit) else ""
            check_code(table, asking.session, self._presence, code, self._warden, draft.now)
        refuse(self._refusal_at(asking, table, intent))
        # What others here said before their flags fell is decided first, as far as it is read.
        fell = table.clock.fallen(draft.now) is not None
        heard = self._floor.heard_until(table.seats, draft.now) if fell else draft.now
        sits = isinstance(intent, Sit) and table.status is Status.OPEN
        apart = self._players.apart(who.id, table.seats) if sits else None
        name = who.shown if apart is None else numbered(who.name, apart.number)
        ruling = decide(table, Asker(who.id, name), intent, draft.now, heard)
        after = ruling.changes[-1].table if ruling.changes else table
        # What is refused may be an event all the same, or come after a flag that fell.
        asking.tell(ruling.refused or Done(table.id, after.seat_of(who.id)))
        if not ruling.changes:
            return
        if apart is not None and ruling.refused is None:
            self._register.write(draft, apart)
        self._floor.tables.hold(table.id)
        self._floor.commit(draft, ruling.changes)
        if isinstance(intent, Rematch) and len(after.wishes) == len(after.seats):
            self._rematch(draft, after)

    def turn_told(self, asking: Asking, intent: TurnTold) -> None:
        """Note whether a turn has been told to its player: until then its clock stands."""
        table = self._floor.tables.get(intent.table)
        if table is not None:
            self._floor.turn_told(table, asking.who.id, asking.draft.now, told=intent.told)
        asking.tell(Noted())

    def take_over(self, asking: Asking, intent: TakeOver) -> None:
        """Let a player take over the seat of one who is gone. Raises Refusal."""
        draft, who = asking.draft, asking.who
        table = self._floor.tables.get(intent.table)
        if table is None:
            raise Refusal(self._floor.tables.refusal(intent.table))
        if who.id in table.seats or not self._floor.chairs.is_offered(
            table, intent.seat, draft.now
        ):
            raise Refusal(Refused("not_offered", "That seat cannot be taken over.", table.id))
        refuse(self._too_busy(who.id) or _may_not_sit(who, table.opened))
        asking.tell(Done(table.id, intent.seat))
        self._floor.chairs.take_over(draft, table, intent.seat, Asker(who.id, who.shown))

    def succeed(self, draft: Draft, table_id: TableId, was: PlayerId, who: Player) -> None:
        """Seat a person's new player where their old one (`was`) sits."""
        table = self._floor.tables.get(table_id)
        seat = None if table is None else table.seat_of(was)
        if table is not None and seat is not None and table.status is Status.PLAYING:
            self._floor.chairs.take_over(draft, table, seat, Asker(who.id, who.shown))

    def _too_full(self, *, organiser: bool = False) -> Refused | None:
        most = limits.TABLES_MAX - (0 if organiser else limits.TABLES_RESERVED)
        if self._floor.tables.unfinished() >= most:
            sentence = f"The hall is full, with {most} tables; come back later."
            return Refused("too_many", sentence)
        return None

    def _no_bots(self, opened: Opened) -> Refused | None:
        if not opened.house:
            return None
        game = opened.variant.partition(" ")[0]
        if game in self._bots:
            return None
        return Refused("no_bots", f"This server has no bots for {game}.")

    def _too_busy(self, player: PlayerId) -> Refused | None:
        if len(self._floor.tables.of_player(player)) >= limits.TABLES_A_PLAYER:
            return Refused(
                "too_many", f"A player has at most {limits.TABLES_A_PLAYER} seats at once."
            )
        return None

    def _refusal_at(self, asking: Asking, table: Table, intent: TableIntent) -> Refused | None:
        who = asking.who
        if isinstance(intent, Sit) and table.status is Status.OPEN:
            if self._unwanted(table, who):
                sentence = "Somebody who sits or waits there has blocked you."
                return Refused("blocked", sentence, table.id)
            its_own = table.id in self._floor.tables.of_player(who.id)
            busy = self._too_busy(who.id) or self._warden.no_room(who.id, table.opened)
            return (None if its_own else busy) or _may_not_sit(who, table.opened)
        if isinstance(intent, Rematch | Abort) and table.opened.tour is not None:
            sentence = "In a tour a game is neither called off nor played again by its players."
            return Refused("in_tour", sentence, table.id)
        if isinstance(intent, Rematch) and table.status is Status.OVER and who.id in table.seats:
            return self._too_full() or self._too_busy_again(table)
        if isinstance(intent, Say):
            if not self._floor.audiences.has(asking.session, table):
                return Refused("not_there", "Sit down or watch to talk at a table.", table.id)
            return self._conduct.may_not_speak(who, asking.draft.at)
        return None

    def _unwanted(self, table: Table, who: Player) -> bool:
        """Whether a player who sits at the table, or owns it, has blocked this one."""
        deaf = self._conduct.deaf_to(who.id)
        return bool(deaf) and not deaf.isdisjoint((*table.seats, table.owner))

    def _too_busy_again(self, table: Table) -> Refused | None:
        """Why one of those who played here may have no further seat; None if all may."""
        for player in table.seats:
            assert player is not None, "a game that was played has all its players"
            refused = self._too_busy(player) or self._warden.no_room(player, table.opened)
            if refused is not None:
                return refused
        return None

    def _rematch(self, draft: Draft, old: Table) -> None:
        """Start another game of the same players, in reversed order of seats.

        Reversed, everyone changes colour, and bughouse partners stay together. They bear their
        present names, which may not be those of the first game.
        """
        sitters = []
        for player in reversed(old.seats):
            assert player is not None, "a game that was played has all its players"
            sitters.append((player, self._players[player].name))
        changes = self._seated(draft, old.opened, sitters, lock=old.lock)
        self._floor.commit(draft, (_change(old, Rematched(changes[-1].table.id)),))
        self._begin(draft, changes)

    def _seated(
        self,
        draft: Draft,
        opened: Opened,
        sitters: Sequence[tuple[PlayerId, str]],
        seed: int | None = None,
        lock: str = "",
    ) -> tuple[TableChange, ...]:
        """Lay a new table with these in its seats, from the first on; nobody knows of it yet."""
        changes = self._lay(opened, seed, lock)
        for n, (player, came_as) in enumerate(sitters):
            called = self._register.tell_apart(draft, player, changes[-1].table.seats)
            name = called if self._players[player].name == came_as else came_as
            changes += (_change(changes[-1].table, Sat(Seat(n), player, name)),)
        return changes

    def _begin(self, draft: Draft, changes: tuple[TableChange, ...]) -> None:
        """Commit a table that is full, and start its game."""
        table = changes[-1].table
        # Everyone hears of everyone, also who sat down before them.
        audience = self._floor.audiences.now(table)
        self._floor.commit(draft, (*changes, *begin(table).changes), audience)

    def _lay(
        self, opened: Opened, seed: int | None = None, lock: str = ""
    ) -> tuple[TableChange, ...]:
        """Make a new table, opened and seeded; nobody knows of it until it is committed."""
        table = open_table(self._floor.tables.next_id(), opened)
        seeded = Seeded(self._seeds() if seed is None else seed, lock)
        return (TableChange(opened, (), table), _change(table, seeded))


def _agree(wish: int | None, house: int | None, free: int) -> bool:
    """Whether a seeker's wish about bots agrees with the table's, given its free seats."""
    if free == 0 or wish == house:
        return free > 0
    if wish or house:
        return False  # a bot of another level than was asked for, or one that nobody asked for
    # A seeker without a wish takes people too; one who wants no bots takes the last seat only.
    return wish is None or free == 1


def _may_not_sit(who: Player, opened: Opened) -> Refused | None:
    return wrong_dialect(opened.policy, who.dialect, "sit there")


def _no_such_seat(intent: Open | Seek, opened: Opened) -> Refused | None:
    if isinstance(intent, Seek) or intent.seat is None or 0 <= intent.seat < opened.seats:
        return None
    return Refused("no_such_seat", f"Such a table has seats 0 to {opened.seats - 1}.")


def _change(table: Table, event: Rematched | Sat | Seeded) -> TableChange:
    after, effects = advance(table, event)
    return TableChange(event, effects, after)
