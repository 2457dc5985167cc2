"""What people are told of each other: the lobby's chat, who looks on, and blocks.

News of it goes only to sessions that asked to hear it, so no client is told what it does not
know.
"""

from msgspec import Struct

from rookery.core.game import snake_tag
from rookery.core.ids import Micros, PlayerId, TableId


class CommunityMessage(Struct, frozen=True, tag=snake_tag, gc=False):
    """Something someone is told about people."""


class LobbyLine(Struct, frozen=True):
    """Something said in the lobby."""

    line: int
    at: Micros
    player: PlayerId
    name: str
    text: str


class LobbyHeard(CommunityMessage, frozen=True):
    """The last lines, oldest first."""

    lines: tuple[LobbyLine, ...]


class Onlooker(Struct, frozen=True):
    """Somebody who looks on."""

    player: PlayerId
    name: str


class Onlookers(CommunityMessage, frozen=True):
    """How many look on at a table, and the first of those who have a name."""

    table: TableId
    count: int
    named: tuple[Onlooker, ...] = ()


class Blocks(CommunityMessage, frozen=True):
    """Whom one has blocked."""

    blocked: tuple[Onlooker, ...]


CommunityReply = LobbyHeard | Onlookers | Blocks


# -- news


class LobbySaid(CommunityMessage, frozen=True):
    """Somebody said something in the lobby."""

    said: LobbyLine


class LobbyCleared(CommunityMessage, frozen=True):
    """What this player said in the lobby is to be seen no more."""

    player: PlayerId


class OnlookersChanged(CommunityMessage, frozen=True):
    """Others look on at a table now."""

    table: TableId
    count: int
    named: tuple[Onlooker, ...] = ()


CommunityNews = LobbySaid | LobbyCleared | OnlookersChanged
