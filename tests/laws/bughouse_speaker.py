r"""What clients of bughouse say, and the grammar of all they are told: the page's."""

import re
from typing import Final

from rookery.dialects.bughouse import profile as bughouse_limits

_ID: Final = r"(?:-1|[1-9][0-9]*)"
_SQUARE: Final = r"[0-7]\t[0-7]"
_NAME: Final = r"[^\t:\n]{1,40}"

_ANSWER: Final = re.compile(
    rf"|true|false|{_ID}|[1-9][0-9]*(?:\t[1-9][0-9]*)*"
    rf"|(?:GAME_STARTED|MOVE_OK|QUIT_OK):{_ID}"
    rf"|(?:UNAUTHORIZED|NOT_READY|MOVE_FAILED|QUIT_FAILED):[^\n]{{1,40}}"
    rf"|GAME_JOINED|GAME_FULL|ERROR: [^\n]+|{_NAME}"
)
_BROADCAST: Final = re.compile(
    rf"BROADCAST:(?:(?:NEW_GAME|JOIN_GAME|QUIT_GAME|ADD_PRISONER):{_ID}\t{_ID}"
    rf"|(?:GAME_CHANGED|GAME_STARTED|NEW_OWNER|GAME_DELETED|NEXT_BOARD):{_ID}"
    rf"|YOUR_TURN|MOVE:{_ID}\t{_SQUARE}\t{_SQUARE}|PASS:{_ID}\t{_ID}\t[1-5]"
    rf"|PUT:{_ID}\t{_ID}\t[0-9]+\t{_SQUARE}|put:[1-5]\t[01]\t{_SQUARE}"
    rf"|GAME_OVER:{_ID}\t{_NAME}\t{_NAME}|NOTICE:[a-z_]+\t[^\t\n]+)"
)


class BughouseSpeaker:
    """Lines of a verb, a colon, and fields with tabs between."""

    answers_all = True
    requests: tuple[bytes, ...] = (
        b"ADD_PLAYER:Ann\n",
        b"add_player:Zo\xc3\xab\r\n",
        b"ADD_PLAYER:Cyd\r",
        b"ADD_PLAYER:Dan\n",
        b"ADD_PLAYER:\n",
        b"ADD_PLAYER:broadcast\n",
        b"ADD_PLAYER:\xff\n",
        b"CREATE_GAME:1\n",
        b"CREATE_GAME:2\n",
        b"CREATE_GAME:x\n",
        b"GET_GAMES:\n",
        b"GET_GAMES:m\n",
        b"GAME_IS_ACTIVE:1\n",
        b"GET_PLAYERS:1\n",
        b"GET_PLAYERS:1\t2\n",
        b"GET_OWNER:1\n",
        b"GET_CURRENT_GAME:1\n",
        b"GET_BOARDS:1\n",
        b"START_GAME:1\n",
        b"GET_NAME:2\n",
        b"IS_WHITE:1\n",
        b"GET_TEAM:1\n",
        b"GET_CURRENT_BOARD:1\n",
        b"JOIN_GAME:2\t1\t1\n",
        b"JOIN_GAME:3\t1\t2\n",
        b"JOIN_GAME:4\t1\t2\n",
        b"MOVE:1\t4\t1\t4\t3\n",
        b"MOVE:1\t4\t6\t4\t4\n",
        b"MOVE:2\t8\t1\t4\t3\n",
        b"MOVE:\n",
        b"PUT:1\t1\t0\t4\t4\n",
        b"put:1\t0\t4\t4\n",
        b"put:\n",
        b"PASS:1\t2\t1\n",
        b"QUIT:1\n",
        b"QUIT:9\n",
        b"GAME_OVER:1\t2\n",
        b"GAME_OVER:\n",
        b"GET_GAMES:12345678901234567890123\n",
        b"HELLO\n",
        b":\n",
        b"\0\n",
        b"GET / HTTP/1.1\r\n",
    )
    noise: tuple[bytes, ...] = (b"",)  # everything with an end is answered
    too_long = b"ADD_PLAYER:" + b"x" * bughouse_limits.LINE_MAX + b"\n"

    def answers(self, said: bytes) -> list[bytes]:
        """All lines but broadcasts."""
        return [line for line in self._lines(said) if not line.startswith(b"BROADCAST:")]

    def news(self, said: bytes) -> list[bytes]:
        """The broadcasts."""
        return [line for line in self._lines(said) if line.startswith(b"BROADCAST:")]

    def _lines(self, said: bytes) -> list[bytes]:
        *lines, rest = said.split(b"\n")
        assert rest == b"", "every line has its end"
        for line in lines:
            grammar = _BROADCAST if line.startswith(b"BROADCAST") else _ANSWER
            assert grammar.fullmatch(line.decode()), f"{line!r} is no line of the page"
        return lines
