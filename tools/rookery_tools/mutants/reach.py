"""Which test reaches which line: all tests run once under coverage, each in a context of its own.

`measure` runs them, with this module as a plug-in of pytest, and leaves in `.mutants/reach` what
each worker has seen. `Reach` reads that, and says which tests are worth a try for a mutant.

A line inside a function is seen by the tests that reach it. One outside runs when its module is
imported: what it defines is seen by files that name that, or reach a line that does. Code that
only runs in other processes is reached by no test here: for it the tests of its package are tried.
"""

import ast
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Generator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage

from rookery_tools.mutants.sample import ROOT, SOURCES, Mutant

REACHED: Final = ROOT / ".mutants" / "reach"  # made once; too large to keep
FOLDER_TIMEOUT_S: Final = 1200.0  # for the tests of one folder, after which it is cut off
WORKERS: Final = 3  # tests wait for sockets and processes about as long as they compute
# Other processes do the work in these; coverage does not see them.
LEFT_OUT: Final = ("*/tests/browser", "*/tests/server/clusters")
FILES_MAX: Final = 6  # test files tried for one mutant
SLOW_S: Final = 8.0  # a test that takes longer is tried only where no other reaches the line

_ROWS: Final = """
    select path, context, numbits from line_bits
    join file on file.id = file_id join context on context.id = context_id where context != ''
"""

Selection = dict[str, list[str]]  # tests of each file; none: all of it


def measure() -> None:
    """Run all tests once under coverage."""
    shutil.rmtree(REACHED, ignore_errors=True)
    REACHED.mkdir(parents=True)
    run = [sys.executable, "-m", "pytest", "-q", f"-n{WORKERS}", "--dist=worksteal"]
    run += ["-p", __name__, "-p", "no:cacheprovider", *(f"--ignore-glob={one}" for one in LEFT_OUT)]
    for part in sorted((ROOT / "tests").iterdir()):
        if part.name.startswith("test_") or any(part.rglob("test_*.py")):
            try:
                subprocess.run([*run, str(part)], cwd=ROOT, check=False, timeout=FOLDER_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                print(f"{part.name} takes too long and is cut off.")


class Tracer:
    """Notes for each test which lines it reaches, fixtures included, and how long it takes."""

    def __init__(self) -> None:
        file = REACHED / f"{os.getpid()}.coverage"
        where = [str(SOURCES)]
        self._coverage = Coverage(file, source=where, config_file=False, messages=False)
        self._coverage.set_option("run:disable_warnings", ["module-not-measured"])
        self._seconds: dict[str, float] = defaultdict(float)
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """What is reached meanwhile is reached by this test."""
        self._coverage.switch_context(item.nodeid)
        done = yield
        self._coverage.switch_context("")
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Its setup, its call and its end come one by one."""
        self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Keep what was found."""
        self._coverage.stop()
        self._coverage.save()
        (REACHED / f"{os.getpid()}.json").write_text(json.dumps(self._seconds))


def pytest_configure(config: pytest.Config) -> None:
    """Trace in a worker; the process that deals out the tests runs none."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Tracer())


class Reach:
    """Which tests are worth a try for a mutant."""

    def __init__(self, folder: Path) -> None:
        # Lines are the bits of a number, as coverage keeps them.
        self._tests: dict[str, list[tuple[str, int]]] = defaultdict(list)  # of each source
        self._lines: dict[str, Counter[str]] = defaultdict(Counter)  # of each test file, by source
        self._quick: Selection = defaultdict(list)  # tests of each file
        for path in folder.glob("*.json"):
            for test, seconds in json.loads(path.read_text()).items():
                if seconds <= SLOW_S:
                    self._quick[file_of(test)].append(test)
        union: dict[tuple[str, str], int] = defaultdict(int)
        for path in folder.glob("*.coverage"):
            with closing(sqlite3.connect(path)) as database:
                rows = database.execute(_ROWS).fetchall()
            for source, test, numbits in rows:
                name = Path(source).relative_to(SOURCES).as_posix()
                lines = int.from_bytes(numbits, "little")
                self._tests[name].append((test, lines))
                union[file_of(test), name] |= lines
        for (file, name), lines in union.items():
            self._lines[file][name] = lines.bit_count()

    def selection(self, mutant: Mutant) -> Selection:
        """What to try for a mutant, the most specific first."""
        names = None if _is_inside(mutant) else _names(mutant)
        wanted = {mutant.file: 1 << mutant.line} if names is None else _lines_with(names)
        found = self._reaching(wanted)
        naming = {one for one in self._quick if names and names.search(_text(ROOT / one))}
        whole = names is not None or not found
        if not found and not naming:
            found = self._reaching({mutant.file: -1}) | _own_tests(mutant)

        def specific(file: str) -> tuple[bool, bool, float]:
            """First files that name it, or are named after its module; then by all they reach."""
            share = sum(self._lines[file][name] for name in wanted)
            of_module = whole and Path(mutant.file).stem in Path(file).stem
            return file not in naming, not of_module, -share / (self._lines[file].total() or 1)

        best = sorted(found.keys() | naming, key=specific)[:FILES_MAX]
        return {file: self._quick[file] if whole else found[file] for file in best}

    def _reaching(self, wanted: dict[str, int]) -> Selection:
        found: Selection = defaultdict(list)
        for name, lines in wanted.items():
            for test, reached in self._tests[name]:
                if reached & lines:
                    found[file_of(test)].append(test)
        quick = {f: sorted({*tests} & {*self._quick[f]}) for f, tests in found.items()}
        return {f: tests for f, tests in quick.items() if tests} or found


def file_of(test: str) -> str:
    """The file of a test, by pytest's name for it."""
    return test.partition("::")[0]


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _is_inside(mutant: Mutant) -> bool:
    """Whether it is in a function, not in what runs when its module is imported."""
    return any(
        node.body[0].lineno <= mutant.line <= (node.end_lineno or 0)
        for node in ast.walk(ast.parse(_text(SOURCES / mutant.file)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def _names(mutant: Mutant) -> re.Pattern[str]:
    """The names of what is defined around a mutant."""
    tree = ast.parse(_text(SOURCES / mutant.file))
    around = next(one for one in tree.body if one.lineno <= mutant.line <= (one.end_lineno or 0))
    stored = {n.id for n in ast.walk(around) if isinstance(n, ast.Name) and _is_stored(n)}
    return re.compile(rf"\b({getattr(around, 'name', '') or '|'.join(stored) or '(?!)'})\b")


def _lines_with(names: re.Pattern[str]) -> dict[str, int]:
    """The lines of the sources that have such a name."""
    return {
        path.relative_to(SOURCES).as_posix(): sum(
            1 << number
            for number, line in enumerate(_text(path).split("\n"), 1)
            if names.search(line)
        )
        for path in SOURCES.rglob("*.py")
    }


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _own_tests(mutant: Mutant) -> Selection:
    """All files of the folder of tests that is named like the mutant's."""
    folder = ROOT / "tests" / Path(mutant.file).relative_to("rookery").parent
    while not folder.is_dir():
        folder = folder.parent
    return {str(one.relative_to(ROOT)): [] for one in folder.rglob("test_*.py")}
