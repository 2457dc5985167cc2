"""What share of mistakes the tests see: `rookery mutants`.

Mistakes are drawn from a package of `src/rookery` by a seed: a comparison turned round, a number
off by one, a condition always true, a statement left out. Each is made in a copy of the sources,
and the test files that reach its line are run, the most specific first, six at most, until one
fails. One that none of them sees survives: it wants a test, or a reason.

    rookery mutants --coverage       # which test file reaches which line; once
    rookery mutants hall --sample 100

Which test file reaches a line is found by running all tests once under coverage. Code that only
runs in other processes is not seen by that: for it the files named after its package are tried.
"""

import ast
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = ROOT / "src"
REACHED: Final = ROOT / ".mutants" / "reached.json"  # made once; too large to keep
FILES_MAX: Final = 6  # test files tried for one mutant
TIMEOUT_S: Final = 300.0  # for one test file; a mutant that hangs is seen, too

COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
ARITHMETIC: Final[dict[type[ast.operator], str]] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Mod: "//",
    ast.BitOr: "&", ast.BitAnd: "|",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A mistake: this piece of a file becomes that."""

    file: str  # relative to src
    line: int
    start: int  # characters into the file
    end: int
    new: str
    kind: str

    def apply(self, text: str) -> str:
        """The text of the file with the mistake in it."""
        return text[: self.start] + self.new + text[self.end :]


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mistakes that can be made in a file, whose result is Python."""
    text = path.read_text("utf-8")
    for mutant in _drawn(path, text):
        try:
            compile(mutant.apply(text), mutant.file, "exec")
        except SyntaxError:
            continue
        yield mutant


Mistake = tuple[ast.expr | ast.stmt, str, str]  # what is replaced, by what, and what that is


def _drawn(path: Path, text: str) -> Iterator[Mutant]:
    tree, name = ast.parse(text), path.relative_to(SOURCES).as_posix()
    lines = text.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.decode()) + 1)

    def place(line: int | None, column: int | None) -> int:
        assert line is not None, "what is in a source has a place"
        return starts[line - 1] + len(lines[line - 1][:column].decode())

    skipped = {id(inner) for node in ast.walk(tree) for inner in _unseen(node)}
    for node in ast.walk(tree):
        if id(node) not in skipped:
            for what, new, kind in (*_in_expressions(node, text), *_in_statements(node)):
                start = place(what.lineno, what.col_offset)
                end = place(what.end_lineno, what.end_col_offset)
                yield Mutant(name, what.lineno, start, end, new, kind)


def _in_expressions(node: ast.AST, text: str) -> Iterator[Mistake]:
    def source(part: ast.expr) -> str:
        return f"({ast.get_source_segment(text, part) or ast.unparse(part)})"

    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
            yield node, f"{source(left)} {COMPARISONS[type(op)]} {source(right)}", "a comparison"
        case ast.BoolOp(op=op, values=values):
            word = " or " if isinstance(op, ast.And) else " and "
            yield node, f"({word.join(map(source, values))})", "and, or"
            yield node, source(values[0]), "the first condition alone"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, source(operand), "not"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            yield node, f"{source(left)} {ARITHMETIC[type(operator)]} {source(right)}", "arithmetic"
        case ast.Constant(value=bool() as value):
            yield node, str(not value), "true, false"
        case ast.Constant(value=int() as value):
            yield node, str(value + 1), "a number"
        case _:
            pass


def _in_statements(node: ast.AST) -> Iterator[Mistake]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, "False", "a condition"
            yield test, "True", "a condition"
        case ast.While(test=test):
            yield test, "False", "a condition"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None", "what is returned"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete() | ast.Raise():
            yield node, "pass", "a statement"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass", "a statement"
        case ast.Break():
            yield node, "continue", "break"
        case ast.Continue():
            yield node, "break", "continue"
        case _:
            pass


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    """What no test has to see: annotations, what only checkers read, our own assertions."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Assert():
            yield from ast.walk(node)
        case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation):
            yield from ast.walk(annotation)
        case ast.FunctionDef(returns=ast.expr() as returns, decorator_list=decorators):
            yield from ast.walk(returns)
            for one in decorators:
                yield from ast.walk(one)
        case ast.ClassDef(bases=bases, keywords=keywords):
            for part in (*bases, *keywords):
                yield from ast.walk(part)
        case _:
            pass


# -- which test file reaches a line


def measure() -> None:
    """Run all tests once under coverage, and keep which test file reaches which line."""
    from coverage import CoverageData  # noqa: PLC0415 # only developers have it

    folder = REACHED.parent
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    settings = folder / "coverage.toml"
    settings.write_text(
        f"[tool.coverage.run]\nsource = ['{SOURCES}']\nparallel = true\n"
        f"data_file = '{folder}/data'\ndynamic_context = 'test_function'\n"
    )
    run = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q"]
    for part in sorted((ROOT / "tests").iterdir()):
        has_tests = part.name.startswith("test_") or any(part.rglob("test_*.py"))
        if has_tests and part.name != "browser":
            subprocess.run([*run, str(part)], cwd=ROOT, check=False)
    reached: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for file in folder.glob("data.*"):
        data = CoverageData(str(file))
        data.read()
        for source in data.measured_files():
            by_test: dict[str, set[int]] = defaultdict(set)
            for line, contexts in data.contexts_by_lineno(source).items():
                for context in contexts:
                    if context:
                        by_test[_test_file(context)].add(line)
            name = Path(source).relative_to(SOURCES).as_posix()
            for test, lines in by_test.items():
                reached[name].setdefault(test, []).extend(lines)
    REACHED.write_text(json.dumps(reached))


def _test_file(context: str) -> str:
    """`tests.hall.test_limits.test_x` is in tests/hall/test_limits.py."""
    parts = context.split(".")
    for length in range(len(parts), 0, -1):
        path = Path(*parts[:length]).with_suffix(".py")
        if (ROOT / path).is_file():
            return path.as_posix()
    return ""


class Reach:
    """Which test files are worth a try for a line."""

    def __init__(self) -> None:
        self._reached = json.loads(REACHED.read_text())
        self._size: Counter[str] = Counter()  # lines that a test file reaches in all
        for tests in self._reached.values():
            for test, lines in tests.items():
                self._size[test] += len(lines)

    def files(self, mutant: Mutant) -> list[str]:
        """The most specific first: those that reach little else."""
        tests = self._reached.get(mutant.file, {})
        found = [test for test, lines in tests.items() if test and mutant.line in lines]
        if not found:
            found = [test for test in tests if test] or self._by_name(mutant.file)
        return sorted(found, key=lambda test: self._size[test])[:FILES_MAX]

    def _by_name(self, file: str) -> list[str]:
        parts = Path(file).parts[1:]
        for depth in range(len(parts), 0, -1):
            folder = ROOT.joinpath("tests", *parts[:depth])
            if folder.is_dir():
                return [one.relative_to(ROOT).as_posix() for one in folder.rglob("test_*.py")]
        return []


# -- trying them


def is_seen(mutant: Mutant, tests: Sequence[str], copy: Path) -> str:
    """The test file that fails with this mistake; empty: none does."""
    file, original = copy / mutant.file, (SOURCES / mutant.file).read_text("utf-8")
    file.write_text(mutant.apply(original), "utf-8")
    sources = os.pathsep.join((str(copy), str(ROOT / "tools")))
    environment = os.environ | {"PYTHONPATH": sources, "ROOKERY_SOURCES": sources}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        for test in tests:
            command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", test]
            try:
                done = subprocess.run(
                    command,
                    cwd=ROOT,
                    env=environment,
                    capture_output=True,
                    timeout=TIMEOUT_S,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return f"{test} (hangs)"
            if done.returncode != 0:
                return test
        return ""
    finally:
        file.write_text(original, "utf-8")


def interval(seen: int, tried: int) -> tuple[float, float]:
    """Wilson's interval, 95 %."""
    z, share = 1.96, seen / tried
    middle = share + z * z / (2 * tried)
    spread = z * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    scale = 1 + z * z / tried
    return (middle - spread) / scale, (middle + spread) / scale


def try_package(package: str, sample: int, seed: int) -> None:
    """Draw mistakes in a package, try each, and print a table and the survivors."""
    files = sorted((SOURCES / "rookery" / package).rglob("*.py"))
    every = [mutant for file in files for mutant in mutants_of(file)]
    drawn = random.Random(f"{package} {seed}").sample(every, min(sample, len(every)))
    reach, survivors, began = Reach(), list[Mutant](), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rookery-mutants-") as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for number, mutant in enumerate(drawn, 1):
            tests = reach.files(mutant)
            by = is_seen(mutant, tests, copy)
            if not by:
                survivors.append(mutant)
            where = f"{mutant.file}:{mutant.line}"
            click.echo(f"{number:4} {'seen' if by else 'SURVIVES':8} {where} {mutant.kind} {by}")
    tried, seen = len(drawn), len(drawn) - len(survivors)
    low, high = interval(seen, tried)
    click.echo(
        f"{package}: {seen} of {tried} seen ({len(every)} possible), {100 * seen / tried:.0f} % "
        f"[{100 * low:.0f}, {100 * high:.0f}], seed {seed}, {time.monotonic() - began:.0f} s"
    )
    for mutant in survivors:
        before = (SOURCES / mutant.file).read_text("utf-8")[mutant.start : mutant.end]
        click.echo(f"  {mutant.file}:{mutant.line} {mutant.kind}: {before!r} -> {mutant.new!r}")
