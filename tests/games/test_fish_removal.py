"""Fish when players are removed: what goes, what stays, who plays on, who wins."""

import pytest

from rookery.core.errors import IllegalMove
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import Seat
from rookery.games.fish import Fish, Removed, Skipped
from rookery.games.fish.state import State
from tests.games.fish_pictures import BLACK, BROWN, RED, WHITE, drawn, play, refused, written

ICE = """
1 2 3
 1 2 3
1 2 3
 1 2 3
1 2 3
 1 2 3
1 2 3
 1 2 3
"""
MOVING = "red:5@0,0@0,2 white:6@2,0@2,2 brown:0@4,0@4,2 black:9@6,0@6,2"


def remove(game: Fish, state: State, *seats: Seat) -> State:
    """The state after these seats are gone, one after the other."""
    for seat in seats:
        state = game.forfeit(state, seat, Forfeit.GONE).state
    return state


def play_out(game: Fish, state: State) -> Outcome:
    """How it ends if everyone takes the first move there is."""
    while state.turn is not None:
        state = game.play(state, state.turn, next(iter(game.legal_moves(state, state.turn)))).state
    outcome = game.outcome(state)
    assert outcome is not None, "nobody is on turn"
    return outcome


def test_the_penguins_of_a_removed_player_vanish_and_its_fish_are_lost() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    after = remove(game, state, BLACK)
    assert written(game, after) == "red:5@0,0@0,2 white:6@2,0@2,2 brown:0@4,0@4,2 black:out red"


def test_the_tiles_of_a_removed_player_stay_and_are_free() -> None:
    game, state = drawn(ICE, f"{MOVING} brown")
    after = remove(game, state, BLACK)
    assert after.fish == state.fish
    assert refused(game, state, "4,0-6,0") == "taken"
    assert refused(game, after, "4,0-6,0") == ""


def test_who_is_removed_and_why_is_told() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    step = game.forfeit(state, BLACK, Forfeit.CHEATED)
    assert step.effects == (Removed(BLACK, Forfeit.CHEATED),)


@pytest.mark.parametrize(
    ("turn", "after"), [("red", WHITE), ("white", BROWN), ("brown", BLACK), ("black", RED)]
)
def test_after_the_one_on_turn_is_removed_the_next_in_order_is_on_turn(
    turn: str, after: Seat
) -> None:
    game, state = drawn(ICE, f"{MOVING} {turn}")
    assert state.turn is not None
    assert remove(game, state, state.turn).turn == after


@pytest.mark.parametrize("seat", [RED, WHITE, BLACK])
def test_the_turn_stays_where_it_is_when_another_is_removed(seat: Seat) -> None:
    game, state = drawn(ICE, f"{MOVING} brown")
    assert remove(game, state, seat).turn == BROWN


def test_the_order_of_the_others_is_unchanged() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    state = remove(game, state, WHITE)
    asked = []
    for move in ("0,0-1,0", "4,0-3,0", "6,0-5,0"):
        asked.append(state.turn)
        state = play(game, state, move)
    assert [*asked, state.turn] == [RED, BROWN, BLACK, RED]


# White shuts red in: red has no free neighbour until white is gone.
SHUT = """
1 0 1
 1 0 1
0 0 0
 0 0 0
1 1 1
 0 0 0
0 0 0
 1 1 1
"""
SHUT_SEATS = "red:0@0,0@4,0 white:0@1,0@4,1 brown:0@0,2@4,2 black:0@7,0@7,1 brown"


def test_a_player_who_was_skipped_may_become_free_by_a_removal() -> None:
    game, state = drawn(SHUT, SHUT_SEATS)
    skipped = game.play(state, BROWN, game.parse_move("0,2-1,2"))
    assert skipped.state.turn is None
    freed = play(game, remove(game, state, WHITE), "0,2-1,2")
    assert freed.turn == RED


def test_who_is_passed_over_when_the_one_on_turn_is_removed_is_skipped() -> None:
    game, state = drawn(SHUT, SHUT_SEATS)
    step = game.forfeit(remove(game, state, WHITE), BROWN, Forfeit.LATE)
    assert step.state.turn == RED
    assert step.effects == (Removed(BROWN, Forfeit.LATE), Skipped(BLACK))


def test_the_game_is_over_when_the_only_one_who_could_move_is_removed() -> None:
    game, state = drawn(SHUT, SHUT_SEATS.replace("black:0", "black:4"))
    outcome = game.outcome(remove(game, state, BROWN))
    assert outcome == Outcome((2, 2, 4, 1), "fish", "Black has 4 fish.", (0, 0, 0, 4))


def test_a_lone_survivor_plays_on_until_it_cannot_move() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    state = remove(game, state, WHITE, BLACK, BROWN)
    assert state.turn == RED
    later = play(game, state, "0,0-1,0 1,0-3,0 0,2-1,2")
    assert later.turn == RED
    assert play_out(game, later).places == (1, 2, 2, 2)


def test_all_removed_and_nobody_wins() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    outcome = game.outcome(remove(game, state, BLACK, WHITE, RED, BROWN))
    assert outcome == Outcome(
        (2, 2, 2, 2), "nobody", "Every player was removed, so nobody wins.", (0, 0, 0, 0)
    )
    assert outcome.winners == ()


def test_who_was_removed_is_behind_everyone_who_stayed() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    outcome = play_out(game, remove(game, state, BLACK, WHITE))
    assert (outcome.places[WHITE], outcome.places[BLACK]) == (3, 3)
    assert {outcome.places[RED], outcome.places[BROWN]} <= {1, 2}


def test_nobody_is_removed_twice() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    with pytest.raises(IllegalMove) as caught:
        remove(game, state, BLACK, BLACK)
    assert caught.value.code == "removed"


def test_nobody_is_removed_after_the_end() -> None:
    game, state = drawn(ICE, f"{MOVING} red")
    over = remove(game, state, RED, WHITE, BROWN, BLACK)
    with pytest.raises(IllegalMove) as caught:
        game.forfeit(over, RED, Forfeit.GONE)
    assert caught.value.code == "game_over"


def test_a_removed_player_is_not_asked_to_place_and_the_others_still_place_as_many() -> None:
    game, state = drawn(ICE, "red:0@0,0 white:0@0,1 brown:0 brown")
    state = remove(game, state, WHITE)
    assert written(game, state) == "red:0@0,0 white:out brown:0 brown"
    state = play(game, state, "2,0 0,1 2,1 0,2")
    assert written(game, state) == "red:0@0,0@0,1@0,2 white:out brown:0@2,0@2,1 brown"
    assert game.phase(play(game, state, "2,2")) == "move"


def test_moving_begins_when_the_last_who_had_to_place_is_removed() -> None:
    game, state = drawn(ICE, "red:0@0,0@0,1@0,2 white:0@1,0@1,1@1,2 brown:0@3,0@3,1 brown")
    after = remove(game, state, BROWN)
    assert game.phase(after) == "move"
    assert after.turn == RED


def test_a_lone_survivor_places_its_penguins_too() -> None:
    game, state = drawn(ICE, "red:0 white:0 red")
    state = remove(game, state, RED)
    state = play(game, state, "0,0 0,1 0,2 1,0")
    assert (game.phase(state), state.turn) == ("move", WHITE)
