"""How a program loses without being beaten: it cannot be started, goes, hangs or babbles."""

from enum import StrEnum

from rookery.core.errors import Mistake


class Fault(StrEnum):
    """The kind of a program's failure, to count failures by."""

    MISSING = "missing"  # there is no such program
    GONE = "gone"  # it stopped, or closed its output
    LATE = "late"  # it did not answer in its time
    RUBBISH = "rubbish"  # what it printed is no answer, or not to what was asked
    FLOODED = "flooded"  # it printed far more than anybody asked for


class ProgramFailed(Mistake):
    """A program that can play no more; the sentence says why.

    `complaints` is the end of what it wrote to its standard error, which may be nothing.
    """

    def __init__(self, fault: Fault, sentence: str, complaints: str = "") -> None:
        super().__init__(sentence)
        self.fault = fault
        self.complaints = complaints
