"""Seats whose players are away: until when they may come back, and what follows if they do not.

In a game not begun the seat is given up, unless it is kept. In a running one its player has the
table's grace to come back, and then the table's policy decides: the seat is lost, somebody may
take it over, or the game waits, though not for ever if everyone is gone. After a restart every
seat is away, and after the loss of an edge every seat that was connected through it; for that
first period neither clock nor grace runs.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeAlias

from msgspec import Struct, structs
from msgspec.structs import replace

from rookery.core import events
from rookery.core.clock import left_out
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId
from rookery.core.policy import Gone
from rookery.hall.batch import Draft
from rookery.hall.limits import HOLD_BACK, KEPT_TABLES, OFFERED
from rookery.hall.people.players import Home
from rookery.hall.people.presence import Presence
from rookery.hall.tables import referee
from rookery.hall.tables.audience import tell_of_absence
from rookery.hall.tables.referee import Asker, called_off, gone
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tables.ruling import Ruling, TableChange
from rookery.hall.tables.table import Table, evolve
from rookery.hall.tables.wakeups import Wakeups

Chair: TypeAlias = tuple[TableId, Seat]


class Away(Struct, frozen=True):
    """A seat's player is not connected."""

    player: PlayerId
    since: Micros
    until: Micros
    restarted: bool = False  # the server was away, and the seat's own grace has not begun
    long: bool = False  # away for the whole patience of a game on hold


class Absence:
    """The empty chairs of running games."""

    def __init__(self, way_back: Callable[[PlayerId], Home | None]) -> None:
        self._way_back = way_back
        self._away: dict[TableId, dict[Seat, Away]] = {}
        # Chairs in the order they were left, by host, dialect and name, and by all names.
        self._left: dict[tuple[str, str, str | None], dict[Chair, PlayerId]] = {}

    def begin(self, table: TableId, seat: Seat, away: Away) -> None:
        """Note that the seat's player is away, since when, and until when the seat waits."""
        self._away.setdefault(table, {})[seat] = away
        for key in self._keys(away.player):
            self._left.setdefault(key, {})[table, seat] = away.player

    def put_off(self, table: TableId, seat: Seat, until: Micros, *, long: bool) -> None:
        """Let the seat wait until another moment, and note whether it counts as away for long."""
        self._away[table][seat] = replace(self._away[table][seat], until=until, long=long)

    def leave_out(self, since: Micros, until: Micros) -> None:
        """Let no seat's time away count this time, in which its player could not come back."""
        for seats in self._away.values():
            for seat, away in seats.items():
                more = left_out(away.since, since, until) - away.since
                seats[seat] = replace(away, until=away.until + more)

    def end(self, table: TableId, seat: Seat) -> None:
        """Forget that the seat is away: its player is back, or is waited for no more."""
        seats = self._away.get(table)
        if seats is not None:
            away = seats.pop(seat, None)
            if away is not None:
                self._unleave((table, seat), away.player)
            if not seats:
                del self._away[table]

    def forget(self, table: TableId) -> None:
        """Forget all seats that are away from this table, because its game is over."""
        for seat, away in self._away.pop(table, {}).items():
            self._unleave((table, seat), away.player)

    def left_from(self, host: str, dialect: str, name: str | None) -> Iterable[Chair]:
        """Chairs that players of this host, dialect and name (None: any) left, oldest first."""
        return self._left.get((host, dialect, name), {}).keys()

    def of(self, table: TableId) -> dict[Seat, Away]:
        """The seats that are away from this table, each with since when and until when."""
        return self._away.get(table, {})

    def held(self, table: TableId, seat: Seat) -> bool:
        """Whether the seat's clock waits: the server was away, and the player is not back yet."""
        at_table = self._away.get(table)
        if at_table is None:  # nearly always
            return False
        away = at_table.get(seat)
        return away is not None and away.restarted

    def due(self, table: TableId, now: Micros) -> list[Seat]:
        """The seats of this table whose time away is over by `now`, the lowest first."""
        return sorted(seat for seat, away in self.of(table).items() if away.until <= now)

    def deadline(self, table: TableId) -> Micros | None:
        """When the first of the table's absent players must be back; None if nobody is away."""
        return min((away.until for away in self.of(table).values()), default=None)

    def _keys(self, player: PlayerId) -> tuple[tuple[str, str, str | None], ...]:
        # No player takes another name while away, so the keys are the same at the end.
        way = self._way_back(player)
        if way is None:
            return ()
        host, dialect, name = way
        return (host, dialect, name), (host, dialect, None)

    def _unleave(self, chair: Chair, player: PlayerId) -> None:
        for key in self._keys(player):
            chairs = self._left[key]
            del chairs[chair]
            if not chairs:
                del self._left[key]


# A seat that has been away for the whole patience is marked, and its game ends when all seats
# still in it are marked. One player who stays keeps a game for as long as they like. After a
# restart nobody knows who was there: a player who is not back soon counts as away since the last
# thing that happened at the table, or a server that is restarted every day would keep such games
# for good.
class Holding:
    """Decides how long a game on hold waits when all its players are away."""

    def __init__(
        self, tables: TableRegistry, absence: Absence, timers: Wakeups[TableId], *, patience: Micros
    ) -> None:
        self._tables = tables
        self._absence = absence
        self._timers = timers
        self.patience = patience

    def cut_off(self, table: Table, seat: Seat, player: PlayerId, now: Micros) -> None:
        """Mark a seat as away because the server went; for one grace nothing runs against it."""
        until = now + table.opened.policy.grace
        self._absence.begin(table.id, seat, Away(player, now, until, restarted=True))
        self._timers.look(table.id, until)

    def was_there(self, player: PlayerId) -> None:
        """Stop the clocks of a player who never hung up, and was told that no clock runs.

        What a clock has run since the grace after the server's absence is not counted.
        """
        for table_id in self._tables.of_player(player):
            table = self._tables.get(table_id)
            seat = None if table is None else table.seat_of(player)
            if table is not None and seat is not None and seat in self._absence.of(table_id):
                self._tables.put(structs.replace(table, clock=table.clock.stop(seat)))

    def after_restart(self, table: Table, seat: Seat, now: Micros) -> None:
        """Set how long to wait for a seat that is not back after the grace of a restart."""
        last = self._tables.past(table.id)[-1].at
        until = max(last + self.patience, now + min(self.patience, HOLD_BACK))
        self._put_off(table, seat, until, long=False)

    def is_over(self, table: Table, seat: Seat, now: Micros) -> bool:
        """Mark the seat as away for long; whether now every seat still in the game is marked."""
        self._put_off(table, seat, now + self.patience, long=True)
        away = self._absence.of(table.id)
        staying = [Seat(n) for n in range(len(table.seats)) if n not in table.out]
        return all(one in away and away[one].long for one in staying)

    def _put_off(self, table: Table, seat: Seat, until: Micros, *, long: bool) -> None:
        self._absence.put_off(table.id, seat, until, long=long)
        self._timers.look(table.id, until)


def abandoned(table: Table) -> Ruling:
    """End a running game that everyone has left, without a winner."""
    return called_off(table, "abandoned", "Everyone left the game.")


def forsaken(table: Table, seat: Seat, away: Mapping[Seat, Away]) -> Ruling:
    """Rule on a seat whose player did not come back: it is out, or all are away and nobody wins."""
    rest = [n for n in range(len(table.seats)) if n != seat and n not in table.out]
    # A seat that loses at once does so though others, away too, may yet come back.
    waits = table.opened.policy.gone is not Gone.AT_ONCE
    if waits and rest and all(Seat(n) in away for n in rest):
        return abandoned(table)
    return gone(table, seat)


class Offer(Struct, frozen=True):
    """A seat to be taken over, from when on, and the players who wait for somebody to play it."""

    table: Table
    seat: Seat
    since: Micros
    waiting: tuple[PlayerId, ...]


# Only at tables that say so, and not in tours and rooms, where others count on who plays. A seat
# is offered for a moment, and lost as everywhere else if nobody wants it. An offer that has ended
# is forgotten when somebody asks.
class Offers:
    """Every seat that is offered, or will be when its grace is over."""

    def __init__(self, tables: TableRegistry, absence: Absence, presence: Presence) -> None:
        self._tables = tables
        self._absence = absence
        self._presence = presence
        self._since: dict[tuple[TableId, Seat], Micros] = {}

    def offer(self, table: Table, seat: Seat, since: Micros) -> Micros:
        """Offer the seat from `since` on; for how long, 0 where seats are not taken over."""
        if table.opened.tour is not None or table.opened.room:
            return 0
        self._since[table.id, seat] = since
        return OFFERED

    def stands(self, table: TableId, seat: Seat, now: Micros) -> bool:
        """Whether the seat can be taken over now."""
        since = self._since.get((table, seat))
        return since is not None and since <= now and self._is_away(table, seat)

    def standing(self) -> list[Offer]:
        """Every offered seat, including seats that can be taken over only later."""
        self._since = {key: since for key, since in self._since.items() if self._is_away(*key)}
        found = []
        for (table_id, seat), since in self._since.items():
            table = self._tables.get(table_id)
            if table is not None:
                found.append(Offer(table, seat, since, self._waiting(table)))
        return found

    def _is_away(self, table: TableId, seat: Seat) -> bool:
        return seat in self._absence.of(table) and not self._absence.held(table, seat)

    def _waiting(self, table: Table) -> tuple[PlayerId, ...]:
        """The players who are connected, and still in the game."""
        return tuple(
            player
            for n, player in enumerate(table.seats)
            if player is not None
            and Seat(n) not in table.out
            and self._presence.session_of(player) is not None
        )


class FloorPlay(Protocol):
    """What the empty chairs ask the floor to do."""

    def commit(self, draft: Draft, changes: Iterable[TableChange]) -> None:
        """Write these changes, tell them to those who listen, and do what follows from them."""
        ...

    def give_turns(self, draft: Draft, table: Table) -> None:
        """Give every seat of this table its turn that is to act and has not been given it."""
        ...

    def turn_unheard(self, table: TableId, seat: Seat) -> None:
        """Start the seat's clock from when its turn came: nobody can hand the turn over now."""
        ...

    def turn_withdrawn(self, table: Table, seat: Seat) -> None:
        """Take the turn back from the seat for now, and stop its clock."""
        ...

    def leave_out(self, since: Micros, until: Micros, players: Iterable[PlayerId]) -> None:
        """Let no clock of these players count this time, nor a turn on its way."""
        ...


class EmptyChairs:
    """The seats whose players are not connected."""

    def __init__(
        self,
        play: FloorPlay,
        tables: TableRegistry,
        presence: Presence,
        absence: Absence,
        timers: Wakeups[TableId],
        *,
        hold: Micros,
    ) -> None:
        self._play, self._tables, self._presence = play, tables, presence
        self._absence, self._timers = absence, timers
        self.holding = Holding(tables, absence, timers, patience=hold)
        self._offers = Offers(tables, absence, presence)
        self.leave_out = absence.leave_out
        self.returning: Micros = 0  # how long seats of games not begun wait after a restart

    def went_away(self, draft: Draft, table_id: TableId, player: PlayerId, *, ours: bool) -> None:
        """Do what follows when a player's connection is gone; `ours` if the server lost it."""
        if (table := self._tables.get(table_id)) is None:
            return
        seat = table.seat_of(player)
        if table.status is Status.OPEN:
            if seat is not None and self._keeps(table, player):
                self._keep(table, seat, player, draft.now)
                return
            seats = frozenset[Seat]() if seat is None else frozenset({seat})
            self._play.commit(draft, referee.vacate(table, seats, player).changes)
        elif table.rests:
            return
        elif table.status is Status.PLAYING and seat is not None and seat not in table.out:
            tell_of_absence(draft, self._presence, table, player, here=False)
            if ours:
                self._play.turn_withdrawn(table, seat)
                self.holding.cut_off(table, seat, player, draft.now)
                return
            self._start_grace(table, seat, draft.now)
            self._play.turn_unheard(table_id, seat)
            if table.opened.policy.gone is Gone.AT_ONCE:
                self.end_absences(draft, table_id)

    def came_back(
        self, draft: Draft, player: PlayerId, cut_off: Micros | None = None
    ) -> tuple[TableId, ...]:
        """Let a player back into its seats; the unfinished tables where it sits.

        Its connection from before may still count as there, but not have been heard since
        `cut_off`: that time is left out now, since nobody will act for the player there any more.
        """
        if cut_off is not None:
            self._play.leave_out(cut_off, draft.now, (player,))
        known = self._tables.of_player(player)
        return tuple(table for table in known if self._came_back(draft, table, player))

    def _came_back(self, draft: Draft, table_id: TableId, player: PlayerId) -> bool:
        table = self._tables.get(table_id)
        seat = None if table is None else table.seat_of(player)
        if table is None or seat is None or table.rests:
            return False
        self._absence.end(table_id, seat)
        if table.status is Status.PLAYING:
            tell_of_absence(draft, self._presence, table, player, here=True)
            self._play.give_turns(draft, table)
        return True

    def is_deserted(self, table: Table) -> bool:
        """Whether a player of this table is away, so that nobody should be sent to play there."""
        return bool(self._absence.of(table.id))

    def _keeps(self, table: Table, player: PlayerId) -> bool:
        """Whether a seat waits for a player who goes before the start; only the opener's can."""
        opened = table.opened
        return opened.kept > 0 and opened.by == player and self._tables.unfinished() <= KEPT_TABLES

    def _keep(self, table: Table, seat: Seat, player: PlayerId, now: Micros) -> None:
        until = now + (table.opened.kept or self.returning)
        self._absence.begin(table.id, seat, Away(player, now, until))
        self._timers.look(table.id, until)

    def lost(
        self, host: str, dialect: str, name: str | None, *, variant: str | None, restarted: bool
    ) -> PlayerId | None:
        """The player from this host and dialect who left first, and whose game still runs with it.

        A name or variant of None means any; with `restarted` only players count who were cut off by
        the server, not by themselves.
        """
        for table_id, seat in self._absence.left_from(host, dialect, name):
            away = self._absence.of(table_id)[seat]
            other = variant not in (None, self._tables.opened(table_id).variant)
            if other or (restarted and not away.restarted):
                continue
            table = self._tables.get(table_id)
            if table is None or table.status is not Status.PLAYING or seat in table.out:
                continue
            return away.player
        return None

    def offers(self) -> Iterable[Offer]:
        """The seats that other players may take over now, or once their grace is over."""
        return self._offers.standing()

    def is_offered(self, table: Table, seat: Seat, now: Micros) -> bool:
        """Whether another player may take this seat over now."""
        return table.status is Status.PLAYING and self._offers.stands(table.id, seat, now)

    def take_over(self, draft: Draft, table: Table, seat: Seat, who: Asker) -> None:
        """Seat another player in place of the one who is gone."""
        self._absence.end(table.id, seat)
        event = events.TakenOver(seat, who.player, who.name)
        self._play.commit(draft, (TableChange(event, (), evolve(table, event)),))

    def _is_away(self, table: Table, seat: Seat) -> bool:
        return (who := table.seats[seat]) is None or self._presence.session_of(who) is None

    def miss(self, table: Table, now: Micros) -> None:
        """Start the grace of each player who is not connected when a game (a rematch) begins."""
        for n in range(len(table.seats)):
            if self._is_away(table, Seat(n)):
                self._start_grace(table, Seat(n), now)

    def _start_grace(self, table: Table, seat: Seat, now: Micros) -> None:
        match (policy := table.opened.policy).gone:
            case Gone.FORFEIT:
                until = now + policy.grace
            case Gone.TAKEOVER:
                until = now + policy.grace + self._offers.offer(table, seat, now + policy.grace)
            case Gone.HOLD:
                until = now + self.holding.patience
            case Gone.AT_ONCE:
                until = now
        player = table.seats[seat]
        assert player is not None, "a game that runs has all its players"
        self._absence.begin(table.id, seat, Away(player, now, until))
        self._timers.look(table.id, until)

    def end_absences(self, draft: Draft, table_id: TableId) -> None:
        """Apply the table's policy to each seat of a running game whose time away is over."""
        for seat in self._absence.due(table_id, self._presence.reachable_until(draft.now)):
            if not (table := self._tables.get(table_id)) or table.status is not Status.PLAYING:
                return
            policy = table.opened.policy
            if seat in table.out:
                self._absence.end(table_id, seat)
            elif self._absence.held(table_id, seat) and policy.gone is not Gone.AT_ONCE:
                # The grace period after the restart is over: now its own begins.
                self._start_grace(table, seat, draft.now)
                if policy.gone is Gone.HOLD:
                    self.holding.after_restart(table, seat, draft.now)
                self._play.give_turns(draft, table)
            elif policy.gone is Gone.HOLD:
                if self.holding.is_over(table, seat, draft.now):
                    self._play.commit(draft, abandoned(table).changes)
            else:
                self._absence.end(table_id, seat)
                self._play.commit(draft, forsaken(table, seat, self._absence.of(table_id)).changes)

    def give_up(self, draft: Draft, table: Table) -> None:
        """Clear the seats of a game not begun that were kept long enough for absent players."""
        seats = self._absence.due(table.id, self._presence.reachable_until(draft.now))
        for seat in seats:
            self._absence.end(table.id, seat)
        if seats:
            self._play.commit(draft, referee.vacate(table, frozenset(seats)).changes)

    def wake(self, draft: Draft) -> None:
        """After a restart: treat every player as cut off, and clear seats of games not begun.

        A seat of such a game stays if it was to be kept, or if all seats wait (`returning`).
        """
        for table_id in self._tables.ids():
            table = self._tables.glance(table_id)
            if table is None or (table.rests and table.status is Status.PLAYING):
                continue  # it waits in the log for a server that knows its rules
            sitters = [(Seat(n), who) for n, who in enumerate(table.seats) if who is not None]
            if table.status is Status.PLAYING:
                for seat, player in sitters:
                    self.holding.cut_off(table, seat, player, draft.now)
            else:
                if (table := self._tables.get(table_id)) is None:
                    continue  # it is damaged
                waits, keeps = self.returning, self._keeps
                kept = {seat: who for seat, who in sitters if waits or keeps(table, who)}
                taken = frozenset(seat for seat, _ in sitters if seat not in kept)
                self._play.commit(draft, referee.vacate(table, taken).changes)
                for seat, player in kept.items():
                    self._keep(table, seat, player, draft.now)
