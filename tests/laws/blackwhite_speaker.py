"""What clients of blackwhite say, and the grammar of all that they may hear."""

import re
from typing import Final

from rookery.dialects.blackwhite import profile as blackwhite_limits

_NAME: Final = r"\[[^\[\]\x00-\x1f]{1,40}\]"
_SQUARE: Final = r"\[[0-9],[0-9]\]"
_COLOUR: Final = r"(?:BLACK|WHITE)"
_ANSWER: Final = re.compile(rf"ERROR \[[^\[\]\x00-\x1f]+\]|PLAY{_COLOUR} \[INVALID\]")
_NEWS: Final = re.compile(
    rf"(?:ENTERROOM|TURN|RESIGN|WIN|QUIT) {_NAME}|ASSIGN \[{_COLOUR}\]"
    rf"|(?:PLAY|REVERSETO){_COLOUR} {_SQUARE}|TIE"
)


class BlackWhiteSpeaker:
    """Words and brackets."""

    answers_all = False  # what is done is told to all in the room, the sender included
    requests: tuple[bytes, ...] = (
        b"ENTERROOM [ann]\n",
        b"ENTERROOM [ann]\n",
        b"ENTERROOM [bob]\n",
        b"enterroom[ann][cellar]\r\n",
        b" EnterRoom [ Zo\xc3\xab & co ] [ lobby ] \n",
        b"ENTERROOM []\n",
        b"ENTERROOM [a\x07]\n",
        b"ENTERROOM [a[b]]\n",
        b"ENTERROOM ann\n",
        b"ENTERROOM\n",
        b"PLAYBLACK [5,6]\n",
        b"PLAYBLACK [5,6]\n",
        b"playwhite[6,6]\r\n",
        b"PLAYWHITE [3,5]\n",
        b"PLAYBLACK [10,0]\n",
        b"PLAYBLACK [a,b]\n",
        b"PLAYBLACK f7\n",
        b"PLAYBLACK\n",
        b"RESIGN\n",
        b"RESIGN [ann]\n",
        b"QUIT now\n",
        b"HELLO\n",
        b"[1,1]\n",
        b"\0\n",
        b"PLAYBLACK \xff\n",
        b"ENTERROOM [\xed\xa0\x80]\n",
        b"GET / HTTP/1.1\r\n",
    )
    noise: tuple[bytes, ...] = (b"\n", b"\r\n", b" \t\n")
    too_long = b"ENTERROOM [" + b"x" * blackwhite_limits.LINE_MAX + b"]\n"

    def answers(self, said: bytes) -> list[bytes]:
        """What was wrong."""
        return [line for line in self._lines(said) if _ANSWER.fullmatch(line.decode())]

    def news(self, said: bytes) -> list[bytes]:
        """What all in the room are told."""
        return [line for line in self._lines(said) if _NEWS.fullmatch(line.decode())]

    def _lines(self, said: bytes) -> list[bytes]:
        assert not said or said.endswith(b"\n"), "every line has its end"
        lines = said.split(b"\n")[:-1]
        for line in lines:
            text = line.decode()
            known = _ANSWER.fullmatch(text) or _NEWS.fullmatch(text)
            assert known, f"{text!r} is no line of the page"
        return lines
