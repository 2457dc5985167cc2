"""How reversi is shown, as discs on a cloth with squares by letter and number, and taught."""

from typing import Final

from rookery.core.presentation import Grid, Lesson, Showing, Teaching

_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<style>:root{--cloth:#3c7a5c;--rule:#0003}
@media(prefers-color-scheme:dark){:root{--cloth:#2d5e47;--rule:#fff3}}</style>
<rect x="2" y="2" width="36" height="36" rx="6" style="fill:var(--cloth)"/>
<path d="M20 2v36M2 20h36" style="stroke:var(--rule)"/>
<g fill="#1c1f20"><circle cx="11" cy="11" r="6"/><circle cx="29" cy="29" r="6"/></g>
<g fill="#f7f4ec"><circle cx="29" cy="11" r="6"/><circle cx="11" cy="29" r="6"/></g></svg>"""

SHOWN: Final = Showing(
    icon=_ICON,
    colours=("black", "white"),
    board=Grid("rows", {"X": 0, "O": 1}, rows="size", cols="size", surface="cloth"),
    scores="discs",
    unit="discs",
    offers=("size=10",),
)


TAUGHT: Final = Teaching(
    (
        (
            "Black moves first. A move puts a disc on a free square so that one or more of the "
            "other side's discs stand in a straight line between it and another disc of yours: "
            "along a row, a column or slantwise."
        ),
        "All discs between are turned over and are yours. Who has no such move passes.",
        "When neither side can move, whoever has more discs wins.",
    ),
    (
        Lesson(
            task="You are black. Put a disc so that a white one stands between two of yours.",
            why="The white disc was between two black ones, so it is black now.",
        ),
        Lesson(
            task="A disc in a corner can never be turned over again. Take the corner.",
            good=("h1",),
            why="Nobody can put a disc behind a corner: it is yours for the rest of the game.",
            played=("e6", "f4", "g3", "e7", "f3", "h2", "h3", "c4"),
        ),
        Lesson(
            task="The game is nearly over. One of your moves wins, the others lose: find it.",
            good=("d4",),
            why="From the corner you turn over what matters, and the last squares are yours too.",
            options="size=4",
            played=("a2", "c1", "d3", "c4", "d1", "a1", "b1", "a3"),
        ),
    ),
)
