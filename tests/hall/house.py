"""A hall with a list for its log and the time in your hand: what the hall's tests drive.

Nothing is pretended: the hall, its games and its log are the real ones, only disk and
sockets are lists. A `slow` house decides at once but makes nothing safe and tells nobody
until `catch_up`, as behind a slow disk. Every batch that passes is checked: one reply
per intent before its news, records numbered without gaps, and no seed in any message,
nor a tour's code but where its owner is told it.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import Damaged
from rookery.core.events import (
    HALL_STREAM,
    Record,
    Seeded,
    TableEvent,
    TourEnded,
    TourKeyed,
    table_events,
    table_of,
    table_stream,
)
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, SessionId, TableId, Wall
from rookery.core.intents import AnyIntent, Enter, Open, Reclaim, Show, Sit, TableIntent
from rookery.core.messages import (
    AnyMessage,
    Done,
    Happened,
    LobbyCleared,
    LobbySaid,
    News,
    Notice,
    Refused,
    Reply,
    RoomNews,
    Shown,
    TourMade,
    TourNews,
    TourShown,
    Welcome,
)
from rookery.core.network import Doorway
from rookery.core.policy import Policy, Return
from rookery.dialects import LANGUAGES
from rookery.hall.batch import Batch, Wish
from rookery.hall.hall import HALL_SETTINGS, Hall, HallSettings
from rookery.hall.hall_memory import HallMemory, read_parts
from rookery.hall.tours.formats.dutch import solve
from rookery.hall.tours.running.rounds import Solved
from tests.hall.alike import differences

R = TypeVar("R", bound=Struct)

SECOND = MICROS_A_SECOND
NEWS = (  # what comes without being asked for
    *(News, RoomNews, TourNews, Notice),
    *(LobbySaid, LobbyCleared),
)
NOON: Micros = 1_700_000_000 * SECOND  # when every story begins


class Guest(Struct, frozen=True):
    """A player, the session it came by, and its token."""

    session: SessionId
    player: PlayerId
    token: str


class House:
    """The hall and everyone in it. `now` is yours to set."""

    def __init__(
        self,
        *,
        slow: bool = False,
        seed: int = 1,
        organiser: str = "",
        bots: frozenset[str] = frozenset(),
        pairs_away: bool = False,
        settings: HallSettings = HALL_SETTINGS,
        quick: bool = True,
    ) -> None:
        self.now = NOON
        self._quick = quick  # whether moves go the quick way, or all the plain one
        self.slow = slow
        self.log: list[Record] = []  # what is safe
        self.streams: dict[str, list[Record]] = {}
        self.batches: list[tuple[Record, ...]] = []  # the same, as it was written
        self.unsafe: list[Batch] = []  # decided, and not yet written
        self.inboxes: dict[SessionId, list[AnyMessage]] = {}
        self.archive_reads: list[str] = []
        self.wishes: list[Wish] = []  # rounds that somebody is to pair; see `pair`
        self._pairs_away = pairs_away
        self.rotten: set[str] = set()  # streams that the disk does not give back
        self._organiser = organiser
        self._bots = bots  # games that the hall is told to have bots for; none ever come
        self._settings = settings
        self._seeds = Chance(seed)
        self._tokens = Chance(seed)
        self._cuts = Chance(seed)  # where the snapshot of a restart ends
        self._sessions = 0
        self._seq = 0
        self.seeds: list[str] = []
        self.refused: set[type] = set()  # what was refused, once or more
        self.codes: dict[str, str] = {}  # of tours that are not over, by stream
        self.hall = self._new_hall()

    # -- coming and going

    def connect(
        self,
        host: str = "10.0.0.1",
        dialect: str = "native",
        tour: str = "",
        by: Return = Return.HOST,
    ) -> SessionId:
        """A new connection, maybe to the port of a tour, or to one nobody comes back to."""
        self._sessions += 1
        session = SessionId(self._sessions)
        self.hall.connect(session, host, dialect, Doorway(tour, by))
        self.inboxes[session] = []
        return session

    def enter(self, name: str, session: SessionId | None = None, dialect: str = "native") -> Guest:
        """A new player, by this connection or one of its own."""
        session = self.connect() if session is None else session
        welcome = self.ask(session, Enter(name, dialect), Welcome)
        return Guest(session, welcome.player, welcome.token)

    def hang_up(self, who: Guest | SessionId) -> None:
        """The connection is gone."""
        session = who if isinstance(who, int) else who.session
        self.take(self.hall.hang_up(session, self.now))

    def back(self, guest: Guest) -> Guest:
        """The player comes back by a new connection."""
        session = self.connect()
        self.ask(session, Reclaim(guest.player, guest.token), Welcome)
        return Guest(session, guest.player, guest.token)

    # -- asking

    def ask(self, who: Guest | SessionId, intent: AnyIntent, kind: type[R]) -> R:
        """The reply to this intent, which is of this kind."""
        reply = self.reply(who, intent)
        assert isinstance(reply, kind), f"{intent} is answered by {reply}"
        return reply

    def reply(
        self, who: Guest | SessionId, intent: AnyIntent, *, read: Micros | None = None
    ) -> Reply:
        """The reply, whatever it is; `read` is when the intent came in, if not just now."""
        session = who if isinstance(who, int) else who.session
        batch = self.hall.receive(session, intent, self.now if read is None else read)
        mine = [d.message for d in batch.deliveries if d.session == session]
        replies = [message for message in mine if not isinstance(message, NEWS)]
        assert len(replies) == 1, f"one reply to {intent}, not {replies}"
        assert isinstance(replies[0], Reply), "what is no news is a reply"
        assert mine[0] is replies[0], "the reply comes before its news"
        if isinstance(replies[0], Refused):
            # At a table an illegal move may count, and a flag may fall before what is asked.
            broke = replies[0].code == "rules_failed"  # which ends the table that was asked for
            quiet = isinstance(intent, TableIntent) or broke or not batch.records
            assert quiet, "what is refused leaves no record"
            self.refused.add(type(intent))
        self.take(batch)
        return replies[0]

    def do(self, who: Guest | SessionId, intent: AnyIntent) -> Done:
        """Ask for something that is done."""
        return self.ask(who, intent, Done)

    def no(self, who: Guest | SessionId, intent: AnyIntent) -> str:
        """The code with which this is refused; an intent that is refused writes nothing."""
        before = self._seq
        refused = self.ask(who, intent, Refused)
        assert refused.sentence.endswith("."), "a refusal is a sentence"
        assert self._seq == before, "what is refused changes nothing"
        return refused.code

    def game(
        self,
        variant: str,
        *guests: Guest,
        time: str = "none",
        policy: Policy | None = None,
        rated: bool = True,
    ) -> TableId:
        """A table at which these sit down in order."""
        kind = policy or Policy()
        opened = Open(variant, len(guests), time, kind, rated=rated, player=guests[0].player)
        table = self.do(guests[0], opened).table
        assert table is not None
        for guest in guests[1:]:
            self.do(guest, Sit(table, player=guest.player))
        return table

    def show(self, who: Guest | SessionId, table: TableId) -> Shown:
        """The table as this one sees it."""
        player = None if isinstance(who, int) else who.player
        return self.ask(who, Show(table, player=player), Shown)

    # -- time, and the disk

    def wait(self, seconds: float) -> None:
        """Time passes, and the hall is told at every deadline on the way."""
        end = self.now + round(seconds * SECOND)
        again = 0
        while (deadline := self.deadline()) is not None and deadline <= end:
            again = again + 1 if deadline == self.now else 0
            assert again < 5, "a tick at the deadline gets the hall on"
            self.now = max(self.now, deadline)
            self.tick()
        self.now = end

    def deadline(self) -> Micros | None:
        """When the hall wants to be told the time, by its clocks or by the one on the wall."""
        moments = (self.hall.deadline(), self.hall.appointment())
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self, stalled: Micros = 0) -> Batch:
        """The hall is told the time; on the wall it is so much later."""
        batch = self.hall.tick(self.now, Wall(self.now + stalled))
        self.take(batch)
        return batch

    def take(self, batch: Batch) -> None:
        """Write a batch and tell it; in a slow house, later."""
        self._check(batch)
        self.unsafe.append(batch)
        if not self.slow:
            self.catch_up()

    def catch_up(self) -> None:
        """The disk has written everything; it is told, and handed over now."""
        batches, self.unsafe = self.unsafe, []
        for batch in batches:
            self.batches.append(batch.records)
            for record in batch.records:
                self.log.append(record)
                self.streams.setdefault(record.stream, []).append(record)
            for delivery in batch.deliveries:
                self.inboxes[delivery.session].append(delivery.message)
        for batch in batches:
            self.hall.handed(batch, self.now)
            self.wishes += batch.wishes

    def pair(self, wish: Wish | None = None, *, failed: bool = False) -> bool:
        """Somebody has paired a round, by itself the first; whether there was one."""
        if wish is None and not self.wishes:
            return False
        wish = self.wishes.pop(0) if wish is None else wish
        found = Solved(failed=True) if failed else Solved(solve(wish.puzzle))
        self.take(self.hall.solved(wish, found, self.now))
        return True

    def restart(self) -> None:
        """The process dies with what was not safe; another takes the log up.

        It begins with a snapshot of some of the hall's own records, and must come to be as one
        that was given all of them.
        """
        self.unsafe, self.wishes = [], []
        self._seq = len(self.log)
        read, seeds, tokens = len(self.archive_reads), self._seeds, self._tokens
        self._seeds, self._tokens = Chance(1), Chance(1)
        plain = self._new_hall()
        same = self._restored(plain, 0)
        self._seeds, self._tokens = Chance(1), Chance(1)
        copy = self._new_hall()
        cut = self._cuts.below(sum(one.stream == HALL_STREAM for one in self.log) + 1)
        batch = self._restored(copy, cut)
        assert batch == same, f"a snapshot of {cut} records leads to something else"
        found = differences(copy, plain)
        assert not found, f"by a snapshot of {cut} records: {found[:3]}"
        del self.archive_reads[read:]
        self._seeds, self._tokens = seeds, tokens
        self.hall = self._new_hall()
        self.take(self._restored(self.hall, cut))

    def _restored(self, hall: Hall, cut: int) -> Batch:
        """Have a hall take the log up, by a snapshot of so many of its own records."""
        own = [record for record in self.log if record.stream == HALL_STREAM][:cut]
        if own:
            memory = HallMemory(LANGUAGES)
            for record in own:
                memory.take(record)
            hall.restoring.recall(read_parts(memory.written()), memory.seq)
        known = own[-1].seq if own else 0
        ended = {record.stream for record in self.log if record.ends}
        kept = [
            record
            for record in self.log
            if (record.seq > known if record.stream == HALL_STREAM else record.stream not in ended)
            if record.stream not in self.rotten
        ]
        tables = [table for stream in self.streams if (table := table_of(stream)) is not None]
        hall.resume_counting(self._seq, max(tables, default=0))
        rotten = dict.fromkeys(self.rotten, "It is damaged.")
        return hall.restore(kept, self.now, damaged=lambda: rotten)

    # -- what was heard, and what was written

    def heard(self, who: Guest | SessionId) -> list[AnyMessage]:
        """Everything this session was told since it was last asked, replies too."""
        session = who if isinstance(who, int) else who.session
        messages, self.inboxes[session] = self.inboxes[session], []
        return messages

    def news(self, who: Guest | SessionId) -> list[Happened]:
        """The news among it."""
        return [m.happened for m in self.heard(who) if isinstance(m, News)]

    def events(self, table: TableId) -> list[TableEvent]:
        """Everything that happened at a table, as the log has it."""
        return table_events(self.streams.get(table_stream(table), ()))

    def last(self, table: TableId, kind: type[R]) -> R:
        """The last event of this kind at a table."""
        return [event for event in self.events(table) if isinstance(event, kind)][-1]

    # -- inside

    def _new_hall(self) -> Hall:
        hall = Hall(
            languages=LANGUAGES,
            seeds=self._seeds.bits,
            tokens=self._token,
            archive=self._archive,
            organiser=self._organiser,
            bots=self._bots,
            pairs_away=self._pairs_away,
            settings=self._settings,
        )
        hall.quick.on = self._quick
        return hall

    def _token(self) -> str:
        return f"token-{self._tokens.bits() >> 1}"

    def _archive(self, stream: str) -> Sequence[Record]:
        self.archive_reads.append(stream)
        if stream in self.rotten:
            raise Damaged(f"{stream} is damaged.")
        return tuple(self.streams.get(stream, ()))

    def _check(self, batch: Batch) -> None:
        for record in batch.records:
            self._seq += 1
            assert record.seq == self._seq, "records are numbered without gaps"
            if isinstance(record.event, Seeded | TourKeyed):
                self.seeds.append(str(record.event.seed))
            if isinstance(record.event, TourKeyed) and record.event.code:
                self.codes[record.stream] = record.event.code
            elif isinstance(record.event, TourEnded):
                self.codes.pop(record.stream, None)
        for delivery in batch.deliveries:
            text = written(delivery.message)
            assert not any(seed in text for seed in self.seeds), "a seed is never told"
            if self.codes:
                text = written(_uncoded(delivery.message))
                assert not any(code in text for code in self.codes.values()), (
                    "a code is its owner's"
                )


def _uncoded(message: AnyMessage) -> AnyMessage:
    """A message without the code that whoever runs a tour is told."""
    match message:
        case TourMade() | TourShown():
            return replace(message, code="")
        case _:
            return message


def written(message: AnyMessage) -> str:
    """A message as it would leave in JSON; a News without its scene."""
    plain = message.happened if isinstance(message, News) else message
    return msgspec.json.encode(plain).decode()
