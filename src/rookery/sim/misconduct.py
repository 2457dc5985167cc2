"""Mistakes about who may not speak or be here, for the list of those that must be found."""

from typing import Any

from rookery.hall.people.conduct import Conduct

Patch = tuple[Any, str, Any]  # Any: a place in the server, and what stands there instead


def let_the_muted_speak() -> list[Patch]:
    """Nobody is muted, though the log says so."""
    return [(Conduct, "may_not_speak", lambda *_: None)]


def let_the_banned_in() -> list[Patch]:
    """Who was hung up on is greeted when it comes back."""
    return [(Conduct, "may_not_be", lambda *_: None)]
