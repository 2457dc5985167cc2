"""How fish is shown and taught."""

from typing import Final

from rookery.core.presentation import Lesson, Showing, Teaching

_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<style>:root{--ice:#d9ebf3;--sea:#5c93b0}
@media(prefers-color-scheme:dark){:root{--ice:#35505c;--sea:#1d3542}}</style>
<path d="M20 2l16 9v18l-16 9-16-9V11z" style="fill:var(--ice);stroke:var(--sea)"/>
<path d="M9 20c4-7 13-8 18-2l5-4v12l-5-4c-5 6-14 5-18-2z" style="fill:var(--sea)"/>
<circle fill="#f7f4ec" cx="14.5" cy="19" r="1.4"/></svg>"""

SHOWN: Final = Showing(
    words={"cols": "columns", "fish": "fish a tile"},
    icon=_ICON,
    unit="fish",
    phases={"place": "Place a penguin.", "move": "Choose a penguin, then where it slides."},
)


_PLACED: Final = ("1,2", "0,1", "5,1", "0,2", "6,3", "7,1", "12,0", "9,0")

TAUGHT: Final = Teaching(
    (
        (
            "Everyone places penguins on tiles of ice, in turn. Then, in turn, a penguin slides in "
            "a straight line as far as it likes: over tiles, never over holes or other penguins."
        ),
        "The tile it leaves is gone, and its fish are eaten by whose penguin it was.",
        "Who cannot move waits. When nobody can, most fish win.",
    ),
    (
        Lesson(
            task="Place a penguin where there are three fish: you eat them when it leaves.",
            good=("1,2", "2,2", "5,1", "6,2", "6,3", "10,2", "12,0", "13,0", "13,3", "14,3"),
            why="Tiles with three fish are rare: who stands on one has them for sure.",
        ),
        Lesson(
            task="All penguins are placed. Choose one of yours, and let it slide.",
            why="The tile it left is gone, and you have eaten its fish.",
            played=_PLACED,
        ),
        Lesson(
            task="Slide the penguin in the second row to another tile with three fish.",
            good=("1,2-2,2",),
            why="Three fish eaten, and three more under its feet.",
            played=_PLACED,
        ),
    ),
)
