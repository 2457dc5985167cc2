"""Bughouse: four to a game, both boards at once, and seven lines for every move.

The moves are legal and quiet: nothing is taken, nobody castles, promotes or is in check, and
no position comes twice. So the boards know nothing of each other, and every move is the same
work: an answer, the move to all four, and two lines to who is next.
"""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Final

import chess

from rookery.clients.bughouse import BughouseClient
from rookery.clients.bughouse.happenings import Admitted, Created, Joined
from rookery.core.chance import Chance
from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.languages.language import (
    BegunPairs,
    Language,
    connections,
    hear_until,
    pair,
    told_both,
)

PLIES: Final = 40  # on each board
DIFFERENT: Final = 20
OPTIONS: Final = 'time = "1h"\nfirst_turn = 0\nwelcome = 0\n'
TRIES: Final = 100  # seeds for one game

Quiet = tuple[chess.Move, ...]


@cache
def quiet_games() -> tuple[Quiet, ...]:
    """Games of one board, the same on every run."""
    found: list[Quiet] = []
    for seed in range(TRIES):
        if len(found) < DIFFERENT and (game := _quiet(Chance(seed))):
            found.append(game)
    return tuple(found)


def _quiet(chance: Chance) -> Quiet:
    """Draw a game of calm moves; empty where there is no calm move left."""
    board = chess.Board()
    seen = {board.board_fen()}
    while len(board.move_stack) < PLIES:
        calm = [move for move in board.legal_moves if _is_calm(board, move, seen)]
        if not calm:
            return ()
        board.push(chance.choice(calm))
        seen.add(board.board_fen())
    return tuple(board.move_stack)


def _is_calm(board: chess.Board, move: chess.Move, seen: set[str]) -> bool:
    if board.is_capture(move) or board.is_castling(move) or move.promotion:
        return False
    if board.gives_check(move):
        return False
    board.push(move)
    new = board.board_fen() not in seen
    board.pop()
    return new


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game and four connections at each."""
    with connections(port, 4 * tables) as sockets:
        yield [_begin(sockets[4 * n : 4 * n + 4], n) for n in range(tables)]


def _begin(four: Sequence[socket.socket], table: int) -> BegunPairs:
    clients = [BughouseClient() for _ in four]
    owner = clients[0]
    for n, (connection, client) in enumerate(zip(four, clients, strict=True)):
        connection.sendall(client.ask("ADD_PLAYER", f"p{table}x{n}"))
        hear_until(connection, client, lambda one: isinstance(one, Admitted))
        if client is owner:
            connection.sendall(client.ask("CREATE_GAME", client.me))
            hear_until(connection, client, lambda one: isinstance(one, Created))
        else:
            connection.sendall(client.ask("JOIN_GAME", client.me, owner.game, 1 + n // 2))
            hear_until(connection, client, lambda one: isinstance(one, Joined))
    four[0].sendall(owner.ask("START_GAME", owner.game))
    for connection, client in zip(four, clients, strict=True):
        hear_until(connection, client, partial(_is_ready, client))
    seats = {client.seat: connection for connection, client in zip(four, clients, strict=True)}
    pairs = []
    for board, number in enumerate(owner.boards.numbers):
        game = quiet_games()[(table + board) % len(quiet_games())]
        steps = [(n % 2, _line(number, move)) for n, move in enumerate(game)]
        both = [seats[seat] for seat in sorted(seats, key=lambda seat: seat or 0)][2 * board :][:2]
        pairs.append(pair(both, told_both(steps), b"BROADCAST:MOVE:%d\t" % number))
    return BegunPairs(tuple(pairs))


def _is_ready(client: BughouseClient, _: object) -> bool:
    """Whether it knows where it sits, and waits for no answer."""
    return client.seat is not None and not client.busy


def _line(board: int, move: chess.Move) -> bytes:
    ends = (move.from_square, move.to_square)
    numbers = [n for at in ends for n in (chess.square_file(at), chess.square_rank(at))]
    return b"MOVE:%d\t%d\t%d\t%d\t%d\n" % (board, *numbers)


LANGUAGE: Final = Language("bughouse", seat, FigureBudget(120, 89), OPTIONS)
