"""A flood of HTTP requests from one host, until it is killed.

`python -m rookery_tools.bench.hostile.http_flood port connections`: each connection asks for the
list of tables again and again, some requests ahead of their answers.
"""

import select
import sys
from contextlib import suppress
from typing import Final

from rookery_tools.bench.load.load import connect

ASKED: Final = b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n\r\n"
ANSWER: Final = b"HTTP/1.1 "
AHEAD: Final = 20  # requests
BUFFER: Final = 1 << 18


def flood(port: int, connections: int) -> None:
    """Ask for the list of tables over so many connections, until the server hangs up."""
    lines = {line.fileno(): line for line in (connect(port) for _ in range(connections))}
    with select.epoll(len(lines)) as epoll:
        for file, line in lines.items():
            line.sendall(ASKED * AHEAD)
            line.settimeout(0)
            epoll.register(file, select.EPOLLIN)
        while lines:
            for file, _ in epoll.poll():
                with suppress(BlockingIOError):
                    heard = lines[file].recv(BUFFER)
                    if not heard:
                        epoll.unregister(file)
                        del lines[file]
                        continue
                    lines[file].send(ASKED * heard.count(ANSWER))


if __name__ == "__main__":
    flood(int(sys.argv[1]), int(sys.argv[2]))
