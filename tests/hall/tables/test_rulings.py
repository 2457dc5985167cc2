"""What the rules say to a person is cut and cleaned before it goes anywhere."""

from rookery.hall import limits
from rookery.hall.tables.ruling import clean


def test_sentence_max() -> None:
    most = limits.SENTENCE_MAX
    assert [len(clean("x" * length)) for length in (most, most + 1, 10**6)] == [most] * 3
