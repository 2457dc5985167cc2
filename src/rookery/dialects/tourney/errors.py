"""The error that answers a line which cannot be done, and the reading of numbers that raises it."""

from rookery.core.errors import BadNotation, Mistake
from rookery.core.options import parse_integer

CANNOT = "Error processing command."


class BadCommand(Mistake):
    """A client's line that is answered with an error; the protocol's page words it."""


def integer(text: str, wrong: str = CANNOT) -> int:
    """The whole number that a text means. Raises BadCommand with the sentence `wrong`."""
    try:
        return parse_integer(text)
    except BadNotation:
        raise BadCommand(wrong) from None
