"""The room of people: every intent about them comes in here.

It builds the lobby's chat, the onlookers, and the organiser's tools, and passes each intent to
the one it is for. It mutates, and the hall owns it.
"""

from rookery.core.ids import Micros, SessionId, TableId
from rookery.core.intents import CloseTable
from rookery.core.messages import Done, Refused
from rookery.core.people import community_intents as wishes
from rookery.core.people.community_events import Blocked, Unblocked
from rookery.core.people.community_messages import Blocks, Onlooker
from rookery.hall.batch import Draft
from rookery.hall.community.lobby_chat import LobbyChat
from rookery.hall.community.moderating import Moderating, find_player
from rookery.hall.community.onlookers import OnlookerNews
from rookery.hall.limits import BLOCKS_A_PLAYER
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.people import People
from rookery.hall.tables.floor import Floor


class Community:
    """Receives what people ask about each other."""

    def __init__(self, people: People, floor: Floor) -> None:
        self._presence = people.presence
        self._register = people.register
        self._floor = floor
        self.chat = LobbyChat(people)
        self.onlookers = OnlookerNews(people, floor)
        self._moderating = Moderating(people, floor, self.chat)

    def receive(self, asking: Asking, intent: wishes.AnyCommunityIntent | CloseTable) -> None:
        """Do what an intent about people asks. Raises Refusal."""
        match intent:
            case wishes.HearLobby():
                self.chat.hear(asking, intent)
            case wishes.SayInLobby():
                self.chat.say(asking, intent)
            case wishes.ListOnlookers():
                self.onlookers.ask(asking, intent)
            case wishes.Block() | wishes.Unblock() | wishes.ListBlocked():
                self._block(asking, intent)
            case _:
                self._moderating.receive(asking, intent)

    def _block(
        self, asking: Asking, intent: wishes.Block | wishes.Unblock | wishes.ListBlocked
    ) -> None:
        who, conduct = asking.who, self._register.conduct
        match intent:
            case wishes.Block(whom):
                if find_player(self._register, whom).id == who.id:
                    raise Refusal(Refused("protected", "That is yourself."))
                blocked = list(conduct.blocked_by(who.id))
                if len(blocked) >= BLOCKS_A_PLAYER and whom not in blocked:
                    sentence = f"One blocks at most {BLOCKS_A_PLAYER} people."
                    raise Refusal(Refused("too_many", sentence))
                if whom not in blocked:
                    self._register.write(asking.draft, Blocked(who.id, whom))
                asking.tell(Done())
            case wishes.Unblock(whom):
                if conduct.has_blocked(who.id, whom):
                    self._register.write(asking.draft, Unblocked(who.id, whom))
                asking.tell(Done())
            case wishes.ListBlocked():
                names = self._register.players
                blocked_by = conduct.blocked_by(who.id)
                asking.tell(Blocks(tuple(Onlooker(one, names[one].shown) for one in blocked_by)))

    # -- what the hall tells

    def may_not_come(self, host: str, at: Micros) -> Refused | None:
        """Why nobody from this host may be here now; None if its home is not banned."""
        return self._register.conduct.may_not_come(host, at)

    def looking_on(self, table: TableId) -> tuple[int, tuple[Onlooker, ...]]:
        """How many sessions look on at a table, and the first of their players."""
        found = self._floor.tables.get(table)
        return (0, ()) if found is None else self.onlookers.at(found)

    def attach(self, session: SessionId, tables: tuple[TableId, ...], *, lobby: bool) -> None:
        """Let a session hear the lobby and follow onlookers, as it did in the hall before us."""
        if lobby:
            self.chat.listen(session)
        for table in tables:
            if (found := self._floor.tables.get(table)) is not None:
                self.onlookers.follow(session, found)

    def disconnect(self, session: SessionId) -> None:
        """Forget a session whose connection is gone."""
        self.chat.disconnect(session)
        self.onlookers.disconnect(session)

    def settle(self, draft: Draft) -> None:
        """Plan to tell the followers of tables whose onlookers have changed."""
        if self._presence.stirred or self._presence.rooms_stirred:
            self.onlookers.settle(draft)

    def tick(self, draft: Draft) -> None:
        """Tell the followers of onlookers whose time has come."""
        self.onlookers.tick(draft)
