"""Somebody who plays fish at a terminal: joining, answering when asked, and slips."""

from rookery.cli.by_hand import PERSONS
from rookery.cli.by_hand.person import Who
from rookery.dialects import read_options
from tests.cli.company import Company
from tests.cli.hearing import board, come, heard, shown

SMALL = {"players": 2, "rows": 5, "cols": 2, "fish": 2}
PLACEMENTS = [(name, f"{row},{col}") for row in range(4) for col, name in enumerate(("ann", "bob"))]


def two() -> Company:
    """Ann and Bob on small ice; Ann is the younger."""
    company = Company()
    company.hall.options["fish"] = read_options("fish", dict(SMALL))
    company.come("fish", "ann", "bob")
    return company


def state(phase: str, ann: str, bob: str, first: str = "ann") -> str:
    """A state of two fish a tile, with these penguins."""
    players = {
        "ann": f'{{"id":"ann","color":"red","score":0,"places":{ann}}}',
        "bob": f'{{"id":"bob","color":"white","score":0,"places":{bob}}}',
    }
    acting = [players.pop(first), *players.values()]
    ice = "[[2,2],[2,2],[2,0],[2,2]]"
    inner = f'{{"phase":"{phase}","players":[{",".join(acting)}],"board":{ice}}}'
    return f'{{"type":"SendGameState","state":{inner}}}'


def test_joining_tells_name_and_age() -> None:
    ann = PERSONS["fish"](Who("ann", 8))
    assert ann.begin() == b'{"type":"joinGame","age":8,"id":"ann"}\n'
    assert ann.prompt() == ""
    assert ann.say("0,0") == "You are not asked now."


def test_a_whole_game_is_played_and_its_result_told() -> None:
    company = two()
    assert company.sentences("ann") == [
        "You are red, and place 4 penguins.",
        "It's your turn.",
    ]
    assert company.sentences("bob") == ["You are white, and place 4 penguins."]
    for name, tile in PLACEMENTS:
        company.type(name, tile)
    assert company.people["ann"].prompt() == "Move a penguin, like 3,2-5,2: "
    assert company.board("ann").splitlines() == [
        "     0   1",
        " 0  R2  W2",
        " 1    R2  W2",
        " 2  R2  W2",
        " 3    R2 [W2]",
        " 4  *2  *2",
        "       0   1",
        " R red     0 fish",
        " W white   0 fish",
    ]
    company.type("ann", "3,0-4,1", "2,0-4,0")
    assert company.board("ann").splitlines()[3:6] == [
        " 2 [ .] W2",
        " 3     .  W2",
        " 4 [R2] R2",
    ]
    for name in ("ann", "bob"):
        assert company.sentences(name)[-1] == "ann won. ann has 4 fish. bob has 0 fish."
        assert company.people[name].prompt() == "again, or Ctrl-D: "


def test_after_a_game_one_may_play_again() -> None:
    company = two()
    for name, typed in (*PLACEMENTS, ("ann", "3,0-4,1"), ("ann", "2,0-4,0")):
        company.type(name, typed)
    company.type("ann", "again")
    company.type("bob", "again")
    assert company.sentences("ann")[-1] == "It's your turn."
    assert company.people["ann"].prompt() == "Place a penguin, like 3,2 (row,column): "


def test_a_slip_is_not_sent_unless_it_is_meant() -> None:
    ann = come("fish")
    shown(ann, state("place", "[[0,0]]", "[[0,1]]"), '{"type":"RequestPlacement"}')
    for slip in ("0,1", "2,1", "9,9", "0,0-1,0"):
        assert str(ann.say(slip)).endswith("a ! behind it, it is sent all the same.")
        assert ann.prompt(), "she is asked still"
    assert ann.say("2,1!") == b'{"type":"PlaceAvatar","x":1,"y":2}\n'
    assert ann.prompt() == ""


def test_a_move_must_begin_at_an_own_penguin_and_follow_a_line() -> None:
    ann = come("fish")
    shown(ann, state("move", "[[0,0]]", "[[0,1]]"), '{"type":"RequestMove"}')
    for slip in ("0,1-1,1", "0,0-1,1", "0,0-0,0", "0,0"):
        assert isinstance(ann.say(slip), str), slip
    assert ann.say("0,0-2,0") == b'{"type":"MoveAvatar","fromX":0,"fromY":0,"toX":0,"toY":2}\n'


def test_the_same_state_is_drawn_once() -> None:
    ann = come("fish")
    assert len(heard(ann, *[state("place", "[]", "[]")] * 3)) == 1


def test_reachable_tiles_are_starred_for_who_is_to_move_alone() -> None:
    stands = state("move", "[[0,0]]", "[[0,1]]")
    assert "*" in "".join(board(come("fish", "ann"), stands))
    assert "*" not in "".join(board(come("fish", "bob"), stands))


def test_who_is_removed_is_told_of_and_not_asked_any_more() -> None:
    company = two()
    company.type("ann", "9,9!")
    assert company.sentences("ann")[-1] == "ann was removed."
    assert company.people["ann"].prompt() == ""
    assert company.sentences("bob")[-2:] == ["ann was removed.", "It's your turn."]


def test_the_end_tells_who_was_removed_and_that_nobody_may_win() -> None:
    over = '{"type":"NotifyGameOver","winners":[],"losers":[],"cheaters":["ann","bob"],"scores":{}}'
    assert shown(come("fish"), over) == ["Nobody won.", "Removed: ann, bob."]


def test_where_the_port_says_that_one_waits_it_is_told() -> None:
    assert shown(come("fish"), '{"type":"Waiting","message":"Two are missing."}') == [
        "Two are missing."
    ]


def test_an_error_is_told_and_one_may_try_again() -> None:
    ann = come("fish")
    error = '{"type":"Error","message":"Another player has that id."}'
    assert shown(ann, error) == ["The server says: Another player has that id."]
    assert ann.say("again") == b'{"type":"joinGame","age":30,"id":"ann"}\n'
