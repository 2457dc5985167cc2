"""Requests about who is who and who is where: players, games, teams, boards.

Every row of the page's table is a function here, or in `play` for what is done at a board.
"""

from rookery.core.ids import PlayerId, Seat, Status
from rookery.core.intents import Enter, Leave, Show, Sit, Start, TakeUp, WatchLobby
from rookery.core.messages import Done, Refused, Shown, Welcome
from rookery.dialects.bughouse.broadcasts.resending import resend
from rookery.dialects.bughouse.profile import NAME
from rookery.dialects.bughouse.requests.asking import (
    Asking,
    RequestAnswer,
    game,
    survey,
    whereabouts,
)
from rookery.dialects.bughouse.session import Comeback, Session
from rookery.dialects.bughouse.wire import (
    NONE,
    TEAMS,
    WHITE_FIRST,
    echo,
    good_name,
    number,
    team_of,
)
from rookery.games.bughouse import board_of, is_white

Fields = tuple[str, ...]


def add_player(session: Session, fields: Fields) -> Asking:
    """`ADD_PLAYER:name`: come back where this name's connection was lost, or be new."""
    name = "\t".join(fields)
    if not good_name(name):
        return RequestAnswer(NONE)
    reply = yield TakeUp(name)
    if not isinstance(reply, Welcome):
        reply = yield Enter(name, NAME)
    if not isinstance(reply, Welcome):
        return RequestAnswer(NONE)
    session.be(reply.player)
    for table in reply.tables:
        if table not in session.rounds:
            session.returns[table] = Comeback()
    if len(session.mine) == 1:
        yield WatchLobby(NAME)
    for table in reply.tables:
        shown = yield Show(table, player=reply.player)
        if isinstance(shown, Shown):
            session.take_up(shown)
    return RequestAnswer(session.ledger.player(reply.player))


def get_name(session: Session, fields: Fields) -> RequestAnswer:
    """`GET_NAME:p`: the player's name."""
    player = session.ledger.player_at(fields[0])
    if player is None:
        return RequestAnswer(f"ERROR: player with id {echo(fields[0])} does not exist")
    return RequestAnswer(session.ledger.name(player))


# -- coming and going


def create_game(session: Session, fields: Fields) -> Asking:
    """`CREATE_GAME:p`: open a game for one of the client's players; answer with its number."""
    player = session.own(fields[0])
    if player is None or session.round_of(player) is not None:
        return RequestAnswer(NONE)
    session.forget(player)
    reply = yield session.options.open(player)
    if isinstance(reply, Done) and reply.table is not None:
        return RequestAnswer(session.ledger.game(reply.table))
    return RequestAnswer(NONE)


def join_game(session: Session, fields: Fields) -> Asking:
    r"""`JOIN_GAME:p\tg\tt`: sit down in team t. "Every failure is exactly `GAME_FULL`"."""
    full = RequestAnswer("GAME_FULL")
    if len(fields) != 3:
        return full
    player, table = session.own(fields[0]), session.ledger.game_at(fields[1])
    seats = TEAMS.get(number(fields[2]) or 0)
    if player is None or table is None or seats is None or session.round_of(player) is not None:
        return full
    session.forget(player)
    reply = yield Sit(table, player=player, prefer=seats)
    return RequestAnswer("GAME_JOINED") if isinstance(reply, Done) else full


def start_game(session: Session, fields: Fields) -> Asking:
    """`START_GAME:g`: start a game; only its owner may."""
    found = yield from game(session, fields[0])
    owner = None if found is None else found.owner
    if found is None or owner not in session.mine:
        return RequestAnswer(f"UNAUTHORIZED:{echo(fields[0])}")
    reply = yield Start(found.table, player=owner, order=WHITE_FIRST)
    verdict = "GAME_STARTED" if isinstance(reply, Done) else "NOT_READY"
    return RequestAnswer(f"{verdict}:{session.ledger.game(found.table)}")


def leave(session: Session, fields: Fields) -> Asking:
    """`QUIT:p`: before the start the seat is given up, afterwards the team loses."""
    failed = RequestAnswer(f"QUIT_FAILED:{echo(fields[0])}")
    player = session.own(fields[0])
    if player is None:
        return failed
    done = RequestAnswer(f"QUIT_OK:{session.ledger.player(player)}")
    if session.forget(player):
        return done
    current = session.round_of(player)
    if current is None:
        return failed
    if current.playing:
        session.quitters.add(player)
    reply = yield Leave(current.table, player=player)
    if isinstance(reply, Refused):
        session.quitters.discard(player)
        return done if session.forget(player) else failed
    return done


# -- questions about games


def get_games(session: Session, fields: Fields) -> Asking:
    """`GET_GAMES:` lists games with a free seat; with any text behind it, all not over."""
    joinable = not "".join(fields).strip()
    found = yield from survey(waiting=joinable)
    if joinable:
        found = tuple(one for one in found if None in one.seats)
    numbers = sorted(int(session.ledger.game(one.table)) for one in found)
    return RequestAnswer("\t".join(map(str, numbers)))


def game_is_active(session: Session, fields: Fields) -> Asking:
    """`GAME_IS_ACTIVE:g`. "Active" is open: "true from creation until the start"."""
    found = yield from game(session, fields[0])
    return RequestAnswer(_truth(found is not None and found.status == Status.OPEN))


def get_players(session: Session, fields: Fields) -> Asking:
    r"""`GET_PLAYERS:g`, or `g\tt` of one team; the second since a return resends the game."""
    table = session.ledger.game_at(fields[0])
    found = yield from game(session, fields[0])
    past = found or session.memory_of(table=table)
    if past is None or table is None:
        return RequestAnswer()
    joined = past.joined
    if len(fields) > 1:
        joined = tuple(p for p in joined if team_of(_seat(past.seats, p)) == number(fields[1]))
        if found is None or found.status != Status.OPEN:
            # "The first of a team is white": a tour or another language may seat them otherwise.
            joined = tuple(sorted(joined, key=lambda p: WHITE_FIRST.index(_seat(past.seats, p))))
    then = yield from resend(session, table)
    return RequestAnswer("\t".join(map(session.ledger.player, joined)), then)


def get_owner(session: Session, fields: Fields) -> Asking:
    """`GET_OWNER:g`: the game's owner; the first player to join, where the owner is not in it."""
    found = yield from game(session, fields[0])
    if found is None:
        return RequestAnswer(NONE)
    # A table from elsewhere may have an owner who has left, or never sat down.
    owner = found.owner if found.owner in found.joined else next(iter(found.joined), None)
    return RequestAnswer(session.ledger.player(owner))


def get_boards(session: Session, fields: Fields) -> Asking:
    """`GET_BOARDS:g`: the numbers of the game's two boards."""
    table = session.ledger.game_at(fields[0])
    found = yield from game(session, fields[0])
    if table is None or (found is None and session.memory_of(table=table) is None):
        return RequestAnswer()
    return RequestAnswer("\t".join(session.ledger.board(table, board) for board in (1, 2)))


# -- questions about players


def get_current_game(session: Session, fields: Fields) -> Asking:
    """`GET_CURRENT_GAME:p`: the number of the game that the player is in."""
    found = yield from whereabouts(session, fields[0])
    return RequestAnswer(NONE if found is None else session.ledger.game(found.table))


def is_white_player(session: Session, fields: Fields) -> Asking:
    """`IS_WHITE:p`: whether the player is white, in a game that has begun."""
    found = yield from whereabouts(session, fields[0])
    return RequestAnswer(_truth(found is not None and found.begun and is_white(found.seat)))


def get_team(session: Session, fields: Fields) -> Asking:
    """`GET_TEAM:p`: the player's team, 1 or 2."""
    found = yield from whereabouts(session, fields[0])
    return RequestAnswer("ERROR: player not in game" if found is None else str(team_of(found.seat)))


def get_current_board(session: Session, fields: Fields) -> Asking:
    """`GET_CURRENT_BOARD:p`: the number of the player's board, once the game has begun."""
    found = yield from whereabouts(session, fields[0])
    if found is None or not found.begun:
        return RequestAnswer("ERROR: board not initialized for player")
    return RequestAnswer(session.ledger.board(found.table, board_of(found.seat)))


def _truth(so: bool) -> str:
    return "true" if so else "false"


def _seat(seats: tuple[PlayerId | None, ...], player: PlayerId) -> Seat:
    return Seat(seats.index(player))
