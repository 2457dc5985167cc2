"""What share of mistakes the tests see: each is made in a copy of the sources, and tests are run.

The process that does it is warm: it has imported pytest and what Rookery needs, but nothing of
Rookery. For each try it forks; the fork imports Rookery from the copy and runs tests until one
fails. That one, alone, has to fail again, and to pass without the mistake; else it is left out
and the others run again. Verdicts are kept in `.mutants` as they come: a run goes on where it was.
"""

import atexit
import ctypes
import gc
import json
import math
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from rookery_tools.mutants.reach import REACHED, Reach, Selection, file_of
from rookery_tools.mutants.sample import ROOT, SOURCES, Mutant, draw

KEPT: Final = ROOT / ".mutants"
WARM: Final = (
    *("argon2", "asyncio", "chess", "click", "h11", "hypothesis.stateful", "logging.config"),
    *("markdown_it", "msgspec", "multiprocessing", "nats", "openskill.models", "psycopg"),
    *("py4swiss", "rich.console", "rich.table", "ssl", "starlette.routing", "uvicorn", "uvloop"),
    *("websockets.server", "websockets.sync.client", "xml.etree.ElementTree"),
)
# That hypothesis is imported before pytest could rewrite it is what makes us warm.
QUIET: Final = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
HANGS_S: Final = 25.0  # one test, its fixtures included, in which nothing ends
SOUND_TIMEOUT_S: Final = 100.0  # for the same without a mistake; where it hung, no longer than that
TRY_TIMEOUT_S: Final = 120.0  # for all tests of a try
END_TIMEOUT_S: Final = 5.0  # for a process whose tests have ended, or whose test has failed
RETRIES_MAX: Final = 5  # with tests left out that fail for another reason
PR_SET_CHILD_SUBREAPER: Final = 36  # prctl(2): a process that loses its parent becomes our child

Outcome = tuple[str, str]  # the test that fails, and how; else nothing, and what has run


@dataclass(frozen=True)
class Verdict:
    """How a mutant fared."""

    mutant: Mutant
    old: str
    by: str  # the test that sees it; empty: none does
    how: str  # that test fails or hangs; or what has run in vain
    files: list[str]
    seconds: float


class Reporter:
    """Leaves the tests that are selected, and tells the warm process how they fare."""

    def __init__(self, selection: Selection, pipe: int) -> None:
        self._selection = selection
        self._pipe = pipe

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Others of these files do not reach the mistake."""
        only = {file: {*tests} for file, tests in self._selection.items()}
        names = ((item, only[file_of(item.nodeid)]) for item in items)
        items[:] = [item for item, tests in names if not tests or item.nodeid in tests]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self.say("begins", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test, or a fixture of it, has ended."""
        if report.failed:
            self.say("fails", report.nodeid)

    def say(self, *words: str) -> None:
        """Tell the warm process."""
        os.write(self._pipe, json.dumps(words).encode() + b"\n")


def run(selection: Selection, hangs_s: float) -> Outcome:
    """Run tests in a fork until one fails, or hangs for so long."""
    reader, writer = os.pipe()
    with TemporaryDirectory(prefix="rk") as folder:
        if os.fork() == 0:
            _run_here(selection, writer, folder)
        os.close(writer)
        try:
            return _listen(reader, hangs_s)
        finally:
            os.close(reader)
            _end_children()


def _run_here(selection: Selection, pipe: int, folder: str) -> None:
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        reporter = Reporter(selection, pipe)
        words = ["-qx", "--tb=no", "-p", "no:cacheprovider", *QUIET, *selection]
        reporter.say("ends", str(int(pytest.main(words, plugins=[reporter]))))
        atexit._run_exitfuncs()  # noqa: SLF001 # what tests leave for the end of their process
    finally:
        os._exit(0)


def _listen(pipe: int, hangs_s: float) -> Outcome:
    test, failed, ran, code, rest = "collection", "", 0, "", b""
    until = time.monotonic() + TRY_TIMEOUT_S
    while True:
        over = failed or code
        wait = END_TIMEOUT_S if over else min(hangs_s, until - time.monotonic())
        ready = select.select([pipe], [], [], max(wait, 0.0))[0]
        chunk = os.read(pipe, 1 << 16) if ready else b""
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for word, what in map(json.loads, lines):
            if word == "begins":
                test, ran = what, ran + 1
            elif word == "fails":
                failed = failed or what
            else:
                code = what
    if failed or code:
        return ("", f"{ran} tests") if code == "0" else (failed or "collection", "fails")
    if ready:
        return test, "fails"  # its process has ended in the middle of it
    return ("", f"{ran} tests, cut short") if time.monotonic() >= until else (test, "hangs")


def _end_children() -> None:
    """End what is left, and what loses its parent by that."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    while left := children.read_text().split():
        for pid in map(int, left):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


class Trials:
    """A copy of the sources, and mistakes made in it."""

    def __init__(self, copy: Path, run: Callable[[Selection, float], Outcome]) -> None:
        self._copy = copy
        self._run = run
        self._sound: dict[tuple[str, float], bool] = {}  # whether tests pass without a mistake
        self._changed = int(time.time())

    def try_mutant(self, mutant: Mutant, selection: Selection) -> Verdict:
        """Run these tests with a mutant in the sources."""
        old = (SOURCES / mutant.file).read_text("utf-8")[mutant.start : mutant.end]
        began, files, how = time.monotonic(), [*selection], "nothing reaches it"
        for _ in range(RETRIES_MAX):
            if not selection:
                break
            by, how = self._run_with(mutant, selection)
            if not by:
                break
            alone = {file_of(by): [by]} if "::" in by else selection
            limit_s = HANGS_S if how == "hangs" else SOUND_TIMEOUT_S
            again = alone != selection
            if self._is_sound(alone, limit_s) and (not again or self._run_with(mutant, alone)[0]):
                return Verdict(mutant, old, by, how, files, time.monotonic() - began)
            how = f"{by} {how} for another reason"
            selection = {f: [test for test in selection[f] if test != by] for f in selection}
            selection = {f: tests for f, tests in selection.items() if tests}
        return Verdict(mutant, old, "", how, files, time.monotonic() - began)

    def _is_sound(self, selection: Selection, limit_s: float) -> bool:
        asked = (json.dumps(selection), limit_s)
        if asked not in self._sound:
            self._sound[asked] = self._run(selection, limit_s)[0] == ""
        return self._sound[asked]

    def _run_with(self, mutant: Mutant, selection: Selection) -> Outcome:
        file, original = self._copy / mutant.file, SOURCES / mutant.file
        file.write_text(mutant.apply(original.read_text("utf-8")), "utf-8")
        # Python knows what it has compiled by size and second: each mistake has one of its own.
        self._changed -= 1
        os.utime(file, (self._changed, self._changed))
        try:
            return self._run(selection, HANGS_S)
        finally:
            shutil.copy2(original, file)


def interval(seen: int, tried: int) -> tuple[float, float]:
    """Wilson's interval, 95 %."""
    z, share = 1.96, seen / tried
    middle = share + z * z / (2 * tried)
    spread = z * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    scale = 1 + z * z / tried
    return (middle - spread) / scale, (middle + spread) / scale


def try_package(package: str, sample: int, seed: int, copy: Path) -> None:
    """Draw mistakes in a package, try each that has no verdict, and print the survivors."""
    drawn, possible = draw(package, sample, seed)
    file = KEPT / f"verdicts-{package}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    known = {Mutant(**one.pop("mutant")): one for one in map(json.loads, lines)}
    reach, trials = Reach(REACHED), Trials(copy, run)
    gc.freeze()
    with file.open("a", encoding="utf-8") as kept:
        for number, mutant in enumerate(drawn, 1):
            if mutant in known:
                continue
            known[mutant] = asdict(trials.try_mutant(mutant, reach.selection(mutant)))
            print(json.dumps(known[mutant]), file=kept, flush=True)
            by, how, seconds = (known[mutant][name] for name in ("by", "how", "seconds"))
            where = f"{mutant.file}:{mutant.line} {mutant.kind}"
            print(f"{number:4} {by or 'SURVIVES'}: {how}, {seconds:.0f} s; {where}", flush=True)
    survivors = [mutant for mutant in drawn if not known[mutant]["by"]]
    tried, seen = len(drawn), len(drawn) - len(survivors)
    low, high = interval(seen, tried)
    print(
        f"{package}: {seen} of {tried} seen ({possible} possible), {100 * seen / tried:.0f} % "
        f"[{100 * low:.0f}, {100 * high:.0f}], seed {seed}"
    )
    for mutant in survivors:
        how, old = known[mutant]["how"], known[mutant]["old"]
        print(f"  {mutant.file}:{mutant.line} {mutant.kind}: {old!r} -> {mutant.new!r} ({how})")


def start(package: str, sample: int, seed: int) -> int:
    """Do it in a warm process of its own, beside a copy of the sources; its exit code."""
    with TemporaryDirectory(prefix="rookery-mutants-") as folder:
        copy = shutil.copytree(
            SOURCES, Path(folder) / "src", ignore=shutil.ignore_patterns("__pycache__")
        )
        sources = os.pathsep.join((str(copy), str(ROOT / "tools")))
        environment = os.environ | {"PYTHONPATH": sources, "ROOKERY_SOURCES": sources}
        environment |= {"PYTHONPYCACHEPREFIX": str(KEPT / "pycache")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        words = [package, str(sample), str(seed), str(copy)]
        command = [sys.executable, "-m", __name__, *words]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main(package: str, sample: str, seed: str, copy: str) -> None:
    """In the warm process."""
    for name in WARM:
        with suppress(ImportError):
            import_module(name)
    assert "rookery" not in sys.modules, "each fork imports its own"
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try_package(package, int(sample), int(seed), Path(copy))


if __name__ == "__main__":
    main(*sys.argv[1:])
