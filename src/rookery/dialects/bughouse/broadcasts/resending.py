"""The game so far, for a player who came back to it.

The page: "GAME_STARTED after the answer to that session's **next** request, MOVE, PASS and
PUT lines in order after its second GET_PLAYERS". The old client has no board to move on
before that, so until then it is told of no move: moves made meanwhile are sent with the past.
Of a piece that moved on and on, the client is told only the square it came to.
"""

from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import Played
from rookery.core.game import Aside
from rookery.core.ids import TableId
from rookery.core.intents import History
from rookery.core.messages import Entry, Past
from rookery.dialects.bughouse.broadcasts.past import shorten
from rookery.dialects.bughouse.moves import Script
from rookery.dialects.bughouse.session import Session
from rookery.dialects.conversation import Conversation
from rookery.games.bughouse import Bughouse

LONGEST = Bughouse(plies=10_000)  # whatever a game's own bound, it has not been reached


def resend(session: Session, table: TableId) -> Conversation[tuple[str, ...]]:
    """The game so far, to send behind an answer; empty if nobody came back, or it is too early."""
    back = session.returns.get(table)
    if back is None:
        return ()
    session.returns[table] = back = replace(back, lists=back.lists + 1)
    if back.lists < 2:
        return ()
    past: list[Entry] = []
    more = True
    while more:
        reply = yield History(table, past[-1].n if past else 0)
        more = isinstance(reply, Past) and reply.more
        past += reply.events if isinstance(reply, Past) else ()
    session.returns.pop(table, None)
    return (*_lines(session, table, past), *(["YOUR_TURN"] if session.on_turn() else []))


def _lines(session: Session, table: TableId, past: list[Entry]) -> list[str]:
    current = session.rounds.get(table)
    if current is None:
        return []  # it is over, and that was told
    script = Script(session.ledger, table, current.players)
    state = LONGEST.start(4, Chance(0))
    lines: list[str] = []
    for entry in past:
        if isinstance(entry.event, Played):
            move = LONGEST.parse_move(entry.event.move)
            step = LONGEST.play(state, entry.event.seat, move)
            state = step.state
            effects = [effect for effect in step.effects if not isinstance(effect, Aside)]
            told = script.move(entry.event.seat, entry.event.move, effects)
            # "MOVE, PASS and PUT lines": what a PASS brings, no ADD_PRISONER brings again.
            lines += [one.line for one in told if one.only is None]
    return shorten(lines)
