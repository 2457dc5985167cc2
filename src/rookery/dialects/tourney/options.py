"""What can be set for a port that speaks tourney: who may be whom again."""

from typing import Annotated

from msgspec import Meta, Struct

from rookery.core.options import check_flag


class TourneyOptions(Struct, frozen=True):
    """How one shows that one was here before."""

    codes: Annotated[bool, Meta(description="whether one comes back with a secret code")] = False
    any_host: Annotated[bool, Meta(description="whether one may come back from elsewhere")] = False

    def __post_init__(self) -> None:
        check_flag("codes", self.codes)
        check_flag("any_host", self.any_host)
