"""What can be typed while playing."""

import pytest

from rookery.cli.table.typed import Ask, OwnCommand, read_line
from rookery.clients.native.players import Players
from rookery.clients.native.table import KnownTable
from rookery.core.ids import Seat, TableId
from rookery.core.intents import (
    Abort,
    DeclineDraw,
    DeclineTakeBack,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    Say,
    TableIntent,
    TakeBack,
)
from rookery.games.bughouse import Bughouse
from rookery.games.tictactoe import Tictactoe

T = TableId(3)
PAIR = KnownTable(T, "tictactoe", "none", Players(Tictactoe(), ("ann", "bob")), mine=Seat(0))
FOUR = KnownTable(T, "bughouse", "none", Players(Bughouse(), ("a", "b", "c", "d")), mine=Seat(2))


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("4", Play(T, "4")),
        ("  a move of two words \r", Play(T, "a move of two words")),
        ("resign", Resign(T)),
        ("Draw", OfferDraw(T)),
        ("decline", DeclineDraw(T)),
        ("back", TakeBack(T)),
        ("no", DeclineTakeBack(T)),
        ("abort", Abort(T)),
        ("rematch", Rematch(T)),
        ("say good game", Say(T, "good game")),
        ("team take care", Say(T, "take care", team=True)),
    ],
)
def test_a_line_is_a_command_or_else_a_move(line: str, intent: TableIntent) -> None:
    assert read_line(line, PAIR) == Ask(intent)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("?", "help"),
        ("help", "help"),
        ("moves", "moves"),
        ("board", "board"),
        ("quit", "quit"),
        ("", ""),
    ],
)
def test_some_commands_are_not_the_servers(line: str, word: str) -> None:
    assert read_line(line, PAIR) == OwnCommand(word)


@pytest.mark.parametrize(
    ("line", "move"), [("e2e4", "2:e2e4"), ("N@f3", "2:N@f3"), ("1:e2e4", "1:e2e4")]
)
def test_the_number_of_ones_own_bughouse_board_need_not_be_typed(line: str, move: str) -> None:
    assert read_line(line, FOUR) == Ask(Play(T, move))
