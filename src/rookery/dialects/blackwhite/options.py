"""What can be set for a port that speaks blackwhite."""

from typing import Annotated

from msgspec import Meta, Struct

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.options import check_flag, check_whole
from rookery.core.policy import Policy
from rookery.games.reversi import Reversi

_GRACE_MAX = 7 * 24 * 3600  # seconds; a week


class BlackWhiteOptions(Struct, frozen=True):
    """The clock of the rooms that are made here, who sits down in them, and how lines are sent."""

    # "So that a silent player cannot hold a room for ever."
    time: Annotated[str, Meta(description="time control")] = "10m/move"
    grace: Annotated[int, Meta(description="seconds a player may be gone")] = 30
    joined: Annotated[
        bool, Meta(description="whether lines that belong together are one, with & between")
    ] = False
    draft: Annotated[
        bool, Meta(description="whether the first viewer takes an empty seat unasked")
    ] = False

    def __post_init__(self) -> None:
        try:
            clock_for(self.time, Reversi())
        except BadTimeControl as wrong:
            raise BadOption(str(wrong)) from None
        check_whole("grace", self.grace, 0, _GRACE_MAX)
        check_flag("joined", self.joined)
        check_flag("draft", self.draft)

    @property
    def policy(self) -> Policy:
        """The policies of the rooms that are made here."""
        return Policy(grace=self.grace * MICROS_A_SECOND)
