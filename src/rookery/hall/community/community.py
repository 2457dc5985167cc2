"""The room of people: every intent about them comes in here.

It builds the lobby's chat and the organiser's tools, and passes each intent to the one it is for.
"""

from collections.abc import Callable
from typing import Any

from rookery.core import intents
from rookery.core.events import Blocked, Unblocked
from rookery.core.ids import Micros
from rookery.core.messages import Blocks, Done, Onlooker, Refused
from rookery.hall.community.lobby_chat import LobbyChat
from rookery.hall.community.moderating import Moderating, find_player
from rookery.hall.limits import BLOCKS_A_PLAYER
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.people import People
from rookery.hall.tables.floor import Floor


class Community:
    """Receives what people ask about each other."""

    def __init__(self, people: People, floor: Floor) -> None:
        self._register = people.register
        self._presence = people.presence
        self.chat = LobbyChat(people)
        self._moderating = Moderating(people, floor, self.chat)

    # Any: each takes the intents it is given here.
    def routes(self) -> dict[type[intents.Intent], Callable[[Asking, Any], None]]:
        """Who does what is asked, by the intent's type."""
        return {
            intents.HearLobby: self.chat.hear,
            intents.SayInLobby: self.chat.say,
            **dict.fromkeys((intents.Block, intents.Unblock, intents.ListBlocked), self._block),
            **dict.fromkeys(intents.OrganiserAct.__subclasses__(), self._moderating.receive),
        }

    def _block(
        self, asking: Asking, intent: intents.Block | intents.Unblock | intents.ListBlocked
    ) -> None:
        who, conduct = asking.who, self._register.conduct
        match intent:
            case intents.Block(whom):
                if find_player(self._register, whom).id == who.id:
                    raise Refusal(Refused("protected", "That is yourself."))
                blocked = list(conduct.blocked_by(who.id))
                if len(blocked) >= BLOCKS_A_PLAYER and whom not in blocked:
                    sentence = f"One blocks at most {BLOCKS_A_PLAYER} people."
                    raise Refusal(Refused("too_many", sentence))
                if whom not in blocked:
                    self._register.write(asking.draft, Blocked(who.id, whom))
                asking.tell(Done())
            case intents.Unblock(whom):
                if conduct.has_blocked(who.id, whom):
                    self._register.write(asking.draft, Unblocked(who.id, whom))
                asking.tell(Done())
            case intents.ListBlocked():
                names = self._register.players
                blocked_by = conduct.blocked_by(who.id)
                asking.tell(Blocks(tuple(Onlooker(one, names[one].shown) for one in blocked_by)))

    def may_not_come(self, host: str, at: Micros) -> Refused | None:
        """Why nobody from this host may be here now; None if its home is not banned."""
        return self._register.conduct.may_not_come(host, at)
