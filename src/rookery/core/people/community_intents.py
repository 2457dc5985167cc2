"""What people ask about each other: the lobby's chat, who looks on, blocks, reports, moderators.

Like every intent, each gets exactly one reply. What a moderator asks, the organiser may ask too,
without a player as well; `time` is how long something lasts, and 0 is for ever.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, TableId


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


class ListOnlookers(CommunityIntent, frozen=True, tag="list_onlookers"):
    """Ask who looks on at a table; with `follow`, where one sits or watches, also from now on."""

    table: TableId
    follow: bool = False
    code: str = ""  # of a private table
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


class Report(CommunityIntent, frozen=True, tag="report"):
    """Show a line to the moderators: of the lobby by its number, of a table by its event's."""

    line: int
    table: TableId | None = None
    reason: str = ""
    player: PlayerId | None = None


# -- for moderators


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

    Where there is no player to name, `host` is an address; the organiser alone names one. This
    machine's own home is banned only by `force`.
    """

    whom: PlayerId | None = None
    home: bool = False
    host: str = ""
    time: Micros = 0
    reason: str = ""
    force: bool = False
    player: PlayerId | None = None


class LiftBan(CommunityIntent, frozen=True, tag="lift_ban"):
    """Let a banned player, or everybody from a banned home, be here again."""

    whom: PlayerId | None = None
    host: str = ""
    reason: str = ""
    player: PlayerId | None = None


class ListReports(CommunityIntent, frozen=True, tag="list_reports"):
    """Ask for the reports that nobody has settled, beyond that number."""

    after: int = 0
    player: PlayerId | None = None


class SettleReport(CommunityIntent, frozen=True, tag="settle_report"):
    """Mark a report as dealt with; the reason says how."""

    report: int
    reason: str = ""
    player: PlayerId | None = None


class ListActs(CommunityIntent, frozen=True, tag="list_acts"):
    """Ask what the organiser and moderators did lately, the newest first."""

    player: PlayerId | None = None


class ListSanctions(CommunityIntent, frozen=True, tag="list_sanctions"):
    """Ask who is muted or banned now, and who the moderators are."""

    player: PlayerId | None = None


# -- for the organiser alone


class NameModerator(CommunityIntent, frozen=True, tag="name_moderator"):
    """Make somebody whose name is kept a moderator."""

    whom: PlayerId
    reason: str = ""
    player: PlayerId | None = None


class DismissModerator(CommunityIntent, frozen=True, tag="dismiss_moderator"):
    """Take the moderator's role from somebody."""

    whom: PlayerId
    reason: str = ""
    player: PlayerId | None = None


ModeratorsIntent = (
    Mute | Unmute | Ban | LiftBan | ListReports | SettleReport | ListActs | ListSanctions
    | NameModerator | DismissModerator
)  # fmt: skip

AnyCommunityIntent = (
    HearLobby | SayInLobby | ListOnlookers | Block | Unblock | ListBlocked | Report
    | ModeratorsIntent
)  # fmt: skip
