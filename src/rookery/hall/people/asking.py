"""Asking: what every question and wish brings with it, and how the answer is no.

Whoever finds that something may not be raises `Refusal`, wherever it stands; `Hall.receive`
catches it and says so. So nothing may have been written before: a refusal leaves no trace.
"""

from rookery.core.messages import Refused


class Refusal(Exception):
    """It is not done, and nothing changed; `refused` says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.sentence)
        self.refused = refused


def refuse(refused: Refused | None) -> None:
    """Raise Refusal if there is a reason to."""
    if refused is not None:
        raise Refusal(refused)
