"""Hostile bytes at the port of a tour: old clients who play in one without knowing it.

As in `feeding.py`, but whoever comes is bound for the tour that an organiser holds there, on
any terms, and who starts, pauses, voids, puts out and ends it as it likes.
"""

from collections.abc import Sequence
from typing import Final

from rookery.core.chance import Chance
from rookery.core.manners import OWN
from rookery.core.network import FRONT, Doorway
from rookery.dialects import LANGUAGES
from rookery.hall.tours.formats import FORMATS
from tests.fuzz.feeding import CLIENTS, run, some_words
from tests.fuzz.wishes import line
from tests.transcripts.wired_hall import ORGANISER, WiredHall

CODE: Final = "QUXXZ"
HOST: Final = "dan"  # the organiser; everyone else speaks the dialect
STEPS: Final = 60
GAMES: Final = {
    "native": ("nim sticks=1,2", "fish rows=3 cols=4"),
    "tourney": ("nim sticks=1,2", "guess high=2", "tictactoe", "reversi size=4"),
    "othello": ("reversi", "reversi opening=3"),
    "blackwhite": ("reversi size=10",),
    "bughouse": ("bughouse", "bughouse plies=1"),
    "fish": ("fish rows=3 cols=4", "fish rows=4 cols=2"),
    "fishcom": ("fish rows=3 cols=4", "fish rows=4 cols=2"),
}


def bound(name: str, seed: int) -> int:
    """Play one hostile run of this dialect in tours; how many pieces were sent."""
    hall = WiredHall()
    hall.doors[name] = Doorway(tour=CODE)
    speaks = {who: "native" if who == HOST else name for who in CLIENTS}

    def say(who: str, chance: Chance) -> bytes:
        if who not in hall.lines:
            _call(hall, who, name, speaks[who])
        return _orders(name, chance) if who == HOST else some_words(name, chance)

    return run(hall, Chance(seed), STEPS, speaks, say)


def _call(hall: WiredHall, who: str, name: str, speaks: str) -> None:
    door = hall.doors[name]
    if who == HOST:
        hall.doors[name] = FRONT  # the organiser plays in none
    hall.connect(who, speaks)
    hall.doors[name] = door
    if who == HOST:
        hall.send(who, line("organise", {"token": ORGANISER}))


def _orders(name: str, chance: Chance) -> bytes:
    """Something that whoever runs a tour may say."""
    tour = 1 + chance.below(3)
    match chance.below(16):
        case 0 | 1 | 2:
            plan = _plan(name, chance)
            return line("open_tour", {"plan": plan, "code": CODE})
        case 3:
            return line("pause_tour", {"tour": tour})
        case 4:
            return line("void_match", {"tour": tour, "match": 1 + chance.below(6)})
        case 5:
            return line("withdraw", {"tour": tour, "entrant": 1 + chance.below(4)})
        case 6 if chance.below(3) == 0:
            kind = chance.choice(("end_tour", "cancel_tour"))
            return line(kind, {"tour": tour})
        case _:
            return line("start_tour", {"tour": tour})


def _variants(name: str) -> Sequence[str]:
    """What is played in this dialect: as it is known here, or as it declares."""
    declared = [
        " ".join((one.game, *(f"{option}={said[0]}" for option, said in one.options.items())))
        for one in LANGUAGES[name].words or ()
    ]
    return GAMES.get(name) or declared or GAMES[OWN]


def _plan(name: str, chance: Chance) -> dict[str, object]:
    strict = not chance.below(3)
    gone = chance.choice(("forfeit", "hold", "at_once", "takeover"))
    return {
        "variant": chance.choice(_variants(name)),
        "format": chance.choice(list(FORMATS)),
        "time": chance.choice(("none", "1s", "5m+3s")),
        "policy": {"gone": gone, "grace": 1_000_000, "errors": {"limit": chance.below(3)}},
        "absent": chance.choice((0, 1_000_000, 60_000_000)),
        "strict": strict,
        "farewell": strict and not chance.below(2),
        "stays": not chance.below(4),
        "parallel": chance.below(3),
    }
