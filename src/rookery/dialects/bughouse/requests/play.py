"""Requests at a board: moves, drops, handing over, and giving up."""

from rookery.core.ids import Seat, TableId
from rookery.core.intents import Play, Resign
from rookery.core.messages import AnyMessage, Done, Refused
from rookery.dialects.bughouse.requests.asking import Asking, RequestAnswer
from rookery.dialects.bughouse.session import OurGame, Session
from rookery.dialects.bughouse.voice import TURN
from rookery.dialects.bughouse.wire import (
    NONE,
    PIECES,
    colour_of,
    echo,
    notice,
    number,
    square,
    team_of,
)
from rookery.games.bughouse import board_of

Fields = tuple[str, ...]

_QUEEN = "q"
# As they are mostly written; there may be zeros and spaces, too.
_SQUARES = {(str(x), str(y)): square(x, y) for x in range(8) for y in range(8)}

# Why something was refused that the referee never saw.
NOT_YOUR_BOARD = Refused("not_your_board", "You have no seat on that board.")
NO_SQUARE = Refused("no_square", "There is no such square; files and ranks count from 0 to 7.")
NO_PIECE = Refused("no_piece", "There is no such piece to promote to: 2 to 5 are.")
NOT_HELD = Refused("not_held", "You hold no such prisoner there, or it is not your turn.")


def move(session: Session, fields: Fields) -> Asking:
    r"""`MOVE:b\tfx\tfy\ttx\tty`, and a promotion's piece behind it, else it is a queen."""
    if len(fields) == 6 and not fields[5].strip():
        fields = fields[:5]  # a tab too many
    at = session.ledger.board_at(fields[0])
    start, end = _square(fields[1:3]), _square(fields[3:5])
    mover = None if at is None else _mover(session, *at)
    if at is None or mover is None:
        return _failed(session, echo(fields[0]), NOT_YOUR_BOARD)
    if start is None or end is None or len(fields) > 6:
        return _failed(session, echo(fields[0]), NO_SQUARE)
    becomes = _piece(fields[5]).lower() if len(fields) == 6 else ""
    if len(fields) == 6 and not becomes:
        return _failed(session, echo(fields[0]), NO_PIECE)
    table, board = at
    player = session.rounds[table].players[mover]
    text = f"{board}:{start}{end}{becomes}"
    reply = yield Play(table, text, player=player)
    if isinstance(reply, Refused) and reply.code == "promotion_missing":
        reply = yield Play(table, text + _QUEEN, player=player)
    if isinstance(reply, Done):
        return RequestAnswer(f"MOVE_OK:{session.ledger.board(table, board)}")
    return _failed(session, echo(fields[0]), reply)


def put(session: Session, fields: Fields) -> Asking:
    """`PUT`, a drop, in the old client's form of five fields or the seed's of four."""
    if len(fields) == 4:
        seat, letter, current = _holder(session, fields)
        called = _board(session, current, seat)
        at = _square(fields[2:4])
    else:
        seat, letter, current = _indexed(session, fields)
        called = echo(fields[0])
        at = _square(fields[3:5])
    if current is None or seat is None or not letter or at is None:
        return _failed(session, called, NO_SQUARE if at is None else NOT_HELD)
    text = f"{board_of(seat)}:{letter}@{at}"
    reply = yield Play(current.table, text, player=current.players[seat])
    return RequestAnswer() if isinstance(reply, Done) else _failed(session, called, reply)


def hand_over(_session: Session, _fields: Fields) -> RequestAnswer:
    """`PASS`: the referee has handed everything over already, so nothing is left to do."""
    return RequestAnswer()


def game_over(session: Session, fields: Fields) -> Asking:
    r"""`GAME_OVER:g\tt`: to name the other team is to resign, all else changes nothing."""
    table = session.ledger.game_at(fields[0])
    if table is None:
        return RequestAnswer()
    for player in session.mine:
        session.forget(player, table)
    winner = number(fields[1]) if len(fields) == 2 else None
    current = session.rounds.get(table)
    if current is None or not current.playing or winner not in (1, 2):
        return RequestAnswer()
    losers = [seat for seat in session.seats(table) if team_of(seat) != winner]
    if losers:
        yield Resign(table, player=current.players[losers[0]])
    return RequestAnswer()


# -- who acts, and with what


def _mover(session: Session, table: TableId, board: int) -> Seat | None:
    """The seat of this connection that moves on a board: the one on turn, else any there."""
    own = session.seats(table)
    if len(own) == 1:  # nearly always
        return own[0] if board_of(own[0]) == board else None
    here = [seat for seat in own if board_of(seat) == board]
    on_turn = [seat for seat in here if seat in session.rounds[table].to_act]
    return next(iter(on_turn + here), None)


Held = tuple[Seat | None, str, OurGame | None]  # a seat, the piece it drops, and its game


def _indexed(session: Session, fields: Fields) -> Held:
    """Read the old client's drop: a board, a player, and the piece's place in its hand."""
    at = session.ledger.board_at(fields[0])
    player = session.own(fields[1]) if len(fields) == 5 else None
    current = None if at is None else session.rounds.get(at[0])
    if at is None or player is None or current is None or player not in current.players:
        return None, "", None
    seat = Seat(current.players.index(player))
    index = number(fields[2])
    hand = current.hand(seat)
    if board_of(seat) != at[1] or index is None or not 0 <= index < len(hand):
        return None, "", None
    return seat, hand[index], current


def _holder(session: Session, fields: Fields) -> Held:
    """Read the seed's drop: a type and a colour, of a seat of ours that is on turn and holds it."""
    letter, colour = _piece(fields[0]), number(fields[1])
    anyone: Held = (None, "", None)
    for current in session.rounds.values():
        for seat in session.seats(current.table):
            if seat in current.to_act and colour_of(seat) == colour and letter:
                if letter in current.hand(seat):
                    return seat, letter, current
                anyone = (seat, "", current)
    return anyone


def _board(session: Session, current: OurGame | None, seat: Seat | None) -> str:
    """The number of the board that a failed drop was for: the dropper's, else any of ours."""
    if current is not None and seat is not None:
        return session.ledger.board(current.table, board_of(seat))
    for one in session.rounds.values():
        for own in session.seats(one.table) if one.playing else ():
            return session.ledger.board(one.table, board_of(own))
    return NONE


def _failed(session: Session, board: str, why: AnyMessage | None) -> RequestAnswer:
    """MOVE_FAILED, and why; "then `BROADCAST:YOUR_TURN` again if it is the sender's turn"."""
    said = (notice(why.code, why.sentence),) if isinstance(why, Refused) and session.mine else ()
    turn = (TURN,) if session.on_turn() else ()
    return RequestAnswer(f"MOVE_FAILED:{board}", said + turn)


def _square(fields: Fields) -> str | None:
    if fields in _SQUARES:  # nearly always
        return _SQUARES[fields]
    if len(fields) != 2:
        return None
    x, y = number(fields[0]), number(fields[1])
    return None if x is None or y is None else square(x, y)


def _piece(text: str) -> str:
    """The letter of the piece with this number; empty if none has. The referee judges the rest."""
    kind = number(text)
    return PIECES[kind - 1] if kind is not None and 1 <= kind <= len(PIECES) else ""
