"""Laws of playing: turns, legal moves, refusals and the end.

`legal_moves` and `play` are two accounts of the same rules, and are held against each
other from both sides: what is listed is accepted, what is not listed is refused.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from rookery.core.errors import GAME_OVER, NOT_YOUR_TURN, IllegalMove
from rookery.core.game import OVER
from rookery.core.ids import Seat
from rookery.testing.cases import GameCase, PositionOf, is_sentence, spread
from rookery.testing.law import Broken, Law


class WholeGame(Struct, frozen=True):
    """A game as far as it went; no part of it would show the same."""

    spot: PositionOf

    def told(self) -> Iterator[tuple[str, str]]:
        """As its last position."""
        return self.spot.told()


def a_random_game_ends_in_time(case: GameCase, whole: WholeGame) -> None:
    """After moves by chance there is an outcome."""
    state = whole.spot.state
    if case.game.outcome(state) is not None:
        return
    acting = case.acting(state)
    if whole.spot.at > case.longest:
        raise Broken(f"an outcome within {case.longest} moves", "none yet, and moves to play")
    for seat in acting:
        for move in case.legal(state, seat):
            case.game.play(state, seat, move)
    raise Broken("an outcome, or somebody with a move", f"to act is {acting}, without moves")


def the_same_moves_play_the_same_game(case: GameCase, whole: WholeGame) -> None:
    """Played again by the same seed."""
    if case.walk(whole.spot.walk.seed) != whole.spot.walk:
        raise Broken("the same game from the same seed", "another one")


def playing_does_not_change_the_state_it_is_given(case: GameCase, spot: PositionOf) -> None:
    """Nor do two plays of a move differ."""
    for seat in case.acting(spot.state):
        before = repr(spot.state)
        for move in spread(case.legal(spot.state, seat), 3):
            case.game.play(spot.state, seat, move)
            if repr(spot.state) != before:
                raise Broken(f"still {before}", f"{spot.state!r} after {case.written(move)}")


def somebody_is_to_act_exactly_until_there_is_an_outcome(case: GameCase, spot: PositionOf) -> None:
    """Two accounts of whether it goes on."""
    acting, outcome = case.game.to_act(spot.state), case.game.outcome(spot.state)
    if bool(acting) != (outcome is None):
        raise Broken("somebody to act or an outcome, one of them", f"{acting} and {outcome}")


def the_phase_is_over_exactly_when_there_is_an_outcome(case: GameCase, spot: PositionOf) -> None:
    """A third account of it."""
    phase, outcome = case.game.phase(spot.state), case.game.outcome(spot.state)
    if (phase == OVER) != (outcome is not None):
        raise Broken(f"{OVER!r} with an outcome and not before", f"{phase!r} and {outcome}")


def a_game_names_every_phase_it_is_in(case: GameCase, spot: PositionOf) -> None:
    """In `phases`."""
    phase = case.game.phase(spot.state)
    if phase not in (*case.game.phases, OVER):
        raise Broken(f"one of {(*case.game.phases, OVER)}", repr(phase))


def only_seats_of_the_table_are_to_act(case: GameCase, spot: PositionOf) -> None:
    """And they come in a frozenset."""
    acting = case.game.to_act(spot.state)
    if not acting <= set(case.all_seats):
        raise Broken(f"some of {case.all_seats}", acting)


def somebody_to_act_has_a_move(case: GameCase, spot: PositionOf) -> None:
    """Or nobody is to act."""
    acting = case.acting(spot.state)
    if acting and not any(case.legal(spot.state, seat) for seat in acting):
        raise Broken("a legal move for one of those to act", f"{acting} to act, and no move")


def legal_moves_come_once_each_and_always_in_the_same_order(
    case: GameCase, spot: PositionOf
) -> None:
    """Asked twice."""
    for seat in case.acting(spot.state):
        moves = case.legal(spot.state, seat)
        again = case.legal(spot.state, seat)
        if moves != again:
            raise Broken(f"{moves} again", again)
        if len(set(moves)) != len(moves):
            raise Broken("every move once", moves)


def every_legal_move_is_accepted(case: GameCase, spot: PositionOf) -> None:
    """By `play`, from the seat that it is listed for."""
    for seat in case.acting(spot.state):
        for move in spread(case.legal(spot.state, seat), case.effort.moves):
            try:
                case.game.play(spot.state, seat, move)
            except IllegalMove as refused:
                said = f"legal_moves lists {case.written(move)} for {case.seat_word(seat)}"
                raise Broken(f"that it is played, for {said}", f"play said: {refused}") from refused


def a_move_that_is_not_legal_here_is_refused(case: GameCase, spot: PositionOf) -> None:
    """With a code and a sentence."""
    for seat in case.acting(spot.state):
        moves = set(case.legal(spot.state, seat))
        for move in case.some_moves:
            if move not in moves:
                refused = refusal(case, spot.state, seat, move)
                if not refused.code.isidentifier():
                    raise Broken("a code that is one word", repr(refused.code))
                if not is_sentence(str(refused)):
                    raise Broken(f"a sentence why {case.written(move)} is no", repr(str(refused)))


def a_refused_move_changes_nothing(case: GameCase, spot: PositionOf) -> None:
    """Neither the state nor what may be played in it."""
    before = repr(spot.state)
    for seat in case.acting(spot.state):
        moves = case.legal(spot.state, seat)
        wrong = [move for move in case.some_moves if move not in set(moves)]
        for move in spread(wrong, 5):
            refusal(case, spot.state, seat, move)
        if case.legal(spot.state, seat) != moves:
            raise Broken(f"the same moves {moves}", case.legal(spot.state, seat))
    if repr(spot.state) != before:
        raise Broken(f"still {before}", repr(spot.state))


def a_seat_that_is_not_to_act_has_no_moves_and_is_told_so(case: GameCase, spot: PositionOf) -> None:
    """By the one code that all games share."""
    acting = case.game.to_act(spot.state)
    if not acting:
        return
    for seat in sorted(set(case.all_seats) - acting):
        if case.legal(spot.state, seat):
            raise Broken(f"no moves for {case.seat_word(seat)}", case.legal(spot.state, seat))
        for move in spread(case.some_moves, 5):
            refused = refusal(case, spot.state, seat, move)
            if refused.code != NOT_YOUR_TURN:
                raise Broken(f"the code {NOT_YOUR_TURN!r}", f"{refused.code!r}")


def nothing_is_played_after_the_end(case: GameCase, spot: PositionOf) -> None:
    """By any seat, and the code says why."""
    if case.game.outcome(spot.state) is None:
        return
    for seat in case.all_seats:
        if case.legal(spot.state, seat):
            raise Broken("no moves after the end", case.legal(spot.state, seat))
        for move in spread(case.some_moves, 5):
            refused = refusal(case, spot.state, seat, move)
            if refused.code != GAME_OVER:
                raise Broken(f"the code {GAME_OVER!r}", f"{refused.code!r}")


def refusal(case: GameCase, state: Any, seat: Seat, move: Any) -> IllegalMove:
    """How the rules refuse this move. Raises Broken where they do not."""
    try:
        case.game.play(state, seat, move)
    except IllegalMove as refused:
        return refused
    raise Broken(
        f"that {case.written(move)} is refused from {case.seat_word(seat)}",
        "it was played, and legal_moves does not list it",
    )


def spots(case: GameCase) -> tuple[PositionOf, ...]:
    """A spread of positions, ends included."""
    return case.spots


def every_spot(case: GameCase) -> Iterator[PositionOf]:
    """All positions of all games: for what costs nothing to ask."""
    return (PositionOf(case, one, at) for one in case.walks for at in range(len(one.plies) + 1))


def ends(case: GameCase) -> Iterator[PositionOf]:
    """Where each game ended."""
    return (PositionOf(case, one, len(one.plies)) for one in case.ended)


def _games(case: GameCase) -> Iterator[WholeGame]:
    return (WholeGame(PositionOf(case, one, len(one.plies))) for one in case.walks)


def _few_games(case: GameCase) -> Iterator[WholeGame]:
    return islice(_games(case), 2)


_OVER = the_phase_is_over_exactly_when_there_is_an_outcome
_TURN = a_seat_that_is_not_to_act_has_no_moves_and_is_told_so
_ORDER = legal_moves_come_once_each_and_always_in_the_same_order

LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law("A random game ends in time.", _games, a_random_game_ends_in_time, "game"),
    Law(
        "The same moves play the same game.", _few_games, the_same_moves_play_the_same_game, "game"
    ),
    Law(
        "Playing does not change the state it is given.",
        spots,
        playing_does_not_change_the_state_it_is_given,
    ),
    Law(
        "Somebody is to act exactly until there is an outcome.",
        every_spot,
        somebody_is_to_act_exactly_until_there_is_an_outcome,
    ),
    Law("The phase is over exactly when there is an outcome.", every_spot, _OVER),
    Law("A game names every phase it is in.", spots, a_game_names_every_phase_it_is_in),
    Law("Only seats of the table are to act.", spots, only_seats_of_the_table_are_to_act),
    Law("Somebody to act has a move.", spots, somebody_to_act_has_a_move),
    Law("Legal moves come once each and always in the same order.", spots, _ORDER),
    Law("Every legal move is accepted.", spots, every_legal_move_is_accepted),
    Law(
        "A move that is not legal here is refused with a code and a sentence.",
        spots,
        a_move_that_is_not_legal_here_is_refused,
    ),
    Law("A refused move changes nothing.", spots, a_refused_move_changes_nothing),
    Law("A seat that is not to act has no moves and is told so.", spots, _TURN),
    Law("Nothing is played after the end.", ends, nothing_is_played_after_the_end),
)
