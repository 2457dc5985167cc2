"""A law: one sentence, what it looks at, and a check that says what it found instead.

A check raises `Broken` with what was expected and what came; whatever else it raises came
from what is tested, and is the answer too. Then the trial is made smaller for as long as it
fails, and told as something a person can do again: variant, seed, moves, text.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, Generic, Protocol, TypeVar

from msgspec import Struct

from rookery.core.errors import TookTooLong
from rookery.plugins import watchdog
from rookery.plugins.watchdog import at_most

C = TypeVar("C", bound="Tried")

Failed = Exception | TookTooLong

SHRINKS: Final = 500  # trials that making one smaller may take
WAITS: Final = 10  # seconds of waiting for a processor, for each that a trial may work
TOLD_MAX: Final = 400  # characters of a value in a report


class Broken(AssertionError):
    """What a law expected, and what came."""

    def __init__(self, expected: str, came: object, trial: "Trial | None" = None) -> None:
        super().__init__(f"expected {expected}; came {came}")
        self.expected = expected
        self.came = str(came)
        self.trial = trial  # where it was, if not at the one that was tried


class Tried(Protocol):
    """What a case of laws is: it has a name, and says how long a trial may take."""

    @property
    def patience(self) -> float:
        """Seconds for one trial."""
        ...


class Trial(Protocol):
    """Something that a law is tried on."""

    def smaller(self) -> Iterable["Trial"]:
        """The same with less of it, those with the least first."""
        ...

    def told(self) -> Iterable[tuple[str, str]]:
        """How to get there, as pairs of a word and a text."""
        ...


class Law(Struct, Generic[C], frozen=True):
    """A sentence, what it is tried on in a case, and how. Any: a check knows its own trials."""

    sentence: str
    trials: Callable[[C], Iterable[Any]]
    check: Callable[[C, Any], None]
    thing: str = "position"  # what its trials are called when they are counted

    @property
    def name(self) -> str:
        """A word for it: its check's name."""
        return self.check.__name__

    def hold(self, case: C) -> int:
        """Try it on everything that there is; on how much. Raises Counterexample."""
        __tracebackhide__ = True  # whoever reads a report wants the game's lines, not ours
        count = 0
        for trial in self.trials(case):
            count += 1
            failed = self._fails(case, trial)
            if failed is not None:
                raise self._told(case, *self._smallest(case, trial, failed)) from failed
        return count

    def _fails(self, case: C, trial: Any) -> Failed | None:
        try:
            with at_most(case.patience * WAITS, work=case.patience):
                self.check(case, trial)
        except TookTooLong as failed:
            return failed
        except Exception as failed:  # noqa: BLE001 - whatever the rules raise is the answer
            return failed
        return None

    def _smallest(self, case: C, trial: Any, failed: Failed) -> tuple[Any, Failed]:
        """The smallest trial found that fails too, in the same way."""
        left = 0 if isinstance(failed, TookTooLong) else SHRINKS
        while left > 0 and hasattr(trial, "smaller"):
            for less in trial.smaller():
                left -= 1
                again = self._fails(case, less)
                if again is not None and _alike(again, failed):
                    trial, failed = less, again
                    break
                if left <= 0:
                    break
            else:
                break
        return trial, failed

    def _told(self, case: C, trial: Any, failed: Failed) -> "Counterexample":
        where = list[tuple[str, str]]()
        if isinstance(failed, Broken):
            trial = failed.trial or trial
            expected, came = failed.expected, failed.came
        elif isinstance(failed, TookTooLong):
            expected = f"that it takes no longer than {case.patience:g} seconds of work"
            came = f"it took longer{_place(failed)}"
        else:
            expected, came = "no such thing", f"{_words(failed)}{_place(failed)}"
        if hasattr(trial, "told"):
            where += trial.told()
        return Counterexample(self.sentence, str(case), tuple(where), expected, came)


class Counterexample(AssertionError):
    """A law that does not hold, and where."""

    def __init__(
        self,
        law: str,
        case: str,
        where: tuple[tuple[str, str], ...],
        expected: str,
        came: str,
    ) -> None:
        self.law = law
        rows = [("of", case), *where, ("expected", expected), ("came", came)]
        wide = max(len(word) for word, _ in rows) + 1
        lines = [f"  {word + ':':<{wide}} {short(text)}" for word, text in rows]
        super().__init__("\n".join([f"{law} It does not:", *lines]))


def short(text: object) -> str:
    """A value as a report has it: in one line, and not too long a one."""
    line = str(text).replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\0")
    return line if len(line) <= TOLD_MAX else f"{line[: TOLD_MAX - 1]}…"


def _alike(one: Failed, other: Failed) -> bool:
    if isinstance(one, Broken) and isinstance(other, Broken):
        return True
    return type(one) is type(other)


def _words(error: Failed) -> str:
    code = getattr(error, "code", None)  # of the rules' own refusals
    kind = f"{type(error).__name__} ({code})" if isinstance(code, str) else type(error).__name__
    return f"{kind}: {error}" if str(error) else kind


def _place(error: Failed) -> str:
    """Where it was raised, for whoever wrote it."""
    ours = (str(Path(__file__).parent), watchdog.__file__)
    frames = [f for f in extract_tb(error.__traceback__) if not f.filename.startswith(ours)]
    if not frames:
        return ""
    last = frames[-1]
    return f" (in {last.name}, {last.filename}:{last.lineno})"
