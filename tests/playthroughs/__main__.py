"""Write all golden games anew: `python -m tests.playthroughs`.

Read what changed before keeping it: it is a change of the rules.
"""

from tests.playthroughs.games import every_game
from tests.playthroughs.record import HERE, file_of, record

if __name__ == "__main__":
    for stale in set(HERE.glob("*.txt")) - {file_of(one) for one in every_game()}:
        stale.unlink()
    for one in every_game():
        file_of(one).write_text(record(one), encoding="utf-8")
