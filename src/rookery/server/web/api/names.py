"""What the API's document and the page call the types of their answers.

Whoever reads the API has programs made from these names, so they stay when a class is renamed.
"""

from typing import Final

# By the names of classes that are called otherwise; all others go by their own.
CALLED: Final[dict[str, str]] = {}


def called(kind: str) -> str:
    """What the class of this name is called outside."""
    return CALLED.get(kind, kind)
