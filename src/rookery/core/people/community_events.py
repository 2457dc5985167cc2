"""What happened between people, and what moderators did: events of the hall's own stream.

An act says who did it (`by`; None is the organiser) and why. `until` is the time of day at
which something ends by itself, and 0 is never.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, TableId


class CommunityEvent(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened between people."""


class Blocked(CommunityEvent, frozen=True, tag="blocked"):
    """A player blocked another, and wants nothing to do with them."""

    player: PlayerId
    whom: PlayerId


class Unblocked(CommunityEvent, frozen=True, tag="unblocked"):
    """A player took back the block of another."""

    player: PlayerId
    whom: PlayerId


class Reported(CommunityEvent, frozen=True, tag="reported"):
    """A player showed the moderators a line: whose, what it said, and when it was said."""

    report: int
    player: PlayerId  # who reports it
    whom: PlayerId
    name: str  # as it was shown with the line
    text: str
    said: Micros
    table: TableId | None = None  # where it was said; else in the lobby
    line: int = 0  # its number there
    reason: str = ""


class Act(CommunityEvent, frozen=True):
    """Something that the organiser or a moderator did."""

    by: PlayerId | None
    reason: str


class ReportSettled(Act, frozen=True, tag="report_settled"):
    """A moderator has dealt with a report."""

    report: int


class Muted(Act, frozen=True, tag="muted"):
    """A player may not speak, nor may players of its home whose id is `newcomers` or higher."""

    player: PlayerId
    until: Micros = 0
    home: str = ""
    newcomers: PlayerId = PlayerId(0)


class Unmuted(Act, frozen=True, tag="unmuted"):
    """A muted player may speak again."""

    player: PlayerId


class Banned(Act, frozen=True, tag="banned"):
    """A player may not be here; without a player, nobody from this home may."""

    player: PlayerId | None = None
    home: str = ""
    until: Micros = 0


class BanLifted(Act, frozen=True, tag="ban_lifted"):
    """A banned player, or everybody from a banned home, may be here again."""

    player: PlayerId | None = None
    home: str = ""


class TableShut(Act, frozen=True, tag="table_shut"):
    """A table was closed; what happened there is in its own stream."""

    table: TableId


class ModeratorNamed(Act, frozen=True, tag="moderator_named"):
    """The organiser made a player a moderator."""

    player: PlayerId


class ModeratorDismissed(Act, frozen=True, tag="moderator_dismissed"):
    """The organiser took the moderator's role from a player."""

    player: PlayerId


class PassphraseReset(Act, frozen=True, tag="passphrase_reset"):
    """The organiser had another passphrase drawn for an account: its tokens are void."""

    player: PlayerId
    passphrase_hash: str


AnyAct = (
    ReportSettled | Muted | Unmuted | Banned | BanLifted | TableShut | ModeratorNamed
    | ModeratorDismissed | PassphraseReset
)  # fmt: skip

AnyCommunityEvent = Blocked | Unblocked | Reported | AnyAct


def whom_of(act: AnyAct) -> PlayerId | None:
    """The player whom an act is about; None where it is about no player."""
    return None if isinstance(act, TableShut | ReportSettled) else act.player


def people_of(event: AnyCommunityEvent) -> tuple[PlayerId, ...]:
    """All players who are named in an event."""
    if isinstance(event, Blocked | Unblocked | Reported):
        return event.player, event.whom
    return tuple(one for one in (event.by, whom_of(event)) if one is not None)
