"""The floor of the hall: what happens at its tables, when, and who is told.

It takes the referee's rulings in: records them, tells everyone at the table, gives the turns that
follow, and looks at a table again when a flag or a grace period may end.
"""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace

from rookery.core import events
from rookery.core.clock import Budget, left_out
from rookery.core.errors import RulesFailed
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId
from rookery.hall.batch import Batch, Draft, TurnGiven
from rookery.hall.limits import LINGER
from rookery.hall.people.presence import UNHEARD_AGAIN
from rookery.hall.people.register import People
from rookery.hall.tables.audience import LOBBY, Audience, Audiences
from rookery.hall.tables.away import Absence, EmptyChairs
from rookery.hall.tables.broken import Broke, BrokenRules
from rookery.hall.tables.flags import fallen
from rookery.hall.tables.news import Herald
from rookery.hall.tables.registry import Archive, TableRegistry
from rookery.hall.tables.ruling import Changes, TableChange
from rookery.hall.tables.table import Table
from rookery.hall.tables.wakeups import Wakeups

Acts: TypeAlias = frozenset[Seat]
Turns: TypeAlias = list[TurnGiven]


class Floor:
    """The tables, their clocks and their empty chairs."""

    def __init__(self, people: People, archive: Archive, *, hold: Micros, broke: Broke) -> None:
        presence = self._presence = people.presence
        self.tables = TableRegistry(archive, people.warden)
        self.warden = people.warden
        self.audiences = Audiences(presence, people.register.conduct)
        self.broken = BrokenRules(self.tables, broke, self.commit)
        self.heard_until = presence.heard_until
        self._name = people.register.name_table
        self._timers: Wakeups[TableId] = Wakeups()
        self._absence = Absence(people.register.players.way_back)
        self.chairs = EmptyChairs(
            self, self.tables, presence, self._absence, self._timers, hold=hold
        )
        # Turns on their way to their seats: by which event, and when.
        self._given: dict[tuple[TableId, Seat], tuple[int, Micros]] = {}
        self._leaving: dict[TableId, Micros] = {}  # when a finished table leaves memory
        self._safe = 0  # the last record that we know to be on disk

    # -- taking rulings in

    def commit(self, draft: Draft, changes: Changes, audience: Audience | None = None) -> None:
        """Write these changes, tell them to those who listen, and do what follows from them.

        Those who sit or watch after an event hear it, unless an audience is named.
        """
        last = None
        try:
            for change in changes:
                self._happen(draft, change, audience)
                last = change.table
        except RulesFailed as failed:
            self.broken.break_off(draft, failed)
        else:
            if last is not None:
                self._follow(draft, last)

    def _happen(self, draft: Draft, change: TableChange, audience: Audience | None) -> None:
        table, event = change.table, change.event
        kind = type(event)  # asked for every event of every table: isinstance costs more
        ends = kind is events.Ended or kind is events.Closed
        record = draft.record(events.table_stream(table.id), table.n, event, ends=ends)
        self.tables.remember(record, table.id)
        self.tables.put(table)
        if isinstance(event, events.Played | events.Out):
            self._given.pop((table.id, event.seat), None)
        elif kind is events.TakenBack:
            self._withdraw_turns(table)
        if kind is events.Seeded:
            return
        if ends:
            self.broken.ended(change)
        herald = Herald(change, draft.now, draft.at, self.broken.faults)
        heard = audience or self.audiences.of_event(table, event)
        if kind in LOBBY:
            self.audiences.note_seats(table, event)
            if isinstance(event, events.Left):
                draft.risen.append(event.player)
            lobby = [] if table.opened.private else self._presence.in_lobby(table.game.name)
            heard = heard | {session: () for session in lobby if session not in heard}
        for session, seats in heard.items():
            news = herald.news(seats)
            if news is not None:
                self._name(draft, session, table.id, table.seats)
                tell = draft.tell if seats else draft.tell_onlooker
                tell(session, news)
        if kind is events.Played or kind is events.Started:
            known = self.audiences.find(table)
            known.named = known.named or known.audience.keys() <= heard.keys()
        if kind is events.Started:
            self.chairs.miss(table, draft.now)

    def _follow(self, draft: Draft, table: Table) -> None:
        match table.status:
            case Status.PLAYING:
                self.give_turns(draft, table)
            case Status.OVER | Status.CLOSED:
                self._absence.forget(table.id)
                self.audiences.forget(table.id)
                self._withdraw_turns(table)
                self._leaving[table.id] = draft.now + LINGER  # a table leaves memory not at once
                self._timers.look(table.id, draft.now + LINGER)
                if table.plies > 1:
                    self.warden.played(table.seats, table.n)
            case Status.OPEN:
                pass

    def _withdraw_turns(self, table: Table) -> None:
        for n in range(len(table.seats)):
            self._given.pop((table.id, Seat(n)), None)

    def give_turns(self, draft: Draft, table: Table) -> None:
        """Give every seat of this table its turn that is to act and has not been given it."""
        draft.give_turns(self._turns_due(table, self.broken.turns_at(table), draft.now))

    def moved(self, record: events.Record, table: Table, seat: Seat, acts: Acts, now: int) -> Turns:
        """Take in a move that ends nothing, after which `acts` are next; the turns it gives."""
        self.tables.moved(record, table)
        self._given.pop((table.id, seat), None)
        return self._turns_due(table, acts, now)

    def _turns_due(self, table: Table, acts: Acts, now: Micros) -> Turns:
        due, given, table_id, since = [], self._given, table.id, table.clock.since
        for seat in acts:
            key = (table_id, seat)
            if since[seat] is None and key not in given and not self._absence.held(table_id, seat):
                given[key] = (table.n, now)
                if (who := table.seats[seat]) is None or self._presence.session_of(who) is None:
                    self._run(key, now)
                else:
                    due.append(TurnGiven(table_id, seat, table.n))
        return due

    # -- time

    def handed(self, batch: Batch, now: Micros) -> None:
        """Start the clocks of a batch that is on disk and whose turns reached their connections."""
        if batch.records:
            self._safe = max(self._safe, batch.records[-1].seq)
        for turn in batch.turns:
            given = self._given.get(key := (turn.table, turn.seat))
            # Else it was answered before it was handed over, or the game is over.
            if given is not None and given[0] == turn.n:
                self._run(key, now)

    def turn_told(self, table: Table, player: PlayerId, now: Micros, *, told: bool) -> None:
        """Run the player's clock if its connection has passed the turn on, else stop the clock."""
        seat = table.seat_of(player)
        if seat is None or seat not in table.to_act:
            return
        key, since = (table.id, seat), table.clock.since[seat]
        if told and key in self._given:
            self._run(key, now)
        elif not told and since is not None:
            self._given[key] = (table.n, since)
            self.tables.put(replace(table, clock=table.clock.stop(seat)))

    def turn_unheard(self, table: TableId, seat: Seat) -> None:
        """Start the seat's clock from when its turn came: nobody can hand the turn over now."""
        if (given := self._given.get(key := (table, seat))) is not None:
            self._run(key, given[1])

    def turn_withdrawn(self, table: Table, seat: Seat) -> None:
        """Take the turn back from the seat for now, and stop its clock."""
        self._given.pop((table.id, seat), None)
        self.tables.put(replace(table, clock=table.clock.stop(seat)))

    def _run(self, key: tuple[TableId, Seat], since: Micros) -> None:
        """Start the seat's clock as of `since`, and plan a look at the moment its flag falls."""
        del self._given[key]
        table, seat = self.tables.begin(key[0], key[1], since), key[1]
        clock = table.clock  # a budget needs no phase: two sums give its flag
        phase = "" if type(clock.control) is Budget else self.broken.phase_at(table)
        if (flag := clock.flag_from(since, seat, phase)) is not None:
            self._timers.look(table.id, flag)

    def leave_out(
        self, since: Micros, until: Micros, players: Iterable[PlayerId] | None = None
    ) -> None:
        """Let no clock of these players, or of anyone, count this time, nor a turn on its way."""
        if players is None:
            self.chairs.leave_out(since, until)
            players = list(self.tables.seated())
        for player in players:
            for table_id in self.tables.of_player(player):
                table = self.tables.living(table_id)
                seat = None if table is None else table.seat_of(player)
                if seat is not None:
                    self.tables.leave_out(table_id, seat, since, until)
                    if (given := self._given.get(key := (table_id, seat))) is not None:
                        self._given[key] = (given[0], left_out(given[1], since, until))

    def deadline(self) -> Micros | None:
        """The moment of the next `tick`: 0 for at once, None for never."""
        return 0 if self.broken.faults else self._timers.deadline()

    def tick(self, draft: Draft) -> None:
        """Look at every table whose moment has come."""
        self.broken.tick(draft)
        for table_id in self._timers.due(draft.now):
            if table_id in self.tables and (table := self.tables.get(table_id)) is not None:
                self._look(draft, table)

    def _look(self, draft: Draft, table: Table) -> None:
        if table.status is Status.PLAYING and table.rests:
            self._absence.forget(table.id)  # nobody is missed where nothing can be played
        elif table.status is Status.PLAYING:
            self.commit(draft, fallen(table, self.heard_until(table.seats, draft.now)).changes)
            self.chairs.end_absences(draft, table.id)
        elif table.status is Status.OPEN:
            self.chairs.give_up(draft, table)
        if (leaving := self._leaving.get(table.id)) is not None and leaving <= draft.now:
            # The next question is answered from the log: all of the table must be there.
            if self.tables.last_seq(table.id) <= self._safe:
                self._forget(table.id)
                return
            self._leaving[table.id] = draft.now + LINGER
        self._look_again(table.id, draft.now)

    def _look_again(self, table_id: TableId, now: Micros) -> None:
        table = self.tables.get(table_id)
        moments = [self._absence.deadline(table_id), self._leaving.get(table_id)]
        if table is not None:
            moments.append(table.clock.deadline())
        if (soonest := min((one for one in moments if one is not None), default=None)) is not None:
            # A flag that has fallen waits for what was said before it.
            self._timers.look(table_id, soonest if soonest > now else now + UNHEARD_AGAIN)

    # -- leaving memory, and coming back from the log

    def _forget(self, table: TableId) -> None:
        self._leaving.pop(table, None)
        self._absence.forget(table)
        self.audiences.forget(table)
        self._timers.forget(table)
        self.tables.forget(table)

    def restored(self, last: int) -> None:
        """Note that the log is on disk up to record `last`, as it was read at the start."""
        self._safe = max(self._safe, last)
