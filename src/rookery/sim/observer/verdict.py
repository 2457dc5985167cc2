"""What the observer finds wrong: which judgement it is, and the sentence."""

from msgspec import Struct


class Failing(Struct, frozen=True):
    """Something that must not be."""

    judgement: str
    sentence: str
