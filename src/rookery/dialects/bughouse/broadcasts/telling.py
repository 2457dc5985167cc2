"""What clients are told unasked: lobby news if they do not play, and their own game's news.

The page: lobby news "goes only to sessions that are not in a running game, the sender left
out". The order after a move: "MOVE line(s); a promotion's PASS and PUT; a capture's PASS
and ADD_PRISONER; then YOUR_TURN and NEXT_BOARD — or GAME_OVER and no YOUR_TURN". Before
GAME_OVER stands why.
"""

from msgspec import Struct

from rookery.core.events import Closed, Ended, Left, Opened, Out, Owned, Played, Sat, Started
from rookery.core.game import Forfeit
from rookery.core.ids import Seat
from rookery.core.messages import Happened, News, Scene
from rookery.dialects.bughouse.moves import Script
from rookery.dialects.bughouse.session import Session
from rookery.dialects.bughouse.wire import notice
from rookery.games.bughouse import board_of

NOBODY = "-\t-"  # "fewer than two non-empty names kill the client's listener"


class Broadcast(Struct, frozen=True):
    """A line to broadcast; `lobby` marks news that matter only to a client without a game."""

    text: str
    lobby: bool = False


def hear(session: Session, news: News) -> list[Broadcast]:
    """Remember an event at a table in the session, and return what its client is told of it."""
    happened, scene = news.happened, news.scene
    table, game = happened.table, session.ledger.game(happened.table)
    ours = bool(session.seats(table))
    session.follow(news)
    ours = ours or bool(session.seats(table))
    if not ours and session.busy(table):
        return []
    match happened.event:
        case Opened() | Sat() | Left() | Closed():
            return _coming_and_going(session, happened, lobby=not ours)
        case Owned(player):
            return [Broadcast(f"NEW_OWNER:{game}")] if player in session.mine else []
        case Started():
            began = [Broadcast(f"GAME_STARTED:{game}", lobby=not ours)]
            return began + ([Broadcast("YOUR_TURN")] if session.on_turn() else [])
        case Played() as played if ours:
            return _played(session, happened, played, scene)
        case Out(seat=seat, why=Forfeit.GONE):
            gone = scene.players[seat]
            if gone in session.mine:
                return []
            return [Broadcast(f"QUIT_GAME:{session.ledger.player(gone)}\t{game}", lobby=not ours)]
        case Ended() if ours:
            return _ended(session, happened, scene)
        case _:
            return []


def _coming_and_going(session: Session, happened: Happened, *, lobby: bool) -> list[Broadcast]:
    """The lines about who opens, joins, leaves or closes a table; "the sender left out"."""
    table, game = happened.table, session.ledger.game(happened.table)
    match happened.event:
        case Opened(by=by) if by not in session.mine:
            session.opened = (table, by)
            changed = Broadcast(f"GAME_CHANGED:{game}", lobby=True)
            if by is None or session.ledger.player(by) == "-1":
                return [changed]
            return [Broadcast(f"NEW_GAME:{session.ledger.player(by)}\t{game}", lobby=True), changed]
        case Sat(player=player) if player not in session.mine:
            # Who opens a table and sits down at it is no news twice.
            if happened.n == 3 and session.opened == (table, player):
                return []
            return [Broadcast(f"JOIN_GAME:{session.ledger.player(player)}\t{game}", lobby=lobby)]
        case Left(player=player):
            session.left = table if player in session.mine else None
            if player in session.mine:
                return []
            return [Broadcast(f"QUIT_GAME:{session.ledger.player(player)}\t{game}", lobby=lobby)]
        case Closed(reason) if session.left != table or reason:
            return [Broadcast(f"GAME_DELETED:{game}", lobby=True)]
        case _:
            pass
    return []


def _played(session: Session, happened: Happened, played: Played, scene: Scene) -> list[Broadcast]:
    table, seat = happened.table, played.seat
    if table in session.returns:
        return []  # it comes with all the others
    own = session.seats(table)
    script = Script(session.ledger, table, scene.players)
    told = script.move(seat, played.move, happened.effects)
    lines = [Broadcast(one.line) for one in told if one.only is None or one.only in own]
    opponent = Seat(seat ^ 1)  # seats 0 and 1 share a board, and 2 and 3
    if opponent in own and opponent in happened.to_act:
        lines.append(Broadcast("YOUR_TURN"))
        if "@" not in played.move:  # "the opponent: YOUR_TURN" alone after a drop
            lines.append(Broadcast(f"NEXT_BOARD:{session.ledger.board(table, board_of(seat))}"))
    return lines


def _ended(session: Session, happened: Happened, scene: Scene) -> list[Broadcast]:
    """The lines that end a game: why it ended, and the winners' names in the order they came."""
    table, outcome = happened.table, scene.outcome
    assert outcome is not None, "a game that ended has an outcome"
    session.returns.pop(table, None)
    session.remember(table, scene)
    won = set() if outcome.drawn else {scene.players[seat] for seat in outcome.winners}
    winners = [session.ledger.name(player) for player in scene.joined if player in won]
    team = "\t".join(winners) or NOBODY
    why = Broadcast(notice(outcome.how, outcome.reason))
    return [why, Broadcast(f"GAME_OVER:{session.ledger.game(table)}\t{team}")]
