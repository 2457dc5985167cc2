"""Black-white in a room, as a person: the sentences are those of seed 001's second session."""

from collections.abc import Iterable

from rookery.cli.by_hand.person import Shown, Who
from rookery.cli.by_hand.reversi import drawing, read_square, square_words
from rookery.clients.blackwhite import (
    COLOURS,
    SIZE,
    Assigned,
    BlackwhiteClient,
    Ended,
    Entered,
    Failed,
    Happening,
    Moved,
    Quit,
    Refused,
    Resigned,
    Turn,
    Unknown,
)


class BlackwhitePerson:
    """Enters a room, plays if there is a seat, and looks on if there is none."""

    def __init__(self, who: Who) -> None:
        self._client = BlackwhiteClient(who.name)

    def begin(self) -> bytes:
        """The bytes that enter the room."""
        return self._client.enter()

    def hear(self, data: bytes) -> Iterable[Shown]:
        """Read the server's messages into sentences and boards for the terminal."""
        for happening in self._client.hear(data):
            yield from self._happened(happening)

    def prompt(self) -> str:
        """The prompt for a move; empty while it is not the person's turn."""
        return "Play, like [5,6] or f7: " if self._client.mine else ""

    def say(self, typed: str) -> bytes | str:
        """A square, `resign`, `quit`, or `again` after a game."""
        wishes = {
            "resign": self._client.resign,
            "quit": self._client.quit,
            "again": self._client.enter,
        }
        if wish := wishes.get(typed.strip().lower()):
            return wish()
        square = read_square(typed, SIZE)
        if square is None:
            return "Type a square like [5,6], or: resign, quit, again."
        if self._client.seat is None:
            return "You look on; only the first two in the room play."
        return self._client.play(*square)

    def _happened(self, happening: Happening) -> Iterable[Shown]:
        match happening:
            case Entered(name):
                yield f"{name} entered room"
            case Assigned(seat):
                yield f"you are {COLOURS[seat].lower()}"
            case Turn(name):
                yield self._board()
                yield "it's your turn" if self._client.mine else f"it's {name}'s turn"
            case Moved(at, turned):
                if turned:
                    reversed_ = " ".join(f"[{col},{row}]" for col, row in turned)
                    yield f"play {square_words(*at)} & reverse {reversed_}"
            case Refused():
                yield "your move is not valid, choose another move"
            case Ended(winner):
                yield self._board()
                yield f"{winner} wins" if winner else "it's a tie"
            case Resigned(name):
                yield f"{name} resigned"
            case Quit(name):
                yield f"{name} left the room"
            case Failed(words):
                yield f"the server says: {words}"
            case Unknown(message):
                yield f"the server said something unknown: {message}"

    def _board(self) -> Shown:
        last = self._client.last
        return drawing(self._client.board, "" if last is None else square_words(*last))
