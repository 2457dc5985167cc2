"""The floor of the hall: what happens at its tables, when, and who is told.

It takes the referee's rulings in: records them, tells everyone at the table, gives the
turns that follow, and looks at a table again when a flag or a grace period may end. It
mutates, and the hall owns it.
"""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace

from rookery.core import events
from rookery.core.clocks.timecontrol import Budget
from rookery.core.errors import RulesFailed
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.policy import Gone
from rookery.core.status import Status
from rookery.hall.batch import Batch, Draft, TurnGiven
from rookery.hall.limits import KEPT_TABLES, LINGER
from rookery.hall.people.people import People
from rookery.hall.people.presence import UNHEARD_AGAIN
from rookery.hall.tables import referee
from rookery.hall.tables.away.absence import Absence, Away
from rookery.hall.tables.away.holding import Holding, abandoned, forsaken
from rookery.hall.tables.away.takeover import Offer, Offers
from rookery.hall.tables.flags import fallen
from rookery.hall.tables.referee import Asker
from rookery.hall.tables.registry import Archive, TableRegistry
from rookery.hall.tables.rulings.broken import Broke, BrokenRules
from rookery.hall.tables.rulings.course import Turn
from rookery.hall.tables.table import Table, evolve
from rookery.hall.tables.telling.audience import LOBBY, Audience, Audiences, tell_of_absence
from rookery.hall.tables.telling.news import Herald
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
        self.holding = Holding(self.tables, self._absence, self._timers, patience=hold)
        # Turns on their way to their seats: by which event, and when.
        self._given: dict[tuple[TableId, Seat], tuple[int, Micros]] = {}
        self._leaving: dict[TableId, Micros] = {}  # when a finished table leaves memory
        self._offers = Offers(self.tables, self._absence, presence)
        self._safe = 0  # the last record that we know to be on disk
        self.returning: Micros = 0  # how long seats of games not begun wait after a restart

    # -- taking rulings in

    def commit(self, draft: Draft, turns: Iterable[Turn], audience: Audience | None = None) -> None:
        """These things happen: write them, tell them, and see what follows.

        Who hears an event is who sits or watches after it, unless an audience is named.
        """
        last = None
        try:
            for turn in turns:
                self._happen(draft, turn, audience)
                last = turn.table
        except RulesFailed as failed:
            self.broken.break_off(draft, failed)
        else:
            if last is not None:
                self._follow(draft, last)

    def _happen(self, draft: Draft, turn: Turn, audience: Audience | None) -> None:
        table, event = turn.table, turn.event
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
            self.broken.ended(turn)
        herald = Herald(turn, draft.now, draft.at, self.broken.faults)
        heard = audience or self.audiences.of_event(table, event)
        if kind in LOBBY:
            self.audiences.note_seats(table, event)
            if isinstance(event, events.Left) and event.player is not None:
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
            self._miss(table, draft.now)

    def _follow(self, draft: Draft, table: Table) -> None:
        match table.status:
            case Status.PLAYING:
                self._give_turns(draft, table)
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

    def _give_turns(self, draft: Draft, table: Table) -> None:
        draft.give_turns(self._turns_due(table, self.broken.turns_at(table), draft.now))

    def moved(self, record: events.Record, table: Table, seat: Seat, acts: Acts, now: int) -> Turns:
        """After a move that ends nothing `acts` are next: take it in; the turns that it gives."""
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
        """This batch is safe, and its turns have reached their connections: the clocks start."""
        if batch.records:
            self._safe = max(self._safe, batch.records[-1].seq)
        for turn in batch.turns:
            given = self._given.get(key := (turn.table, turn.seat))
            # Else it was answered before it was handed over, or the game is over.
            if given is not None and given[0] == turn.n:
                self._run(key, now)

    def turn_told(self, table: Table, player: PlayerId, now: Micros, *, told: bool) -> None:
        """A turn that was handed over waits in its connection, or waits no more."""
        seat = table.seat_of(player)
        if seat is None or seat not in table.to_act:
            return
        key, since = (table.id, seat), table.clock.since[seat]
        if told and key in self._given:
            self._run(key, now)
        elif not told and since is not None:
            self._given[key] = (table.n, since)
            self.tables.put(replace(table, clock=table.clock.stop(seat)))

    def _run(self, key: tuple[TableId, Seat], since: Micros) -> None:
        """The seat's clock starts."""
        del self._given[key]
        table, seat = self.tables.begin(key[0], key[1], since), key[1]
        clock = table.clock  # by most the phase is not asked for: they look a flag up in two sums
        phase = "" if type(clock.control) is Budget else self.broken.phase_at(table)
        if (flag := clock.flag_from(since, seat, phase)) is not None:
            self._timers.look(table.id, flag)

    def deadline(self) -> Micros | None:
        """When the floor must be looked at again."""
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
            self.commit(draft, fallen(table, self.heard_until(table.seats, draft.now)).turns)
            self._end_absences(draft, table.id)
        elif table.status is Status.OPEN:
            self._give_up(draft, table)
        if (leaving := self._leaving.get(table.id)) is not None and leaving <= draft.now:
            # Whoever asks for it next is answered from the log: all of it must be there.
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

    # -- empty chairs

    def went_away(self, draft: Draft, table_id: TableId, player: PlayerId, *, ours: bool) -> None:
        """A player's connection is gone; `ours`, because we lost it."""
        if (table := self.tables.get(table_id)) is None:
            return
        seat = table.seat_of(player)
        if table.status is Status.OPEN:
            if seat is not None and self._keeps(table, player):
                self._keep(table, seat, player, draft.now)
                return
            seats = frozenset[Seat]() if seat is None else frozenset({seat})
            self.commit(draft, referee.vacate(table, seats, player).turns)
        elif table.rests:
            return
        elif table.status is Status.PLAYING and seat is not None and seat not in table.out:
            tell_of_absence(draft, self._presence, table, player, here=False)
            key = (table_id, seat)
            if ours:
                self._given.pop(key, None)
                self.tables.put(replace(table, clock=table.clock.stop(seat)))
                self.holding.cut_off(table, seat, player, draft.now)
                return
            self._start_grace(table, seat, draft.now)
            if key in self._given:
                # Nobody will hand it over now, so it counts from when the turn was its.
                self._run(key, self._given[key][1])
            if table.opened.policy.gone is Gone.AT_ONCE:
                self._end_absences(draft, table_id)

    def came_back(self, draft: Draft, player: PlayerId) -> tuple[TableId, ...]:
        """A player is connected again; the unfinished tables where it sits."""
        known = self.tables.of_player(player)
        return tuple(table for table in known if self._came_back(draft, table, player))

    def _came_back(self, draft: Draft, table_id: TableId, player: PlayerId) -> bool:
        table = self.tables.get(table_id)
        seat = None if table is None else table.seat_of(player)
        if table is None or seat is None or table.rests:
            return False
        self._absence.end(table_id, seat)
        if table.status is Status.PLAYING:
            tell_of_absence(draft, self._presence, table, player, here=True)
            self._give_turns(draft, table)
        return True

    def is_deserted(self, table: Table) -> bool:
        """Whether somebody is away whose seat is kept: nobody is sent to play with it."""
        return bool(self._absence.of(table.id))

    def _keeps(self, table: Table, player: PlayerId) -> bool:
        """Whether the seat of who goes before the game begins waits: only who asked for it has."""
        opened = table.opened
        return opened.kept > 0 and opened.by == player and self.tables.unfinished() <= KEPT_TABLES

    def _keep(self, table: Table, seat: Seat, player: PlayerId, now: Micros) -> None:
        until = now + (table.opened.kept or self.returning)
        self._absence.begin(table.id, seat, Away(player, now, until))
        self._timers.look(table.id, until)

    def lost(
        self, host: str, dialect: str, name: str | None, *, variant: str | None, restarted: bool
    ) -> PlayerId | None:
        """Who from there was first to be away from a running game that it is still in.

        Any name will do where none is given, and any variant; with `restarted` only those
        count whom our own going away has cut off.
        """
        for table_id, seat in self._absence.left_from(host, dialect, name):
            away = self._absence.of(table_id)[seat]
            other = variant not in (None, self.tables.opened(table_id).variant)
            if other or (restarted and not away.restarted):
                continue
            table = self.tables.get(table_id)
            if table is None or table.status is not Status.PLAYING or seat in table.out:
                continue
            return away.player
        return None

    def offers(self) -> Iterable[Offer]:
        """The seats that others may take over, or will be able to."""
        return self._offers.standing()

    def is_offered(self, table: Table, seat: Seat, now: Micros) -> bool:
        """Whether others may take this seat over now."""
        return table.status is Status.PLAYING and self._offers.stands(table.id, seat, now)

    def take_over(self, draft: Draft, table: Table, seat: Seat, who: Asker) -> None:
        """Somebody plays on for who is gone."""
        self._absence.end(table.id, seat)
        event = events.TakenOver(seat, who.player, who.name)
        self.commit(draft, (Turn(event, (), evolve(table, event)),))

    def _is_away(self, table: Table, seat: Seat) -> bool:
        return (who := table.seats[seat]) is None or self._presence.session_of(who) is None

    def _miss(self, table: Table, now: Micros) -> None:
        """A game begins: who wished for a rematch and went is away from the first move."""
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

    def _end_absences(self, draft: Draft, table_id: TableId) -> None:
        for seat in self._absence.due(table_id, draft.now):
            if not (table := self.tables.get(table_id)) or table.status is not Status.PLAYING:
                return
            policy = table.opened.policy
            if seat in table.out:
                self._absence.end(table_id, seat)
            elif self._absence.held(table_id, seat) and policy.gone is not Gone.AT_ONCE:
                # The grace period after the restart is over: now its own begins.
                self._start_grace(table, seat, draft.now)
                if policy.gone is Gone.HOLD:
                    self.holding.after_restart(table, seat, draft.now)
                self._give_turns(draft, table)
            elif policy.gone is Gone.HOLD:
                if self.holding.is_over(table, seat, draft.now):
                    self.commit(draft, abandoned(table).turns)
            else:
                self._absence.end(table_id, seat)
                self.commit(draft, forsaken(table, seat, self._absence.of(table_id)).turns)

    def _give_up(self, draft: Draft, table: Table) -> None:
        """The seats of a game not begun were kept long enough."""
        seats = self._absence.due(table.id, draft.now)
        for seat in seats:
            self._absence.end(table.id, seat)
        if seats:
            self.commit(draft, referee.vacate(table, frozenset(seats)).turns)

    # -- leaving memory, and coming back from the log

    def _forget(self, table: TableId) -> None:
        self._leaving.pop(table, None)
        self._absence.forget(table)
        self.audiences.forget(table)
        self._timers.forget(table)
        self.tables.forget(table)

    def restored(self, last: int) -> None:
        """What unfinished tables have in the log, up to this record, is known."""
        self._safe = max(self._safe, last)

    def wake(self, draft: Draft) -> None:
        """After a restart: seats are cleared in games not begun, unless they are kept."""
        for table_id in self.tables.ids():
            table = self.tables.glance(table_id)
            if table is None or (table.rests and table.status is Status.PLAYING):
                continue  # it waits in the log for a server that knows its rules
            sitters = [(Seat(n), who) for n, who in enumerate(table.seats) if who is not None]
            if table.status is Status.PLAYING:
                for seat, player in sitters:
                    self.holding.cut_off(table, seat, player, draft.now)
            else:
                if (table := self.tables.get(table_id)) is None:
                    continue  # it is damaged
                waits, keeps = self.returning, self._keeps
                kept = {seat: who for seat, who in sitters if waits or keeps(table, who)}
                taken = frozenset(seat for seat, _ in sitters if seat not in kept)
                self.commit(draft, referee.vacate(table, taken).turns)
                for seat, player in kept.items():
                    self._keep(table, seat, player, draft.now)
