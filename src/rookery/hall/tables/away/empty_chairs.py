"""Empty chairs: what follows when somebody who sits goes away, comes back, or stays away.

In a game not begun the seat is given up, unless it is kept. In a running one its player has the
table's grace to come back, and then the table's policy decides: the seat is lost, somebody may take
it over, or the game waits. After a restart everyone is away.
"""

from collections.abc import Iterable
from typing import Protocol

from rookery.core import events
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId
from rookery.core.policy import Gone
from rookery.hall.batch import Draft
from rookery.hall.limits import KEPT_TABLES
from rookery.hall.people.presence import Presence
from rookery.hall.tables import referee
from rookery.hall.tables.away.absence import Absence, Away
from rookery.hall.tables.away.holding import Holding, abandoned, forsaken
from rookery.hall.tables.away.takeover import Offer, Offers
from rookery.hall.tables.referee import Asker
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tables.rulings.ruling import TableChange
from rookery.hall.tables.table import Table, evolve
from rookery.hall.tables.telling.audience import tell_of_absence
from rookery.hall.tables.wakeups import Wakeups


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
