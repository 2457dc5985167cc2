"""Where commands print: colours and the window's width on a terminal, plain text elsewhere.

`NO_COLOR` (any value but the empty one) turns every style off, bold too. Texts are
printed as they are: nothing in them is read as markup.
"""

import os
from typing import Final

from rich.console import Console

PLAIN_WIDTH: Final = 160  # columns in a pipe or a file, where there is no window to fit


def screen(*, stderr: bool = False) -> Console:
    """A console on standard output, or on standard error."""
    console = Console(
        stderr=stderr,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        markup=False,
        highlight=False,
        emoji=False,
    )
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    return console
