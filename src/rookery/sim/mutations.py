"""Mistakes that the server does not make: each must be found, or the observer is blind.

A mutation replaces functions of the server for as long as a world lasts. Its sentence says
what goes wrong; the test says in how many worlds the observer found it.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.clocks.clock import Clock
from rookery.core.events import Record, Said, table_of
from rookery.core.ids import Micros, Seat, SessionId
from rookery.core.intents import Play
from rookery.core.messages import Entry
from rookery.hall.people.players import Player
from rookery.hall.tables import table
from rookery.hall.tables.rulings import privacy
from rookery.hall.tables.telling import news
from rookery.hall.tours.running import starting
from rookery.runtime.fairtime import FairTime
from rookery.server.connections.read_buffer import ReadBuffer
from rookery.server.fairness.clerk import Decided
from rookery.server.keeping.keeper import Keeper
from rookery.server.keeping.teller import Teller
from rookery.server.web import passphrases
from rookery.server.web.api import analyses
from rookery.server.web.past import log_reader
from rookery.sim import conduct_mutations, snapshots
from rookery.sim.cluster import mutations as clustered
from rookery.sim.mutation import Mutation, Patch
from rookery.store import StoreFailed
from rookery.store.file import making
from rookery.store.sqlite import store as sqlite
from rookery.store.sqlite.reading import SqliteLog
from rookery.store.sqlite.store import SqliteStore
from rookery.store.sqlite.stream_tips import Tips


def _tell_early() -> list[Patch]:
    write = Keeper._write  # noqa: SLF001

    def wrong(self: Keeper, records: list[Record], **alone: bool) -> None:
        self._deliver()
        write(self, records, **alone)

    return [(Keeper, "_write", wrong)]


def _run_in_outage() -> list[Patch]:
    return [(FairTime, "stand", lambda _: None)]


def _charge_the_queue() -> list[Patch]:
    return [(FairTime, "read", FairTime.now)]


def _lose_the_last() -> list[Patch]:
    write = SqliteStore._write  # noqa: SLF001

    def wrong(self: SqliteStore, records: list[Record]) -> None:
        write(self, records[:-1] if len(records) > 3 else records)
        self._last = records[-1].seq

    return [(SqliteStore, "_write", wrong)]


def _tell_backwards() -> list[Patch]:
    deliver = Teller.deliver

    def wrong(self: Teller, decided: list[Any]) -> None:
        deliver(self, decided[::-1])

    return [(Teller, "deliver", wrong)]


def _retry_twice() -> list[Patch]:
    wait = Keeper._wait_for_disk  # noqa: SLF001

    def wrong(self: Keeper, failure: StoreFailed, records: list[Record]) -> None:
        wait(self, failure, records)
        self._loop.call_later(self._retry_after * 1.5, self._write, records)

    return [(Keeper, "_wait_for_disk", wrong)]


def _forget_to_unlock() -> list[Patch]:
    append = SqliteStore.append

    def wrong(self: SqliteStore, records: list[Record]) -> None:
        try:
            append(self, records)
        except StoreFailed:
            self._appending.acquire(blocking=False)
            raise

    return [(SqliteStore, "append", wrong)]


def _tell_the_seed() -> list[Patch]:
    make = news.Herald._make

    def wrong(self: news.Herald, event: Any, effects: Any) -> Any:
        if isinstance(event, Said):
            event = replace(event, text=f"{event.text} {self._table.seed}")
        return make(self, event, effects)

    return [(news.Herald, "_make", wrong)]


def _tell_hidden_moves() -> list[Patch]:
    return [(news, "shown_event", lambda _table, event, _seats: event)]


def _tell_teams_words() -> list[Patch]:
    return [(news, "may_hear", lambda _table, _said, _seats: True)]


def _tell_the_web_all() -> list[Patch]:
    def wrong(over: Any, records: Any, _seats: tuple[Seat, ...]) -> Iterator[Entry]:
        return news.past(over, records, tuple(Seat(n) for n in range(len(over.seats))))

    return [(log_reader, "past", wrong)]


def _forget_to_sync() -> list[Patch]:
    prepare = making.prepare

    def wrong(connection: sqlite3.Connection, path: Path) -> None:
        prepare(connection, path)
        connection.execute("PRAGMA synchronous = OFF")

    return [(sqlite, "prepare", wrong)]


def _believe_everyone() -> list[Patch]:
    return [(Player, "has_token", lambda _self, _token: True)]


def _forget_who_hung_up() -> list[Patch]:
    def wrong(self: Keeper, session: SessionId, _: Micros) -> None:
        self._teller.listeners.pop(session, None)

    return [(Keeper, "hang_up", wrong)]


def _forget_flags() -> list[Patch]:
    return [(Keeper, "_look_at_flags", lambda _self, _at: None)]


def _forget_a_table() -> list[Patch]:
    unfinished = SqliteLog.unfinished

    def wrong(self: SqliteLog) -> Iterator[Record]:
        records = list(unfinished(self))
        last = max((table_of(one.stream) or 0 for one in records), default=0)
        return iter([one for one in records if not last or table_of(one.stream) != last])

    return [(SqliteLog, "unfinished", wrong)]


def _go_by_the_wall() -> list[Patch]:
    begin = FairTime.__init__

    def wrong(self: FairTime, _: Any, wall: Any, **rest: Any) -> None:
        begin(self, wall, wall, **rest)

    return [(FairTime, "__init__", wrong)]


def _forget_an_answer() -> list[Patch]:
    deliver = Teller.deliver
    told = iter(range(1_000_000_000))

    def wrong(self: Teller, decided: list[Decided]) -> None:
        for asker, batch in decided:
            if asker is not None and batch.deliveries and next(told) % 40 == 39:
                batch = replace(batch, deliveries=batch.deliveries[1:])  # noqa: PLW2901
            deliver(self, [(asker, batch)])

    return [(Teller, "deliver", wrong)]


def _lose_bytes() -> list[Patch]:
    put = ReadBuffer.put

    def wrong(self: ReadBuffer, words: bytes, at: Micros) -> None:
        put(self, words if words.endswith(b"\n") else words[:-1], at)

    return [(ReadBuffer, "put", wrong)]


def _hear_twice() -> list[Patch]:
    ask = Keeper.ask

    def wrong(self: Keeper, session: SessionId, intents: Any, now: Micros, **much: Any) -> None:
        ask(self, session, intents, now, **much)
        if any(isinstance(one, Play) for one in intents) and self._busy:
            ask(self, session, intents, now, **much)

    return [(Keeper, "ask", wrong)]


def _charge_half() -> list[Patch]:
    charge = Clock.charge

    def wrong(self: Clock, seat: Any, spent: Micros, phase: str) -> Clock:
        return charge(self, seat, spent // 2, phase)

    return [(Clock, "charge", wrong)]


def _forget_at_the_bookmark() -> list[Patch]:
    mark = Tips.write_bookmark

    def wrong(self: Tips, seq: int, moved: Any) -> None:
        kept, self._tips = self._tips, {}
        try:
            mark(self, seq, moved)
        finally:
            self._tips = kept

    return [(Tips, "write_bookmark", wrong)]


def _never_retry() -> list[Patch]:
    def wrong(self: Keeper, _: StoreFailed, __: list[Record]) -> None:
        self.failing = True

    return [(Keeper, "_wait_for_disk", wrong)]


def _skip_the_write() -> list[Patch]:
    """A batch that failed is taken for written when it is tried again."""
    append = SqliteStore.append

    def wrong(self: SqliteStore, records: list[Record]) -> None:
        try:
            append(self, records)
        except StoreFailed:
            self._last = records[-1].seq

    return [(SqliteStore, "append", wrong)]


def _start_clocks_early() -> list[Patch]:
    """Mutation: a clock runs from when the turn was decided, not from when it was told."""
    proceed = Keeper._proceed  # noqa: SLF001

    def wrong(self: Keeper) -> None:
        for _, batch in self._decided:
            self._hall.handed(batch, self._time.now())
        proceed(self)

    return [(Keeper, "_proceed", wrong)]


def _deal_wrongly() -> list[Patch]:
    """The hall and the doctor share this mistake; a replay that is independent does not."""
    return [(table, "Chance", lambda seed: Chance(seed ^ 1))]


def _fall_early() -> list[Patch]:
    left = Clock.spent

    def wrong(self: Clock, seat: Any, now: Micros) -> Micros:
        return left(self, seat, now) // 2

    return [(Clock, "spent", wrong)]


def _keep_what_was_told() -> list[Patch]:
    deliver = Keeper._deliver  # noqa: SLF001

    def wrong(self: Keeper) -> None:
        vars(self).setdefault("past", []).extend(self._writing)
        deliver(self)

    return [(Keeper, "_deliver", wrong)]


def _trust_the_disk() -> list[Patch]:
    return [(sqlite, "see_nothing_lost", lambda _path: None)]


def _show_private_tables() -> list[Patch]:
    return [(privacy, "is_hidden", lambda *_: False)]


def _give_time_back() -> list[Patch]:
    interrupted = Clock.interrupted

    def wrong(self: Clock, spent: tuple[Micros, ...]) -> Clock:
        return interrupted(self, (0,) * len(spent))

    return [(Clock, "interrupted", wrong)]


def _let_anyone_in() -> list[Patch]:
    return [(passphrases, "_fits", lambda *_: True)]


def _study_what_runs() -> list[Patch]:
    return [(analyses, "_kept_back", lambda *_: "")]


def _start_no_tours() -> list[Patch]:
    return [(starting, "is_time", lambda *_: False)]


MUTATIONS: Final = {
    "tell-early": Mutation("people are told before it is written", _tell_early),
    "run-in-outage": Mutation("clocks run while nothing can be written", _run_in_outage),
    "charge-queue": Mutation("a move is charged until it is heard", _charge_the_queue),
    "start-early": Mutation("a clock runs before the turn was told", _start_clocks_early),
    "charge-half": Mutation("half of what a move took is forgotten", _charge_half),
    "lose-last": Mutation("the last record of a large batch is not written", _lose_the_last),
    "skip-write": Mutation("a write that failed is taken for done", _skip_the_write),
    "never-retry": Mutation("a write that failed is not tried again", _never_retry),
    "retry-twice": Mutation("a write that failed is tried again twice", _retry_twice),
    "forget-unlock": Mutation("the store stays locked after a failure", _forget_to_unlock),
    "forget-sync": Mutation("the log is written and not synced", _forget_to_sync),
    "forget-bookmark": Mutation("what runs is not in the bookmark", _forget_at_the_bookmark),
    "claim-too-much": Mutation("a snapshot claims one record too many", snapshots.claim_too_much),
    "forget-table": Mutation("a restart forgets the newest table", _forget_a_table),
    "forget-hang-up": Mutation("nobody notices who hung up", _forget_who_hung_up),
    "forget-flags": Mutation("no flag ever falls", _forget_flags),
    "forget-answer": Mutation("one answer in forty is not told", _forget_an_answer),
    "tell-backwards": Mutation("what was decided last is told first", _tell_backwards),
    "hear-twice": Mutation("a move is taken twice while something is written", _hear_twice),
    "lose-bytes": Mutation("a byte is lost where a line comes in pieces", _lose_bytes),
    "leak-seed": Mutation("a table's seed is told with what is said there", _tell_the_seed),
    "leak-move": Mutation("hidden moves are told to all", _tell_hidden_moves),
    "leak-by-web": Mutation("the API tells hidden moves", _tell_the_web_all),
    "leak-team": Mutation("what a team says to itself is told to all", _tell_teams_words),
    "leak-private": Mutation("private tables are shown to all", _show_private_tables),
    "give-back": Mutation("a move that is taken back costs no time", _give_time_back),
    "any-passphrase": Mutation("any passphrase will do", _let_anyone_in),
    "study-all": Mutation("games that run are analysed for all", _study_what_runs),
    "start-never": Mutation("no tour starts by itself", _start_no_tours),
    "hear-muted": Mutation("the muted are heard", conduct_mutations.let_the_muted_speak),
    "greet-banned": Mutation("the banned may come back", conduct_mutations.let_the_banned_in),
    "believe-all": Mutation("any token will do", _believe_everyone),
    "deal-wrongly": Mutation("a game is dealt by another seed than its own", _deal_wrongly),
    "late-too-soon": Mutation("who is late is charged half of what it took", _fall_early),
    "keep-told": Mutation("what was told is kept in memory for ever", _keep_what_was_told),
    "trust-disk": Mutation("a damaged end beside the log is not noticed", _trust_the_disk),
    "no-fence": Mutation("who led once writes on", clustered.write_without_a_fence),
    "slow-clock": Mutation("a lease is held by a slow clock", clustered.trust_a_slow_clock),
    "ignore-numbers": Mutation("frames are taken as they come", clustered.ignore_numbers),
    "guess-done": Mutation("a commit in doubt is taken for made", clustered.guess_that_it_is_there),
    "guess-lost": Mutation("a commit in doubt is taken for lost", clustered.guess_that_it_is_not),
    "ask-again": Mutation("what was in doubt is asked again", clustered.keep_who_asked),
    "keep-copies": Mutation("an edge keeps tables that are over", clustered.keep_copies),
    "charge-away": Mutation("who an edge kept is charged for it", clustered.charge_who_was_away),
    "charge-way": Mutation("a move is charged on its way to the hall", clustered.charge_the_way),
    "wall-clock": Mutation("clocks run by the clock on the wall", _go_by_the_wall),
}
