"""A moderator: has the organiser's token, and mutes, bans, and lifts both by chance.

Nobody deserves it, so honest people meet it too. As the day ends the moderator lifts every ban
and mute that is still in force, and leaves only then: a banned player has games to finish.
"""

from collections.abc import Sequence
from typing import Final

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import Answer, Request
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.people import community_intents as wishes
from rookery.core.people.community_messages import ActLine, Sanctions
from rookery.core.tours.tour_intents import Organise
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MILLI, SECOND
from rookery_tools.sim.machine.process import ORGANISER

NUMBERS: Final = 10  # of players among whom one is drawn
TIMES: Final[Sequence[Micros]] = (0, MICROS_A_SECOND, 4 * MICROS_A_SECOND)  # 0: for ever
AGAIN: Final = 300 * MILLI  # until one looks again whether anything is left to lift


class Moderator(WorldPerson):
    """A person who mutes and bans others by chance."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self._client = NativeClient(self.name)
        self._looking: Request | None = None  # what was asked last to see what is left to lift

    def begin(self) -> bytes:
        """The bytes of a hello, and of the organiser's token."""
        self._looking = None
        if self.town.calm:
            self.later(AGAIN, self._look)
        else:
            self.later(self.chance.below(SECOND), self._rule)
        self._client = NativeClient(self.name)
        greeting = self._client.ask(self._client.hello())
        return greeting + self._client.ask(Organise(ORGANISER))

    def hear(self, came: bytes) -> None:
        """Take in answers, and lift the bans and mutes they list as the day ends."""
        for happening in self._client.hear(came):
            if isinstance(happening, Answered):
                self._answered(happening.asked, happening.answer)

    def hurry(self) -> None:
        """Begin to lift all bans and mutes, unless that has begun."""
        if self._looking is None:
            self._look()

    def _answered(self, asked: Request, answer: Answer) -> None:
        # What was asked while one still ruled may be answered long after, and is of then.
        if asked is not self._looking:
            return
        if not isinstance(answer, Sanctions) or answer.muted or answer.banned:
            lines = (answer.muted, answer.banned) if isinstance(answer, Sanctions) else ((), ())
            self._lift(*lines)
            self.later(AGAIN, self._look)
        else:
            self.leave()

    def _look(self) -> None:
        self._looking = wishes.ListSanctions()
        self._ask(self._looking)

    def _lift(self, muted: Sequence[ActLine], banned: Sequence[ActLine]) -> None:
        for line in muted:
            if line.whom is not None:
                self._ask(wishes.Unmute(line.whom))
        for line in banned:
            if line.whom is not None:
                self._ask(wishes.LiftBan(line.whom))

    def _rule(self) -> None:
        if self.town.calm:
            return
        whom, time = PlayerId(self.chance.between(1, NUMBERS)), self.chance.choice(TIMES)
        choices: tuple[wishes.ModeratingIntent, ...] = (
            *(wishes.Mute(whom, time), wishes.Unmute(whom), wishes.ListSanctions()),
            *(wishes.Ban(whom, time=time), wishes.LiftBan(whom), wishes.LiftBan(whom)),
        )
        self._ask(self.chance.choice(choices))
        self.later(self.chance.between(100 * MILLI, 2 * SECOND), self._rule)

    def _ask(self, request: Request) -> None:
        self.say(self._client.ask(request))
