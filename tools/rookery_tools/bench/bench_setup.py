"""What a measurement is given: the scale, where logs lie, and which build of the server.

The load is always this Rookery's. The server under it may be another build: another Python
that has Rookery installed, or another checkout of it.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery_tools.bench.load.processes import CannotMeasure, ServerProcess, running
from rookery_tools.bench.scale import FULL, Scale


class Build(Struct, frozen=True):
    """A build of the server: the Python that runs it, and the variables that Python needs."""

    python: str
    more: Mapping[str, str] = {}

    @property
    def environment(self) -> dict[str, str]:
        """Our own environment, with the variables that this build needs."""
        return {**os.environ, **self.more}


OURS: Final = Build(sys.executable)


def build_at(path: Path) -> Build:
    """The Rookery of a Python, or of a checkout. Raises CannotMeasure.

    A checkout is run by the Python of its own environment, as it may need other packages.
    """
    if (path / "src" / "rookery").is_dir():
        own = path.absolute() / ".venv" / "bin" / "python"
        python = str(own) if own.exists() else sys.executable
        return Build(python, {"PYTHONPATH": str(path.resolve() / "src")})
    if path.is_file() and os.access(path, os.X_OK):
        return Build(str(path.absolute()))
    raise CannotMeasure(f"{str(path)!r} is neither a Python nor a checkout of Rookery.")


def compiled(build: Build, folder: Path) -> Build:
    """The build with its bytecode compiled, in this folder if it may not lie among the sources.

    People who start a server have started one before, or installed it, which compiles it. Where
    the environment forbids to keep bytecode, each start would compile 800 files: a second of it.
    """
    if build.environment.get("PYTHONDONTWRITEBYTECODE"):
        kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder.resolve())}
        build = replace(build, more={**build.more, **kept})
    words = [build.python, "-c", "import rookery.cli.commands.serve, rookery.server.app"]
    subprocess.run(words, env=build.environment, capture_output=True, check=False)  # noqa: S603 # ours
    return build


class BenchSetup(Struct, frozen=True):
    """Everything that a row is given to measure with."""

    folder: Path
    scale: Scale = FULL
    build: Build = OURS
    say: Callable[[str], None] = lambda _: None

    @contextmanager
    def rookery(
        self, *more: str, house: str = "off", log: Path | None = None
    ) -> Iterator[ServerProcess]:
        """A server with an empty log, or with this folder's."""
        with TemporaryDirectory(dir=self.folder) as empty:
            settings = ("--port", "0", "--log-level", "error", "--data", str(log or empty))
            words = ("serve", *settings, "--house", house, *more)
            build = self.build
            with running("rookery", *words, python=build.python, env=build.environment) as server:
                yield server

    @contextmanager
    def bare(self) -> Iterator[ServerProcess]:
        """A server that only moves bytes; always ours."""
        with running("rookery_tools.bench.load.bare") as server:
            yield server
