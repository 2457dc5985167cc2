"""The hall: all tables and players of one server. Told the time, and does no I/O.

`receive`, `hang_up` and `tick` give back a batch: records to make safe first, deliveries to make
after. One reply per intent, before its news. `handed` says that a batch's deliveries have been
given to the connections; the turns in it count from then. `now` is what clocks run by, `at` the
time of day, if that is another.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final, get_args

from msgspec import Struct

from rookery.core import intents
from rookery.core.errors import BadOption, BadPosition, BadTimeControl, RulesFailed
from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, SessionId, TableId, TourId, Wall
from rookery.core.intents import AnyIntent, Growth, Intent, Needs
from rookery.core.manners import OWN, Directory, Languages
from rookery.core.messages import PlayerLine, Refused
from rookery.core.network import FRONT, Attachment, Doorway
from rookery.core.policy import Return
from rookery.hall import limits
from rookery.hall.attaching import Attaching
from rookery.hall.batch import Batch, Draft, Wish
from rookery.hall.community import Community
from rookery.hall.lobby.casual_ratings import CasualRatings
from rookery.hall.lobby.challenges import Challenges
from rookery.hall.lobby.gatherings import Gatherings
from rookery.hall.lobby.rooms import Rooms
from rookery.hall.lobby.seating import Seating
from rookery.hall.lobby.vacancies import Vacancy, vacancies
from rookery.hall.people.accounts import Accounts
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.presence import Presence
from rookery.hall.people.reception import Reception
from rookery.hall.people.register import People, Register
from rookery.hall.people.warden import Remark, Warden, cost_of, quiet
from rookery.hall.restoring import Restoring
from rookery.hall.scoring.rating_history import RatingHistory
from rookery.hall.tables.answers import (
    TABLE_QUESTIONS,
    TableQuestion,
    answer,
    listen,
    name_all,
    standings,
    survey,
)
from rookery.hall.tables.broken import Broke, unheard
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.quick_move import QuickMoves
from rookery.hall.tables.registry import Archive, TableRegistry
from rookery.hall.tables.wakeups import earlier
from rookery.hall.tours.door import TourAnswers, TourDoor
from rookery.hall.tours.newcomers import Newcomers
from rookery.hall.tours.rating_book import RatedBy, RatingBook
from rookery.hall.tours.running.rounds import Solved
from rookery.hall.tours.running.steward import Steward
from rookery.hall.tours.tour_book import Book
from rookery.hall.tours.tours import TourRequests


class HallSettings(Struct, frozen=True):
    """How much each home may use up, and how long the hall waits for players who are away."""

    allowances: limits.Allowances = limits.Allowances()
    hold: Micros = limits.HOLD  # how long a game on hold waits with nobody there
    # How long seats of games not begun wait after a restart, where connections outlive the hall.
    returning: Micros = 0
    remark: Remark = quiet  # tells the operator something
    broke: Broke = unheard  # hears which game's rules broke, at which table, and how


HALL_SETTINGS: Final = HallSettings()


# Any: each takes the intents it is given here.
Routes = dict[type[Intent], Callable[[Asking, Any], None]]
NOTHING: Final = Batch()
NOBODY: Final = Refused("no_player", "Say who you are first.")
SEVERAL: Final = Refused("which_player", "This connection has several players: say which.")
UNREADABLE: Final = (BadOption, BadTimeControl, BadPosition)  # refused, wherever it is read


class Hall:
    """Everything one server knows. Its maker gives it the sources of seeds and tokens.

    `organiser` is the token that lets a session run every tour; without one nobody may. `bots` are
    the games for which anyone may ask for house bots. With `pairs_away` it wishes for rounds
    that take long to pair, and waits to be told; else it pairs them itself. `settings` is what
    homes may use up, `languages` what the dialects declare of their clients.
    """

    def __init__(
        self,
        *,
        seeds: Callable[[], int],
        tokens: Callable[[], str],
        archive: Archive,
        organiser: str = "",
        bots: frozenset[str] = frozenset(),
        pairs_away: bool = False,
        settings: HallSettings = HALL_SETTINGS,
        languages: Languages,
    ) -> None:
        presence = self.presence = self._presence = Presence()
        register = self._register = Register(presence, languages, self._is_busy)
        players = self._players = register.players
        self.is_player, self.players_from = players.is_player, players.named_from
        warden = self._warden = Warden(presence, players, settings.allowances, settings.remark)
        people = People(presence, register, warden)
        floor = self._floor = Floor(people, archive, hold=settings.hold, broke=settings.broke)
        floor.chairs.returning = settings.returning
        self.heard, self.handed = presence.hear, floor.handed  # words came; deliveries are made
        self.quick = QuickMoves(presence, floor)
        self.accounts = Accounts(presence, register, tokens)
        reception = self._reception = Reception(presence, register, tokens, floor.chairs.came_back)
        seating = self._seating = Seating(people, floor, seeds, bots)
        community = self.community = Community(people, floor)
        self._challenges, self.casual = Challenges(floor, people), CasualRatings(people, floor)
        gatherings = self._gatherings = Gatherings(people, floor, seating)
        rooms = self._rooms = Rooms(people, reception, floor, seating)
        book = self._book = Book(people, archive)
        ratings = self._ratings = RatingBook(players)
        steward = self._steward = Steward(people, floor, seating, book, ratings)
        steward.rounds.pairs_away = pairs_away
        tours = TourRequests(people, seating, book, ratings, steward, seeds=seeds)
        answers = TourAnswers(people, tours, ratings)
        newcomers = self._newcomers = Newcomers(people, reception, floor, tours)
        door = self._tour_door = TourDoor(people, tours, newcomers, answers, organiser=organiser)
        self.attaching = Attaching(people, floor, gatherings, rooms, door, chat=community.chat)
        self.restoring = Restoring(register, floor, self.casual.book, book, steward.endings)
        self._seq, self._routes = 0, self._all_routes()  # records so far; who does what

    def _is_busy(self, player: PlayerId) -> bool:
        """Whether a player who is gone has a table or a tour to come back to."""
        touring = self._book.attached(player) is not None
        return touring or bool(self._floor.tables.of_player(player))

    # -- what the keeper calls

    def connect(
        self, session: SessionId, host: str, dialect: str = OWN, door: Doorway = FRONT
    ) -> None:
        """Add a session from this host, which speaks this dialect and came by this door."""
        manners = self._players.languages[dialect]
        self._presence.connect(session, host, manners, returns=door.by is Return.HOST)
        self._tour_door.connect(session, door)

    def receive(
        self, session: SessionId, intent: AnyIntent, now: Micros, at: Wall | None = None
    ) -> Batch:
        """Decide this intent of a session, which was read at `now`; the batch that follows."""
        if not self._presence.hear(session, now):
            return NOTHING  # it hung up, or was cut off, while this was in the queue
        try:
            if type(intent) is intents.Play:  # nearly always, and it concerns its table alone
                wall = Wall(now) if at is None else at
                quick = self.quick.play(session, intent, now, wall, self._seq + 1)
                if quick is not None:
                    self._seq += 1
                    return quick
                draft = Draft(self._seq, now, at)
                self._seating.at_table(self._asking(draft, session, intent.player), intent)
                return self._finish(draft)
            draft = Draft(self._seq, now, at)
            if intent.growth is Growth.LIMITED:
                refuse(self._warden.too_fast(session, now))
            self._dispatch(draft, session, intent)
        except Refusal as no:
            return self._refuse(draft, session, no.refused)
        except UNREADABLE as wrong:
            return self._refuse(draft, session, Refused("bad_option", str(wrong)))
        except RulesFailed as failed:  # of a question: nothing was written before
            draft = Draft(self._seq, now, at)
            self._floor.broken.break_off(draft, failed, session)
            return self._finish(draft)
        batch = self._finish(draft)
        self._warden.wrote(session, cost_of(intent, len(batch.records)), now)
        return batch

    def _refuse(self, draft: Draft, session: SessionId, no: Refused) -> Batch:
        assert draft.seq == self._seq, "who refuses has written nothing before"
        draft.tell(session, no)
        return draft.batch()

    def _asking(self, draft: Draft, session: SessionId, player: PlayerId | None) -> Asking:
        """The session's asking, for this player or for the only one it acts for."""
        mine = self._presence.players_of(session)
        if player is None:
            if len(mine) == 1:
                return Asking(draft, session, self._players[mine[0]])
            return Asking(draft, session, SEVERAL if mine else NOBODY)
        if player in mine:
            return Asking(draft, session, self._players[player])
        sentence = f"This connection does not act for player {player}."
        return Asking(draft, session, Refused("not_yours", sentence))

    def _dispatch(self, draft: Draft, session: SessionId, intent: AnyIntent) -> None:
        """Do what is asked, once whoever it needs is known. Raises Refusal."""
        asking = Asking(draft, session, NOBODY)
        if intent.needs is not Needs.NOBODY:
            player = intent.player if isinstance(intent, intents.PlayerIntent) else None
            asking = self._asking(draft, session, player)
        if isinstance(asking.player, Refused) and (
            intent.needs is Needs.PLAYER
            or (intent.needs is Needs.RUNNER and not self._presence.is_organiser(session))
        ):
            raise Refusal(asking.player)
        self._routes[type(intent)](asking, intent)

    def _all_routes(self) -> Routes:
        """Who does what is asked, by the intent's type."""
        seating, rooms, gatherings = self._seating, self._rooms, self._gatherings
        routes: Routes = {
            **dict.fromkeys((intents.Enter, intents.Reclaim), self._be),
            **dict.fromkeys((intents.TakeUp, intents.Resume), self._be),
            intents.Rename: self._rename,
            **dict.fromkeys(get_args(intents.TableIntent), seating.at_table),
            **dict.fromkeys((intents.Open, intents.Seek), self._open),
            intents.Gather: self._gather,
            intents.Ungather: lambda asking, _: gatherings.stop(asking),
            intents.EnterRoom: self._enter_room,
            intents.LeaveRoom: lambda asking, _: rooms.leave(asking),
            intents.Rematch: rooms.rematch,
            intents.TurnTold: seating.turn_told,
            intents.TakeOver: seating.take_over,
            intents.Challenge: self._challenges.send,
            **dict.fromkeys((intents.Watch, intents.Unwatch, intents.WatchLobby), self._listen),
            **dict.fromkeys(TABLE_QUESTIONS, self._answer),
            intents.Survey: self._survey,
            **dict.fromkeys(intents.AccountIntent.__subclasses__(), self.accounts.receive),
            **self.community.routes(),
            **self._tour_door.routes(),
        }
        assert routes.keys() == set(intents.INTENTS), "every intent has a route"
        return routes

    def _be(
        self,
        asking: Asking,
        intent: intents.Enter | intents.Reclaim | intents.TakeUp | intents.Resume,
    ) -> None:
        """Make the session a new player, or one from before. Raises Refusal."""
        match intent:
            case intents.Enter(name):
                if not self._newcomers.enter(asking, name):
                    self._reception.enter(asking, intent)
            case intents.Reclaim():
                self._reception.reclaim(asking, intent)
            case intents.TakeUp():
                self._newcomers.take_up(asking, intent)
            case intents.Resume():
                for left in self._reception.resume(asking, intent):
                    self._went_away(asking.draft, left)
        self._tour_door.came(asking.draft, asking.session)

    def _rename(self, asking: Asking, intent: intents.Rename) -> None:
        self._reception.rename(asking, intent)
        self._tour_door.renamed(asking.draft, asking.who.id)

    # A player in a tour who asks for a game waits for a match of it.

    def _open(self, asking: Asking, intent: intents.Open | intents.Seek) -> None:
        if isinstance(intent, intents.Open) or not self._newcomers.ask(asking):
            self._seating.open(asking, intent)

    def _gather(self, asking: Asking, intent: intents.Gather) -> None:
        if not self._newcomers.ask(asking):
            self._gatherings.join(asking, intent)

    def _enter_room(self, asking: Asking, intent: intents.EnterRoom) -> None:
        """Enter a room, as a new player where a name is given. Raises Refusal."""
        if intent.name is None:
            if not self._newcomers.ask(asking):
                self._rooms.enter(asking, intent)
        elif not self._newcomers.enter(asking, intent.name, intent):
            self._rooms.enter_as(asking, intent, intent.name)
            self._tour_door.came(asking.draft, asking.session)

    def _listen(
        self, asking: Asking, intent: intents.Watch | intents.Unwatch | intents.WatchLobby
    ) -> None:
        listen(asking, intent, self._floor, self._presence)

    def _survey(self, asking: Asking, intent: intents.Survey) -> None:
        found = survey(self._floor, intent)
        for one in found:
            self._register.name_table(asking.draft, asking.session, one.id, one.seats)
        asking.tell(standings(found))

    def hang_up(
        self, session: SessionId, now: Micros, at: Wall | None = None, *, ours: bool = False
    ) -> Batch:
        """Let go of a session whose connection is gone; `ours` if the server lost it."""
        draft = Draft(self._seq, now, at)
        self._part(draft, session, ours=ours)
        return self._finish(draft)

    def attach(
        self,
        session: SessionId,
        before: Attachment,
        now: Micros,
        at: Wall,
        lost: Iterable[SessionId] = (),
    ) -> Batch:
        """Make a connected session what it was in the hall before us.

        Or in this one: then the sessions it was are `lost`, and may not have hung up yet.
        """
        draft = Draft(self._seq, now, at)
        for one in lost:
            self._part(draft, one, ours=True)
        return self._finish(self.attaching.attach(draft, session, before))

    def _part(self, draft: Draft, session: SessionId, *, ours: bool) -> None:
        """Let go of a session; nothing changes where that has been done."""
        self._tour_door.disconnect(session)
        self.community.chat.disconnect(session)
        for player in self._presence.disconnect(session):
            self._went_away(draft, player, ours=ours)

    def _went_away(self, draft: Draft, player: PlayerId, *, ours: bool = False) -> None:
        """See to all that follows where no connection acts for this player any more."""
        self._register.numbers.went(player, draft.now)
        self._gatherings.leave(player)
        for table in self._floor.tables.of_player(player):
            self._floor.chairs.went_away(draft, table, player, ours=ours)
        self._rooms.went_away(draft, player)
        self._tour_door.went(draft, player)

    def tick(self, now: Micros, at: Wall | None = None) -> Batch:
        """Do what is due by `now`: flags that have fallen, grace that is over, and more."""
        draft = Draft(self._seq, now, at)
        self._floor.tick(draft)
        self._gatherings.tick(draft)
        self._tour_door.tick(draft)
        return self._finish(draft)

    def leave_out(
        self, since: Micros, until: Micros, sessions: Iterable[SessionId] | None = None
    ) -> None:
        """Let no clock count this time: of the players of these sessions, who could not be heard.

        Without sessions it concerns everybody, and those who are away have so much longer.
        """
        if sessions is None:
            self._floor.leave_out(since, until)
            return
        players = (self._presence.players_of(session) for session in sessions)
        self._floor.leave_out(since, until, chain.from_iterable(players))

    def nobody_came(self, since: Micros, until: Micros) -> None:
        """Give those who are away so much longer: nobody could come back in this time."""
        self._floor.chairs.leave_out(since, until)

    def solved(self, wish: Wish, found: Solved, now: Micros, at: Wall | None = None) -> Batch:
        """Take in the pairing of a round that a batch wished for, or that it failed."""
        draft = Draft(self._seq, now, at)
        self._steward.solved(draft, wish, found)
        return self._finish(draft)

    def deadline(self) -> Micros | None:
        """When to `tick` at the latest."""
        first = earlier(self._floor.deadline(), self._gatherings.deadline())
        return earlier(first, self._tour_door.deadline())  # asked for at every turn of the keeper

    def appointment(self) -> Wall | None:
        """When to `tick` at the latest, by the time of day."""
        return self._steward.agenda.appointment()

    def restore(
        self,
        records: Iterable[Record],
        now: Micros,
        at: Wall | None = None,
        damaged: Callable[[], Mapping[str, str]] = dict,
    ) -> Batch:
        """Restore from the log what a restart needs; the batch says what the restart changed.

        `damaged` is asked at the end which streams are not whole, and how. Raises Damaged.
        """
        self._seq = max(self._seq, self.restoring.take(records, damaged))
        draft = Draft(self._seq, now, at)
        self._floor.chairs.wake(draft)
        self._rooms.restore()
        self._register.numbers.all_went(now)
        self._steward.wake(draft)
        return self._finish(draft)

    def resume_counting(self, seq: int, tables: int) -> None:
        """Count on from so many records and tables of the log; to be called before `restore`."""
        self._seq = max(self._seq, seq)
        self._floor.tables.numbered_to(tables)

    @property
    def directory(self) -> Directory:
        """The numbers that dialects have for players and tables."""
        return self._register.numbers

    def vacancies(self, dialect: str) -> tuple[Vacancy, ...]:
        """The vacancies that players of this dialect could fill."""
        return vacancies(self._floor, self._gatherings, self._rooms, self._presence, dialect)

    def suspend(self, game: str) -> None:
        """Put a game out of use whose rules did not come to an end, and let its tables rest."""
        self._floor.broken.suspend(game)

    def rules_failed(self, table: TableId, wrong: BaseException) -> None:
        """Note that a table's rules broke when asked from outside: the next tick ends the table."""
        self._floor.broken.faults.append((table, wrong))

    @property
    def tables(self) -> TableRegistry:
        """The tables as far as is decided, to be looked at and not changed."""
        return self._floor.tables

    def player(self, player: PlayerId) -> PlayerLine | None:
        """The name and dialect of this player, connected or not; None if there is none."""
        known = self._players.get(player)
        return None if known is None else PlayerLine(known.id, known.shown, known.dialect)

    def ratings_of(self, player: PlayerId) -> dict[str, tuple[RatedBy, ...]]:
        """The ratings of a known player by game, as tour after tour left them."""
        return self._ratings.of(player)

    def rating_history_of(self, tour: TourId) -> RatingHistory | None:
        """All that the ratings in a tour are made from; None where there is no such tour."""
        return None if (found := self._book.find(tour)) is None else self._ratings.history(found)

    # -- what there is to see

    def _answer(self, asking: Asking, question: TableQuestion) -> None:
        draft, session = asking.draft, asking.session
        asks_as_player = isinstance(question, intents.PlayerQuestion)
        # Who is nobody asks all the same; who names somebody else's player is refused.
        player = asking.who.id if asks_as_player and asking.player is not NOBODY else None
        floor, players, presence = self._floor, self._players, self._presence
        reply = answer(
            question, session, player, draft.now, floor=floor, players=players, presence=presence
        )
        name_all(draft, session, reply, self._register)
        asking.tell(reply)

    def _finish(self, draft: Draft) -> Batch:
        self._rooms.settle(draft)
        self._tour_door.settle(draft)
        if draft.ended:
            self.casual.settle(draft)
        self.attaching.note(draft)
        self._seq = draft.seq
        return draft.batch()
