"""The page's types of the server's words are those of the server."""

import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[3] / "web"


def test_the_page_reads_what_the_server_writes() -> None:
    done = subprocess.run(
        [sys.executable, WEB / "wire.py", "--print"], capture_output=True, text=True, check=True
    )
    written = (WEB / "src" / "wire.ts").read_text(encoding="utf-8")
    assert written == done.stdout, "the server's types have changed: run `make page`"
