"""Each game's drawing, exactly, on a small position."""

from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.cli.drawing.look import DrawnCell, row_of
from rookery.core.chance import Chance
from rookery.core.game import AnyView
from rookery.core.ids import Seat
from rookery.games import GAMES
from rookery.games.bughouse import Bughouse, BughouseView
from rookery.games.fish import Fish, FishView
from rookery.games.guess import Guess, Guessed, GuessView
from rookery.games.nim import Nim, NimView
from rookery.games.reversi import Reversi, ReversiView
from rookery.games.tictactoe import Tictactoe, TictactoeView


def drawn(view: AnyView, look: Look = Look()) -> str:  # noqa: B008 # frozen
    return f"\n{draw(view, look).plain}\n"


def board(text: str) -> str:
    """The text as it would stand at the margin: drawings begin with blanks of their own."""
    return "\n".join(line.removeprefix(" " * 8).rstrip() for line in text.split("\n"))


def test_every_game_can_be_drawn_from_its_start() -> None:
    for game in GAMES.values():
        variant = game()
        seats = variant.seat_counts[0]
        for viewer in (None, *map(Seat, range(seats))):
            view = variant.view(variant.start(seats, Chance(1)), viewer)
            assert draw(view, Look(viewer)).plain


def test_free_slots_of_tictactoe_have_their_numbers_and_the_last_move_brackets() -> None:
    view = Tictactoe().view(Tictactoe().parse_position("X...O...."), None)
    assert drawn(view, Look(last=("0", "4"))) == board("""
         X | 1 | 2
        ---+---+---
         3 |[O]| 5
        ---+---+---
         6 | 7 | 8
    """)


def test_reversi_has_letters_numbers_stars_and_a_count() -> None:
    game = Reversi(size=4)
    view = game.view(game.parse_position(".X../.XX./.XO./.... O"), None)
    assert drawn(view, Look(moves=("a1", "c1", "a3"), last=("b1",))) == board("""
            a b c d
         1  *[X]* . 1
         2  . X X . 2
         3  * X O . 3
         4  . . . . 4
            a b c d
            X black 4   O white 1
    """)


def test_the_columns_of_a_large_reversi_board_stay_in_line() -> None:
    game = Reversi(size=10)
    rows = drawn(game.view(game.start(2, Chance(0)), None)).splitlines()
    assert rows[1] == "    a b c d e f g h i j"
    assert rows[10] == " 9  . . . . . . . . . . 9"
    assert rows[11] == "10  . . . . . . . . . . 10"


def test_nim_bundles_its_sticks_counts_them_and_says_what_was_taken() -> None:
    assert drawn(NimView((3, 0, 12), Seat(0), misere=False), Look(last=("1,4",))) == board("""
        row  0  |||                3
        row  1  -                  0   4 taken
        row  2  ||||| ||||| ||    12
        Whoever takes the last stick wins.
    """)


def test_misere_nim_says_so_and_long_rows_are_cut() -> None:
    view = Nim(sticks=(41,), rows=1, misere=True).view(
        Nim(sticks=(41,), rows=1).start(2, Chance(0)), None
    )
    assert drawn(view) == board("""
        row  0  ||||| ||||| ||||| ||||| ||||| ||||| ||||| ||||| ...    41
        Whoever takes the last stick loses.
    """)


def test_guess_says_what_is_known_and_what_is_left() -> None:
    own = (Guessed(50, "L"), Guessed(70, "H"))
    view = GuessView(1, 100, Seat(1), 3, ("H", "L"), own, None)
    assert drawn(view) == board("""
        A number from 1 to 100; round 3.
        home  too high
        away  too low
        You tried 50 too low, 70 too high.
        It is from 51 to 69.
    """)


def test_guess_tells_those_who_watch_the_answers_alone() -> None:
    game = Guess()
    assert drawn(game.view(game.start(2, Chance(1)), None)) == board("""
        A number from 1 to 100; round 1.
        home  no guess yet
        away  no guess yet
    """)


def test_guess_shows_the_number_at_the_end() -> None:
    view = GuessView(1, 9, None, 1, ("C", "L"), (Guessed(5, "C"),), 5)
    assert drawn(view) == board("""
        A number from 1 to 9; round 1.
        home  right
        away  too low
        You tried 5 right.
        The number was 5.
    """)


def fish_view(*moves: str, seats: int = 2) -> FishView:
    game = Fish(rows=3, cols=4, fish=2)
    state = game.start(seats, Chance(0))
    for text in moves:
        move = game.parse_move(text)
        (seat,) = game.to_act(state)
        state = game.play(state, seat, move).state
    return game.view(state, None)


PLACED = ("0,0", "0,1", "0,2", "0,3", "1,0", "1,1", "1,2", "2,3")


def test_fish_staggers_its_rows_and_names_penguins_by_letter() -> None:
    assert drawn(fish_view(*PLACED[:3]), Look(moves=("1,1",), last=PLACED[:3])) == board("""
             0   1   2   3
         0  R2  W2 [R2]  2
         1     2   2   2   2
         2   2   2   2   2
               0   1   2   3
         R red     0 fish
         W white   0 fish
    """)


def test_fish_stars_the_tiles_in_reach_and_shows_where_one_melted() -> None:
    view = fish_view(*PLACED, "0,0-2,0")
    assert drawn(view, Look(moves=("0,1-2,1", "0,3-1,3"), last=(*PLACED, "0,0-2,0"))) == board("""
             0   1   2   3
         0 [ .] W2  R2  W2
         1    R2  W2  R2  *2
         2 [R2] *2   2  W2
               0   1   2   3
         R red     2 fish
         W white   0 fish
    """)


def bughouse_view(*moves: str) -> BughouseView:
    game = Bughouse()
    state = game.start(4, Chance(0))
    for text in moves:
        move = game.parse_move(text)
        (seat,) = (s for s in game.to_act(state) if s // 2 + 1 == move.board)
        state = game.play(state, seat, move).state
    return game.view(state, None)


CAPTURE = ("1:e2e4", "2:g1f3", "1:d7d5", "1:e4d5")


def test_bughouse_is_seen_from_ones_own_side_with_the_partner_beside() -> None:
    assert drawn(bughouse_view(*CAPTURE), Look(Seat(3), last=CAPTURE)) == board("""
        board 2 (yours)            board 1
        1  R[.]B K Q B N R         8  r n b q k b n r
        2  P P P P P P P P         7  p p p . p p p p
        3  . .[N]. . . . .         6  . . . . . . . .
        4  . . . . . . . .         5  . . .[P]. . . .
        5  . . . . . . . .         4  . . . .[.]. . .
        6  . . . . . . . .         3  . . . . . . . .
        7  p p p p p p p p         2  P P P P . P P P
        8  r n b k q b n r         1  R N B Q K B N R
           h g f e d c b a            a b c d e f g h
        white holds -              black holds -  to move
        black holds p  to move     white holds -
    """)


def test_bughouse_shows_figures_promotions_checks_and_drops() -> None:
    game = Bughouse()
    state = game.parse_position(
        "4k3/8/8/8/8/8/8/Q~3K3[Pn] w - - 0 1 | 4k3/4R3/8/8/8/8/8/4K3[] b - - 0 1"
    )
    view = game.view(state, None)
    assert drawn(view, Look(unicode=True, last=("2:R@e7",))) == board("""
        board 1                    board 2
        8  . . . . ♚ . . .         1  . . . ♔ . . . .
        7  . . . . . . . .         2  . . . . . . . .
        6  . . . . . . . .         3  . . . . . . . .
        5  . . . . . . . .         4  . . . . . . . .
        4  . . . . . . . .         5  . . . . . . . .
        3  . . . . . . . .         6  . . . . . . . .
        2  . . . . . . . .         7  . . .[♖]. . . .
        1  ♕~. . . ♔ . . .         8  . . . ♚ . . . .
           a b c d e f g h            h g f e d c b a
        black holds ♞              white holds -
        white holds ♙  to move     black holds -  to move, in check
    """)


def test_two_neighbours_of_one_move_share_their_bracket() -> None:
    assert (
        row_of([DrawnCell("."), DrawnCell("R", framed=True), DrawnCell(".", framed=True)]).plain
        == " .[R|.]"
    )


def test_colours_only_repeat_what_the_characters_say() -> None:
    view = ReversiView(4, ("X...", ".XO.", ".OX.", "...."), Seat(1), (3, 2))
    text = draw(view, Look(moves=("d1",)))
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles["X"] == "bold cyan"
    assert styles["O"] == "bold yellow"
    assert styles["*"] == "green"


def test_a_drawing_has_no_blanks_at_the_ends_of_its_lines() -> None:
    for view in (fish_view(), bughouse_view(), TictactoeView(("...", "...", "..."), None)):
        text: Text = draw(view, Look())
        assert [line for line in text.plain.splitlines() if line.endswith(" ")] == []


def test_bughouse_says_who_holds_what_where_names_are_known() -> None:
    names = ("Ann", "Bob", "Cyd", "Bot, level 2 of the house")
    last = drawn(bughouse_view(), Look(Seat(0), names=names)).splitlines()[-2:]
    assert last == [
        "black Bob holds -              white Cyd holds -  to move",
        "white Ann holds -  to move     black Bot, level 2 o holds -",
    ]
