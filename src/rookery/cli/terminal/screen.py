"""Where commands print: colours and the window's width on a terminal, plain text elsewhere.

`NO_COLOR` (any value but the empty one) turns every style off, bold too. Texts are
printed as they are: nothing in them is read as markup. What takes a while has a bar on a
terminal's stderr, and nothing elsewhere.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import Progress

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


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr; yields a function that sets the total and the done. It goes at the end."""
    errors = screen(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        work = bar.add_task(what, total=None)
        yield lambda total, done: bar.update(work, total=total, completed=done)
