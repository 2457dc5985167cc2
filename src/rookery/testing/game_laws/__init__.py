"""The laws of games: what every game must do, whatever its rules.

`declared` is what a game says of itself, `play` turns and moves, `endings` places and
forfeits, `texts` what is written and read, `values` hashing and JSON, `views` secrets, and
`thinking` what a game may declare for the bots that play any game.
"""

from typing import Final

from rookery.testing.cases import GameCase
from rookery.testing.game_laws import declared, endings, play, texts, thinking, values, views
from rookery.testing.law import Law

GAME_LAWS: Final[tuple[Law[GameCase], ...]] = (
    *declared.LAWS,
    *values.LAWS,
    *play.LAWS,
    *endings.LAWS,
    *texts.LAWS,
    *views.LAWS,
    *thinking.LAWS,
)
