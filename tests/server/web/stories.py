"""Games played in a hall without disk or sockets, for who looks at what their logs say."""

from rookery.core.chance import Chance
from rookery.core.events import Record, Seeded, table_stream
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Play
from rookery.core.messages import Moves
from rookery.games.guess import Guess
from tests.hall.house import Guest, House

GAMES = {"bughouse": 4, "fish": 3, "guess": 2, "nim": 2, "reversi": 2, "tictactoe": 2}
TIMES = ("none", "5m+2s", "5m delay 2s", "20s/move", "9s/move first 30s")


def records_of(house: House, table: TableId) -> list[Record]:
    return house.streams[table_stream(table)]


def play_on(house: House, table: TableId, guests: list[Guest], chance: Chance) -> bool:
    """Whoever's turn it is makes a move, after some thought; whether there was one to make."""
    to_act = house.show(guests[0], table).to_act
    if not to_act:
        return False
    who = guests[to_act[chance.below(len(to_act))]]
    house.wait(chance.between(0, 40) / 10)
    moves = house.ask(who, LegalMoves(table), Moves).moves
    if not moves:
        return False  # it was too late, or waits for a piece
    house.do(who, Play(table, moves[chance.below(len(moves))]))
    return True


def guessing(seed: int) -> tuple[House, TableId, list[Guest], int]:
    """A game of guess that has begun, and its secret, by the rules and the seed."""
    house = House(seed=seed)
    guests = [house.enter("ann"), house.enter("bob")]
    table = house.game("guess", *guests)
    secret = Guess().start(2, Chance(house.last(table, Seeded).seed)).secret
    return house, table, guests, secret
