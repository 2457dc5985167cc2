"""`python -m tests.stories FILE…`: write into stories what comes of their acts; then read it."""

import sys
from pathlib import Path

from tests.stories.runner import read, rewrite
from tests.stories.venues import HallVenue

for name in sys.argv[1:]:
    path = Path(name)
    path.write_text(rewrite(read(path.read_text("utf-8")), HallVenue()), "utf-8")
