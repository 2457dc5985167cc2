"""A position of a table: after one of its events, and after moves that somebody tries there.

The rules alone play the moves that are tried; no table hears of them.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from rookery.bots.studying import Done
from rookery.core.errors import IllegalMove
from rookery.core.events import Out, Played, TakenBack
from rookery.core.game import Outcome, View
from rookery.core.ids import Seat
from rookery.hall.tables.table import Table
from rookery.server.web.past.table_replay import TableReplay

LEGAL_MAX: Final = 500  # moves that are listed


class Position(Struct, frozen=True):
    """How a table stood there, for an onlooker, and what led to it."""

    table: Table  # as it is now
    done: tuple[Done, ...]
    to_act: tuple[Seat, ...]
    legal: tuple[tuple[Seat, str], ...]
    view: View
    outcome: Outcome | None


def position_of(replay: TableReplay, n: int, tried: Sequence[str]) -> Position | None:
    """The position after event `n` and these moves; None before the start. Raises Mistake."""
    table, _ = replay.stood(n)
    if table.state is None:
        return None
    game, state, done = table.game, table.state, _done(replay, n)
    for text in tried:
        move = game.parse_move(text)
        seat, state = _tried(table, state, move)
        done.append(Done(seat, text))
    acts = sorted(game.to_act(state))
    legal = tuple(
        (seat, game.format_move(move))
        for seat in acts
        for move in islice(game.legal_moves(state, seat), LEGAL_MAX)
    )
    outcome = game.outcome(state)
    return Position(replay.last, tuple(done), tuple(acts), legal, game.view(state, None), outcome)


def _tried(table: Table, state: Any, move: Any) -> tuple[Seat, Any]:
    """Let the first seat that may make this move make it. Raises IllegalMove."""
    refused: IllegalMove | None = None
    for seat in sorted(table.game.to_act(state)):
        try:
            return seat, table.game.play(state, seat, move).state
        except IllegalMove as no:
            refused = no
    raise refused or IllegalMove("over", "The game is over there.")


def _done(replay: TableReplay, n: int) -> list[Done]:
    """What the seats did until event `n`, without what was taken back."""
    done: list[Done] = []
    for record in replay.records[:n]:
        match record.event:
            case Played(seat, move):
                done.append(Done(seat, move))
            case Out(seat, why):
                done.append(Done(seat, why=why))
            case TakenBack(plies=plies):
                del done[-plies:]
            case _:
                pass
    return done
