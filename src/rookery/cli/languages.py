"""Which wire languages have words for a game."""

from rookery.core.errors import BadOption
from rookery.dialects import DIALECTS
from rookery.games import Variant, format_variant
from rookery.hall.people.languages import can_play


def check_words(dialect: str, game: Variant) -> None:
    """Raise BadOption where this dialect cannot play the game, and say which can."""
    if not can_play(dialect, game):
        others = ", ".join(sorted(other for other in DIALECTS if can_play(other, game)))
        raise BadOption(f"{dialect} has no words for {format_variant(game)}; these do: {others}.")
