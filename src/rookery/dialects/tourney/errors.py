"""What a line can be answered with instead of being done."""

from rookery.core.errors import BadNotation, Mistake
from rookery.core.text.integers import parse_integer

CANNOT = "Error processing command."


class BadCommand(Mistake):
    """A line that is answered with an error; the sentence is the page's."""


def integer(text: str, wrong: str = CANNOT) -> int:
    """The whole number this text means. Raises BadCommand with that sentence."""
    try:
        return parse_integer(text)
    except BadNotation:
        raise BadCommand(wrong) from None
