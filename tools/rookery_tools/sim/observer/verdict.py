"""What the observer finds wrong: which judgement it is, and the sentence."""

from msgspec import Struct


class Failing(Struct, frozen=True):
    """A judgement that does not hold in this world, and a sentence that says how."""

    judgement: str
    sentence: str
