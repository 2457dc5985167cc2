"""Conduct: who is muted, banned or blocked.

All of it is in the hall's own stream, so a restart changes nothing. A mute or ban that ends at a
time of day is found to be over when somebody looks after it. Homes are those that the warden counts
by. Where nobody is banned, muted or blocked, a question costs a look at an empty dict.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.core import events
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.messages import Refused
from rookery.core.network import LOOPBACK, home_of
from rookery.hall.limits import REASON_MAX
from rookery.hall.people.asking import Refusal
from rookery.hall.people.players import Player

NOBODY: Final[frozenset[PlayerId]] = frozenset()


class Conduct:
    """All mutes, bans and blocks that hold now."""

    def __init__(self) -> None:
        self.muted: dict[PlayerId, events.Muted] = {}
        self._muted_homes: dict[str, dict[PlayerId, events.Muted]] = {}  # and whose muting it was
        self.banned: dict[PlayerId, events.Banned] = {}
        self.barred: dict[str, events.Banned] = {}  # homes
        self._blocks: dict[PlayerId, dict[PlayerId, None]] = {}  # whom somebody blocked
        self._deaf: dict[PlayerId, set[PlayerId]] = {}  # who blocked somebody

    # -- may they

    def may_not_speak(self, who: Player, at: Micros) -> Refused | None:
        """Why this player may say nothing now; None if they may."""
        if not self.muted:
            return None
        found = self.muted.get(who.id)
        if (found is None or _is_over(found, at)) and self._muted_homes:
            found = self._muted_with(who, at)
        if found is None or _is_over(found, at):
            return None
        return Refused("muted", f"The organiser has muted you {_lasting(found, at)}.")

    def _muted_with(self, who: Player, at: Micros) -> events.Muted | None:
        """The mute of another from the same home that holds for this newcomer too, or None."""
        for found in self._muted_homes.get(home_of(who.host), {}).values():
            if who.id >= found.newcomers and not _is_over(found, at):
                return found
        return None

    def may_not_be(self, who: Player, at: Micros) -> Refused | None:
        """Why this player may not be here now; None if they may."""
        found = self.banned.get(who.id) if self.banned else None
        return None if found is None or _is_over(found, at) else _no_entry("You are", found, at)

    def may_not_come(self, host: str, at: Micros) -> Refused | None:
        """Why nobody from this host may be here now; None if its home is not banned."""
        found = self.barred.get(home_of(host)) if self.barred else None
        if found is None or _is_over(found, at):
            return None
        return _no_entry("Your address is", found, at)

    def is_banned(self, player: PlayerId) -> bool:
        """Whether there is a ban that can be lifted by naming this player."""
        return player in self.banned or any(one.player == player for one in self.barred.values())

    # -- who wants nothing of whom

    def blocked_by(self, player: PlayerId) -> Iterable[PlayerId]:
        """The players whom this player has blocked, in the order of blocking."""
        return self._blocks.get(player, ())

    def has_blocked(self, player: PlayerId | None, whom: PlayerId) -> bool:
        """Whether `player` has blocked `whom`."""
        return bool(self._blocks) and player is not None and whom in self._blocks.get(player, ())

    def deaf_to(self, player: PlayerId) -> set[PlayerId] | frozenset[PlayerId]:
        """The players who have blocked this player, and hear nothing they say."""
        return self._deaf.get(player, NOBODY) if self._deaf else NOBODY

    def unheard_by(self, players: Iterable[PlayerId]) -> frozenset[PlayerId]:
        """Everyone whom at least one of these players has blocked."""
        if not self._blocks:
            return NOBODY
        return frozenset(whom for one in players for whom in self._blocks.get(one, ()))

    # -- what happened

    def evolve(self, event: events.ConductEvent) -> None:
        """Take this event in; live and from the log alike."""
        match event:
            case events.Blocked(player, whom):
                self._blocks.setdefault(player, {})[whom] = None
                self._deaf.setdefault(whom, set()).add(player)
            case events.Unblocked(player, whom):
                self._unblock(player, whom)
            case events.Muted(player=player, home=home):
                self._unmute(player)
                self.muted[player] = event
                if home:
                    self._muted_homes.setdefault(home, {})[player] = event
            case events.Unmuted(player=player):
                self._unmute(player)
            case events.Banned(player=int(player), home=""):
                self.banned.pop(player, None)  # the newest comes last
                self.banned[player] = event
            case events.Banned(home=home):
                self.barred.pop(home, None)
                self.barred[home] = event
            case events.BanLifted(player=int(player)):
                self.banned.pop(player, None)
                rest = ((home, ban) for home, ban in self.barred.items() if ban.player != player)
                self.barred = dict(rest)
            case events.BanLifted(home=home):
                self.barred.pop(home, None)

    def recall(self, events: Iterable[events.ConductEvent]) -> None:
        """Take in events that `in_force` gave."""
        for event in events:
            self.evolve(event)

    def _unblock(self, player: PlayerId, whom: PlayerId) -> None:
        blocks, deaf = self._blocks.get(player, {}), self._deaf.get(whom, set())
        blocks.pop(whom, None)
        deaf.discard(player)
        if not blocks:
            self._blocks.pop(player, None)
        if not deaf:
            self._deaf.pop(whom, None)

    def _unmute(self, player: PlayerId) -> None:
        before = self.muted.pop(player, None)
        if before is not None and before.home:
            mutes = self._muted_homes[before.home]
            del mutes[player]
            if not mutes:
                del self._muted_homes[before.home]

    def in_force(self, at: Micros) -> Iterator[events.ConductEvent]:
        """All that holds at this time, as events whose replay gives the same conduct again."""
        self.forget_ended(at)
        yield from self.muted.values()
        yield from self.banned.values()
        yield from self.barred.values()
        for player, those in self._blocks.items():
            yield from (events.Blocked(player, whom) for whom in those)

    def sanctions(self, at: Micros) -> int:
        """How many players and homes are muted or banned."""
        self.forget_ended(at)
        return len(self.muted) + len(self.banned) + len(self.barred)

    def forget_ended(self, at: Micros) -> None:
        """Forget mutes and bans that are over by this time."""
        for player in [one for one, found in self.muted.items() if _is_over(found, at)]:
            self._unmute(player)
        for player in [one for one, found in self.banned.items() if _is_over(found, at)]:
            del self.banned[player]
        for home in [one for one, found in self.barred.items() if _is_over(found, at)]:
            del self.barred[home]


def _is_over(sanction: events.Muted | events.Banned, at: Micros) -> bool:
    return bool(sanction.until) and sanction.until <= at


def _no_entry(who: str, ban: events.Banned, at: Micros) -> Refused:
    return Refused("banned", f"{who} banned from this server {_lasting(ban, at)}.")


def _lasting(sanction: events.Muted | events.Banned, at: Micros) -> str:
    """The words that say how much longer a mute or ban lasts, and why it was given."""
    until, reason = sanction.until, sanction.reason.rstrip(".")
    time = f"for {spoken(until - at)} more" if until else "for good"
    return f"{time}: {reason}" if reason else time


def spoken(time: Micros) -> str:
    """A time span in words for people, as in "2 hours", rounded up."""
    left = -(-time // MICROS_A_SECOND)
    for seconds, word in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        if left >= 2 * seconds or seconds == 1:
            count = -(-left // seconds)
            return f"{count} {word}{'' if count == 1 else 's'}"
    raise AssertionError("every time has seconds")


def covers_newcomers(home: str) -> bool:
    """Whether a mute also holds for new players from this home.

    Not from this machine: everybody behind a proxy on it comes from there.
    """
    return home != LOOPBACK


def read_reason(reason: str) -> str:
    """The organiser's reason, trimmed for the log. Raises Refusal if it is long or unprintable."""
    if len(reason) > REASON_MAX or not reason.isprintable():
        sentence = f"A reason is written in at most {REASON_MAX} printable characters."
        raise Refusal(Refused("bad_reason", sentence))
    return reason.strip()
