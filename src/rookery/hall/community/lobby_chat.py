"""The lobby's chat: every listener hears it, except from players whom they have blocked.

The last lines are in memory alone: what is said in passing is not kept for ever. The speed is
bounded for each home, and for all together, so that nobody fills the page of everybody else.
"""

from collections import deque
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, PlayerId, SessionId
from rookery.core.intents import HearLobby, SayInLobby
from rookery.core.messages import Done, LobbyCleared, LobbyHeard, LobbyLine, LobbySaid, Refused
from rookery.core.network import OWN, Buckets, Rate
from rookery.hall.batch import Draft
from rookery.hall.limits import LOBBY_HEARERS, LOBBY_KEPT, LOBBY_LINE_MAX
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.people import People

RATE: Final = Rate(8, 3 * MICROS_A_SECOND)  # a conversation; a class shares it
LOOPBACK_RATE: Final = Rate(100, MICROS_A_SECOND // 10)
ALL_RATE: Final = Rate(40, MICROS_A_SECOND // 5)  # nobody reads more than five lines a second
ALL: Final = "everybody"


class LobbyChat:
    """The last lines of the lobby, and the sessions that listen."""

    def __init__(self, people: People) -> None:
        self._presence = people.presence
        self._conduct = people.register.conduct
        self._lines: deque[LobbyLine] = deque(maxlen=LOBBY_KEPT)
        self._hearers: dict[SessionId, None] = {}
        self._rates = Buckets(RATE, LOOPBACK_RATE)
        self._all = Buckets(ALL_RATE, ALL_RATE)
        self._last = 0  # the number of the last line

    def hear(self, asking: Asking, intent: HearLobby) -> None:
        """Let a session listen and tell it the last lines, or let it listen no more."""
        session = asking.session
        if not intent.hear:
            self.disconnect(session)
            self._presence.alter(session)
            asking.tell(LobbyHeard(()))
            return
        if session not in self._hearers and len(self._hearers) >= LOBBY_HEARERS:
            sentence = f"{LOBBY_HEARERS} connections hear the lobby, and no more can."
            raise Refusal(Refused("too_many", sentence))
        self.listen(session)
        unheard = self._conduct.unheard_by(self._presence.players_of(session))
        lines = tuple(line for line in self._lines if line.player not in unheard)
        asking.tell(LobbyHeard(lines))

    def listen(self, session: SessionId) -> None:
        """Let a session listen to the lobby from now on."""
        self._hearers[session] = None
        self._presence.alter(session)

    def is_heard_by(self, session: SessionId) -> bool:
        """Whether a session listens to the lobby."""
        return session in self._hearers

    def say(self, asking: Asking, intent: SayInLobby) -> None:
        """Tell a player's line to all listeners who have not blocked them. Raises Refusal."""
        who, draft = asking.who, asking.draft
        refuse(self._conduct.may_not_speak(who, draft.at))
        text = "".join(c for c in intent.text if c.isprintable()).strip()
        if not text:
            raise Refusal(Refused("empty", "There is nothing to say."))
        if len(text) > LOBBY_LINE_MAX:
            sentence = f"In the lobby one can say at most {LOBBY_LINE_MAX} characters at once."
            raise Refusal(Refused("too_long", sentence))
        self._take_turn(asking)
        self._last += 1
        line = LobbyLine(self._last, draft.at, who.id, who.shown, text)
        self._lines.append(line)
        asking.tell(Done())
        deaf, said = self._conduct.deaf_to(who.id), LobbySaid(line)
        for session in self._hearers:
            if not deaf or deaf.isdisjoint(self._presence.players_of(session)):
                draft.tell_onlooker(session, said)

    def _take_turn(self, asking: Asking) -> None:
        """Count one line. Raises Refusal where this home, or everybody together, said enough."""
        host, now = self._presence.host(asking.session), asking.draft.now
        if host in OWN or self._presence.is_organiser(asking.session):
            return
        if self._rates.wait(host, now):
            sentence = "Your host has said much in the lobby; wait a few seconds."
            raise Refusal(Refused("too_fast", sentence))
        if self._all.wait(ALL, now):
            sentence = "So much is said in the lobby that nobody could read it; wait a second."
            raise Refusal(Refused("too_fast", sentence))
        self._rates.spend(host, now)
        self._all.spend(ALL, now)

    def clear(self, draft: Draft, player: PlayerId) -> None:
        """Take back all lines of a player, here and at all who listen."""
        kept = [line for line in self._lines if line.player != player]
        if len(kept) < len(self._lines):
            self._lines = deque(kept, maxlen=LOBBY_KEPT)
            cleared = LobbyCleared(player)
            for session in self._hearers:
                draft.tell_onlooker(session, cleared)

    def disconnect(self, session: SessionId) -> None:
        """Stop telling a session that is gone, or that wants to hear no more."""
        self._hearers.pop(session, None)
