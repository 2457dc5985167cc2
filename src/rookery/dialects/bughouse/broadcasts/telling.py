"""What is told unasked: the lobby's news to who is not playing, a game's to its four.

The page: lobby news "goes only to sessions that are not in a running game, the sender left
out". The order after a move: "MOVE line(s); a promotion's PASS and PUT; a capture's PASS
and ADD_PRISONER; then YOUR_TURN and NEXT_BOARD — or GAME_OVER and no YOUR_TURN". A move's
last line is the clocks', for who asked for them, and before GAME_OVER stands why.
"""

from msgspec import Struct

from rookery.core.events import Closed, Ended, Left, Opened, Out, Owned, Played, Sat, Started
from rookery.core.game import Forfeit
from rookery.core.ids import Seat, TableId
from rookery.core.messages import Happened, News, Scene
from rookery.dialects.bughouse.moves import Script
from rookery.dialects.bughouse.visit import Visit
from rookery.dialects.bughouse.wire import notice
from rookery.games.bughouse import board_of

NOBODY = "-\t-"  # "fewer than two non-empty names kill the client's listener"


class Broadcast(Struct, frozen=True):
    """Something to broadcast; `lobby` is what only somebody without a game cares for."""

    text: str
    lobby: bool = False


def hear(visit: Visit, news: News) -> list[Broadcast]:
    """What this connection is told of an event at a table."""
    happened, scene = news.happened, news.scene
    table, game = happened.table, visit.ledger.game(happened.table)
    ours = bool(visit.seats(table))
    visit.follow(news)
    ours = ours or bool(visit.seats(table))
    if not ours and visit.busy(table):
        return []
    match happened.event:
        case Opened() | Sat() | Left() | Closed():
            return _coming_and_going(visit, happened, lobby=not ours)
        case Owned(player):
            return [Broadcast(f"NEW_OWNER:{game}")] if player in visit.mine else []
        case Started():
            began = [Broadcast(f"GAME_STARTED:{game}", lobby=not ours)]
            return began + ([Broadcast("YOUR_TURN")] if visit.on_turn() else [])
        case Played() as played if ours:
            return _played(visit, happened, played, scene)
        case Out(seat=seat, why=Forfeit.GONE):
            gone = scene.players[seat]
            if gone in visit.mine:
                return []
            return [Broadcast(f"QUIT_GAME:{visit.ledger.player(gone)}\t{game}", lobby=not ours)]
        case Ended() if ours:
            return _ended(visit, happened, scene)
        case _:
            return []


def _coming_and_going(visit: Visit, happened: Happened, *, lobby: bool) -> list[Broadcast]:
    """Before the start; "the sender left out"."""
    table, game = happened.table, visit.ledger.game(happened.table)
    match happened.event:
        case Opened(by=by) if by not in visit.mine:
            visit.opened = (table, by)
            changed = Broadcast(f"GAME_CHANGED:{game}", lobby=True)
            if by is None or visit.ledger.player(by) == "-1":
                return [changed]
            return [Broadcast(f"NEW_GAME:{visit.ledger.player(by)}\t{game}", lobby=True), changed]
        case Sat(player=player) if player not in visit.mine:
            # Who opens a table and sits down at it is no news twice.
            if happened.n == 3 and visit.opened == (table, player):
                return []
            return [Broadcast(f"JOIN_GAME:{visit.ledger.player(player)}\t{game}", lobby=lobby)]
        case Left(player=player):
            visit.left = table if player in visit.mine else None
            if player in visit.mine:
                return []
            return [Broadcast(f"QUIT_GAME:{visit.ledger.player(player)}\t{game}", lobby=lobby)]
        case Closed(reason) if visit.left != table or reason:
            return [Broadcast(f"GAME_DELETED:{game}", lobby=True)]
        case _:
            pass
    return []


def _played(visit: Visit, happened: Happened, played: Played, scene: Scene) -> list[Broadcast]:
    table, seat = happened.table, played.seat
    if table in visit.returns:
        return []  # it comes with all the others
    own = visit.seats(table)
    script = Script(visit.ledger, table, scene.players)
    told = script.move(seat, played.move, happened.effects)
    lines = [Broadcast(one.line) for one in told if one.only is None or one.only in own]
    opponent = Seat(seat ^ 1)  # seats 0 and 1 share a board, and 2 and 3
    if opponent in own and opponent in happened.to_act:
        lines.append(Broadcast("YOUR_TURN"))
        if "@" not in played.move:  # "the opponent: YOUR_TURN" alone after a drop
            lines.append(Broadcast(f"NEXT_BOARD:{visit.ledger.board(table, board_of(seat))}"))
    return lines + _clock(visit, table, board_of(seat))


def _clock(visit: Visit, table: TableId, board: int) -> list[Broadcast]:
    clocks = visit.rounds[table].clocks if visit.clocks else None
    if clocks is None:
        return []
    return [Broadcast(clocks.line(board, visit.ledger.board(table, board), visit.now))]


def _ended(visit: Visit, happened: Happened, scene: Scene) -> list[Broadcast]:
    """The names of the winning team, in the order they came; none in a draw."""
    table, outcome = happened.table, scene.outcome
    assert outcome is not None, "a game that ended has an outcome"
    visit.returns.pop(table, None)
    visit.remember(table, scene)
    won = set() if outcome.drawn else {scene.players[seat] for seat in outcome.winners}
    winners = [visit.ledger.name(player) for player in scene.joined if player in won]
    team = "\t".join(winners) or NOBODY
    why = Broadcast(notice(outcome.how, outcome.reason))
    return [why, Broadcast(f"GAME_OVER:{visit.ledger.game(table)}\t{team}")]
