"""Readers of the API: `python -m rookery_tools.bench.load.reading PORT PATH CONNECTIONS READS`.

Each connection asks for the same again as soon as it has the whole answer. READS is how many
answers are wanted in all; then it says how many seconds they took. Only a 200 counts: a reader
beyond its host's limit is refused, and goes on.
"""

import select
import sys
from time import perf_counter
from typing import Final

from rookery_tools.bench.load.load import PATIENCE, close, connect
from rookery_tools.bench.load.processes import CannotMeasure

BUFFER: Final = 1 << 20
END: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length: "
OK: Final = b"HTTP/1.1 200"
REFUSED: Final = b"HTTP/1.1 429"


def read(port: int, path: str, connections: int, reads: int) -> float:
    """Seconds for so many answers. Raises CannotMeasure."""
    ask = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    sockets = {one.fileno(): one for one in (connect(port) for _ in range(connections))}
    missing = dict.fromkeys(sockets, 0)  # bytes of an answer that has begun
    try:
        with select.epoll(connections) as epoll:
            began = perf_counter()
            for fd, one in sockets.items():
                epoll.register(fd, select.EPOLLIN)
                one.sendall(ask)
            while reads > 0:
                events = epoll.poll(PATIENCE)
                if not events:
                    raise CannotMeasure(f"The server does not answer GET {path}.")
                for fd, _ in events:
                    came = sockets[fd].recv(BUFFER)
                    missing[fd] = _missing(came, missing[fd], path)
                    if not missing[fd]:
                        reads -= not came.startswith(REFUSED)  # which is short, and comes whole
                        sockets[fd].sendall(ask)
            return perf_counter() - began
    finally:
        close(sockets.values())


def _missing(came: bytes, before: int, path: str) -> int:
    """How many bytes of an answer are still to come, after these."""
    if before:
        return max(0, before - len(came))
    if not came.startswith((OK, REFUSED)):
        raise CannotMeasure(f"GET {path} is answered with {came[:40]!r}.")
    head, _, body = came.partition(END)
    length = head.lower().partition(LENGTH)[2].partition(b"\r\n")[0]
    return max(0, int(length) - len(body))


if __name__ == "__main__":
    print(read(int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:5])))  # noqa: T201
