"""A moderator: has the organiser's token, and mutes, bans, and lifts both by chance.

Nobody deserves it, so honest people meet it too. As the day ends the moderator lifts the bans and
mutes of all whom it may have met, and leaves when none was left: a banned player has games to
finish.
"""

from collections.abc import Sequence
from typing import Final

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import Answer, Request
from rookery.core import intents
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.intents import Organise
from rookery.core.messages import Refused
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MILLI, SECOND
from rookery_tools.sim.machine.process import ORGANISER

NUMBERS: Final = 10  # of players among whom one is drawn
TIMES: Final[Sequence[Micros]] = (0, MICROS_A_SECOND, 4 * MICROS_A_SECOND)  # 0: for ever
AGAIN: Final = 300 * MILLI  # until one tries again whether anything is left to lift


class Moderator(WorldPerson):
    """A person who mutes and bans others by chance."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self._client = NativeClient(self.name)
        self._lifting: Sequence[Request] = ()  # what was asked as the day ends
        self._lifted = False  # whether anything of it was still in force

    def begin(self) -> bytes:
        """The bytes of a hello, and of the organiser's token."""
        self._lifting = ()
        if self.town.calm:
            self.later(AGAIN, self._lift)
        else:
            self.later(self.chance.below(SECOND), self._rule)
        self._client = NativeClient(self.name)
        greeting = self._client.ask(self._client.hello())
        return greeting + self._client.ask(Organise(ORGANISER))

    def hear(self, came: bytes) -> None:
        """Take in answers, and leave when nothing is left to lift as the day ends."""
        for happening in self._client.hear(came):
            if isinstance(happening, Answered):
                self._answered(happening.asked, happening.answer)

    def hurry(self) -> None:
        """Begin to lift all bans and mutes, unless that has begun."""
        if not self._lifting:
            self._lift()

    def _answered(self, asked: Request, answer: Answer) -> None:
        # What was asked while one still ruled may be answered long after, and is of then.
        if not any(asked is one for one in self._lifting):
            return
        if not (isinstance(answer, Refused) and answer.code == "nothing_to_lift"):
            self._lifted = True
        if asked is self._lifting[-1]:  # they are answered in order
            if self._lifted:
                self.later(AGAIN, self._lift)
            else:
                self.leave()

    def _lift(self) -> None:
        """Ask to lift whatever may be in force."""
        everybody = [PlayerId(number) for number in range(1, NUMBERS + 1)]
        self._lifting = (*map(intents.Unmute, everybody), *map(intents.LiftBan, everybody))
        self._lifted = False
        for wish in self._lifting:
            self._ask(wish)

    def _rule(self) -> None:
        if self.town.calm:
            return
        whom, time = PlayerId(self.chance.between(1, NUMBERS)), self.chance.choice(TIMES)
        choices: tuple[intents.OrganiserAct, ...] = (
            *(intents.Mute(whom, time), intents.Unmute(whom)),
            *(intents.Ban(whom, time=time), intents.LiftBan(whom), intents.LiftBan(whom)),
        )
        self._ask(self.chance.choice(choices))
        self.later(self.chance.between(100 * MILLI, 2 * SECOND), self._rule)

    def _ask(self, request: Request) -> None:
        self.say(self._client.ask(request))
