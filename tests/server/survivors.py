"""Players who outlive their server: they play, remember all they were told, and check it.

A survivor sits at one table of each of its groups, takes any legal move, talks now and
then, and seeks another game when one is over. When the server was killed it comes back
with its token, asks for the whole past of every table it ever heard of, and compares:
what it was told is there, what it did is there once, and nothing is missing in between.
"""

from collections import Counter, deque

import msgspec
from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.events import Closed, Ended, Opened, Played, PublicEvent, Said, Sat, Started
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import History, LegalMoves, Play, Say, Seek
from rookery.core.messages import Entry
from rookery.dialects.native import Hello
from tests.server.process import Client, Request, Told


class Group(Struct, frozen=True):
    """Who play what with each other; the clock is long, and no other group has it."""

    variant: str
    time: str
    members: tuple[int, ...]


class Memory:
    """A table as one player was told of it. It mutates."""

    def __init__(self, time: str = "") -> None:
        self.time = time  # which says whose group it is of
        self.events: dict[int, Entry] = {}  # by n
        self.made: list[str] = []  # the moves we know to be made
        self.trying: str | None = None  # the move that we asked for and heard nothing of
        self.said: set[str] = set()  # what we said and was done
        self.seat: Seat | None = None
        self.turn = True  # it may be our turn
        self.busy = False  # we have asked something, and wait for the answer

    @property
    def over(self) -> bool:
        """Whether nothing more is played here."""
        return any(isinstance(entry.event, Ended | Closed) for entry in self.events.values())

    @property
    def started(self) -> bool:
        """Whether something was."""
        return any(isinstance(entry.event, Started) for entry in self.events.values())

    def learn(self, entry: Entry) -> None:
        """We are told of an event, for the first time or again."""
        known = self.events.setdefault(entry.n, entry)
        assert same(known, entry), f"told {known} before, and {entry} now"
        self.events[entry.n] = entry  # a secret move may be known now
        if isinstance(entry.event, Opened):
            self.time = entry.event.time

    def compare(self, past: list[Entry], player: PlayerId | None) -> None:
        """This is all that ever happened here, says the server that was restarted."""
        numbers = [entry.n for entry in past]
        assert numbers == [n for n in range(1, numbers[-1] + 1) if n != 2], "only the seed is kept"
        lost = [entry for n, entry in self.events.items() if n not in numbers]
        assert lost == [], f"told, and then not there: {lost}"
        for entry in past:
            self.learn(entry)
        events = [entry.event for entry in past]
        self._compare_moves(
            [e.move for e in events if isinstance(e, Played) and e.seat == self.seat]
        )
        said = Counter(e.text for e in events if isinstance(e, Said) and e.player == player)
        assert all(count == 1 for count in said.values()), "nothing is said twice"
        assert self.said <= set(said), "what was done is there"

    def _compare_moves(self, there: list[str]) -> None:
        """Every move that was done is there once, the one we heard nothing of at most once."""
        if self.trying is not None and there == [*self.made, self.trying]:
            self.made = there
        assert there == self.made, f"we made {self.made}, and {self.trying} was under way"
        self.trying = None


class Survivor:
    """One player with one connection at a time. It mutates."""

    def __init__(self, name: str, groups: list[Group], chance: Chance) -> None:
        self.name = name
        self.groups = groups
        self.chance = chance
        self.player: PlayerId | None = None
        self.token: str | None = None
        self.tables: dict[TableId, Memory] = {}
        self.leaving = False  # we seek no more games
        self.alive = False  # there is a server to talk to
        self.words = 0
        self.checked = 0  # pasts compared
        self.client: Client | None = None
        self._asked: deque[Request] = deque()
        self._seeking: set[str] = set()  # groups, by their clocks
        self._past: dict[TableId, list[Entry]] = {}
        self._heard: dict[TableId, int] = {}  # the last news of each table in this life

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to play or to hear."""
        return not self._asked and all(memory.over for memory in self.tables.values())

    def arrive(self, client: Client) -> None:
        """Be who we were, by a new connection."""
        self.client, self.alive = client, True
        self._asked.clear()
        self._seeking.clear()
        self._past.clear()
        self._heard.clear()
        known = self.player is not None
        self._say(Hello(1, player=self.player, token=self.token) if known else Hello(1, self.name))

    def bereave(self) -> None:
        """The server is dead; hear what it had still sent."""
        self.alive = False
        assert self.client is not None
        while not self.client.ended:
            for told in self.client.take():
                self.hear(told)

    def _say(self, *requests: Request) -> None:
        if self.alive:
            assert self.client is not None
            self._asked += requests
            self.client.say(*requests)

    # -- hearing

    def hear(self, told: Told) -> None:
        """Take a line in, and do what follows."""
        if told.type == "news":
            self._hear_news(told)
            return
        assert not told.unasked, f"no notice is sent before a power cut: {told}"
        request = self._asked.popleft()
        match request:
            case Hello():
                self._greeted(told)
            case History():
                self._hear_past(told)
            case Seek():
                self._seeking.discard(request.time)
                self._found(told, request.time)
            case LegalMoves(table):
                self._choose(self.tables[table], table, told)
            case Play(table, move):
                self._played(self.tables[table], told, move)
            case Say(table, text):
                assert (told.type, told.table) == ("done", table)
                self.tables[table].said.add(text)
            case _:
                raise AssertionError(f"a survivor does not ask for {request}")

    def _greeted(self, told: Told) -> None:
        assert told.type == "hello", f"a player is for ever: {told}"
        self.player, self.token = told.player, told.token
        for table in msgspec.json.decode(told.tables, type=tuple[TableId, ...]):
            self.tables.setdefault(table, Memory())
        for memory in self.tables.values():
            memory.busy = True  # until we know its past
        self._say(*(History(table) for table in self.tables))
        self._seek()

    def _hear_past(self, told: Told) -> None:
        assert told.type == "past", f"a table is for ever: {told}"
        assert told.table is not None
        past = self._past.setdefault(told.table, [])
        past += told.events
        if told.more:
            self._say(History(told.table, past[-1].n))
            return
        memory = self.tables[told.table]
        for entry in past:
            self._notice_seat(memory, entry.event)
        memory.compare(past, self.player)
        self.checked += 1
        memory.turn, memory.busy = True, False
        self._go_on(memory, told.table)
        self._seek()

    def _found(self, told: Told, time: str) -> None:
        assert told.type == "done", f"there is room for us: {told}"
        assert told.table is not None
        self.tables[told.table] = Memory(time)

    def _hear_news(self, told: Told) -> None:
        assert told.table is not None
        assert told.event is not None
        memory = self.tables.setdefault(told.table, Memory())
        assert told.n > self._heard.get(told.table, 0), "no news comes twice, or too late"
        self._heard[told.table] = told.n
        memory.learn(Entry(told.n, told.at, told.event))
        self._notice_seat(memory, told.event)
        memory.turn = memory.seat in told.to_act
        self._go_on(memory, told.table)
        if isinstance(told.event, Ended | Closed):
            self._seek()

    def _notice_seat(self, memory: Memory, event: PublicEvent) -> None:
        if isinstance(event, Sat) and event.player == self.player:
            memory.seat = event.seat

    # -- playing

    def _go_on(self, memory: Memory, table: TableId) -> None:
        if self.alive and memory.turn and memory.started and not (memory.busy or memory.over):
            memory.busy = True
            self._say(LegalMoves(table))

    def _choose(self, memory: Memory, table: TableId, told: Told) -> None:
        memory.busy = memory.turn = False
        if not (told.moves and self.alive):
            return
        memory.busy, memory.trying = True, self.chance.choice(told.moves)
        requests: list[Request] = [Play(table, memory.trying)]
        if not self.chance.below(3):
            self.words += 1
            requests.insert(self.chance.below(2), Say(table, f"{self.name} {self.words}"))
        self._say(*requests)

    def _played(self, memory: Memory, told: Told, move: str) -> None:
        memory.busy, memory.trying = False, None
        if told.type == "done":
            memory.made.append(move)
        else:
            assert told.code in ("game_over", "over"), f"a legal move: {told}"

    def _seek(self) -> None:
        """Find a game for every group that has none, once we know about those there were."""
        if self.leaving or any(isinstance(request, Hello | History) for request in self._asked):
            return
        playing = {memory.time for memory in self.tables.values() if not memory.over}
        for group in self.groups:
            if group.time not in playing | self._seeking:
                self._seeking.add(group.time)
                self._say(Seek(group.variant, len(group.members), group.time))


def same(one: Entry, other: Entry) -> bool:
    """Whether these are the same event; a secret move has no text until the game is over."""
    match one.event, other.event:
        case Played(seat, move, spent), Played(seat_again, move_again, spent_again):
            hidden = not (move and move_again)
            equal = (seat, spent) == (seat_again, spent_again) and (hidden or move == move_again)
            return equal and (one.n, one.at) == (other.n, other.at)
        case _:
            return one == other
