"""A mistake that the server can be made to make: patches of it, for as long as a world lasts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

Patch = tuple[Any, str, Any]  # Any: a place in the server, and what stands there instead


class Mutation(Struct, frozen=True):
    """One mistake that can be put into the server, and a sentence that says what it is."""

    sentence: str
    patches: Callable[[], list[Patch]]

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Let the server make this mistake within `with`."""
        patches = self.patches()
        before = [(place, name, getattr(place, name)) for place, name, _ in patches]
        for place, name, wrong in patches:
            setattr(place, name, wrong)
        try:
            yield
        finally:
            for place, name, right in before:
                setattr(place, name, right)
