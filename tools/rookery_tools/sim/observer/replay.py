"""Plays every game of the log once more, by its rules and nothing else of the server's.

The observer folds the log by code of its own: the hall and the doctor share theirs, which may
be wrong in both. A player who lost by time must have had none left.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rookery.core import events
from rookery.core.chance import Chance
from rookery.core.clock import Budget, PerMove, parse_time_control
from rookery.core.errors import Mistake
from rookery.core.game import Forfeit
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat
from rookery.games import parse_variant
from rookery_tools.sim.observer.verdict import Failing

OUTCOME: Final = "games come out as their rules say"
ABANDONED: Final = "abandoned"
GRAIN: Final[Micros] = MICROS_A_SECOND // 1000


def judge_games(records: Sequence[events.Record]) -> Iterator[Failing]:
    """Judge each game in this log."""
    boards: dict[str, ReplayedGame] = {}
    for record in records:
        if events.table_of(record.stream) is None:
            continue
        if isinstance(record.event, events.Opened):
            boards[record.stream] = ReplayedGame(record.event)
        elif record.stream in boards:
            try:
                boards[record.stream].take(record.event)
            except (RulesSayOtherwise, Mistake) as wrong:
                yield Failing(OUTCOME, f"{record.stream}, event {record.n}: {wrong}")
                del boards[record.stream]  # one wrong record is one failing


class RulesSayOtherwise(Exception):
    """An event of the log is not what the rules of its game allow."""


class ReplayedGame:
    """One game, move by move."""

    def __init__(self, opened: events.Opened) -> None:
        self._game = parse_variant(opened.variant)
        self._teams = self._game.teams(opened.seats)
        self._control = parse_time_control(opened.time)
        self._seats, self._seed = opened.seats, 0
        self._state: Any = None  # Any: only the game can read it
        self._offers: set[int] = set()  # teams that would take a draw
        base = self._control.base if isinstance(self._control, Budget) else 0
        self._left: list[Micros] = [base] * opened.seats
        self._paid: Counter[Seat] = Counter()  # moves to come that earn no increment
        self._before: list[tuple[Seat, Any]] = []  # who moved, and from what; Any: as above

    def take(self, event: object) -> None:
        """Take in the next event. Raises RulesSayOtherwise, and what the rules raise."""
        game = self._game
        match event:
            case events.Seeded(seed):
                self._seed = seed
            case events.Started():
                self._state = game.start(self._seats, Chance(self._seed))
            case events.Played(seat, move, spent):
                self._go_on(seat)
                self._before.append((seat, self._state))
                self._state = game.play(self._state, seat, game.parse_move(move)).state
                self._charge(seat, spent)
                self._offers &= {self._teams[seat]}  # who plays on has declined
            case events.TakenBack(seat, plies, thought):
                self._take_back(seat, plies, thought)
            case events.DrawOffered(seat):
                self._offers.add(self._teams[seat])
            case events.Out(seat, why, spent):
                self._state = game.forfeit(self._state, seat, why).state
                if why == Forfeit.LATE:
                    self._fall(seat, spent)
            case events.Ended(outcome):
                self._end(outcome)
            case _:
                pass

    def _go_on(self, seat: Seat) -> None:
        if self._state is None:
            raise RulesSayOtherwise("it is played before it began")
        if self._game.outcome(self._state) is not None:
            raise RulesSayOtherwise("it goes on after its end")
        if seat not in self._game.to_act(self._state):
            raise RulesSayOtherwise(f"it is not the turn of seat {seat}")

    def _take_back(self, seat: Seat, plies: int, thought: tuple[Micros, ...]) -> None:
        """Take back the last move of this seat and all after it; time that was thought is spent."""
        movers = [one for one, _ in reversed(self._before)]
        if seat not in movers or movers.index(seat) + 1 != plies:
            raise RulesSayOtherwise(
                f"seat {seat} has {plies} moves taken back, after those of {movers[::-1]}"
            )
        self._state = self._before[-plies][1]
        # What is played anew has had its increment.
        self._paid.update(mover for mover, _ in self._before[-plies:])
        del self._before[-plies:]
        self._offers.clear()
        if isinstance(self._control, Budget):
            delay = self._control.delay
            used = [max(0, one - delay) for one in thought]
            self._left = [max(0, had - one) for had, one in zip(self._left, used, strict=True)]

    def _charge(self, seat: Seat, spent: Micros) -> None:
        control = self._control
        due = self._due(seat)
        if due is not None and spent >= due:
            raise RulesSayOtherwise(f"seat {seat} moves after {spent} µs, and had {due}")
        if isinstance(control, Budget):
            used = max(0, spent - control.delay)
            self._left[seat] = max(0, self._left[seat] - used)
            if self._paid[seat]:
                self._paid[seat] -= 1
            else:
                self._left[seat] += control.increment

    def _fall(self, seat: Seat, spent: Micros) -> None:
        """A flag fell: then the time was up."""
        due = self._due(seat)
        if due is None:
            raise RulesSayOtherwise(f"seat {seat} is late without a clock")
        if spent + GRAIN < due:
            raise RulesSayOtherwise(f"seat {seat} is late after {spent} µs, and had {due}")

    def _due(self, seat: Seat) -> Micros | None:
        """How long this move may take; None without a clock."""
        match self._control:
            case Budget(delay=delay):
                return self._left[seat] + delay
            case PerMove(each=each):
                return each
            case _:
                return None

    def _end(self, outcome: Any) -> None:  # Any: as the log has it
        found = self._game.outcome(self._state)
        if found is None and self._offers == set(self._teams) and outcome.drawn:
            return  # they agreed on it
        if found is None and outcome.how == ABANDONED and not outcome.winners:
            return  # everyone left
        if found != outcome:
            raise RulesSayOtherwise(f"it ended as {outcome}, and the rules say {found}")
