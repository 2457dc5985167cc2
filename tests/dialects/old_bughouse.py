"""The old bughouse client as it was watched to be, in made time: a reader, a pipe, a listener.

One thread reads the socket: answers go to whoever asked, broadcasts into a pipe of 1,024
bytes. Another listens at the pipe, takes a while over every line, and for some of them asks
the server something and waits for the answer. When the pipe is full the reader waits, and
an answer behind what it holds never comes: the client is frozen. While its window is built,
or a dialog is open, the listener is not there at all. The listener itself builds the boards
after GAME_STARTED, between questions, and shows them after the last: it reads nothing meanwhile.
"""

from collections import deque
from typing import Final

from rookery.core.chance import Chance
from rookery.core.ids import Micros, Seat
from rookery.dialects.bughouse.wire import PIECES
from rookery.games.bughouse import Bughouse, board_of
from tests.transcripts.wired_hall import WiredHall

PIPE: Final = 1024  # bytes
EACH: Final[Micros] = 4_000  # the listener takes so long over a line
BUILDING: Final[Micros] = 150_000  # a window is not there for so long after its last question
BOARDS: Final[Micros] = 500_000  # … and boards are not, after GAME_STARTED
UNASKED: Final = "BROADCAST:"


class OldClient:
    """One client at a stage; `run` lets time go by for it."""

    def __init__(
        self, hall: WiredHall, name: str, *, building: Micros = 0, hiccup: Micros = 0
    ) -> None:
        self.hall, self.name = hall, name
        self.building = building  # how long the listener builds the boards of its game
        self.hiccup = hiccup  # how long it stands still on a busy machine when it is told to
        self.heard: list[str] = []  # by the listener, without BROADCAST:
        self.lost: list[str] = []  # that came before there was anyone to hear it
        self.frozen = False
        self.dialog = False
        self.player = ""
        self._socket: deque[str] = deque()
        self._pipe: deque[str] = deque()
        self._answers: deque[str] = deque()
        self._to_do: deque[str | Micros] = deque()  # by the listener: to ask, or to be busy
        self._busy: Micros = 0  # until when it is
        self._ready: Micros = 0  # when its window stands
        self._started: Micros | None = None

    def come(self) -> None:
        """The name is typed, and a window is built."""
        self.hall.connect(self.name, "bughouse")
        self.player = self.ask(f"ADD_PLAYER:{self.name}")
        self.ask(f"GET_NAME:{self.player}")
        self._ready = self.hall.now + BUILDING

    def ask(self, request: str) -> str:
        """Ask, and wait for the answer; there is none any more once it is frozen."""
        if self.frozen:
            return ""
        self.hall.send(self.name, f"{request}\n".encode())
        self._read()
        if not self._answers:
            self.frozen = True
            return ""
        return self._answers.popleft()

    def run(self, length: Micros) -> None:
        """The listener does what there is to do."""
        end = self.hall.now + length
        while self.hall.now < end and not self.frozen:
            self.hall.advance(EACH)
            self._read()
            if self.dialog or self.hall.now < self._busy:
                continue
            if self._to_do:
                self._go_on(self._to_do.popleft())
            elif self._pipe:
                line = self._pipe.popleft()
                self._read()
                self._listen(line.removeprefix(UNASKED))

    def _go_on(self, step: str | Micros) -> None:
        if isinstance(step, str):
            self.ask(step)
        else:
            self._busy = self.hall.now + step

    def _read(self) -> None:
        """The reader goes on until the pipe is full."""
        said = self.hall.take(self.name).decode()
        self._socket += said.split("\n")[:-1]
        while self._socket:
            line = self._socket[0]
            if not line.startswith(UNASKED):
                self._answers.append(line)
            elif sum(len(one) + 1 for one in self._pipe) + len(line) + 1 <= PIPE:
                self._pipe.append(line)
            else:
                return
            self._socket.popleft()

    def _listen(self, line: str) -> None:
        verb, _, rest = line.partition(":")
        now = self.hall.now
        if now < self._ready or (verb == "YOUR_TURN" and self._started_at() > now - BOARDS):
            self.lost.append(line)
            return
        self.heard.append(line)
        match verb:
            case "GAME_STARTED" if self._started is None:
                self._started = now
                self._to_do += [self.hiccup, *self._build(rest)]
            case "JOIN_GAME" if self._started is None:
                self._to_do += self._list(rest.split("\t")[1])
            case "PASS":
                self.ask(f"IS_WHITE:{rest.split(chr(9))[1]}")
            case "PUT":
                self.ask(f"GET_CURRENT_BOARD:{self.player}")
            case "NEW_GAME" | "GAME_DELETED":
                self.ask("GET_GAMES:")
            case "GAME_OVER":
                self.dialog = True
            case _:
                pass

    def _build(self, game: str) -> list[str | Micros]:
        """What the listener does when its game starts."""
        me = self.player
        current, board = f"GET_CURRENT_GAME:{me}", f"GET_CURRENT_BOARD:{me}"
        teams = [f"GET_PLAYERS:{game}\t{team}" for team in (1, 2)]
        names = [f"GET_NAME:{n}" for n in (1, 2, 3, 4)]
        first = [current, current, f"GET_BOARDS:{game}", board, board, *teams, board]
        # As watched, it is as much as a quarter of that before the boards are shown.
        shown = self.building // 4
        return [*first, self.building, current, teams[0], current, teams[1], *names, shown]

    def _list(self, game: str) -> list[str]:
        """What the listener asks when somebody joins a game: who is in its own now."""
        me = f"GET_NAME:{self.player}"
        current, teams = f"GET_CURRENT_GAME:{self.player}", ("\t1", "\t2")
        told = [[current, f"GET_PLAYERS:{game}{team}", *[me] * 4] for team in teams]
        return [me, "GET_GAMES:", me, *told[0], *told[1]]

    def _started_at(self) -> Micros:
        return -BOARDS if self._started is None else self._started

    def close_dialog(self, game: int) -> None:
        """Somebody clicks; it is the listener that goes on, and it asks."""
        self.dialog = False
        self.ask(f"GAME_OVER:{game}\t1")


# -- a game for it to come back to

NAMES: Final = ("Ann", "Dan", "Cyd", "Bob")  # by seat
NUMBERS: Final = (1, 4, 3, 2)


def plies(
    count: int, seed: int = 5, *, in_turns: bool = False, board: int | None = None
) -> list[tuple[Seat, str]]:
    """So many moves of a lively game, each as its player says it; of both boards in turns."""
    game, chance, said = Bughouse(), Chance(seed), list[tuple[Seat, str]]()
    state = game.start(4, chance)
    while len(said) < count:
        both = [one for one in sorted(game.to_act(state)) if board in (None, board_of(one))]
        in_turns = in_turns and bool(list(game.legal_moves(state, both[len(said) % 2])))
        seat = Seat(both[len(said) % 2] if in_turns else chance.choice(both))
        moves = [game.format_move(move) for move in game.legal_moves(state, seat)]
        if not moves:
            continue
        lively = [
            m for m in moves if "@" in m or len(game.play(state, seat, game.parse_move(m)).effects)
        ]
        text = chance.choice(lively if lively and chance.below(2) else moves)
        after = game.play(state, seat, game.parse_move(text)).state
        if game.outcome(after) is not None:
            continue
        said.append((seat, request(seat, text, game.view(state, None).hands[seat])))
        state = after
    return said


def request(seat: Seat, text: str, hand: str) -> str:
    """A move as its player says it."""
    if "@" in text:
        index = hand.index(text[2])
        return f"PUT:{text[0]}\t{NUMBERS[seat]}\t{index}\t{_square(text[4:6])}"
    becomes = f"\t{PIECES.index(text[6].upper()) + 1}" if len(text) > 6 else ""
    return f"MOVE:{text[0]}\t{_square(text[2:4])}\t{_square(text[4:6])}{becomes}"


def _square(name: str) -> str:
    return f"{ord(name[0]) - ord('a')}\t{int(name[1]) - 1}"


def begun(hall: WiredHall, wait: Micros = 1_000_000) -> None:
    """Four players, and their game has started."""
    for name in ("Ann", "Bob", "Cyd", "Dan"):
        hall.connect(name, "bughouse")
        hall.send(name, f"ADD_PLAYER:{name}\n".encode())
    hall.send("Ann", b"CREATE_GAME:1\n")
    for name, number, team in (("Bob", 2, 1), ("Cyd", 3, 2), ("Dan", 4, 2)):
        hall.send(name, f"JOIN_GAME:{number}\t1\t{team}\n".encode())
    hall.send("Ann", b"START_GAME:1\n")
    hall.advance(wait)


def played(hall: WiredHall, moves: list[tuple[Seat, str]]) -> None:
    """These moves are made, a fifth of a second each."""
    for seat, line in moves:
        hall.send(NAMES[seat], f"{line}\n".encode())
        hall.advance(200_000)
