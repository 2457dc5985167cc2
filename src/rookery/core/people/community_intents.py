"""What people ask about each other: the lobby's chat, blocks, mutes, bans.

Like every intent, each gets exactly one reply. The organiser needs no player to ask; `time` is
how long something lasts, and 0 is for ever.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId


class CommunityIntent(Struct, frozen=True, gc=False):
    """Something someone asks that is about people."""


# -- for everybody


class HearLobby(CommunityIntent, frozen=True, tag="hear_lobby"):
    """Be told what is said in the lobby from now on, or no more; the last lines at once."""

    hear: bool = True
    player: PlayerId | None = None


class SayInLobby(CommunityIntent, frozen=True, tag="say_in_lobby"):
    """Say something to everybody who listens in the lobby."""

    text: str
    player: PlayerId | None = None


class Block(CommunityIntent, frozen=True, tag="block"):
    """Hear nothing more of what somebody says, and play no game with them that one chooses."""

    whom: PlayerId
    player: PlayerId | None = None


class Unblock(CommunityIntent, frozen=True, tag="unblock"):
    """Take back the block of somebody."""

    whom: PlayerId
    player: PlayerId | None = None


class ListBlocked(CommunityIntent, frozen=True, tag="list_blocked"):
    """Ask whom one has blocked."""

    player: PlayerId | None = None


# -- for the organiser alone


class Mute(CommunityIntent, frozen=True, tag="mute"):
    """Forbid somebody to speak for a time, and new players from their home too."""

    whom: PlayerId
    time: Micros = 0
    reason: str = ""
    player: PlayerId | None = None


class Unmute(CommunityIntent, frozen=True, tag="unmute"):
    """Let somebody who is muted speak again."""

    whom: PlayerId
    reason: str = ""
    player: PlayerId | None = None


class Ban(CommunityIntent, frozen=True, tag="ban"):
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


class LiftBan(CommunityIntent, frozen=True, tag="lift_ban"):
    """Let a banned player, with all from homes banned by that player, or a host be here again."""

    whom: PlayerId | None = None
    host: str = ""
    reason: str = ""
    player: PlayerId | None = None


ModeratingIntent = Mute | Unmute | Ban | LiftBan

AnyCommunityIntent = HearLobby | SayInLobby | Block | Unblock | ListBlocked | ModeratingIntent
