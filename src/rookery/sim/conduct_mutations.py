"""Mistakes about who may not speak or be here, for the list of those that must be found."""

from rookery.hall.people.conduct import Conduct
from rookery.sim.mutation import Patch


def let_the_muted_speak() -> list[Patch]:
    """Mutation: muted players may speak, though the log says that they are muted."""
    return [(Conduct, "may_not_speak", lambda *_: None)]


def let_the_banned_in() -> list[Patch]:
    """Mutation: a banned player is greeted when it comes back."""
    return [(Conduct, "may_not_be", lambda *_: None)]
