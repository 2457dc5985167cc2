"""Where servers come from: one process that has imported everything, and forks a server on a word.

A server that is killed every second would spend its life importing. Each forked server is a
process of its own in all respects, and lives as `rookery serve` with its arguments does. Orders
come as lines on standard input: a list of arguments starts a server, and its process id is the
answer; a process id waits for that server to end, and its exit code is the answer.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from typing import Final, NoReturn

import msgspec

READY: Final = "ready"
SERVES: Final = (
    *("rookery.cli.commands.serve", "rookery.server.app", "rookery.server.web.app"),
    *("rookery.cli.commands.hall", "rookery.cli.commands.edge"),
    *("rookery.server.cluster.standby", "rookery.server.cluster.edge"),
)


def main() -> None:
    """Fork servers until standard input ends; servers that still run are killed then."""
    for name in SERVES:
        import_module(name)
    gc.collect()
    gc.freeze()
    alive: set[int] = set()
    _answer(READY)
    for line in sys.stdin:
        wish = msgspec.json.decode(line, type=list[str] | int)
        if isinstance(wish, list):
            number = os.fork()
            if not number:
                _be(wish)
            alive.add(number)
            _answer(number)
        else:
            _, status = os.waitpid(wish, 0)
            alive.discard(wish)
            _answer(os.waitstatus_to_exitcode(status))
    for number in alive:
        os.kill(number, signal.SIGKILL)


def _answer(what: str | int) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def _be(words: list[str]) -> NoReturn:
    """Be the server; its words go to the file that is named first."""
    from rookery.cli import rookery

    said, *arguments = words
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number, source in ((0, nothing), (1, file), (2, file)):
        os.dup2(source, number)
    code = 70
    try:
        rookery(arguments, prog_name="rookery")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
