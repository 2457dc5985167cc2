"""All that the command line knows of the wire languages: their games, names, teams and rooms."""

from typing import Final

from rookery.core.errors import BadOption
from rookery.dialects import DIALECTS
from rookery.games import Variant, format_variant
from rookery.hall.people.languages import can_play

NATIVE: Final = "native"
NAMELESS: Final = "othello"  # the one language without names
USUAL: Final = {"blackwhite": "reversi size=10"}  # where it is not the game's own default
LONGEST: Final = {"fishcom": 12}  # letters of a name
NAME_MAX: Final = 40
FORBIDDEN: Final = {"blackwhite": "[]#", "bughouse": ":#", "tourney": ":"}  # in a name
TEAMED: Final = (NATIVE, "bughouse")  # where one can say for whom one plays
ROOMED: Final = (NATIVE, "blackwhite")
UNTOLD: Final = ("blackwhite", "fish", "fishcom")  # where a code may be a part of the name
# Where a client says its name, the code goes behind it, and in between its team; the rest
# have words, or a port.
BEHIND_NAMES: Final = {
    "blackwhite": "ENTERROOM [ann{team}#{code}]",
    "bughouse": "ADD_PLAYER:ann{team}#{code}",
    "fish": "join with the id ann{team}#{code}",
    "fishcom": "sign up as ann{team}#{code}",
    "othello": 'come to a port that has tour = "{code}" in the settings',
}


def check_words(dialect: str, game: Variant) -> None:
    """Raise BadOption where this dialect cannot play the game, and say which can."""
    if not can_play(dialect, game):
        others = ", ".join(sorted(other for other in DIALECTS if can_play(other, game)))
        raise BadOption(f"{dialect} has no words for {format_variant(game)}; these do: {others}.")
