"""Cutting what a server sends into lines."""


class Lines:
    r"""Bytes in, whole lines out without their ends, which are `\n` or `\r\n`.

    With `bare_cr` a `\r` ends a line, too, and empty lines are left out. Where more than
    `limit` bytes have come of a line that has no end yet, nothing is read any more.
    """

    def __init__(self, limit: int, *, bare_cr: bool = False) -> None:
        self._limit, self._bare_cr = limit, bare_cr
        self._rest = bytearray()  # the beginning of a line
        self._deaf = False

    def feed(self, came: bytes) -> list[bytes]:
        """The lines that these bytes complete."""
        if self._deaf:
            return []
        first, *others = (came.replace(b"\r", b"\n") if self._bare_cr else came).split(b"\n")
        self._rest += first
        found = []
        for piece in others:
            found.append(bytes(self._rest).removesuffix(b"\r"))
            self._rest = bytearray(piece)
        self._deaf = len(self._rest) > self._limit
        return [line for line in found if line] if self._bare_cr else found
