"""The foot of a terminal: the board and the line being typed stay, whatever is said above them."""

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from rookery.cli.terminal.editor import LineEditor
from rookery.cli.terminal.output import Output
from tests.cli.processes import Process, serving
from tests.cli.terminals import HIGH, WIDE, Terminal
from tests.cli.windows import Window

BOARD = Text("Table 1\n. . .\n. . .")


class Desk:
    """Somebody who types at a small window."""

    def __init__(self, wide: int, high: int) -> None:
        self._file = StringIO()
        self._window = Window(wide, high)
        self._editor = LineEditor()
        self.console = Console(
            file=self._file, force_terminal=True, color_system=None, width=wide, height=high
        )
        self.output = Output(self.console)
        self.output.type_in(self._editor)

    def type(self, keys: bytes) -> None:
        self._editor.feed(keys)
        self.output.typed()

    @property
    def sees(self) -> list[str]:
        """What is in the window, all that was written taken in."""
        self._window.write(self._file.getvalue().replace("\n", "\r\n"))  # as a terminal does
        self._file.seek(0)
        self._file.truncate()
        return self._window.shown

    @property
    def cursor(self) -> int:
        assert self._window.line == self.sees[-1], "one types in the last row"
        return self._window.column


def test_what_is_said_goes_above_the_board_and_the_line_being_typed() -> None:
    desk = Desk(40, 12)
    desk.output.show(BOARD)
    desk.output.remark("Your move.")
    desk.output.ask("> ")
    desk.type(b"say hel")
    desk.output.say("bob moves.")
    desk.type(b"lo")
    said = ["bob moves.", "", "Table 1", ". . .", ". . .", "", "Your move.", "> say hello"]
    assert desk.sees == said
    assert desk.cursor == len("> say hello")


def test_a_board_is_drawn_in_its_place_and_not_once_more() -> None:
    desk = Desk(40, 12)
    desk.output.ask("> ")
    for _ in range(5):
        desk.output.show(BOARD)
        desk.type(b"x")
    assert desk.sees == ["", "Table 1", ". . .", ". . .", "", "> xxxxx"]


def test_a_line_longer_than_the_window_stays_in_its_row() -> None:
    desk = Desk(20, 12)
    desk.output.ask("> ")
    desk.type(b"abcdefghijklmnopqrstuvwxyz")
    desk.output.ask("4:59 > ")
    desk.output.say("bob moves.")
    assert desk.sees == ["bob moves.", "4:59 > opqrstuvwxyz"]
    assert desk.cursor == 19


def test_a_board_that_has_no_room_is_written_like_everything_else() -> None:
    desk = Desk(40, 6)
    desk.output.ask("> ")
    desk.output.show(BOARD)
    assert not desk.output.stays
    assert desk.sees == ["", "Table 1", ". . .", ". . .", "", ">"]
    desk.output.show(Text("one row"))
    assert desk.output.stays


def test_the_last_board_stays_when_nobody_types_any_more() -> None:
    desk = Desk(40, 12)
    desk.output.show(BOARD)
    desk.output.ask("> ")
    desk.type(b"quit")
    desk.output.type_nothing()
    desk.output.say("You left the table.")
    assert desk.sees[:6] == ["", "Table 1", ". . .", ". . .", "", "You left the table."]


def test_nothing_is_printed_over_what_is_being_typed_and_clocks_have_names(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        game = ("play", "tictactoe", "--time", "5m", "--at", f"127.0.0.1:{port}")
        window = Window(WIDE, HIGH)
        with Process(*game, "--name", "bob") as bob:
            bob.until("Waiting")
            with Terminal(*game, "--name", "ann") as ann:
                ann.wait_for(window, "Table 1: tictactoe")
                ann.type("say hello ")
                ann.wait_for(window, "> say hello")
                bob.type("say good luck", "4")
                ann.wait_for(window, "bob: good luck")
                # Its clock runs, at its name.
                ann.wait_for(window, "> O  ann     4:5", line="> say hello")
                assert any(row.startswith("  X  bob") for row in window.shown)
                ann.type("b" + "\x7f" + "b" * 120 + "\n")
                bob.until("ann: hello " + "b" * 120)
                ann.wait_for(window, "ann: hello", line=">")
