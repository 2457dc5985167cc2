"""Hostile bytes into a dialect over a real hall, from one number: the same seed, the same bytes.

A run is a few clients of one dialect, and one of the native kind, who say what their
language knows, or something like it: requests cut, doubled, swapped and broken by single
bytes. They hang up, time goes by, the server restarts. Nothing may raise, and all that
anyone hears must be well-formed by that dialect's grammar.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rookery.core.chance import Chance
from rookery.core.ids import MICROS_A_SECOND
from tests.laws.speakers import speaker_of
from tests.transcripts.wired_hall import WiredHall

CLIENTS: Final = ("ann", "bob", "cyd", "dan")
STEPS: Final = 30  # deeds in one run
LULLS: Final = (1_000, 200_000, 1_100_000, 31 * MICROS_A_SECOND, 700 * MICROS_A_SECOND)


def feed(name: str, seed: int) -> int:
    """Play one hostile run of this dialect; how many pieces were sent."""
    hall = WiredHall()
    speaks = {who: "native" if who == "dan" else name for who in CLIENTS}

    def say(who: str, chance: Chance) -> bytes:
        if who not in hall.lines:
            hall.connect(who, speaks[who])
        return some_words(speaks[who], chance)

    return run(hall, Chance(seed), STEPS, speaks, say)


def run(
    hall: WiredHall,
    chance: Chance,
    steps: int,
    speaks: Mapping[str, str],
    say: Callable[[str, Chance], bytes],
) -> int:
    """So many deeds of hostile clients, who are there when they `say`; how often they did."""
    sent = 0
    for _ in range(steps):
        who = chance.choice(CLIENTS)
        match chance.below(20):
            case 0 if who in hall.lines:
                hall.hang_up(who)
            case 1:
                hall.advance(chance.choice(LULLS))
            case 2 if chance.below(4) == 0:
                hall.restart()
            case _:
                hall.send(who, say(who, chance))
                sent += 1
        listen(hall, speaks)
    return sent


def some_words(name: str, chance: Chance) -> bytes:
    """Something a client of this dialect might say, or almost."""
    speaker = speaker_of(name)
    words = b"".join(chance.choice(speaker.requests) for _ in range(1 + chance.below(3)))
    match chance.below(10):
        case 0:
            return _broken(words, chance)
        case 1:
            return words[: chance.below(len(words)) + 1]
        case 2:
            return bytes(chance.below(256) for _ in range(1 + chance.below(40)))
        case 3 if chance.below(8) == 0:
            return speaker.too_long
        case _:
            return words


def _broken(words: bytes, chance: Chance) -> bytes:
    """The same with a few bytes changed, taken out or doubled."""
    broken = bytearray(words)
    for _ in range(1 + chance.below(4)):
        at = chance.below(len(broken)) if broken else 0
        match chance.below(3):
            case 0 if broken:
                broken[at] = chance.below(256)
            case 1 if broken:
                del broken[at]
            case _:
                broken[at:at] = broken[at : at + 1 + chance.below(6)]
    return bytes(broken)


def listen(hall: WiredHall, speaks: Mapping[str, str]) -> None:
    """Take what everyone was told; fails where it is not well-formed."""
    for who in list(hall.lines):
        said = hall.take(who)
        speaker = speaker_of(speaks[who])
        speaker.answers(said)
        speaker.news(said)
