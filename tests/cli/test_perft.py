"""`rookery perft` prints known counts, and has a sentence for every nonsense."""

import re

import pytest

from rookery.cli.commands.perft import DEEPEST
from tests.cli.running import run, run_process

# Depths 1 to 5 of 8×8, as published by everyone who counted them.
REVERSI_8 = "depth 1: 4\ndepth 2: 12\ndepth 3: 56\ndepth 4: 244\ndepth 5: 1396\n"
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"


def counts(*words: str) -> list[int]:
    """The numbers of the depth lines."""
    result = run("perft", *words)
    assert result.exit_code == 0, result.output
    return [int(n) for n in re.findall(r"^depth \d+: (\d+)$", result.output, re.MULTILINE)]


def test_reversi_prints_the_known_counts_a_line_a_depth() -> None:
    done = run_process("perft", "reversi", "--depth", "5")
    assert done.stdout.startswith(REVERSI_8)
    assert re.fullmatch(r"nodes/s: \d+\n", done.stdout.removeprefix(REVERSI_8))
    assert done.returncode == 0


def test_size_is_short_for_the_option() -> None:
    assert counts("reversi", "--size", "6", "-d", "4") == counts(
        "reversi", "-o", "size=6", "-d", "4"
    )


def test_an_ended_game_is_one_leaf_however_deep() -> None:
    # Two slots are free: O takes one, X the other, and nothing is left to count.
    assert counts("tictactoe", "--position", "XOXXOO.X.", "-d", "5") == [2, 2, 2, 2, 2]


def test_a_position_already_over_is_one_leaf() -> None:
    assert counts("tictactoe", "--position", "XXXOO....", "-d", "2") == [1, 1]


def test_a_pass_is_no_ply() -> None:
    # White has no move at the start, so the first ply is black's.
    position = "..../.XO./.XX./.... O"
    assert counts("reversi", "--size", "4", "--position", position, "-d", "1") == counts(
        "reversi", "--size", "4", "--position", position.replace(" O", " X"), "-d", "1"
    )


def test_the_seed_decides_what_is_dealt() -> None:
    assert counts("nim", "--seed", "1", "-d", "1") == counts("nim", "--seed", "1", "-d", "1")
    assert counts("nim", "--seed", "1", "-d", "1") != counts("nim", "--seed", "2", "-d", "1")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("chess -d 1", "There is no game 'chess'; there are "),
        ("tictactoe --size 3 -d 1", "The game tictactoe has no option 'size'; it has none."),
        ("reversi --size eight -d 1", "The option size is a whole number, and 'eight' is not."),
        ("reversi --size 8 -o size=8 -d 1", "The option 'size' is given twice."),
        (
            "reversi -o colour=red -d 1",
            "The game reversi has no option 'colour'; it has opening, size.",
        ),
        ("reversi -o size -d 1", "An option is written name=value, and 'size' is not."),
        ("reversi --position XO -d 1", "A position ends in a space and the side to move, X or O."),
        ("guess --position 7 -d 1", "The game guess has secrets, so it has no --position."),
        ("reversi --seats 3 -d 1", "The game reversi has 2 seats, not 3."),
        ("reversi --seats 0 -d 1", "The game reversi has 2 seats, not 0."),
        (
            "tictactoe --position ......... --seats 2 -d 1",
            "A position is not dealt: --seats and --seed do not go with --position.",
        ),
    ],
)
def test_nonsense_gets_its_sentence(words: str, sentence: str) -> None:
    result = run("perft", *words.split())
    assert result.stderr.startswith(f"Error: {sentence}")
    assert result.stdout == ""
    assert result.exit_code == 2


@pytest.mark.parametrize("depth", ["0", "-1", str(DEEPEST + 1), "x", "1.5", ""])
def test_a_depth_is_a_sensible_number(depth: str) -> None:
    result = run("perft", "tictactoe", "--depth", depth)
    assert "Error: Invalid value for '-d' / '--depth'" in result.stderr
    assert result.exit_code == 2


def test_the_deepest_depth_is_allowed() -> None:
    assert counts("tictactoe", "--position", "XXXOO....", "-d", str(DEEPEST)) == [1] * DEEPEST


@pytest.mark.parametrize("seed", ["-1", str(1 << 64), "x"])
def test_a_seed_has_64_bits(seed: str) -> None:
    assert run("perft", "tictactoe", "-d", "1", "--seed", seed).exit_code == 2


def test_bughouse_counts_both_boards_from_the_start() -> None:
    # Three plies: all on one board, or two on one and one on the other, in three orders.
    assert counts("bughouse", "-d", "3") == [40, 1600, 2 * 8902 + 2 * 3 * 400 * 20]


def test_bughouse_with_a_position_counts_that_board_alone() -> None:
    assert counts("bughouse", "--position", CHESS, "-d", "3") == [20, 400, 8902]


def test_bughouse_counts_only_the_other_board_while_one_waits_for_a_piece() -> None:
    # Black's rook gives check along the first rank; only a drop between could stop it.
    waiting = "4k3/8/8/8/8/8/6PP/4r2K[] w - - 0 1"
    assert counts("bughouse", "--position", f"{waiting} | {CHESS}", "-d", "2") == [20, 400]


def test_bughouse_refuses_a_board_it_cannot_read() -> None:
    result = run("perft", "bughouse", "--position", "nonsense", "-d", "3")
    assert result.stderr.startswith("Error: ")
    assert "no game" not in result.stderr
    assert result.stdout == ""
    assert result.exit_code == 2
