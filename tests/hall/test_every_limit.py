"""Every bound of the hall has a test of its name at the bound, somewhere in this folder.

Or one of the names of several, where the same hall shows them: `test_this_and_that`.
"""

import re
from pathlib import Path

from rookery.hall import limits

TEST = re.compile(r"^def test_(\w+)\(", re.MULTILINE)


def test_every_limit_is_tried_here() -> None:
    bounds = {name for name in vars(limits) if name.isupper()} - {"MICROS_A_SECOND", "LOOPBACK"}
    texts = [path.read_text("utf-8") for path in Path(__file__).parent.rglob("test_*.py")]
    named = [name.upper() for text in texts for name in TEST.findall(text)]
    tried = {part for name in named for part in name.split("_AND_")}
    assert bounds - tried == set()
