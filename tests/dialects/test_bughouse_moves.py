"""A client that knows no rules keeps both boards and all prisoners by the lines of moves alone."""

from collections.abc import Iterable

import pytest

from rookery.core.chance import Chance
from rookery.core.game import Aside
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.dialects.bughouse.broadcasts.past import shorten
from rookery.dialects.bughouse.moves import Script
from rookery.dialects.bughouse.profile import NAME
from rookery.dialects.bughouse.wire import PIECES, Ledger, piece
from rookery.games.bughouse import Bughouse, BughouseView
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry

PLAYERS = tuple(PlayerId(n) for n in (1, 2, 3, 4))  # by seat, and so are their numbers here


def script() -> Script:
    numbers = Numbers(PlayerRegistry())
    for kind, things in (("player", PLAYERS), ("table", (TableId(1),))):
        for thing in things:
            given = numbers.missing(NAME, kind, thing)
            assert given is not None
            numbers.evolve(given)
    return Script(Ledger(numbers), TableId(1), PLAYERS)


class Client:
    """Squares and prisoners, moved about as it is told."""

    def __init__(self) -> None:
        row = "RNBQKBNR"
        self.boards = {1: dict[str, str](), 2: dict[str, str]()}
        for board in self.boards.values():
            for x, letter in enumerate(row):
                board |= {f"{x}0": letter, f"{x}1": "P", f"{x}6": "p", f"{x}7": letter.lower()}
        self.prisoners: dict[int, list[int]] = {player: [] for player in PLAYERS}

    def hear(self, line: str) -> None:
        verb, _, rest = line.partition(":")
        fields = [int(field) for field in rest.split("\t")]
        match verb, fields:
            case "MOVE", [board, fx, fy, tx, ty]:
                self.boards[board][f"{tx}{ty}"] = self.boards[board].pop(f"{fx}{fy}")
            case "PASS", [_, taker, kind]:
                self.prisoners[taker].append(kind)
            case "PUT", [board, player, index, x, y]:
                letter = PIECES[self.prisoners[player].pop(index) - 1]
                white = player in (PLAYERS[0], PLAYERS[2])
                self.boards[board][f"{x}{y}"] = letter if white else letter.lower()
            case "put" | "ADD_PRISONER", _:
                pass
            case _:
                raise AssertionError(f"{line} is no line of a move")

    def fen(self, board: int) -> str:
        """The pieces as a FEN has them."""
        ranks = []
        for y in reversed(range(8)):
            rank = "".join(self.boards[board].get(f"{x}{y}", ".") for x in range(8))
            for n in range(8, 0, -1):
                rank = rank.replace("." * n, str(n))
            ranks.append(rank)
        return "/".join(ranks)


def compare(client: Client, view: BughouseView) -> None:
    for board, fen in enumerate(view.fens, 1):
        assert client.fen(board) == fen.partition("[")[0].replace("~", "")
    for player, hand in zip(PLAYERS, view.hands, strict=True):
        assert client.prisoners[player] == [piece(letter) for letter in hand]


def follow(moves: Iterable[str]) -> Client:
    """A client told of these moves, each with the board's number; checked after every one."""
    game, writer, client = Bughouse(), script(), Client()
    state = game.start(4, Chance(0))
    for text in moves:
        move = game.parse_move(text)
        seat = next(s for s in game.to_act(state) if s // 2 + 1 == move.board)
        step = game.play(state, seat, move)
        state = step.state
        effects = [effect for effect in step.effects if not isinstance(effect, Aside)]
        for told in writer.move(seat, game.format_move(move), effects):
            client.hear(told.line)
        compare(client, game.view(state, None))
    return client


@pytest.mark.parametrize("seed", range(5))
def test_it_has_the_same_boards_and_prisoners_as_the_server(seed: int) -> None:
    game, chance, moves = Bughouse(), Chance(seed), list[str]()
    state = game.start(4, chance)
    while len(moves) < 120 and game.outcome(state) is None:
        seat = chance.choice(sorted(game.to_act(state)))
        legal = list(game.legal_moves(state, Seat(seat)))
        if legal:
            move = chance.choice(legal)
            moves.append(game.format_move(move))
            state = game.play(state, Seat(seat), move).state
    assert len(moves) > 20
    follow(moves)


def lines_of(moves: Iterable[str]) -> list[str]:
    """All that is told of these moves."""
    game, writer = Bughouse(), script()
    state = game.start(4, Chance(0))
    lines: list[str] = []
    for text in moves:
        move = game.parse_move(text)
        seat = next(s for s in game.to_act(state) if s // 2 + 1 == move.board)
        step = game.play(state, seat, move)
        state = step.state
        effects = [effect for effect in step.effects if not isinstance(effect, Aside)]
        lines += [told.line for told in writer.move(seat, text, effects) if told.only is None]
    return lines


def random_game(seed: int, length: int) -> list[str]:
    """The moves of a game in which captures, drops and quiet moves are as likely."""
    game, chance, moves = Bughouse(), Chance(seed), list[str]()
    state = game.start(4, chance)
    while len(moves) < length and game.outcome(state) is None:
        seat = Seat(chance.choice(sorted(game.to_act(state))))
        legal = list(game.legal_moves(state, seat))
        if legal:
            moves.append(game.format_move(chance.choice(legal)))
            state = game.play(state, seat, game.parse_move(moves[-1])).state
    return moves


@pytest.mark.parametrize("seed", range(20))
def test_a_shortened_past_rebuilds_the_same_boards_and_hands(seed: int) -> None:
    lines = lines_of(random_game(seed, 150))
    whole, short = Client(), Client()
    for line in lines:
        whole.hear(line)
    shortened = shorten(lines)
    for line in shortened:
        short.hear(line)  # which fails where nothing stands
    assert (short.boards, short.prisoners) == (whole.boards, whole.prisoners)
    assert len(shortened) < len(lines)


def test_a_piece_that_went_on_and_on_goes_at_once() -> None:
    walk = [
        f"1:{move}"
        for move in ["g1f3", "a7a6", "f3e5", "a6a5", "e5c4", "a5a4", "c4e5", "a4a3", "e5f7", "h7h6"]
    ]
    lines = lines_of(walk)
    pawns = [line for line in lines if line.startswith(("MOVE:1\t0\t", "MOVE:1\t7\t"))]
    shortened = shorten(lines)
    assert shortened == [*pawns[:4], "MOVE:1\t6\t0\t5\t6", "PASS:1\t4\t1", pawns[4]]


def test_who_may_castle_and_what_was_last_stays_to_be_seen() -> None:
    for walk in ("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8", "h2h4 h7h5 h1h3 h8h6 h3h1 h6h8"):
        lines = lines_of(f"2:{move}" for move in walk.split())
        assert shorten(lines) == lines
    lines = lines_of(f"1:{move}" for move in ["g1f3", "g8f6", "f3g1", "f6g8"])
    assert shorten(lines) == [lines[1], lines[3]]


def test_castling_to_either_side_moves_the_rook() -> None:
    board = "e2e4 d7d5 g1f3 c8g4 f1c4 b8c6 e1g1 d8d6 a2a3 e8c8"
    client = follow(f"2:{move}" for move in board.split())
    assert client.fen(2).split("/")[7] == "RNBQ1RK1"
    assert client.fen(2).split("/")[0] == "2kr1bnr"


def test_a_pawn_taken_en_passant_is_gone_from_where_it_stood() -> None:
    board = "e2e4 a7a6 e4e5 d7d5 e5d6"
    client = follow(f"1:{move}" for move in board.split())
    assert client.fen(1).split("/")[2:4] == ["p2P4", "8"]
    assert client.prisoners[PLAYERS[3]] == [1]
