"""The hall: all tables and players of one server. Told the time, and does no I/O.

`receive`, `hang_up` and `tick` give back a batch: records to make safe first, deliveries
to make after. One reply per intent, before its news. `handed` says that a batch's
deliveries have been given to the connections; the turns in it count from then. It
mutates, and the keeper owns it.
"""

from collections.abc import Callable, Iterable

from rookery.core.directory import Directory
from rookery.core.events import (
    HallEvent,
    Record,
    table_of,
)
from rookery.core.ids import Micros, PlayerId, SessionId
from rookery.core.intents import (
    AnyIntent,
    Enter,
    History,
    LegalMoves,
    ListGames,
    ListPlayers,
    ListTables,
    Open,
    Play,
    Question,
    Reclaim,
    Rename,
    Seek,
    Show,
    TableIntent,
    TakeUp,
    Unwatch,
    Watch,
)
from rookery.core.messages import Done, Refused, Reply
from rookery.hall import limits
from rookery.hall.answers import answer, past_page
from rookery.hall.batch import Batch, Draft
from rookery.hall.presence import Presence
from rookery.hall.reception import Reception
from rookery.hall.referee import Asker
from rookery.hall.seating import Seating
from rookery.hall.tables import Archive


class Hall:
    """Everything one server knows. Seeds and tokens are drawn by whoever makes it."""

    def __init__(
        self, *, seeds: Callable[[], int], tokens: Callable[[], str], archive: Archive
    ) -> None:
        self._presence = Presence()
        self._reception = Reception(self._presence, archive, tokens)
        self._floor = self._reception.floor
        self._seating = Seating(self._floor, seeds)
        self._seq = 0  # records so far

    # -- what the keeper calls

    def connect(self, session: SessionId, host: str, dialect: str = "native") -> None:
        """A new connection from this host, which speaks this dialect."""
        self._presence.connect(session, host, dialect)

    def receive(self, session: SessionId, intent: AnyIntent, now: Micros) -> Batch:
        """What follows from this intent, which was read at `now`."""
        draft = Draft(self._seq, now)
        if not self._presence.knows(session):
            return draft.batch()  # it hung up, or was cut off, while this was in the queue
        match intent:
            case Play():  # nearly always
                self._act(draft, session, intent)
            case Enter():
                self._reception.enter(draft, session, intent)
            case Reclaim():
                self._reception.reclaim(draft, session, intent)
            case TakeUp():
                self._reception.take_up(draft, session, intent)
            case Watch():
                self._watch(draft, session, intent)
            case Unwatch(table):
                self._presence.unwatch(session, table)
                draft.tell(session, Done(table))
            case ListGames() | ListTables() | ListPlayers() | Show() | LegalMoves() | History():
                reply = self._answer(session, intent, now)
                self._reception.name_all(draft, session, reply)
                draft.tell(session, reply)
            case _:
                self._act(draft, session, intent)
        return self._finish(draft)

    def _act(
        self, draft: Draft, session: SessionId, intent: Rename | Open | Seek | TableIntent
    ) -> None:
        """Do what a player asks."""
        who = self._asker(session, intent.player)
        if isinstance(who, Refused):
            draft.tell(session, who)
            return
        player = self._reception.players[who.player]
        match intent:
            case Rename():
                self._reception.rename(draft, session, who, intent)
            case Open() | Seek():
                self._seating.open(draft, session, player, intent)
            case _:
                self._seating.at_table(draft, session, player, intent)

    def hang_up(self, session: SessionId, now: Micros) -> Batch:
        """The connection is gone."""
        draft = Draft(self._seq, now)
        for player in self._presence.disconnect(session):
            for table in self._floor.tables.of_player(player):
                self._floor.went_away(draft, table, player)
        return self._finish(draft)

    def handed(self, batch: Batch, now: Micros) -> None:
        """The deliveries of this batch have been given to the connections."""
        self._floor.handed(batch, now)

    def tick(self, now: Micros) -> Batch:
        """What follows from its being so late: flags that have fallen, grace that is over."""
        draft = Draft(self._seq, now)
        self._floor.tick(draft)
        return self._finish(draft)

    def deadline(self) -> Micros | None:
        """When to `tick` at the latest."""
        return self._floor.deadline()

    def restore(self, records: Iterable[Record], now: Micros) -> Batch:
        """Take up what a restart needs, from the log; the batch says what the restart changed."""
        for record in records:
            self._seq = max(self._seq, record.seq)
            table = table_of(record.stream)
            if table is not None:
                self._floor.restore(record, table)
            elif isinstance(record.event, HallEvent):
                self._reception.restore(record, record.event)
        draft = Draft(self._seq, now)
        self._floor.wake(draft)
        return self._finish(draft)

    def resume_counting(self, seq: int, tables: int) -> None:
        """The log is longer than what was restored: so many records, so many tables.

        To be said before `restore`, which writes on from there.
        """
        self._seq = max(self._seq, seq)
        self._floor.tables.numbered_to(tables)

    @property
    def directory(self) -> Directory:
        """What dialects call players and tables."""
        return self._reception.numbers

    def _asker(self, session: SessionId, player: PlayerId | None) -> Asker | Refused:
        """For whom this session acts."""
        mine = self._presence.players_of(session)
        if player is None:
            if len(mine) != 1:
                if mine:
                    return Refused(
                        "which_player", "This connection has several players: say which."
                    )
                return Refused("no_player", "Say who you are first.")
            player = mine[0]
        elif player not in mine:
            return Refused("not_yours", f"This connection does not act for player {player}.")
        return Asker(player, self._reception.players[player].name)

    # -- what there is to see

    def _watch(self, draft: Draft, session: SessionId, intent: Watch) -> None:
        if (
            not self._presence.is_watching(session, intent.table)
            and self._presence.watches(session) >= limits.WATCHED_A_SESSION
        ):
            sentence = f"A connection watches at most {limits.WATCHED_A_SESSION} tables."
            draft.tell(session, Refused("too_many", sentence, intent.table))
            return
        reply = past_page(self._floor, session, intent.table, intent.since)
        if not isinstance(reply, Refused):
            self._presence.watch(session, intent.table)
        draft.tell(session, reply)

    def _answer(self, session: SessionId, question: Question, now: Micros) -> Reply:
        player = None
        if isinstance(question, Show | LegalMoves) and (
            question.player is not None or self._presence.players_of(session)
        ):
            who = self._asker(session, question.player)
            if isinstance(who, Refused):
                return who
            player = who.player
        return answer(
            question,
            session,
            player,
            now,
            floor=self._floor,
            players=self._reception.players,
            presence=self._presence,
        )

    def _finish(self, draft: Draft) -> Batch:
        self._seq = draft.seq
        return draft.batch()
