"""The languages as loads: how to seat pairs in each, and the games they have prepared.

Every language has a file: `seat` brings players to a server until their games have begun, by
the clients of `rookery.clients`, and yields pairs with every line ready that they will send.
While it is measured the load thinks of nothing, and only counts what it reads.
"""

from collections.abc import Mapping
from typing import Final

from rookery_tools.bench.languages import (
    blackwhite,
    bughouse,
    fish,
    fishcom,
    native,
    othello,
    tourney,
    websocket,
)
from rookery_tools.bench.languages.language import Language

LANGUAGES: Final[Mapping[str, Language]] = {
    one.name: one
    for one in (
        native.LANGUAGE,
        websocket.LANGUAGE,
        othello.LANGUAGE,
        blackwhite.LANGUAGE,
        tourney.LANGUAGE,
        fish.LANGUAGE,
        fishcom.LANGUAGE,
        bughouse.LANGUAGE,
    )
}
