"""What happened between people, and what the organiser did: events of the hall's own stream.

An act says why. `until` is the time of day at which something ends by itself, and 0 is never.
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


class Act(CommunityEvent, frozen=True):
    """Something that the organiser did."""

    reason: str


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


class PassphraseReset(Act, frozen=True, tag="passphrase_reset"):
    """The organiser had another passphrase drawn for an account: its tokens are void."""

    player: PlayerId
    passphrase_hash: str


AnyAct = Muted | Unmuted | Banned | BanLifted | TableShut | PassphraseReset

AnyCommunityEvent = Blocked | Unblocked | AnyAct


def whom_of(act: AnyAct) -> PlayerId | None:
    """The player whom an act is about; None where it is about no player."""
    return None if isinstance(act, TableShut) else act.player


def people_of(event: AnyCommunityEvent) -> tuple[PlayerId, ...]:
    """All players who are named in an event."""
    if isinstance(event, Blocked | Unblocked):
        return event.player, event.whom
    whom = whom_of(event)
    return () if whom is None else (whom,)
