"""Guess: there is no board, so the drawing says what is known, and what follows from it."""

from typing import Final

from rich.text import Text

from rookery.cli.drawing.look import FAINT, SEAT_STYLES, lines
from rookery.games.guess import HIGH, LOW, NONE_YET, RIGHT, GuessView

_ANSWERS: Final = {HIGH: "too high", LOW: "too low", RIGHT: "right", NONE_YET: "no guess yet"}
_SHOWN: Final = 12  # own guesses; the older ones are in the range that is left


def draw_guess(view: GuessView) -> Text:
    """Draw the answers so far, the viewer's own guesses, and where the number can still be."""
    drawn = [Text(f"A number from {view.low} to {view.high}; round {view.round}.", FAINT)]
    for seat, (name, answer) in enumerate(zip(("home", "away"), view.answers, strict=True)):
        drawn.append(Text.assemble((f"{name}  ", SEAT_STYLES[seat]), _ANSWERS.get(answer, answer)))
    if view.own:
        tried = [f"{g.number} {_ANSWERS.get(g.answer, g.answer)}" for g in view.own[-_SHOWN:]]
        more = "... " if len(view.own) > _SHOWN else ""
        drawn.append(Text(f"You tried {more}{', '.join(tried)}."))
    if view.secret is not None:
        drawn.append(Text(f"The number was {view.secret}.", "bold"))
    elif view.own:
        drawn.append(Text(f"It is {_range(view)}.", "bold"))
    return lines(drawn)


def _range(view: GuessView) -> str:
    """The words for where the number can be by the viewer's own guesses."""
    low = max([view.low, *(g.number + 1 for g in view.own if g.answer == LOW)])
    high = min([view.high, *(g.number - 1 for g in view.own if g.answer == HIGH)])
    right = [g.number for g in view.own if g.answer == RIGHT]
    if right or low == high:
        return str(right[0] if right else low)
    return f"from {low} to {high}"
