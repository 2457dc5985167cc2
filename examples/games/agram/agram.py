"""Agram: a game of tricks for two to five, in which only the last trick counts.

Thirty-five cards, the threes to the aces of four suits without the ace of spades, are dealt
six to each. Who can must follow the suit that was led; the highest card of that suit takes
the trick and leads to the next. Whoever takes the sixth has won. A move is a card: `TH` is
the ten of hearts.

Hands are hidden: a view has one's own alone. `imagine` deals the cards one does not see to
the others, which is all that bots need to play by views.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.sdk import (
    NOBODY,
    OVER,
    BadNotation,
    BadPosition,
    Chance,
    Forfeit,
    Forfeited,
    Heaps,
    IllegalMove,
    Outcome,
    Piece,
    Pile,
    Seat,
    Showing,
    Step,
    View,
    alone,
    cap,
    game_over,
    not_your_turn,
)

RANKS: Final = "3456789TA"  # from low to high
RANK_NAMES: Final = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "ace")
SUITS: Final = {"C": "♣ clubs", "D": "♦ diamonds", "H": "♥ hearts", "S": "♠ spades"}
DECK: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS if rank + suit != "AS")
CARDS: Final = {  # as people see and hear them: 10♥, the ten of hearts
    rank + suit: Piece(
        name=f"{RANK_NAMES[RANKS.index(rank)]} of {SUITS[suit][2:]}",
        glyph=f"{'10' if rank == 'T' else rank}{SUITS[suit][0]}",
        shape="text",
    )
    for rank, suit in DECK
}
TYPED: Final = str.maketrans({symbol[0]: suit for suit, symbol in SUITS.items()})
HAND: Final = 6
NAMES: Final = ("north", "east", "south", "west", "middle")
ICON: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<g fill="#fff" stroke="#555"><rect x="4" y="9" width="18" height="26" rx="3"/>
<rect x="18" y="5" width="18" height="26" rx="3"/></g>
<path d="M27 24 l-5 -6 a3 3 0 0 1 5 -4 a3 3 0 0 1 5 4 z" fill="#d8412f"/></svg>"""


class State(Struct, frozen=True):
    """Everyone's cards, what lies on the table, and whose turn it is."""

    hands: tuple[tuple[str, ...], ...]
    turn: Seat = Seat(0)
    trick: tuple[tuple[Seat, str], ...] = ()  # who laid what, the one who led first
    seen: tuple[str, ...] = ()  # the cards of the tricks before
    taken: Seat | None = None  # who took the last of them
    out: tuple[Forfeited, ...] = ()  # who is out, in that order

    @property
    def still_in(self) -> list[Seat]:
        """The seats that play on."""
        gone = {one.seat for one in self.out}
        return [Seat(n) for n in range(len(self.hands)) if n not in gone]


class AgramView(View, frozen=True):
    """One's own hand, and what everybody sees."""

    hand: tuple[str, ...] | None  # who only watches has none
    counts: tuple[int, ...]  # of cards that each seat has
    trick: tuple[str, ...]  # in the order they were laid
    laid: tuple[int, ...]  # by whom
    seen: tuple[str, ...]
    taken: int | None
    out: tuple[Forfeited, ...]
    turn: Seat | None


class Agram(Struct, frozen=True):
    """Follow suit, and take the last trick: nothing else counts."""

    name: ClassVar = "agram"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 6)
    can_draw: ClassVar = False
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    shown: ClassVar = Showing(
        icon=ICON,
        board=Heaps(
            (
                Pile("counts", label="{seat}", thing="card"),
                Pile("trick", label="On the table", pieces=CARDS),
                Pile("hand", label="Your hand", click="{item}", pieces=CARDS),
            )
        ),
        notes={"Cards of earlier tricks": "seen"},
    )

    def seat_name(self, seat: Seat) -> str:
        """`north`, `east`, `south`, `west` or `middle`."""
        return NAMES[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """Deal six to each."""
        cards = chance.shuffled(DECK)
        return State(tuple(_sorted(cards[n * HAND : (n + 1) * HAND]) for n in range(seats)))

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if self.outcome(state) is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """Around the table, from whoever took the last trick."""
        return alone(state.turn) if self.outcome(state) is None else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[str]:
        """Cards of the suit that was led, or any."""
        if seat not in self.to_act(state):
            return ()
        led = state.trick[0][1][1] if state.trick else ""
        return tuple(card for card in state.hands[seat] if card[1] == led) or state.hands[seat]

    def play(self, state: State, seat: Seat, move: str) -> Step[State]:
        """Lay a card; the last of a trick decides who takes it."""
        if self.outcome(state) is not None:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        if move not in state.hands[seat]:
            raise IllegalMove("not_held", f"You do not have {move}.")
        if move not in self.legal_moves(state, seat):
            raise IllegalMove("must_follow", f"{state.trick[0][1]} was led: follow suit.")
        hands = list(state.hands)
        hands[seat] = tuple(card for card in hands[seat] if card != move)
        trick = (*state.trick, (seat, move))
        return Step(_passed_on(replace(state, hands=tuple(hands), trick=trick)))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The seat is out; what it laid lies on, and takes nothing."""
        if self.outcome(state) is not None or seat not in state.still_in:
            raise game_over()
        after = replace(state, out=(*state.out, Forfeited(seat, why)))
        return Step(_passed_on(after) if len(after.still_in) > 1 else after)

    def outcome(self, state: State) -> Outcome | None:
        """Who took the last trick, or is alone; who is out comes last."""
        left = state.still_in
        if len(left) > 1 and (state.trick or any(state.hands[seat] for seat in left)):
            return None
        winner = left[0] if len(left) == 1 or state.taken is None else state.taken
        others = [seat for seat in left if seat != winner]
        order = [[winner], others, *([one.seat] for one in reversed(state.out))]
        places = [0] * len(state.hands)
        for n, group in enumerate(order):
            for seat in group:
                places[seat] = 1 + sum(map(len, order[:n]))
        if len(left) == 1:
            last = state.out[-1]
            return Outcome(tuple(places), last.why, last.sentence(NAMES[last.seat]))
        sentence = f"{cap(NAMES[winner])} took the last trick."
        return Outcome(tuple(places), "last_trick", sentence)

    def view(self, state: State, viewer: Seat | None) -> AgramView:
        """The table, and the viewer's own hand."""
        return AgramView(
            None if viewer is None else state.hands[viewer],
            tuple(map(len, state.hands)),
            tuple(card for _, card in state.trick),
            tuple(seat for seat, _ in state.trick),
            state.seen,
            state.taken,
            state.out,
            state.turn if self.outcome(state) is None else None,
        )

    def imagine(self, view: AgramView, seat: Seat, chance: Chance) -> State:
        """Deal to the others what one does not see."""
        hand = view.hand or ()
        known = {*hand, *view.trick, *view.seen}
        cards = chance.shuffled([card for card in DECK if card not in known])
        if len(hand) != view.counts[seat] or sum(view.counts) > len(cards) + len(hand):
            raise BadPosition("These hands cannot be dealt.")
        hands = []
        for n, count in enumerate(view.counts):
            hands.append(hand if n == seat else _sorted(cards[:count]))
            cards = cards if n == seat else cards[count:]
        trick = tuple((Seat(n), card) for n, card in zip(view.laid, view.trick, strict=True))
        taken = None if view.taken is None else Seat(view.taken)
        return State(tuple(hands), view.turn or Seat(0), trick, view.seen, taken, view.out)

    def parse_move(self, text: str) -> str:
        """A card, like `TH`; `10♥` as it is shown means the same."""
        card = text.upper().replace("10", "T").translate(TYPED)
        if card not in DECK:
            raise BadNotation(f"A card is a rank and a suit, like TH, and {text[:20]!r} is not.")
        return card

    def format_move(self, move: str) -> str:
        """A card, like `TH`."""
        return move


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=DECK.index))


def _passed_on(state: State) -> State:
    """It is the next one's turn; where all have laid a card, the trick is taken first."""
    start = state.trick[0][0] if state.trick else state.turn
    seats = len(state.hands)
    around = sorted(state.still_in, key=lambda seat: (seat - start) % seats)
    laid = dict(state.trick)
    waiting = [seat for seat in around if seat not in laid]
    if waiting:
        return replace(state, turn=waiting[0])
    led = laid[start][1]
    taken = max(around, key=lambda seat: (laid[seat][1] == led, RANKS.index(laid[seat][0])))
    seen = (*state.seen, *laid.values())
    return replace(state, turn=taken, trick=(), seen=seen, taken=taken)
