"""What people ask about each other: the lobby's chat, who looks on, blocks, mutes, bans.

Like every intent, each gets exactly one reply. The organiser needs no player to ask; `time` is
how long something lasts, and 0 is for ever.
"""

from msgspec import Struct

from rookery.core.game import snake_tag
from rookery.core.ids import Micros, PlayerId, TableId


class CommunityIntent(Struct, frozen=True, tag=snake_tag, gc=False):
    """Something someone asks that is about people."""


# -- for everybody


class HearLobby(CommunityIntent, frozen=True):
    """Be told what is said in the lobby from now on, or no more; the last lines at once."""

    hear: bool = True
    player: PlayerId | None = None


class SayInLobby(CommunityIntent, frozen=True):
    """Say something to everybody who listens in the lobby."""

    text: str
    player: PlayerId | None = None


class ListOnlookers(CommunityIntent, frozen=True):
    """Ask who looks on at a table; with `follow`, where one sits or watches, also from now on."""

    table: TableId
    follow: bool = False
    code: str = ""  # of a private table
    player: PlayerId | None = None


class Block(CommunityIntent, frozen=True):
    """Hear nothing more of what somebody says, and play no game with them that one chooses."""

    whom: PlayerId
    player: PlayerId | None = None


class Unblock(CommunityIntent, frozen=True):
    """Take back the block of somebody."""

    whom: PlayerId
    player: PlayerId | None = None


class ListBlocked(CommunityIntent, frozen=True):
    """Ask whom one has blocked."""

    player: PlayerId | None = None


# -- for the organiser alone


class Mute(CommunityIntent, frozen=True):
    """Forbid somebody to speak for a time, and new players from their home too."""

    whom: PlayerId
    time: Micros = 0
    reason: str = ""
    player: PlayerId | None = None


class Unmute(CommunityIntent, frozen=True):
    """Let somebody who is muted speak again."""

    whom: PlayerId
    reason: str = ""
    player: PlayerId | None = None


class Ban(CommunityIntent, frozen=True):
    """Ban a player for a time; with `home`, everybody from where they come.

    Where there is no player to name, `host` is an address. This machine's own home is banned only
    by `force`.
    """

    whom: PlayerId | None = None
    home: bool = False
    host: str = ""
    time: Micros = 0
    reason: str = ""
    force: bool = False
    player: PlayerId | None = None


class LiftBan(CommunityIntent, frozen=True):
    """Let a banned player, with all from homes banned by that player, or a host be here again."""

    whom: PlayerId | None = None
    host: str = ""
    reason: str = ""
    player: PlayerId | None = None


ModeratingIntent = Mute | Unmute | Ban | LiftBan

AnyCommunityIntent = (
    HearLobby | SayInLobby | ListOnlookers | Block | Unblock | ListBlocked | ModeratingIntent
)
