"""How bughouse is shown: its picture, and who has which colour."""

from typing import Final

from rookery.core.presentation import Showing

_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<rect fill="#e8dcc3" x="2" y="2" width="36" height="36" rx="6"/>
<path fill="#b79a76" d="M20 2h12a6 6 0 0 1 6 6v12H20zM2 20h18v18H8a6 6 0 0 1-6-6z"/>
<path fill="#1c1f20"
d="M14 31h13v-3l-2-2c1-8 0-13-7-15l-1-3-2 3c-3 2-5 6-6 9l2 3 5-2c0 3-3 4-2 8z"/>
<circle fill="#f7f4ec" cx="16.5" cy="15.5" r="1.1"/></svg>"""

SHOWN: Final = Showing(
    words={"plies": "longest game"},
    icon=_ICON,
    boards=2,
    colours=("white", "black", "white", "black"),
    unit="material",
)
