"""Who speaks othello in frames: plays a legal square, talks, gives up, and calls again."""

from rookery.clients.othello import Coloured, Ended, Failed, OthelloClient, Refused, Stands
from rookery.clients.reversi import EMPTY, MARKS
from rookery.sim.people.person import Habits, Person, Town

AROUND = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr]


class OthelloPlayer(Person):
    """Somebody who plays honestly."""

    def __init__(self, town: Town, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = OthelloClient()
        self._left = habits.games
        self._tried: set[tuple[int, int]] = set()

    def begin(self) -> bytes:
        """Ask for a game; who lost one has it again."""
        self.client = OthelloClient()
        return self.client.sign_on()

    def hurry(self) -> None:
        """Wait for nobody."""
        if self.client.turn is None:
            self.leave()

    def hear(self, came: bytes) -> None:
        """One frame after the other."""
        for happening in self.client.hear(came):
            match happening:
                case Stands():
                    self._tried.clear()
                    self._think()
                case Refused():
                    self._think()
                case Ended() | Failed():
                    self._left -= 1
                    if self._left <= 0 or self.town.calm:
                        self.leave()
                    else:
                        self.hang_up()
                    return
                case Coloured():
                    self._tried.clear()
                case _:
                    pass

    def _think(self) -> None:
        if self.client.mine:
            self.later(self.pause(), self._move)

    def _move(self) -> None:
        if not self.client.mine:
            return
        legal = [square for square in self._legal() if square not in self._tried]
        if not legal or not self.chance.below(300):
            self.say(self.client.quit())
            return
        if not self.chance.below(12):
            self.say(self.client.say(f"{self.name} says hm"))
        square = self.chance.choice(legal)
        self._tried.add(square)
        self.say(self.client.play(*square))

    def _legal(self) -> list[tuple[int, int]]:
        """Squares where a disc of ours turns another over."""
        assert self.client.seat is not None, "whose turn it is has a colour"
        view = self.client.board.view(None)
        mine, theirs = MARKS[self.client.seat], MARKS[1 - self.client.seat]
        rows = view.rows
        size = view.size

        def turns(col: int, row: int, step: tuple[int, int]) -> bool:
            seen = 0
            while True:
                col, row = col + step[0], row + step[1]
                if not (0 <= col < size and 0 <= row < size) or rows[row][col] == EMPTY:
                    return False
                if rows[row][col] == mine:
                    return seen > 0
                assert rows[row][col] == theirs, "a disc is of one colour or the other"
                seen += 1

        return [
            (col, row)
            for row in range(size)
            for col in range(size)
            if rows[row][col] == EMPTY and any(turns(col, row, step) for step in AROUND)
        ]
