"""Draws names from the sources by a seed: `python tools/stranger/names.py [SEED [COUNT]]`.

Prints the path and the name of modules, classes and functions that are not private, each kind as
often as it occurs. The same seed on the same tree draws the same names.
"""

import ast
import random
import sys
from pathlib import Path

ROOTS = ("src/rookery", "packages", "tools")
SEED, COUNT = 20_260, 40


def names() -> list[str]:
    """Every public name of the sources, with its path."""
    found = []
    for path in sorted(path for root in ROOTS for path in Path(root).rglob("*.py")):
        if path.stem != "__init__":
            found.append(f"{path}")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
            if isinstance(node, kinds) and not node.name.startswith("_"):
                found.append(f"{path}: {node.name}")
    return found


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    seed, count = (*given, *(SEED, COUNT)[len(given) :])
    drawn = random.Random(seed).sample(sorted(names()), count)
    print("\n".join(drawn))
