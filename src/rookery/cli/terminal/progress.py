"""A bar for what takes a while, on a terminal's stderr; elsewhere nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import Progress

from rookery.cli.terminal.screen import screen


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr; yields a function that sets the total and the done. It goes at the end."""
    errors = screen(stderr=True)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        work = bar.add_task(what, total=None)
        yield lambda total, done: bar.update(work, total=total, completed=done)
