"""The dialect fish: what transcripts show badly."""

from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, Gather, Play, Rename, Show, TakeUp
from rookery.core.messages import Done, Notice, Refused, Welcome
from rookery.core.policy import Errors, Gone, Policy
from rookery.dialects import begin, read_options
from rookery.dialects.base import Dialect
from rookery.dialects.fish import FishOptions
from rookery.dialects.fish import profile as fish_limits
from rookery.dialects.fish.wire import ids_of
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from tests.transcripts.wired_hall import WiredHall

JOIN = b'{"type":"joinGame","age":8,"id":"ann"}\n'
PLACE = b'{"type":"PlaceAvatar","x":0,"y":0}\n'
ANN = PlayerId(7)
NO = Refused("no", "No.")


def alone() -> Dialect:
    """A connection whose hall is the test."""
    return begin("fish", Numbers(PlayerRegistry()))


def error(sentence: str) -> bytes:
    return b'{"type":"Error","message":"%b"}\n' % sentence.encode()


def game() -> WiredHall:
    """Ann and Bob at a table, who are red and white."""
    hall = WiredHall()
    hall.options["fish"] = FishOptions(players=2, rows=4, cols=2, fish=2)
    for who, age in (("ann", 1), ("bob", 2)):
        hall.connect(who, "fish")
        hall.send(who, b'{"type":"joinGame","age":%d,"id":"%b"}\n' % (age, who.encode()))
    hall.take("ann"), hall.take("bob")
    return hall


# -- what can be set


def test_a_join_asks_the_hall_for_what_the_page_says() -> None:
    policy = Policy(gone=Gone.HOLD, grace=60 * MICROS_A_SECOND, errors=Errors(limit=1))
    wish = Gather("fish", 2, 4, 15 * MICROS_A_SECOND, 8, "10s/move first 30s", policy)
    wish = replace(wish, unique=True, player=ANN)
    assert FishOptions().gather(8, ANN) == wish


def test_a_settings_file_can_change_all_of_it() -> None:
    given = {
        "players": "3", "wait": 5, "time": "1m", "grace": 10, "rows": 5, "cols": 5, "fish": 2,
        "holes": 1,
    }  # fmt: skip
    options = read_options("fish", given)
    assert isinstance(options, FishOptions)
    wish = options.gather(8, ANN)
    assert (wish.variant, wish.most, wish.wait, wish.time, wish.policy.grace) == (
        "fish rows=5 cols=5 fish=2 holes=1", 3, 5 * MICROS_A_SECOND, "1m", 10 * MICROS_A_SECOND,
    )  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {"players": 1},
        {"players": 5},
        {"wait": -1},
        {"wait": 3601},
        {"grace": -1},
        {"time": "none"},
        {"rows": 41},
        {"rows": 2, "cols": 4},  # eight tiles, and three players need nine
        {"fish": 6},
        {"holes": 60},
        {"age": 8},
    ],
)
def test_nonsense_is_refused_with_a_sentence(given: dict[str, object]) -> None:
    with pytest.raises(BadOption, match=r"\.$"):
        read_options("fish", given)


def test_a_clock_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(BadTimeControl):
        FishOptions(time="soon")


def test_two_need_less_ice_than_four() -> None:
    assert FishOptions(players=2, rows=2, cols=4).gather(8, ANN).variant == "fish rows=2"


# -- joining


def converse(dialect: Dialect, *replies: Welcome | Done | Refused) -> list[AnyIntent]:
    """What one joinGame asks the hall, which replies so."""
    asked = list(dialect.receive(JOIN, 0))
    for reply in replies:
        asked += dialect.tell(reply)
    return asked


def test_a_join_looks_for_a_lost_seat_then_is_somebody_then_waits() -> None:
    asked = converse(alone(), NO, Welcome(ANN, "ann", "secret"), Done())
    assert asked == [TakeUp("ann"), Enter("ann", "fish"), FishOptions().gather(8, ANN)]


def test_a_token_is_never_sent() -> None:
    dialect = alone()
    converse(dialect, NO, Welcome(ANN, "ann", "secret"), Done())
    assert b"secret" not in dialect.drain()


def test_a_lost_seat_that_is_gone_when_one_looks_is_no_seat() -> None:
    asked = converse(alone(), Welcome(ANN, "ann", "", (TableId(3),)), NO, Done())
    assert asked == [TakeUp("ann"), Show(TableId(3), player=ANN), FishOptions().gather(8, ANN)]


def test_who_tries_again_under_another_id_stays_one_player() -> None:
    dialect = alone()
    converse(dialect, NO, Welcome(ANN, "ann", ""), Refused("name_taken", "Taken."))
    assert dialect.drain() == error("Taken.")
    asked = list(dialect.receive(JOIN.replace(b"ann", b"eve"), 0))
    for reply in (NO, Done(), Done()):
        asked += dialect.tell(reply)
    assert asked == [TakeUp("eve"), Rename("eve", player=ANN), FishOptions().gather(8, ANN)]


def test_who_tries_again_under_the_same_id_is_the_same_player() -> None:
    dialect = alone()
    converse(dialect, NO, Welcome(ANN, "ann", ""), NO)
    assert converse(dialect, NO, Done()) == [TakeUp("ann"), FishOptions().gather(8, ANN)]


def test_lines_wait_while_a_join_is_before_the_hall_up_to_a_bound() -> None:
    dialect = alone()
    asked = list(dialect.receive(JOIN + PLACE * fish_limits.WAITING_MAX, 0))
    assert (asked, dialect.drain()) == ([TakeUp("ann")], b"")
    for reply in (NO, Welcome(ANN, "ann", ""), Done()):
        dialect.tell(reply)
    errors = dialect.drain().splitlines(keepends=True)
    assert errors == [error("Nobody asked you for that.")] * fish_limits.WAITING_MAX
    assert not dialect.closing


def test_one_line_more_is_too_many() -> None:
    dialect = alone()
    dialect.receive(JOIN + PLACE * (fish_limits.WAITING_MAX + 1) + PLACE, 0)
    early = dialect.closing
    dialect.tell(NO)
    dialect.tell(NO)
    said = dialect.drain().splitlines(keepends=True)
    assert said[0] == error("No.")
    assert said[-1] == error(
        f"At most {fish_limits.WAITING_MAX} lines wait for the answer to joinGame."
    )
    assert len(said) == fish_limits.WAITING_MAX + 2
    assert (early, dialect.closing) == (False, True)
    assert list(dialect.receive(PLACE, 0)) == []


def test_a_line_has_its_bound() -> None:
    dialect = alone()
    dialect.receive(b" " * (fish_limits.LINE_MAX - 2) + b"{}\n", 0)
    assert not dialect.closing
    dialect.receive(b" " * (fish_limits.LINE_MAX - 1) + b"{}\n", 0)
    assert dialect.closing


# -- playing


def test_on_the_classic_ice_are_30_ones_20_twos_and_10_threes() -> None:
    hall = WiredHall()
    for who in ("ann", "bob", "cyd", "dan"):
        hall.connect(who, "fish")
        hall.send(who, b'{"type":"joinGame","age":8,"id":"%b"}\n' % who.encode())
    board = msgspec.json.decode(hall.take("dan").splitlines()[0])["state"]["board"]
    assert [len(board), *{len(row) for row in board}] == [15, 4]
    fish = [number for row in board for number in row]
    assert [fish.count(number) for number in range(5)] == [0, 30, 20, 10, 0]


def test_what_comes_after_the_answer_is_asked_for_by_nobody() -> None:
    hall = game()
    assert hall.send("ann", PLACE + PLACE) == [Play(TableId(1), "0,0", player=PlayerId(1))]
    said = hall.take("ann").splitlines(keepends=True)
    assert said.count(error("Nobody asked you for that.")) == 1
    assert b'"id":"ann","color":"red","score":0,"places":[[0,0]]' in said[-1]


@pytest.mark.parametrize("code", ["not_your_turn", "over"])
def test_an_answer_that_crossed_its_own_end_is_an_error(code: str) -> None:
    assert _judged(code) == error("That came too late.")


@pytest.mark.parametrize("code", ["unreadable", "taken", "off_board", "no_line", "wrong_phase"])
def test_an_answer_that_costs_the_game_gets_no_answer(code: str) -> None:
    assert _judged(code) == b""


def _judged(code: str) -> bytes:
    """What Ann hears at once when the hall refuses her placement with this code."""
    hall = game()
    ann = hall.lines["ann"].dialect
    assert ann.receive(PLACE, 0)
    ann.tell(Refused(code, "No.", TableId(1)))
    return ann.drain()


def test_notices_have_no_word_in_this_dialect() -> None:
    dialect = alone()
    assert list(dialect.tell(Notice("closing", "The server goes down."))) == []
    assert dialect.drain() == b""


@pytest.mark.parametrize(
    ("names", "seat", "ids"),
    [
        (("ann", "bob"), 0, ("ann", "bob")),
        (("Dan", "Dan", "ann"), 2, ("Dan", "Dan (2)", "ann")),
        (("Dan", "Dan", "Dan", "Dan (2)"), 3, ("Dan", "Dan (3)", "Dan (4)", "Dan (2)")),
        (("x" * 40, "x" * 40), 0, ("x" * 40, "x" * 36 + " (2)")),
        (("ann", "ann"), 1, ("ann (2)", "ann")),
    ],
)
def test_players_who_share_a_name_are_told_apart_and_one_keeps_its_own(
    names: tuple[str, ...], seat: int, ids: tuple[str, ...]
) -> None:
    assert ids_of(names, Seat(seat), names[seat]) == ids


def test_an_id_with_a_code_behind_it_is_kept_where_it_was_said() -> None:
    assert ids_of(("bob", "ann"), Seat(1), "ann#CLASS") == ("bob", "ann#CLASS")
    assert ids_of(("bob", "ann"), Seat(0), "bob") == ("bob", "ann")


def test_an_id_may_have_any_characters_that_can_be_printed() -> None:
    hall = WiredHall()
    hall.options["fish"] = FishOptions(players=2)
    names: Sequence[str] = ('Zoë "☃"\\', "名前 </script>")
    for n, name in enumerate(names):
        hall.connect(str(n), "fish")
        wish = {"type": "joinGame", "age": n, "id": name}
        hall.send(str(n), msgspec.json.encode(wish) + b"\n")
    state = msgspec.json.decode(hall.take("1").splitlines()[0])["state"]
    assert [player["id"] for player in state["players"]] == list(names)


def test_nothing_comes_before_the_first_message_of_the_seed() -> None:
    hall = WiredHall()
    hall.connect("ann", "fish")
    hall.send("ann", JOIN)
    assert hall.take("ann") == b""
