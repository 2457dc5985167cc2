"""How many positions a bot looks at in a second: the best level of two games.

The file is run by the Python whose bots are measured: `python -P thinking.py GAME LEVEL MANY`.
It lets a level think about positions of prepared games where it has more to look at than it
may, and says how many nodes it used and how many seconds of CPU that took.
"""

import subprocess
import sys
from collections.abc import Iterator
from time import process_time
from typing import Final

from rookery.bots import level_of
from rookery.bots.base import Sight
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import AnyGame, parse_variant

GAMES: Final = ("reversi", "bughouse")
LEVEL: Final = 5
PLIES: Final = 16  # played by chance before it thinks


def sights(name: str, many: int) -> Iterator[Sight]:
    """Positions in the middle of random games, as the seat sees them that is to move."""
    game: AnyGame = parse_variant(name)
    for seed in range(many):
        chance = Chance(seed)
        state, played = game.start(game.seat_counts[0], chance), 0
        while True:
            able = [(s, tuple(game.legal_moves(state, s))) for s in sorted(game.to_act(state))]
            seat, legal = chance.choice([one for one in able if one[1]])
            if played == PLIES:
                break
            state = game.play(state, seat, chance.choice(legal)).state
            played += 1
        texts = tuple(map(game.format_move, legal))
        yield Sight(game, Seat(seat), game.view(state, seat), texts)


def think(name: str, level: int, many: int) -> tuple[int, float]:
    """Nodes, and seconds of CPU."""
    best = level_of(name, level)
    positions = list(sights(name, many))
    began = process_time()
    for sight in positions:
        best.bot.choose(sight, Chance(1), best.nodes, lambda: False)
    return best.nodes * many, process_time() - began


def think_there(python: str, env: dict[str, str], name: str, many: int) -> float:
    """Nodes a second of another process. Raises OSError."""
    words = [python, "-P", __file__, name, str(LEVEL), str(many)]
    done = subprocess.run(words, env=env, capture_output=True, check=False)  # noqa: S603
    try:
        nodes, seconds = done.stdout.split()
    except ValueError:
        raise OSError(f"The bots did not think: {done.stderr.decode()[-200:]}") from None
    return int(nodes) / float(seconds)


if __name__ == "__main__":
    print(*think(sys.argv[1], *map(int, sys.argv[2:4])))  # noqa: T201 # to our parent process
