"""Laws of the hall: whatever a crowd of strangers asks, in whatever order.

People come, play any game at any table, ask for nonsense, act for others, hang up, come
back; the disk is slow at times, and now and then the server dies. After everything they
do, what the hall shows is what its log says, and nobody has heard a secret.
"""

from functools import cache

import pytest

from rookery.core.chance import Chance
from rookery.core.events import (
    Closed,
    Ended,
    HallEvent,
    Played,
    Rematched,
    RematchWished,
    Said,
    table_of,
)
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat, SessionId, Status, TableId
from rookery.core.intents import (
    Abort,
    AnyIntent,
    DeclineDraw,
    DeclineTakeBack,
    Enter,
    EnterRoom,
    Gather,
    History,
    Leave,
    LeaveRoom,
    LegalMoves,
    ListGames,
    ListPlayers,
    ListTables,
    OfferDraw,
    Open,
    Play,
    Reclaim,
    Rematch,
    Rename,
    Resign,
    Say,
    Seek,
    Show,
    Sit,
    Start,
    TakeBack,
    Ungather,
    Unwatch,
    Watch,
)
from rookery.core.messages import Entry, Happened, News, Past, Shown, Welcome
from rookery.core.policy import Begin, Errors, Gone, Policy
from rookery.games import GAMES
from rookery.hall.limits import HOLD
from rookery.hall.tables.replay import replay
from rookery.hall.tables.table import Table
from rookery.testing.cases import is_sentence
from tests.hall.house import SECOND, Guest, House, written

STEPS = 2000
CROWDS = 15
VARIANTS = (*GAMES, "guess high=3", "guess high=3", "reversi size=4", "nim rows=1 sticks=2")
TIMES = ("none", "none", "20s", "5s+1s", "3s/move first 9s", "9s delay 1s")
ODD = (0, -1, 1, 3, 10**30)
WORDS = (
    "hello",
    "",
    "\0",
    "x" * 1000,
    "\ud800",
    "guess",
    "1=2",
    "reversi size=4 size=4",
    "nim sticks=",
)


class Crowd:
    """Everyone at once."""

    def __init__(self, seed: int, *, quick: bool = True) -> None:
        self.chance = Chance(seed)
        self.told: list[tuple[SessionId, str]] = []  # everything, in order
        self.house = House(seed=seed, bots=frozenset({"nim"}), quick=quick)
        self.watcher = self.house.connect()  # hears all it can, and has no player
        self.guests = [
            self.house.enter(f"g{n}", dialect="fish" if n == 4 else "native") for n in range(5)
        ]
        self.tables: list[TableId] = []
        self.mine = {guest.session: {guest.player} for guest in self.guests}
        self.here = set(self.mine)

    def live(self) -> None:
        """Do many things, looking at the laws after each."""
        for step in range(STEPS):
            self._happen()
            if not self.house.slow:
                self._hear()
                if step % 10 == 0:
                    self._look()

    def go(self) -> None:
        """Everyone goes home, and time passes."""
        self.house.slow = False
        self.house.catch_up()
        for guest in self.guests:
            self.house.hang_up(guest)
        self.house.wait(400)

    def _happen(self) -> None:
        chance, house = self.chance, self.house
        n = chance.below(len(self.guests))
        match chance.below(60):
            case 0:
                house.hang_up(self.guests[n])
                self.here.discard(self.guests[n].session)
            case 1 | 2:
                self._come_back(n)
            case 3 | 4:
                house.wait(chance.choice((0.1, 0.1, 2, 7, 70)))
            case 5 if not chance.below(5):
                self._die()
            case fate if fate > 20:
                self._play_on()
            case 6 | 7:
                house.slow = not house.slow
                house.catch_up()
            case _:
                self._ask(self.guests[n])
                house.now += chance.below(SECOND // 4)

    def _play_on(self) -> None:
        """Somebody does what brings a table on: sits down, moves, or wishes to play again."""
        table = self._table()
        past = self.house.events(table)
        here = [guest for guest in self.guests if guest.session in self.here]
        if not past or not here:
            return
        now, guest = replay(table, past), self.chance.choice(here)
        intent: AnyIntent = Sit(table, None, player=guest.player)
        if now.status is Status.PLAYING:
            acting = [
                g for g in here if (s := now.seat_of(g.player)) is not None and s in now.to_act
            ]
            guest = self.chance.choice(acting or here)
            intent = Play(table, self._move(table), player=guest.player)
            self.house.now += self.chance.below(SECOND)
        elif now.status is Status.OVER:
            intent = Rematch(table, player=guest.player)
        elif now.opened.policy.begin is Begin.OWNER and None not in now.seats:
            guest = next((g for g in here if g.player == now.opened.by), guest)
            intent = Start(table, player=guest.player)
        self.house.reply(guest, intent)

    def _die(self) -> None:
        house = self.house
        house.slow = False
        house.catch_up()
        self._hear()
        house.restart()
        self.watcher = house.connect()
        self.here.clear()
        for n in range(len(self.guests)):
            if self.chance.below(4):
                self._come_back(n)

    def _come_back(self, n: int) -> None:
        guest = self.guests[n] = self.house.back(self.guests[n])
        self.mine[guest.session] = {guest.player}
        self.here.add(guest.session)

    def _ask(self, guest: Guest) -> None:
        if guest.session not in self.here:
            return
        reply = self.house.reply(guest, self._intent(guest))
        for stream in list(self.house.streams)[len(self.tables) + 1 :]:
            table = table_of(stream)
            assert table is not None, "the hall's own stream came first"
            self.tables.append(table)
            if self.chance.below(2):
                self.house.reply(self.watcher, Watch(table))
        if isinstance(reply, Welcome):
            self.mine[guest.session].add(reply.player)

    def _intent(self, guest: Guest) -> AnyIntent:
        chance = self.chance
        table = self._table()
        player = (
            guest.player if chance.below(8) else chance.choice((None, PlayerId(2), PlayerId(-1)))
        )
        odd, word = chance.choice(ODD), chance.choice(WORDS)
        seat = None if chance.below(3) else Seat(odd)
        rare: tuple[AnyIntent, ...] = (
            Enter(word, chance.choice(("native", "\0", "x" * 99))),
            Reclaim(PlayerId(odd), word), Reclaim(guest.player, guest.token),
            Rename(word, player=player),
            Open(word), Seek("nim", odd, word), Start(table, player=player), Unwatch(table),
            Gather("nim", 2, 2 + chance.below(2), wait=chance.below(3), player=player),
            Ungather(player=player), LeaveRoom(player=player),
            EnterRoom(chance.choice(("den", "hut", word)), "tictactoe", player=player),
            Watch(table, odd), ListGames(), ListTables(word, TableId(odd)), ListPlayers(),
            Show(table, player=player), LegalMoves(table, player=player), History(table, odd),
            Leave(table, player=player), Resign(table, player=player), Abort(table, player=player),
            OfferDraw(table, player=player), DeclineDraw(table, player=player),
            TakeBack(table, player=player), DeclineTakeBack(table, player=player),
            Say(table, word, bool(chance.below(2)), player=player), Sit(table, seat, player=player),
        )  # fmt: skip
        often = chance.below(10)
        if often < 4:
            return Play(table, self._move(table), player=player)
        if often < 6:
            return Sit(table, None, player=player)
        if often < 7:
            time, variant = chance.choice(TIMES), chance.choice(VARIANTS)
            if chance.below(2):
                return Seek(
                    variant,
                    None,
                    time,
                    self._policy(),
                    player=player,
                    house=self._bots(),
                    kept=self._kept(),
                )
            sit = bool(chance.below(5))
            terms = (sit, seat, self._bots(), self._kept(), variant.startswith("tic"))
            return Open(variant, None, time, self._policy(), *terms, player=player)
        return chance.choice(rare)

    def _table(self) -> TableId:
        """Most often one where something can be done."""
        if not self.chance.below(12):
            return TableId(self.chance.choice(ODD))
        return self.chance.choice(self.tables[-4:]) if self.tables else TableId(1)

    def _move(self, table: TableId) -> str:
        past = self.house.events(table)
        if not past or not self.chance.below(6):
            return self.chance.choice(WORDS)
        now = replay(table, past)
        for seat in sorted(now.to_act):
            moves = list(now.game.legal_moves(now.state, seat))[:200]
            if moves:
                return now.game.format_move(self.chance.choice(moves))
        return "0"

    def _policy(self) -> Policy:
        chance = self.chance
        return Policy(
            chance.choice((Begin.FULL, Begin.FULL, Begin.OWNER)),
            chance.choice((Gone.HOLD, Gone.AT_ONCE, *[Gone.FORFEIT] * 4)),
            chance.choice((0, SECOND, 60 * SECOND)),
            Errors(chance.choice((0, 0, 3)), bool(chance.below(2)), bool(chance.below(2))),
            chance.choice(("", "", "", "fish")),
        )

    def _bots(self) -> int | None:
        """Most often no word about house bots."""
        return self.chance.choice((None, None, None, None, None, 0, 3, 6))

    def _kept(self) -> Micros:
        """Most often the seat is given up when its player goes."""
        return self.chance.choice((0, 0, 0, 30 * SECOND, 300 * SECOND))

    # -- the laws

    def _hear(self) -> None:
        """Nobody has heard what they must not know."""
        for session in list(self.house.inboxes):
            for message in self.house.heard(session):
                text = written(message)
                self.told.append((session, text))
                for guest in self.guests:
                    own = guest.player in self.mine.get(session, ())
                    assert own or guest.token not in text, "a token is its player's own"
                if isinstance(message, News):
                    self._keep_secret(session, message.happened.table, message.happened)
                elif isinstance(message, Past):
                    for entry in message.events:
                        self._keep_secret(session, message.table, entry)

    def _keep_secret(self, session: SessionId, table: TableId, told: Happened | Entry) -> None:
        now = self._replayed(table)
        if (
            now.status is Status.PLAYING
            and now.game.secret_moves
            and isinstance(told.event, Played)
        ):
            own = now.seats[told.event.seat] in self.mine.get(session, ())
            assert own or told.event.move == "", "a secret move is its seat's own"

    def _look(self) -> None:
        """What the hall shows is what the log says."""
        for table in self.tables[-8:]:
            shown = self.house.ask(self.watcher, Show(table), Shown)
            now = self._replayed(table)
            assert shown.line.status == now.status
            assert shown.line.n == now.n == len(self.house.events(table))
            assert tuple(seat.player for seat in shown.line.seats) == now.seats
            assert shown.line.outcome == now.outcome
            assert shown.to_act == tuple(sorted(now.to_act))
            if now.state is not None:
                assert shown.view == now.game.view(now.state, None)

    def _replayed(self, table: TableId) -> Table:
        return replay(table, self.house.events(table))


@cache
def crowd(seed: int, *, quick: bool = True) -> Crowd:
    """A crowd that has lived and gone."""
    one = Crowd(seed, quick=quick)
    one.live()
    one.go()
    return one


every_crowd = pytest.mark.parametrize("seed", range(CROWDS))


@every_crowd
def test_whatever_a_crowd_asks_the_hall_shows_what_its_log_says(seed: int) -> None:
    assert crowd(seed).tables, "something was played"


@every_crowd
def test_a_stream_of_the_log_has_no_gaps_and_ends_with_its_end(seed: int) -> None:
    for stream, records in crowd(seed).house.streams.items():
        assert [record.n for record in records] == list(range(1, len(records) + 1)), stream
        if table_of(stream) is None:
            assert all(isinstance(r.event, HallEvent) for r in records)
            continue
        ends = [n for n, record in enumerate(records) if record.ends]
        assert ends == [n for n, r in enumerate(records) if isinstance(r.event, Ended | Closed)]
        assert len(ends) <= 1
        for record in records[ends[0] + 1 :] if ends else ():
            assert isinstance(record.event, Said | RematchWished | Rematched)


@every_crowd
def test_the_quick_way_of_a_move_leads_where_the_plain_one_does(seed: int) -> None:
    quick, plain = crowd(seed), crowd(seed, quick=False)
    assert quick.house.log == plain.house.log
    assert quick.told == plain.told


@every_crowd
def test_what_is_refused_leaves_no_record(seed: int) -> None:
    # The house looks at every refusal; here it is that there were some of many kinds.
    assert {Open, Seek, EnterRoom, Rename, Reclaim, Gather} & crowd(seed).house.refused


@every_crowd
def test_every_ended_game_has_a_reason_that_a_person_can_read(seed: int) -> None:
    house = crowd(seed).house
    reasons = [r.event.outcome.reason for r in house.log if isinstance(r.event, Ended)]
    assert reasons
    assert all(is_sentence(reason) for reason in reasons)


@every_crowd
def test_when_everyone_has_gone_nothing_is_left_but_games_on_hold(seed: int) -> None:
    one = crowd(seed)
    held = [table for table in one.tables if _is_held(one, table)]
    assert held or one.house.hall.deadline() is None, "no timer waits for nothing"
    for table in one.tables:
        now = replay(table, one.house.events(table))
        assert now.status in (Status.OVER, Status.CLOSED) or table in held


@every_crowd
def test_and_a_while_later_not_even_those(seed: int) -> None:
    one = crowd(seed)
    one.house.wait(HOLD / MICROS_A_SECOND + 3600)
    assert one.house.hall.deadline() is None, "no timer waits for nothing"
    for table in one.tables:
        now = replay(table, one.house.events(table))
        assert now.status in (Status.OVER, Status.CLOSED)


def _is_held(one: Crowd, table: TableId) -> bool:
    now = replay(table, one.house.events(table))
    on_hold = now.opened.policy.gone is Gone.HOLD and now.opened.time == "none"
    return on_hold and now.status is Status.PLAYING


def test_crowds_do_everything_there_is_to_do() -> None:
    kinds = {type(r.event).__name__ for seed in range(CROWDS) for r in crowd(seed).house.log}
    wanted = {"Sat", "Left", "Started", "Played", "Erred", "Out", "Ended", "Closed", "Said"}
    assert kinds >= wanted | {"DrawOffered", "RematchWished", "Rematched", "PlayerNamed"}
