"""A hall elsewhere, as the dispatcher of house bots knows it. It mutates."""

from collections.abc import Callable, Sequence

from rookery.core.events import Record
from rookery.core.ids import PlayerId, SessionId
from rookery.core.intents import TakeOver
from rookery.hall.lobby.vacancies import Vacancy
from rookery.runtime.fairtime import FairTime
from rookery.server.house_bots.terms import BotTerms
from rookery.server.links.edge_link import EdgeLink
from rookery.server.links.house_desk import HouseNews


class FarHall:
    """A hall on another machine: what it said last, and the link that bots come over."""

    def __init__(self, link: EdgeLink, time: FairTime) -> None:
        self._link = link
        self._time = time
        self._failing = True
        self._vacancies: tuple[Vacancy, ...] = ()
        self._terms: dict[SessionId, BotTerms] = {}
        self._ours: dict[str, PlayerId] = {}
        self.connect = link.connect
        self.ask = link.ask
        self.hang_up = link.hang_up

    @property
    def failing(self) -> bool:
        """Whether no bots are to be sent now."""
        return self._failing or self._link.away

    def hear(self, news: HouseNews) -> None:
        """Take what the hall says of those who wait for players."""
        self._failing = news.failing
        if news.ours is not None:
            self._ours = news.ours
        now, at = self._time.now(), self._time.wall()
        self._terms, found = {}, []
        for nth, one in enumerate(news.waits, 1):
            since = (now if isinstance(one.fill, TakeOver) else at) - one.ago
            # The dispatcher asks after the terms of those who wait, by their sessions.
            session = SessionId(nth)
            if one.own is not None:
                self._terms[session] = one.own
            found.append(
                Vacancy(
                    one.variant, since, one.missing, one.players, (session,), one.fill, one.house
                )
            )
        self._vacancies = tuple(found)

    def terms_of(self, session: SessionId) -> BotTerms | None:
        """The bots' terms of the port by which this session, which waits, came."""
        return self._terms.get(session)

    def vacancies(self, dialect: str) -> tuple[Vacancy, ...]:  # noqa: ARG002 # as a hall does
        """The places that wait for players, as we heard last."""
        return self._vacancies

    def players_from(self, host: str) -> dict[str, PlayerId]:  # noqa: ARG002 # as a hall does
        """All bots that the house ever had, by name."""
        return self._ours

    def tell_of_records(self, told: Callable[[Sequence[Record]], None]) -> None:
        """Do nothing: the hall itself says when somebody asks for bots."""
