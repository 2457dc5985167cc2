"""What people are told of each other: the lobby's chat, and blocks.

News of it goes only to sessions that asked to hear it, so no client is told what it does not
know.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId


class CommunityMessage(Struct, frozen=True, gc=False):
    """Something someone is told about people."""


class LobbyLine(Struct, frozen=True):
    """Something said in the lobby."""

    line: int
    at: Micros
    player: PlayerId
    name: str
    text: str


class LobbyHeard(CommunityMessage, frozen=True, tag="lobby_heard"):
    """The last lines, oldest first."""

    lines: tuple[LobbyLine, ...]


class Onlooker(Struct, frozen=True):
    """A player, by number and name."""

    player: PlayerId
    name: str


class Blocks(CommunityMessage, frozen=True, tag="blocks"):
    """Whom one has blocked."""

    blocked: tuple[Onlooker, ...]


CommunityReply = LobbyHeard | Blocks


# -- news


class LobbySaid(CommunityMessage, frozen=True, tag="lobby_said"):
    """Somebody said something in the lobby."""

    said: LobbyLine


class LobbyCleared(CommunityMessage, frozen=True, tag="lobby_cleared"):
    """What this player said in the lobby is to be seen no more."""

    player: PlayerId


CommunityNews = LobbySaid | LobbyCleared
