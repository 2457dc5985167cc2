"""The players of bughouse, from one that moves at random to one that thinks for two boards."""

from typing import Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.bughouse.moves import legal
from rookery.bots.bughouse.needs import gifts
from rookery.bots.bughouse.quick import HAND, Move, Quick
from rookery.bots.bughouse.search import LOST, MATE, Search, mates
from rookery.bots.bughouse.worth import VALUES
from rookery.core.chance import Chance
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat
from rookery.games.bughouse import BughouseView, board_of, partner
from rookery.games.bughouse.board import KINDS
from rookery.games.bughouse.fen import parse_board
from rookery.games.bughouse.notation import Drop, Go, parse_move

AHEAD: Final[Micros] = 5 * MICROS_A_SECOND  # more than the diagonal must be on the own clock


# Bughouse players call it sitting: a player who is mated by force on its own board may wait for
# the partner to send a piece, or to win there first. That is worth it only while its own clock has
# more time than that of the diagonal opponent, who plays the partner: then the other team runs out
# first. The player's own clock runs meanwhile, so that every wait comes to an end; without clocks
# a bot never waits. A bot that waits should be asked again when anything is played, and after a
# second or so in any case.
def may_sit(sight: Sight) -> bool:
    """Whether the clocks are such that a lost seat does better to wait."""
    if sight.left is None:
        return False
    return sight.left[sight.seat] > sight.left[diagonal(sight.seat)] + AHEAD


def diagonal(seat: Seat) -> Seat:
    """The opponent on the other board."""
    return partner(Seat(seat ^ 1))


class BughouseRandom(Struct, frozen=True):
    """Any legal move, each as likely."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose one of the moves."""
        return chance.choice(sight.moves)


class BughouseGreedy(Struct, frozen=True):
    """Captures what it can, and puts nothing where it is lost; it sees a mate in one."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose one of the moves."""
        here, _ = boards(sight)
        best, top = list(sight.moves[:1]), -MATE
        for text in sight.moves:
            move = quick_move(text)
            value = _greed(here, move)
            if value > top:
                best, top = [], value
            if value == top:
                best.append(text)
        return chance.choice(best)


class BughouseSearcher(Struct, frozen=True):
    """Looks so many plies ahead; may mind the other board, and may wait when that is better."""

    depth: int
    minds: bool = False  # the other board's needs
    sits: bool = False

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str | None:
        """One of the moves, or None to wait for a piece."""
        here, there = boards(sight)
        if self.minds:
            ours, theirs = gifts(there, 1 - here.side), gifts(there, here.side)
            here.gifts = (theirs, ours) if here.side else (ours, theirs)
        texts = {quick_move(text): text for text in chance.shuffled(sight.moves)}
        if self.minds and there.side == here.side and not legal(there):
            # The diagonal opponent waits: when the one here must wait too, both have lost.
            for move, text in texts.items():
                if _strands(here, move):
                    return text
        search = Search(here, nodes, halt)
        move, value = search.best(list(texts), self.depth)
        lost = value <= LOST and not search.stopped
        return None if self.sits and lost and may_sit(sight) else texts[move]


def boards(sight: Sight) -> tuple[Quick, Quick]:
    """The seat's own board, and the other."""
    view = sight.view
    assert isinstance(view, BughouseView), "bughouse is seen as bughouse"
    one, two = (Quick(parse_board(fen)) for fen in view.fens)
    return (one, two) if board_of(sight.seat) == 1 else (two, one)


def quick_move(text: str) -> Move:
    """A move's text as a move of a quick board."""
    match parse_move(text):
        case Go(_, start, end, promotion):
            return start, end, KINDS[promotion] if promotion else 0
        case Drop(_, piece, at):
            return HAND, at, KINDS[piece]


def _strands(here: Quick, move: Move) -> bool:
    """Whether the opponent on this board has no legal move after this one."""
    undo = here.make(move)
    stranded = not legal(here)
    here.unmake(move, undo)
    return stranded


def _greed(here: Quick, move: Move) -> int:
    """The value of what a move takes, less the moved piece where that can be taken in turn."""
    start, end, kind = move
    gain = VALUES[here.cells[end] & 7] + VALUES[kind] * (start != HAND)
    if mates(here, move):
        return MATE
    undo = here.make(move)
    if here.attacked(end, here.side):
        gain -= VALUES[here.cells[end] & 7]
    here.unmake(move, undo)
    return gain
