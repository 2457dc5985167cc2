"""How reversi is shown: discs on a cloth, squares by letter and number, and who has how many."""

from typing import Final

from rookery.core.presentation import Grid, Showing

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
