"""Rulings: what a decision at a table is made of, events in order, each with the table after it.

Where the rules break while one is made, what was decided so far is dropped, and the table
ends there and then without a winner: that is in the log, the move that broke them is not.
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from rookery.core.errors import FAILED, RulesFailed, TookTooLong
from rookery.core.events import Closed, Ended, Out, TableEvent
from rookery.core.game import Forfeit, Outcome, Step
from rookery.core.ids import Micros, Seat, Status
from rookery.core.messages import Refused
from rookery.hall.limits import MOVE_MAX, SENTENCE_MAX
from rookery.hall.tables.table import Effects, Table, advance

ENDLESS: Final = "did not come to an end"
SHORT: Final = "a move is written as a text in one line, and a short one"


class TableChange(Struct, frozen=True, gc=False):
    """One event, its effects, and the table after it."""

    event: TableEvent
    effects: Effects
    table: Table
    broken: BaseException | None = None  # what the rules raised, where it ends because of it


Changes = Iterable[TableChange]  # in the order they happen


class Ruling(Struct, frozen=True, gc=False):
    """The referee's decision: changes in order, and a refusal where the answer is no."""

    changes: tuple[TableChange, ...] = ()
    refused: Refused | None = None


class RulingDraft:
    """Events in the making, which lives for one decision."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._changes: list[TableChange] = []

    def add(self, event: TableEvent, step: Step[Any] | None = None) -> None:
        """Let this event happen next: evolve the table and keep the change."""
        self.table, effects = advance(self.table, event, step)
        self._changes.append(TableChange(event, tuple(effects), self.table))

    def out(self, seat: Seat, why: Forfeit, spent: Micros) -> None:
        """Put the seat out, and end the game if the rules say that it is over."""
        self.add(Out(seat, why, spent))
        self.settle()

    def settle(self) -> None:
        """End the game where the rules have an outcome."""
        outcome = self.table.game.outcome(self.table.state)
        if outcome is not None:
            self.end(sound(outcome, len(self.table.seats)))

    def end(self, outcome: Outcome) -> None:
        """End the game with this outcome."""
        self.add(Ended(outcome))

    def ruling(self, refused: Refused | None = None) -> Ruling:
        """The ruling with all changes so far, and a refusal if there is one."""
        return Ruling(tuple(self._changes), refused)


def is_short(text: object) -> bool:
    """Whether this is a short printable text, fit for a line of the log and of any dialect."""
    return isinstance(text, str) and len(text) <= MOVE_MAX and text.isprintable()


def clean(text: str) -> str:
    """Cut a sentence of the rules to length, and replace what cannot be encoded."""
    return text[:SENTENCE_MAX].encode("utf-8", "replace").decode()


def sound(outcome: Outcome, seats: int) -> Outcome:
    """The rules' outcome, checked, in the form the log keeps. Raises TypeError, ValueError."""
    places, scores = outcome.places, outcome.scores
    if type(outcome) is not Outcome or not all(type(n) is int and n > 0 for n in places):
        raise TypeError("an outcome is an Outcome, with a place for every seat")
    if len(places) != seats or (scores is not None and len(scores) != seats):
        raise ValueError("an outcome has a place for every seat, and scores for all or none")
    if scores is not None and not all(type(n) is int for n in scores):
        raise TypeError("scores are whole numbers")
    if not all(isinstance(text, str) for text in (outcome.how, outcome.reason)):
        raise TypeError("how it ended is a word and a sentence")
    if not is_short(str(outcome.how)) or clean(outcome.reason) != outcome.reason:
        raise ValueError("how it ended is a word and a sentence, and neither is long")
    # A word of an enumeration is written as the word it is.
    return Outcome(tuple(places), str(outcome.how), outcome.reason, scores and tuple(scores))


def nobody(table: Table, how: str, reason: str) -> Outcome:
    """An outcome that nobody won: all seats share second place."""
    return Outcome((2,) * len(table.seats), how, reason)


def break_off(table: Table, wrong: BaseException) -> Ruling:
    """End the game, or close the table where it has not begun, because its rules raised `wrong`."""
    if isinstance(wrong, RulesFailed):
        wrong = wrong.__cause__ or wrong
    name = table.game.name
    did = ENDLESS if isinstance(wrong, TookTooLong) else "failed"
    sentence = f"The rules of {name} {did}, so this game is over and nobody has won."
    draft = RulingDraft(table)
    match table.status:
        case Status.PLAYING:
            draft.end(nobody(table, FAILED, sentence))
        case Status.OPEN:
            draft.add(Closed(f"The rules of {name} {did}."))
        case Status.OVER | Status.CLOSED:
            pass
    changes = tuple(TableChange(one.event, (), one.table, wrong) for one in draft.ruling().changes)
    return Ruling(changes, Refused(FAILED, sentence, table.id))
