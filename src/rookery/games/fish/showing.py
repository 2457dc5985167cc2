"""How fish is shown: its picture, and what to do in each phase."""

from typing import Final

from rookery.core.presentation import Showing

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
