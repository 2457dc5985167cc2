"""Chess clocks as values: who has how long, and when the next flag falls.

A clock never reads the time; the caller says what time it is. Any number of seats
may run at once, which is all bughouse needs.

Two things are kept apart. What a seat has left changes only by `charge`, whose
argument is in the log, so a replay needs no time at all. Since when a seat runs is
for the living process alone, and dies with it.
"""

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.clocks.timecontrol import GAME, PHASE, Budget, PerMove, TimeControl, Unlimited
from rookery.core.ids import Micros, Seat, put


def left_out(began: Micros, since: Micros, until: Micros) -> Micros:
    """When something that `began` counts as begun, if the time from `since` to `until` does not."""
    return began if began >= until else until - max(0, since - began)


class Clock(Struct, frozen=True, gc=False):
    """The clocks of one table. `Clock.of(control, seats)` makes a fresh one."""

    control: TimeControl
    left: tuple[Micros, ...]  # what each seat has for its next move
    since: tuple[Micros | None, ...]  # when each running seat began to
    moved: tuple[
        tuple[str, ...], ...
    ]  # the phases each seat has moved in; only per-move clocks count

    @classmethod
    def of(cls, control: TimeControl, seats: int) -> "Clock":
        """A clock for so many seats, full and not running."""
        match control:
            case Unlimited():
                left = 0
            case Budget():
                left = control.base
            case PerMove():
                left = control.each
        return cls(control, (left,) * seats, (None,) * seats, ((),) * seats)

    def run(self, seat: Seat, now: Micros, phase: str) -> "Clock":
        """Start the seat's clock, as it has its turn; one that runs already goes on as it was."""
        if self.since[seat] is not None:
            return self
        left = self.left
        if isinstance(self.control, PerMove):
            left = put(left, seat, self._allowance(self.control, seat, phase))
        return replace(self, left=left, since=put(self.since, seat, now))

    def leave_out(self, seat: Seat, since: Micros, until: Micros) -> "Clock":
        """Do not count this time as the seat's, if its clock runs."""
        began = self.since[seat]
        if began is None:
            return self
        return replace(self, since=put(self.since, seat, left_out(began, since, until)))

    def spent(self, seat: Seat, now: Micros) -> Micros:
        """How long the seat has been thinking; nothing if its clock stands."""
        since = self.since[seat]
        return 0 if since is None or now < since else now - since

    def charge(self, seat: Seat, spent: Micros, phase: str) -> "Clock":
        """Stop the seat's clock after a move that took so long, and charge it for that time."""
        control, left, moved = self.control, self.left, self.moved
        since = self.since if self.since[seat] is None else put(self.since, seat, None)
        if type(control) is Budget and spent <= control.delay + left[seat]:
            # As nearly always: what follows, without asking for the larger of two numbers twice.
            used = spent - control.delay if spent > control.delay else 0
            left = put(left, seat, left[seat] - used + control.increment)
            return Clock(control, left, since, moved)
        match control:
            case Budget():
                used = max(0, spent - control.delay)
                left = put(left, seat, max(0, left[seat] - used) + control.increment)
            case PerMove():
                left = put(left, seat, control.each)
                if phase not in moved[seat]:
                    moved = put(moved, seat, (*moved[seat], phase))
            case Unlimited():
                pass
        return Clock(control, left, since, moved)

    def without_increment(self, seat: Seat) -> "Clock":
        """Take off the increment that `charge` has just added: this move had one before."""
        if not isinstance(self.control, Budget):
            return self
        return replace(self, left=put(self.left, seat, self.left[seat] - self.control.increment))

    def stop(self, seat: Seat, spent: Micros = 0) -> "Clock":
        """Stop the seat's clock without a move: the seat is out, or its turn was taken back."""
        left = self.left
        if spent and not isinstance(self.control, Unlimited):
            left = put(left, seat, max(0, left[seat] - spent))
        return replace(self, left=left, since=put(self.since, seat, None))

    def interrupted(self, spent: tuple[Micros, ...]) -> "Clock":
        """Stop all clocks after these times of thought; nobody moved, so no increment is due."""
        control, left = self.control, self.left
        match control:
            case Budget():
                used = (max(0, thought - control.delay) for thought in spent)
                left = tuple(max(0, had - one) for had, one in zip(left, used, strict=True))
            case PerMove():
                left = (control.each,) * len(left)
            case Unlimited():
                pass
        return replace(self, left=left, since=(None,) * len(left))

    def stop_all(self) -> "Clock":
        """Stop every clock, because the game is over."""
        return replace(self, since=(None,) * len(self.since))

    def flag(self, seat: Seat) -> Micros | None:
        """When this seat's flag falls if it goes on thinking; None if it never does."""
        since = self.since[seat]
        if since is None:
            return None
        match self.control:
            case Budget():
                return since + self.left[seat] + self.control.delay
            case PerMove():
                return since + self.left[seat]
            case Unlimited():
                return None

    def flag_from(self, since: Micros, seat: Seat, phase: str) -> Micros | None:
        """When the seat's flag falls if it starts at `since`, without making a new clock."""
        control = self.control
        if isinstance(control, Budget):
            return since + self.left[seat] + control.delay
        if isinstance(control, Unlimited):
            return None
        return since + self._allowance(control, seat, phase)

    def allowed(self, seat: Seat, phase: str) -> Micros | None:
        """The time the seat will have once its turn is given; None without a clock."""
        match self.control:
            case Unlimited():
                return None
            case Budget():
                return self.left[seat]
            case PerMove():
                return self._allowance(self.control, seat, phase)

    def remaining(self, seat: Seat, now: Micros) -> Micros | None:
        """The time the seat has left at this moment; None without a clock."""
        match self.control:
            case Unlimited():
                return None
            case Budget():
                used = max(0, self.spent(seat, now) - self.control.delay)
            case PerMove():
                used = self.spent(seat, now)
        return max(0, self.left[seat] - used)

    def deadline(self) -> Micros | None:
        """When the first flag falls, if any can."""
        flags = [flag for seat in self._seats() if (flag := self.flag(seat)) is not None]
        return min(flags, default=None)

    def fallen(self, now: Micros) -> Seat | None:
        """The running seat whose flag fell first, if any has by `now`."""
        if self.since.count(None) == len(self.since):
            return None  # as it mostly is: the mover's has not been put in yet
        # A plain loop: this is asked at every move, and one seat runs.
        first, earliest = None, now + 1
        for n, since in enumerate(self.since):
            if since is not None:
                flag = self.flag(Seat(n))
                if flag is not None and flag < earliest:
                    first, earliest = Seat(n), flag
        return first

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(n) for n, since in enumerate(self.since) if since is not None)

    def _allowance(self, control: PerMove, seat: Seat, phase: str) -> Micros:
        if control.first is None:
            return control.each
        if control.first_of == GAME:
            fresh = not self.moved[seat]
        else:
            counts = control.first_of in (PHASE, phase)
            fresh = counts and phase not in self.moved[seat]
        return control.first if fresh else control.each
