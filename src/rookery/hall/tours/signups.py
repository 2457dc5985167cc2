"""Signing up: players wait until enough are there, and then a tour is opened for them.

Players who sign up for the same tour on the same terms are one crowd, and its window opens with the
first of them. Waiting is presence and not in the log; the tour that comes of it is.
"""

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.events import Joined, TourOpened, TourStarted
from rookery.core.ids import Micros, PlayerId, TourId
from rookery.core.intents import SignUp
from rookery.core.messages import Done, Notice, Refused
from rookery.core.options import check_whole
from rookery.core.tour_values import Plan
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.presence import Presence
from rookery.hall.tours.planning import read_plan
from rookery.hall.tours.tour import open_tour
from rookery.hall.tours.tours import TourRequests

SENT_HOME = "sent_home"  # the code of the notice that too few signed up
SIGNED_MAX = 1000  # who wait for one tour; all of them are told of its start at once


class SignUpTerms(Struct, frozen=True):
    """The terms that those who sign up together agree on."""

    plan: Plan
    least: int
    most: int
    window: Micros
    again: int


class Signed(Struct, frozen=True):
    """A player who waits for a tour."""

    player: PlayerId


class SignUpCrowd(Struct, frozen=True):
    """The players who have signed up, in the order they came, and until when the window is open."""

    signed: tuple[Signed, ...]
    closes: Micros
    again: int  # windows that may follow


class SignUps:
    """Everyone who waits for a tour."""

    def __init__(self, tours: TourRequests, presence: Presence) -> None:
        self._tours = tours
        self._presence = presence
        self._crowds: dict[SignUpTerms, SignUpCrowd] = {}
        self._terms_of: dict[PlayerId, SignUpTerms] = {}

    def join(self, asking: Asking, intent: SignUp) -> None:
        """Sign a player up; the last one there is room for starts the tour. Raises Refusal."""
        draft, who = asking.draft, asking.who
        terms = _read(intent)
        if who.id in self._terms_of or self._tours.book.attached(who.id) is not None:
            raise Refusal(Refused("waiting", "You have signed up already."))
        refuse(self._tours.no_room_for(who.host))
        asking.tell(Done())
        crowd = self._crowds.get(terms)
        if crowd is None:
            crowd = SignUpCrowd((), draft.now + terms.window, terms.again)
        crowd = replace(crowd, signed=(*crowd.signed, Signed(who.id)))
        self._terms_of[who.id] = terms
        self._presence.alter_player(who.id)
        self._crowds[terms] = crowd
        if len(crowd.signed) == terms.most:
            self._start(draft, terms)

    def leave(self, player: PlayerId) -> bool:
        """Let a player wait no more; whether it did wait."""
        terms = self._terms_of.pop(player, None)
        if terms is None:
            return False
        self._presence.alter_player(player)
        crowd = self._crowds[terms]
        signed = tuple(one for one in crowd.signed if one.player != player)
        if signed:
            self._crowds[terms] = replace(crowd, signed=signed)
        else:
            del self._crowds[terms]
        return True

    def has(self, player: PlayerId) -> bool:
        """Whether this player waits for a tour."""
        return player in self._terms_of

    def deadline(self) -> Micros | None:
        """When the first window closes, or None."""
        if not self._crowds:
            return None
        return min(crowd.closes for crowd in self._crowds.values())

    def tick(self, draft: Draft) -> None:
        """Close the windows whose time has come."""
        for terms, crowd in list(self._crowds.items()):
            if crowd.closes > draft.now:
                continue
            if len(crowd.signed) >= terms.least:
                self._start(draft, terms)
            elif crowd.again:
                closes = draft.now + terms.window
                self._crowds[terms] = replace(crowd, closes=closes, again=crowd.again - 1)
            else:
                self._send_home(draft, terms)

    def _send_home(self, draft: Draft, terms: SignUpTerms) -> None:
        for one in self._dissolve(terms):
            session = self._presence.session_of(one.player)
            if session is not None:
                sentence = f"Fewer than {terms.least} signed up, and there is no tour."
                draft.tell(session, Notice(SENT_HOME, sentence, one.player))

    def _start(self, draft: Draft, terms: SignUpTerms) -> None:
        """Open a tour for everyone who has signed up on these terms, and start it."""
        signed = self._dissolve(terms)
        tour = self._tours.open(draft, terms.plan, None, "")
        for number, one in enumerate(signed, 1):
            before = [other.player for other in signed[: number - 1]]
            name = self._tours.tell_apart(draft, one.player, before)
            self._tours.book.happen(draft, tour, Joined(number, name, one.player))
            self._tours.steward.ready(one.player)
        opened = self._tours.book.get(tour)
        assert opened is not None, "what was opened just now is not over"
        lasts = opened.format.lasts()
        started = TourStarted(None if lasts is None else draft.at + lasts)
        self._tours.steward.carry_on(draft, tour, started)

    def _dissolve(self, terms: SignUpTerms) -> tuple[Signed, ...]:
        crowd = self._crowds.pop(terms)
        for one in crowd.signed:
            del self._terms_of[one.player]
            self._presence.alter_player(one.player)
        return crowd.signed


def _read(intent: SignUp) -> SignUpTerms:
    """The terms of this intent, checked to make a tour. Raises Mistake."""
    plan = read_plan(intent.plan)
    tour = open_tour(TourId(0), TourOpened(plan))
    if tour.size > 1:
        raise BadOption("One signs up alone, and not for a tour of teams.")
    most = min(SIGNED_MAX, tour.format.most)
    check_whole("most", intent.most, tour.format.least(tour.sides), most)
    check_whole("least", intent.least, tour.format.least(tour.sides), intent.most)
    check_whole("again", intent.again, 0, 100)
    if not 0 < intent.window <= limits.SIGN_UP_MAX:
        raise BadOption("A sign-up window is open for longer than nothing, and at most a day.")
    return SignUpTerms(plan, intent.least, intent.most, intent.window, intent.again)
