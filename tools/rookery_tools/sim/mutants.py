"""Mutants: mistakes as data, each made in a copy of the sources that is run as a program.

A mutant says which text of which file it replaces, and which promise that breaks. One that does
not apply to the sources as they are is an error, never a mistake that was found. Nothing here
knows what is run: worlds now, and tests as well as anything else.
"""

import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from subprocess import PIPE, CompletedProcess, run
from typing import Final

import msgspec
from msgspec import Struct

import rookery

SOURCES: Final = Path(rookery.__file__).parents[1]
WORLDS: Final = Path(__file__).with_name("mutants.toml")
IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 # where there is such a place
WHICH: Final = "import rookery; print(rookery.__file__)"


class MutantBroken(Exception):
    """A mutant does not apply, or what it makes of the sources cannot be run."""


class Mutant(Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake: the text `old`, which stands once in a file of the sources, becomes `new`."""

    name: str
    breaks: str  # the mistake, in a sentence
    file: str  # relative to the sources
    old: str
    new: str
    judgement: str = ""  # by which it must be found, where somebody judges

    def apply(self, text: str) -> str:
        """The text of the file with this mistake in it. Raises MutantBroken."""
        times = text.count(self.old) if self.old else 0
        if times != 1:
            raise MutantBroken(
                f"{self.name} does not apply: its old text is {times} times in {self.file}"
            )
        wrong = text.replace(self.old, self.new)
        try:
            compile(wrong, self.file, "exec")
        except SyntaxError as error:
            raise MutantBroken(f"{self.name} makes no Python of {self.file}: {error}") from error
        if wrong == text:
            raise MutantBroken(f"{self.name} changes nothing in {self.file}")
        return wrong

    def mutated(self, sources: Path = SOURCES) -> str:
        """What it makes of its file there. Raises MutantBroken."""
        try:
            return self.apply((sources / self.file).read_text())
        except OSError as error:
            raise MutantBroken(f"{self.name} does not apply: there is no {self.file}") from error


def read_mutants(file: Path) -> dict[str, Mutant]:
    """The mutants in this file, by name. Raises MutantBroken."""
    try:
        found = msgspec.convert(tomllib.loads(file.read_text())["mutant"], list[Mutant])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, KeyError) as error:
        raise MutantBroken(f"{file.name} cannot be read: {error}") from error
    mutants = {one.name: one for one in found}
    if len(mutants) < len(found):
        raise MutantBroken(f"{file.name} has two mutants of one name")
    return mutants


@cache
def mutants_of_worlds() -> Mapping[str, Mutant]:
    """The mutants that made-up worlds must show."""
    return read_mutants(WORLDS)


class MutatedSources:
    """A copy of the sources with one mistake in it, and programs that are run from there."""

    def __init__(self, place: Path) -> None:
        self._place = place
        path = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH"))))
        self.environment = os.environ | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"}

    def run(self, arguments: Sequence[str], *, captured: bool = True) -> CompletedProcess[str]:
        """Run Python with these arguments, and wait for it."""
        stream = PIPE if captured else None
        return run(  # noqa: S603 # our own program
            [sys.executable, *arguments],
            env=self.environment,
            stdout=stream,
            stderr=stream,
            text=True,
            check=False,
        )

    def check(self) -> None:
        """See that programs which are run from here have the mistake. Raises MutantBroken."""
        done = self.run(("-c", WHICH))
        if self._place not in Path(done.stdout.strip()).parents:
            raise MutantBroken(f"other sources would be run: {done.stdout} {done.stderr}")


@contextmanager
def mutated(mutant: Mutant, sources: Path = SOURCES) -> Iterator[MutatedSources]:
    """A copy of the sources with this mistake in it, within `with`. Raises MutantBroken."""
    wrong = mutant.mutated(sources)
    where = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rookery-mutant-", dir=where) as temporary:
        place = Path(temporary).resolve() / "src"
        package = Path(mutant.file).parts[0]
        shutil.copytree(sources / package, place / package)
        file = place / mutant.file
        file.write_text(wrong)
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*"):
            compiled.unlink()
        copy = MutatedSources(place)
        copy.check()
        yield copy
