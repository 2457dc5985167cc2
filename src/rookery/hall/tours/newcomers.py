"""Newcomers: clients of old dialects, which have no words for tours, and how they get there.

They are bound for a tour by a code: behind their name (`ann#KXQTW`), as the name of the room they
enter, or because the port they came to has one. From then on asking for a game means being ready
for a match.
"""

from typing import Final

from msgspec.structs import replace

from rookery.core.ids import TOUR_CLOSED, PlayerId, SessionId
from rookery.core.intents import EnterRoom, JoinTour, TakeUp
from rookery.core.messages import Refused, TourJoined
from rookery.core.names import plain
from rookery.hall import limits
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.reception import Reception
from rookery.hall.people.register import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tours.director import BAD_CODE
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import SIGN, apart
from rookery.hall.tours.tours import TourRequests

CODE_LEAST: Final = 4  # a shorter text behind a # is a part of the name; drawn codes are longer


class Newcomers:
    """Brings clients without words for tours into the tour that they are bound for."""

    def __init__(
        self, people: People, reception: Reception, floor: Floor, tours: TourRequests
    ) -> None:
        self._presence = people.presence
        self._players = people.register.players
        self._warden = people.warden
        self._reception = reception
        self._floor = floor
        self._tours = tours
        self._book = tours.book
        self._steward = tours.steward
        self._codes: dict[SessionId, str] = {}  # of the port a session came to

    def connect(self, session: SessionId, code: str) -> None:
        """Note the code of the tour that the session's port is for, if it is for one."""
        if code:
            self._codes[session] = code

    def disconnect(self, session: SessionId) -> None:
        """Forget a session whose connection is gone."""
        self._codes.pop(session, None)

    def at_port(self, session: SessionId, intent: JoinTour) -> JoinTour:
        """The intent to join, with the code of the port's tour unless it names another tour."""
        tour = self._book.with_code(self._codes.get(session, ""))
        if tour is None or intent.code or not self._presence.manners(session).at_port:
            return intent
        return replace(intent, code=tour.code) if intent.tour in (None, tour.id) else intent

    def enter(self, asking: Asking, name: str, room: EnterRoom | None = None) -> bool:
        """Bring a newcomer into the tour it is bound for; False if it is bound for none."""
        bound = self._bound(asking, name, room)
        if bound is None:
            return False
        tour, plain, team = bound
        if room is not None and self._come_back(asking, tour, plain):
            return True
        welcome = self._reception.make(asking, plain)
        player = self._players[welcome.player]
        entered = self._tours.entrant_for(tour, player)
        joined = room is not None
        told = TourJoined(tour.id, entered, player.id, name=tour.plan.name)
        asking.tell(told if joined else welcome)
        self._tours.enter(asking.draft, player, tour, team)
        if joined:
            self._steward.asked(asking.draft, player.id)
        return True

    def _bound(
        self, asking: Asking, name: str, room: EnterRoom | None
    ) -> tuple[Tour, str, str] | None:
        """The tour that a newcomer of this name is bound for, its plain name, and its team."""
        session = asking.session
        if self._presence.manners(session).tours:
            return None
        plain, sign, code = name.rpartition(SIGN)
        tour = self._with_code(asking, code) if sign and code else None
        if tour is None and plain and is_like_a_code(code):
            raise Refusal(Refused(BAD_CODE, f"There is no tour with the code {code}."))
        if tour is None:
            plain = name
            tour = self._book.with_code(self._codes.get(session, ""))
        if tour is None and room is not None:
            # A client that comes into a room with people in it guesses no code.
            known = self._presence.members((room.room, room.variant))
            guess = not known and len(room.room) <= limits.CODE_MAX and room.room.isalnum()
            found = self._book.with_code
            tour = self._with_code(asking, room.room) if guess else found(room.room)
        if tour is None:
            return None
        host, dialect = self._presence.host(session), self._presence.dialect(session)
        returns = self._presence.returns(session)
        # A client that gives only a code has no name; to call it by the code would tell all.
        plain, team = apart(tour, plain)
        refuse(self._tours.may_not_come(plain, host, dialect, tour, team, returns=returns))
        return tour, plain, team

    def _with_code(self, asking: Asking, code: str) -> Tour | None:
        """The tour with a code that a session gave; wrong codes are counted. Raises Refusal."""
        if not self._book.has_codes():
            return None  # there is nothing to guess
        session, now = asking.session, asking.draft.now
        refuse(self._warden.guesses_too_much(session, now))
        tour = self._book.with_code(code)
        if tour is None:
            self._warden.guessed(session, now)
        return tour

    def _come_back(self, asking: Asking, tour: Tour, name: str) -> bool:
        """Let a client back into its kept seat in a match; whether there was one."""
        session = asking.session
        host, dialect = self._presence.host(session), self._presence.dialect(session)
        if not self._presence.returns(session):
            return False
        variant = tour.plan.variant
        was = self._floor.chairs.lost(host, dialect, name, variant=variant, restarted=False)
        known = None if was is None else tour.entrant_of(was)
        if was is None or known is None:
            return False
        self._reception.bring_back(asking, self._players[was])
        asking.tell(TourJoined(tour.id, known.number, was, name=tour.plan.name))
        self._steward.came(asking.draft, was)
        return True

    def ask(self, asking: Asking, *, signs_up: bool = False) -> bool:
        """Take a wish for a game as a wish for the next match of the player's tour; whether so."""
        who = asking.who
        if not self._players.manners(who.id).binds:
            return False
        for tour_id in self._book.of_player(who.id):
            tour = self._book.get(tour_id)
            known = None if tour is None else tour.entrant_of(who.id)
            if tour is None or known is None:
                continue
            to_take = signs_up and known.number not in tour.parted  # the end of its tour
            if tour.status not in TOUR_CLOSED or to_take:
                told = TourJoined(tour_id, known.number, who.id, name=tour.plan.name)
                asking.tell(told)
                self._steward.asked(asking.draft, who.id)
                return True
        return False

    def take_up(self, asking: Asking, intent: TakeUp) -> None:
        """Make the session the player whose seat its host lost first. Raises Refusal.

        After a restart also one whose place in a tour was cut off between two games.
        """
        lost = self._lost(asking.session, intent)
        if lost is None:
            sentence = "Your host has lost no seat in a running game."
            raise Refusal(Refused("nothing_lost", sentence))
        self._reception.welcome_back(asking, self._players[lost], token="")

    def _lost(self, session: SessionId, intent: TakeUp) -> PlayerId | None:
        if self._presence.manners(session).tokens or not self._presence.returns(session):
            return None
        host, dialect = self._presence.host(session), self._presence.dialect(session)
        name = None if intent.name is None else plain(self._book.without_code(intent.name))
        seated = self._floor.chairs.lost(
            host, dialect, name, variant=intent.variant, restarted=intent.restarted
        )
        waits = None
        if intent.restarted and name is not None:
            waits = self._steward.cut_off((host, dialect, name))
        # Of equal names the one who came first comes back first.
        return min((one for one in (seated, waits) if one is not None), default=None)


def is_like_a_code(text: str) -> bool:
    """Whether the text behind a name was meant for a code: a few letters, maybe with digits."""
    fits = CODE_LEAST <= len(text) <= limits.CODE_MAX and text.isascii() and text.isalnum()
    return fits and not text.isdigit()
