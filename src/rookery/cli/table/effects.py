"""The effects of moves that matter to a person, as words.

An effect says what a move's text does not: that discs turned over, that a seat had no
move. What a drawing shows anyway, and nobody would say aloud, has no words.
"""

from collections.abc import Iterable
from typing import Final

from rookery.clients.native.players import Players
from rookery.core.game import AnyEffect, Aside, Effect
from rookery.games.bughouse import Castled, Dropped, EnPassant, Handed, Promoted
from rookery.games.fish import Removed, Scored, Skipped
from rookery.games.guess import HIGH, LOW, RIGHT, Answered
from rookery.games.reversi import Flipped, Passed

_PIECES: Final = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen"}
_ANSWERS: Final = {HIGH: "too high", LOW: "too low", RIGHT: "right"}


def effect_words(effects: Iterable[AnyEffect], players: Players) -> list[str]:
    """What these effects come to, in order; discs that turn over are counted."""
    words = []
    flipped = 0
    for effect in effects:
        if isinstance(effect, Flipped):
            flipped += 1
        elif said := _words(effect, players):
            words.append(said)
    if flipped:
        words.insert(0, "1 disc turns over" if flipped == 1 else f"{flipped} discs turn over")
    return words


def heard_by_all(effects: Iterable[Effect | Aside]) -> tuple[AnyEffect, ...]:
    """The effects of a game's step that are for everyone."""
    return tuple(effect for effect in effects if not isinstance(effect, Aside))


def _words(effect: AnyEffect, players: Players) -> str:
    match effect:
        case Passed(seat) | Skipped(seat):
            return f"{players.who(seat)} cannot move and is passed over"
        case Scored(fish=fish):
            return f"{fish} fish eaten"
        case Answered(answer=answer):
            return _ANSWERS.get(answer, answer)
        case Handed(taker=taker, piece=piece):
            return f"{players.who(taker)} gets a {_PIECES.get(piece, piece)}"
        case Promoted(piece=piece):
            return f"the pawn becomes a {_PIECES.get(piece, piece)}"
        case Castled():
            return "castling"
        case EnPassant():
            return "en passant"
        case Dropped() | Flipped() | Removed():
            return ""  # the move or the forfeit says it
        case _:
            return ""
