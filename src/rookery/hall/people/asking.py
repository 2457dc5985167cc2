"""Asking: which session asks something of the hall, and how the answer is no.

Code that finds that something is not allowed raises `Refusal`, wherever it stands;
`Hall.receive` catches it and tells the session. So nothing may have been written before: a
refusal leaves no trace.
"""

from msgspec import Struct

from rookery.core.ids import SessionId
from rookery.core.messages import AnyMessage, Refused
from rookery.core.policy import Policy
from rookery.hall.batch import Draft
from rookery.hall.people.players import Player


class Refusal(Exception):
    """What was asked is not done, and nothing changed; `refused` says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.sentence)
        self.refused = refused


def refuse(refused: Refused | None) -> None:
    """Raise Refusal if a reason is given."""
    if refused is not None:
        raise Refusal(refused)


def wrong_dialect(policy: Policy, dialect: str, what: str) -> Refused | None:
    """Why this dialect's players may not do `what` (as in "sit there") here; None if they may."""
    if policy.only in ("", dialect):
        return None
    return Refused("wrong_dialect", f"Only players of the dialect {policy.only} may {what}.")


class Asking(Struct, frozen=True, gc=False):
    """A session asks, for a player or for nobody; what follows goes into the draft."""

    draft: Draft
    session: SessionId
    player: Player | Refused  # the player the session asks for, or why it has none

    @property
    def who(self) -> Player:
        """The player the session asks for. Raises Refusal where it asks for nobody."""
        if isinstance(self.player, Refused):
            raise Refusal(self.player)
        return self.player

    def tell(self, reply: AnyMessage) -> None:
        """Tell the session that asked this reply."""
        self.draft.tell(self.session, reply)
