"""`python -m tests.fuzz.guided DIALECT [-runs=N …]`: hostile bytes, led by what they reach.

Atheris (libFuzzer for Python) changes its inputs towards code they have not been in. An
input is a script: a byte that says who does what, and where they speak, a length and as
many bytes. What the dialect's clients really say is where it starts from. Flags are
libFuzzer's own; a failing input is written to a file whose name is printed.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["rookery.dialects", "rookery.hall"]):
    from tests.fuzz.feeding import CLIENTS, LULLS, listen
    from tests.laws.speakers import speaker_of
    from tests.transcripts.wired_hall import WiredHall


def play(name: str, script: bytes) -> None:
    """Do what the script says; nothing may raise, and all that is heard is well-formed."""
    hall = WiredHall()
    speaks: dict[str, str] = {}
    at = 0
    while at < len(script):
        deed, at = script[at], at + 1
        who = CLIENTS[deed % len(CLIENTS)]
        match deed // len(CLIENTS):  # hang up, wait, restart, and else speak
            case 0 if who in hall.lines:
                hall.hang_up(who)
            case 1:
                hall.advance(LULLS[deed % len(LULLS)])
            case 2:
                hall.restart()
            case _:
                length = script[at] if at < len(script) else 0
                words, at = script[at + 1 : at + 1 + length], at + 1 + length
                if who not in hall.lines:
                    speaks[who] = "native" if who == CLIENTS[-1] else name
                    hall.connect(who, speaks[who])
                if words:
                    hall.send(who, words)
        listen(hall, speaks)


def main() -> None:
    """Fuzz one dialect, beginning with what its clients say."""
    name, *flags = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for n, request in enumerate(speaker_of(name).requests):
            words = request[:255]
            Path(folder, str(n)).write_bytes(bytes([20, len(words)]) + words)
        # libFuzzer ends the process itself once it has run as often as it was told.
        atheris.Setup([sys.argv[0], folder, *flags], lambda script: play(name, script))
        atheris.Fuzz()


main()
