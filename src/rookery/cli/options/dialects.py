"""Which wire languages have words for a game."""

from rookery.core.errors import BadOption
from rookery.dialects import LANGUAGES
from rookery.games import AnyGame, format_variant


def check_words(dialect: str, game: AnyGame) -> None:
    """Raise BadOption where this dialect cannot play the game, and say which can."""
    if not LANGUAGES[dialect].speaks(game):
        others = ", ".join(sorted(LANGUAGES.speaking(game)))
        raise BadOption(f"{dialect} has no words for {format_variant(game)}; these do: {others}.")
