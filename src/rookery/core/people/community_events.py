"""What happened between people, and what the organiser did: events of the hall's own stream.

An act says why. `until` is the time of day at which something ends by itself, and 0 is never.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId


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
    """A player may not be here; with a home, nobody from there may.

    A player whose home was banned is named with it: who lifts the ban need not know the address.
    """

    player: PlayerId | None = None
    home: str = ""
    until: Micros = 0


class BanLifted(Act, frozen=True, tag="ban_lifted"):
    """A banned player may be here again, with all from homes banned by that player; or a home."""

    player: PlayerId | None = None
    home: str = ""


class PassphraseReset(Act, frozen=True, tag="passphrase_reset"):
    """The organiser had another passphrase drawn for an account: its tokens are void."""

    player: PlayerId
    passphrase_hash: str


ConductEvent = Blocked | Unblocked | Muted | Unmuted | Banned | BanLifted

AnyCommunityEvent = ConductEvent | PassphraseReset
