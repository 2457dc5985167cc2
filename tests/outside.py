"""Rookery as somebody else has it: installed from a wheel, in an environment of its own.

What Rookery itself needs is lent from ours, so nothing is looked up anywhere. The wheel is
built once for all tests of a run (`wheel`); an environment is each test's own.
"""

import fcntl
import os
import signal
import site
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PATIENCE: Final = 120.0  # seconds until a test says that a command does not end
PIP: Final = (sys.executable, "-m", "pip")
QUIET: Final = ("-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
UNCOMPILED: Final = "--no-compile"  # of all there is, a test runs little


def build_wheel(folder: Path) -> Path:
    """A wheel of these sources, in this folder, unless another process has built it there."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("rookery-*.whl")):
            _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], ROOT)
    return next(folder.glob("rookery-*.whl"))


class Outside:
    """A folder and an environment that know nothing of this repository."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder / "empty"
        self.folder.mkdir()
        _run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], folder)
        self.python = folder / "venv" / "bin" / "python"
        self.rookery = folder / "venv" / "bin" / "rookery"
        asked = "import site; print(site.getsitepackages()[0])"
        theirs = Path(_run([self.python, "-c", asked], folder).strip())
        for path in Path(site.getsitepackages()[0]).iterdir():
            if "rookery" not in path.name.lower():
                (theirs / path.name).symlink_to(path)
        self.install(wheel)

    def install(self, *what: str | Path) -> None:
        """`pip install`, with nothing from elsewhere."""
        words = ["install", *QUIET, UNCOMPILED, "--no-index", *what]
        _run([*PIP, "--python", self.python, *words], self.folder)

    def run(self, *words: str, typed: str = "") -> str:
        """What `rookery` with these words says, which goes well."""
        return _run([self.rookery, *words], self.folder, typed)

    def refused(self, *words: str) -> str:
        """The sentence with which `rookery` refuses these words, and nothing else is said."""
        done = _ended([self.rookery, *words], self.folder)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    def test(self, folder: str) -> str:
        """What pytest says of what is in this folder, which passes."""
        return _run([self.python, "-m", "pytest", "-q"], self.folder / folder)

    @contextmanager
    def begun(self, *words: str) -> Iterator["subprocess.Popen[str]"]:
        """`rookery` with these words while this lasts; it is asked to stop if it has not."""
        with subprocess.Popen(
            [self.rookery, *words],
            cwd=self.folder,
            env=_clean(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(PATIENCE)

    @contextmanager
    def serving(self) -> Iterator[int]:
        """`rookery serve` in the folder, while this lasts; its port."""
        with self.begun("serve", "--port", "0") as server:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert " listens on " in line, f"no server: {line}"
            yield int(line.rpartition(":")[2])


def _run(words: list[str | Path], cwd: Path, typed: str = "") -> str:
    done = _ended(words, cwd, typed)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def _ended(
    words: list[str | Path], cwd: Path, typed: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        words,
        cwd=cwd,
        env=_clean(),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def _clean() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ROOKERY"))}
