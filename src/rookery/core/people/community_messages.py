"""What people are told of each other: the lobby's chat, who looks on, blocks, what moderators see.

News of it goes only to sessions that asked to hear it, so no client is told what it does not
know.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, TableId


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
    """The last lines, oldest first, and what one may do here: `organiser`, `moderator` or empty."""

    lines: tuple[LobbyLine, ...]
    role: str = ""


class Onlooker(Struct, frozen=True):
    """Somebody who looks on."""

    player: PlayerId
    name: str


class Onlookers(CommunityMessage, frozen=True, tag="onlookers"):
    """How many look on at a table, and the first of those who have a name."""

    table: TableId
    count: int
    named: tuple[Onlooker, ...] = ()


class Blocks(CommunityMessage, frozen=True, tag="blocks"):
    """Whom one has blocked."""

    blocked: tuple[Onlooker, ...]


class ReportLine(Struct, frozen=True, omit_defaults=True):
    """A line that was reported, by whom, and how often."""

    report: int
    at: Micros
    by: PlayerId
    by_name: str
    whom: PlayerId
    name: str
    text: str
    said: Micros
    table: TableId | None = None
    line: int = 0
    reason: str = ""
    more: int = 0  # who reported it too


class Reports(CommunityMessage, frozen=True, tag="reports"):
    """What waits for a moderator, the oldest first; `more` when the rest must be asked for."""

    reports: tuple[ReportLine, ...]
    more: bool = False


class ActLine(Struct, frozen=True, omit_defaults=True):
    """What was done, when, by whom, to whom, and why."""

    at: Micros
    act: str  # `muted`, `banned`, …: the event's own word
    by: PlayerId | None  # None: the organiser
    by_name: str
    reason: str
    whom: PlayerId | None = None
    name: str = ""
    home: str = ""
    table: TableId | None = None
    report: int = 0
    until: Micros = 0


class Acts(CommunityMessage, frozen=True, tag="acts"):
    """What was done lately, the newest first."""

    acts: tuple[ActLine, ...]


class Sanctions(CommunityMessage, frozen=True, tag="sanctions"):
    """Who is muted, who is banned, and who the moderators are."""

    muted: tuple[ActLine, ...]
    banned: tuple[ActLine, ...]
    moderators: tuple[Onlooker, ...]


CommunityReply = LobbyHeard | Onlookers | Blocks | Reports | Acts | Sanctions


# -- news


class LobbySaid(CommunityMessage, frozen=True, tag="lobby_said"):
    """Somebody said something in the lobby."""

    said: LobbyLine


class LobbyCleared(CommunityMessage, frozen=True, tag="lobby_cleared"):
    """What this player said in the lobby is to be seen no more."""

    player: PlayerId


class OnlookersChanged(CommunityMessage, frozen=True, tag="onlookers_changed"):
    """Others look on at a table now."""

    table: TableId
    count: int
    named: tuple[Onlooker, ...] = ()


CommunityNews = LobbySaid | LobbyCleared | OnlookersChanged
