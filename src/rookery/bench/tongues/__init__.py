"""The old languages as loads: who seats pairs in each, and the games they have prepared.

Every language has a file: `seat` brings players to a server until their games have begun, by
the clients of `rookery.clients`, and gives pairs with every line ready that they will send.
Nothing is thought of, and nothing read but counted, once it is measured.
"""

from collections.abc import Mapping
from typing import Final

from rookery.bench.tongues import (
    blackwhite,
    bughouse,
    fish,
    fishcom,
    native,
    othello,
    tourney,
    websocket,
)
from rookery.bench.tongues.tongue import Tongue

TONGUES: Final[Mapping[str, Tongue]] = {
    one.name: one
    for one in (
        native.TONGUE,
        websocket.TONGUE,
        othello.TONGUE,
        blackwhite.TONGUE,
        tourney.TONGUE,
        fish.TONGUE,
        fishcom.TONGUE,
        bughouse.TONGUE,
    )
}
