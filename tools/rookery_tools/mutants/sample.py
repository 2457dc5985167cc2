"""Mistakes drawn from a package of `src/rookery` by a seed.

A comparison turned round, a number off by one, a condition always true, a statement left out.
What no test has to see is left alone: annotations, what only checkers read, our own assertions.
"""

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = ROOT / "src"

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


def draw(package: str, sample: int, seed: int) -> tuple[list[Mutant], int]:
    """Some mistakes of a package, and how many there are in all."""
    files = sorted((SOURCES / "rookery" / package).rglob("*.py"))
    every = [mutant for file in files for mutant in mutants_of(file)]
    return random.Random(f"{package} {seed}").sample(every, min(sample, len(every))), len(every)


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
