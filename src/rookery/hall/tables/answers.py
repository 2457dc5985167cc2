"""Answers to questions: what a table, a player or a game looks like at a glance."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, get_args

import msgspec

from rookery.core import messages
from rookery.core.errors import BROKEN, ask
from rookery.core.game import View
from rookery.core.ids import Micros, PlayerId, Seat, SessionId, Status, TableId
from rookery.core.intents import (
    History,
    LegalMoves,
    ListGames,
    ListPlayers,
    ListTables,
    Show,
    Survey,
    Unwatch,
    Watch,
    WatchLobby,
)
from rookery.core.options import options_of
from rookery.core.presentation import shown_of
from rookery.games import GAMES, AnyGame
from rookery.hall.batch import Draft
from rookery.hall.limits import (
    LIST_PAGE,
    MOVES_MAX,
    PAST_PAGE,
    SURVEY_MAX,
    WATCHED_A_SESSION,
)
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.people.presence import Presence
from rookery.hall.people.register import Register
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.news import is_unheard, left_of, past
from rookery.hall.tables.privacy import check_code, check_known, is_hidden
from rookery.hall.tables.ruling import SHORT, is_short
from rookery.hall.tables.table import Table

# Asked of tables and players, not of tours.
TableQuestion = ListGames | ListTables | ListPlayers | Show | LegalMoves | History
TABLE_QUESTIONS: Final = get_args(TableQuestion)
LINES_KEPT: Final = 1_000  # lines of tables, for as long as nothing in them has changed
_writer: Final = msgspec.json.Encoder(enc_hook=messages.strange)


def answer(
    question: TableQuestion,
    session: SessionId,
    player: PlayerId | None,
    now: Micros,
    *,
    floor: Floor,
    players: PlayerRegistry,
    presence: Presence,
) -> messages.Reply:
    """Answer a session's question, which it asks as this player. Raises Refusal."""
    match question:
        case ListGames():
            return _games(tuple(GAMES))
        case ListTables():
            return _tables(floor, session, players, presence, question)
        case ListPlayers(after):
            return _players(players, presence, after)
        case History(table, since):
            check_known(find(floor, table), session, presence)
            return past_page(floor, session, table, since)
        case Show(table, code=code):
            found = find(floor, table)
            check_code(found, session, presence, code, floor.warden, now)
            return _shown(found, player, now, _line(floor, found, players, presence))
        case LegalMoves(table):
            found = find(floor, table)
            check_known(found, session, presence)
            seat = None if player is None else found.seat_of(player)
            if seat is None:
                raise Refusal(
                    messages.Refused("not_seated", f"You do not sit at table {table}.", table)
                )
            return _legal_moves(found, seat, some=question.some)


def name_all(draft: Draft, session: SessionId, reply: messages.Reply, register: Register) -> None:
    """Give the session's dialect numbers for every table and player that this reply names."""
    if not register.numbers_things(session):
        return
    lines = reply.tables if isinstance(reply, messages.Tables) else ()
    for line in (*lines, *([reply.line] if isinstance(reply, messages.Shown) else [])):
        seats = tuple(seat.player for seat in line.seats)
        register.name_table(draft, session, line.table, seats)
    if isinstance(reply, messages.Players):
        register.name_players(draft, session, (known.player for known in reply.players))


def survey(floor: Floor, asked: Survey) -> list[Table]:
    """The open and running tables of a game: the oldest, one, or those where a player sits."""
    statuses = (Status.OPEN,) if asked.waiting else (Status.OPEN, Status.PLAYING)
    ids: Sequence[TableId]
    if asked.table is not None:
        ids = [asked.table]
    elif asked.player is not None:
        ids = sorted(floor.tables.of_player(asked.player))
    else:
        ids = floor.tables.ids(statuses, asked.variant)
    found = (
        table
        for table in map(floor.tables.glance, ids)
        if table is not None
        and table.game.name == asked.variant
        and table.status in statuses
        and not table.opened.private
        and (asked.player is None or asked.player in table.seats)
    )
    return list(islice(found, SURVEY_MAX))


def standings(tables: Iterable[Table]) -> messages.Surveyed:
    """Build the reply that says how these tables stand: status, seats, who joined, who owns."""
    return messages.Surveyed(
        tuple(messages.SurveyedTable(t.id, t.status, t.seats, t.joined, t.owner) for t in tables)
    )


def find(floor: Floor, table: TableId) -> Table:
    """The table with this id. Raises Refusal where there is none."""
    found = floor.tables.get(table)
    if found is None:
        raise Refusal(floor.tables.refusal(table))
    return found


def past_page(floor: Floor, session: SessionId, table: TableId, since: int) -> messages.Past:
    """What happened at a table after event `since`, as this session may know it."""
    found = find(floor, table)
    seats = floor.audiences.seats_of(session, found)
    unheard = floor.audiences.unheard_by(session)
    records = (
        record
        for record in floor.tables.past(table)
        if record.n > since and not (unheard and is_unheard(record.event, unheard))
    )
    # One more than a page, of what this session may know: then there is always a next one.
    entries = tuple(islice(past(found, records, seats), PAST_PAGE + 1))
    return messages.Past(table, entries[:PAST_PAGE], more=len(entries) > PAST_PAGE)


@lru_cache(maxsize=4)  # they change when one is put out of use
def _games(names: tuple[str, ...]) -> messages.Games:
    lines = []
    for name in names:
        game = GAMES[name]
        about = shown_of(game).about
        lines.append(messages.GameLine(name, tuple(game.seat_counts), options_of(game), about))
    return messages.Games(tuple(lines))


def _tables(
    floor: Floor, session: SessionId, players: PlayerRegistry, presence: Presence, asked: ListTables
) -> messages.Tables:
    status, after = asked.status, asked.after
    if status and status not in tuple(Status):
        known = ", ".join(Status)
        raise Refusal(
            messages.Refused("bad_option", f"A table is {known}, and not {status[:40]!r}.")
        )
    lines: list[messages.TableLine] = []
    ids = floor.tables.ids((Status(status),) if status else tuple(Status))
    for table in ids[bisect_right(ids, after) :]:
        found = floor.tables.glance(table)
        if found is not None and not is_hidden(found, session, presence):
            if len(lines) == LIST_PAGE:
                return messages.Tables(tuple(lines), more=True)
            lines.append(_line(floor, found, players, presence))
    return messages.Tables(tuple(lines))


def _players(players: PlayerRegistry, presence: Presence, after: PlayerId) -> messages.Players:
    here = sorted(player for player in presence.connected() if player > after)
    lines = []
    for player in here[:LIST_PAGE]:
        known = players[player]
        lines.append(messages.PlayerLine(player, known.shown, known.dialect))
    return messages.Players(tuple(lines), more=len(here) > LIST_PAGE)


def _line(
    floor: Floor, table: Table, players: PlayerRegistry, presence: Presence
) -> messages.TableLine:
    """The table's line in a list; the last one made is reused while nothing has changed."""
    lines = floor.tables.lines
    kept = lines.get(table.id)
    if kept is not None and kept[0] is table and kept[1] == presence.version:
        return kept[2]
    seats = []
    for n, player in enumerate(table.seats):
        here = player is not None and presence.session_of(player) is not None
        name = _seat_name(table, Seat(n), floor.broken.faults)
        bot = player is not None and players[player].is_bot
        seats.append(messages.SeatLine(Seat(n), name, player, table.names[n], here, bot))
    if len(lines) >= LINES_KEPT:
        lines.clear()
    line = line_of(table, tuple(seats))
    lines[table.id] = table, presence.version, line
    return line


def line_of(table: Table, seats: tuple[messages.SeatLine, ...]) -> messages.TableLine:
    """Build the table's line in a list, with these lines for its seats."""
    opened = table.opened
    return messages.TableLine(
        table.id,
        opened.variant,
        opened.time,
        table.status,
        seats,
        table.n,
        table.outcome,
        opened.tour,
    )


def _shown(
    table: Table, viewer: PlayerId | None, now: Micros, line: messages.TableLine
) -> messages.Shown:
    seat = table.seat_of(viewer) if viewer is not None else None
    view = ask(table.id, _view, table, seat) if table.state is not None else None
    to_act = tuple(sorted(table.to_act))
    return messages.Shown(line, table.opened.policy, seat, to_act, left_of(table, now), view)


def _view(table: Table, seat: Seat | None) -> View:
    """The game's view from this seat. Raises TypeError where it is no View or cannot be encoded."""
    view = table.game.view(table.state, seat)
    if not isinstance(view, View):
        raise TypeError("what is seen of a game is a View")
    _writer.encode(view)
    return view


def _seat_name(table: Table, seat: Seat, faults: messages.Faults) -> str:
    """The name the rules give the seat. Where they fail, note the fault and return its number."""
    try:
        name = table.game.seat_name(seat)
        if not is_short(name):
            raise TypeError("a seat is called by a short text")
    except BROKEN as wrong:
        faults.append((table.id, wrong))
        return f"seat {seat + 1}"
    return name


def _legal_moves(table: Table, seat: Seat, *, some: bool) -> messages.Moves:
    if table.status is not Status.PLAYING:
        return messages.Moves(table.id, seat, ())
    game = table.game
    moves = ask(table.id, _some_moves, game, table.state, seat, some)
    if moves is None:
        sentence = f"There are more than {MOVES_MAX} moves to list."
        raise Refusal(messages.Refused("too_many", sentence, table.id))
    return messages.Moves(table.id, seat, moves)


def _some_moves(game: AnyGame, state: object, seat: Seat, some: bool) -> tuple[str, ...] | None:
    """The legal moves as texts. Above MOVES_MAX: the first of them if `some` will do, else None."""
    moves = list(islice(game.legal_moves(state, seat), MOVES_MAX + 1))
    if len(moves) > MOVES_MAX and not some:
        return None
    found = tuple(map(game.format_move, moves[:MOVES_MAX]))
    # As one text: looking at each of 2,000 took as long as putting them into words.
    if not "".join(found).isprintable() or not is_short(max(found, key=len, default="")):
        raise TypeError(SHORT)
    return found


def check_watch(presence: Presence, session: SessionId, table: TableId) -> None:
    """Raise Refusal where a session may not watch one more table."""
    if presence.is_watching(session, table) or presence.watches(session) < WATCHED_A_SESSION:
        return
    sentence = f"A connection watches at most {WATCHED_A_SESSION} tables."
    raise Refusal(messages.Refused("too_many", sentence, table))


def listen(
    asking: Asking, intent: Watch | Unwatch | WatchLobby, floor: Floor, presence: Presence
) -> None:
    """Begin or stop telling a session of a table, or begin telling it of a lobby."""
    match intent:
        case Watch(table, since, code, glance):
            check_watch(presence, asking.session, table)
            found, now = find(floor, table), asking.draft.now
            check_code(found, asking.session, presence, code, floor.warden, now)
            past = past_page(floor, asking.session, table, since)
            presence.watch(asking.session, table, glance=glance)
            asking.tell(past)
        case Unwatch(table):
            presence.unwatch(asking.session, table)
            asking.tell(messages.Done(table))
        case WatchLobby(game):
            presence.watch_lobby(asking.session, game)
            asking.tell(messages.Done())
