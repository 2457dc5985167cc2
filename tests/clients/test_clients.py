"""Every client of a wire language: bytes may be cut anywhere, and none of them breaks it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.clients.blackwhite import BlackwhiteClient, Moved, Refused, Turn
from rookery.clients.bughouse import BughouseClient
from rookery.clients.bughouse.boards import Boards
from rookery.clients.fish import FishClient
from rookery.clients.fishcom import FishcomClient
from rookery.clients.lines import Lines
from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import Greeting
from rookery.clients.othello import OthelloClient
from rookery.clients.tourney import TourneyClient
from rookery.core.ids import PlayerId, Seat
from rookery.core.intents import ListGames
from rookery.core.messages import Refused as No
from rookery.dialects import DIALECTS
from rookery.games.bughouse import Bughouse
from tests.dialects.by_heart import BY_HEART


class Hears(Protocol):
    """What all clients have in common."""

    def hear(self, came: bytes) -> Iterator[object]:
        """What these bytes tell."""
        ...


CLIENTS: Final[Mapping[str, Callable[[], Hears]]] = {
    "native": NativeClient,
    "othello": OthelloClient,
    "blackwhite": lambda: BlackwhiteClient("ann"),
    "bughouse": BughouseClient,
    "fish": lambda: FishClient("ann"),
    "fishcom": FishcomClient,
    "tourney": lambda: TourneyClient("ann"),
}

WORDS: Final = b"\r\n".join(
    (
        b"11",
        b"4" + b"0" * 64 + b"1",
        b"ASSIGN [BLACK]",
        b"PLAYBLACK [5,6] & REVERSETOBLACK [5,5]",
        b"TURN [ann]",
        b"BROADCAST:NEW_GAME:2\t1",
        b"BROADCAST:MOVE:1\t4\t1\t4\t3",
        b"@GAME:START:A:Bob",
        b"@GAME:STATE:1,2,3,4",
        b"@PING",
        b'{"type":"AssignColor","color":"red","turn":0,"penguinCount":4}',
        b'{"type":"notice","code":"closing","sentence":"Soon."}',
        b"\xff\xfe\x00:\xff",
        b"",
    )
)
# No line ends, and no numbers alone, of which nobody can say where they end.
CALLS: Final = (
    '["start",[true]]["playing-as",["white"]]["playing-with",[["red"]]]["é"]["end",[true]]'
)


def test_every_dialect_that_is_known_by_heart_has_a_client() -> None:
    assert BY_HEART <= set(CLIENTS) <= set(DIALECTS)


@pytest.mark.parametrize("dialect", CLIENTS)
def test_bytes_one_at_a_time_tell_the_same_as_all_at_once(dialect: str) -> None:
    said = CALLS.encode() if dialect == "fishcom" else WORDS
    whole, slow = CLIENTS[dialect](), CLIENTS[dialect]()
    pieces = [told for at in range(len(said)) for told in slow.hear(said[at : at + 1])]
    assert pieces
    assert list(whole.hear(said)) == pieces


@pytest.mark.parametrize("dialect", CLIENTS)
@given(lines=st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(WORDS.split(b"\r\n")))))
def test_no_bytes_break_a_client(dialect: str, lines: list[bytes]) -> None:
    client = CLIENTS[dialect]()
    list(client.hear(b"\n".join(lines)))


def test_blackwhite_a_move_is_told_whole_when_something_else_comes() -> None:
    client = BlackwhiteClient("ann")
    assert list(client.hear(b"PLAYBLACK [5,6]\nREVERSETOBLACK [5,5]\n")) == []
    assert list(client.hear(b"TURN [ann]\n")) == [Moved((5, 6), ((5, 5),)), Turn("ann")]
    assert client.mine
    assert list(client.hear(b"PLAYWHITE [INVALID]\n")) == [Refused()]


def test_bughouse_asks_one_thing_at_a_time_and_then_the_next() -> None:
    client = BughouseClient()
    assert client.ask("ADD_PLAYER", "ann") == b"ADD_PLAYER:ann\n"
    assert [client.ask("GET_GAMES"), client.ask("CREATE_GAME", 1)] == [b"", b""]
    assert list(client.hear(b"1\n"))[-1] == b"GET_GAMES:\n"
    assert list(client.hear(b"\n"))[-1] == b"CREATE_GAME:1\n"


def test_native_an_answer_goes_with_what_was_asked_and_a_greeted_player_comes_back() -> None:
    client = NativeClient("ann")
    hello, games = client.hello(), ListGames()
    assert client.ask(hello) + client.ask(games) == (
        b'{"type":"hello","version":1,"name":"ann","player":null,"token":null,"views":true}\n'
        b'{"type":"list_games"}\n'
    )
    answers = (
        b'{"type":"hello","version":1,"player":3,"token":"t"}\n'
        b'{"type":"refused","code":"no","sentence":"No."}\n'
    )
    assert list(client.hear(answers)) == [
        Answered(hello, Greeting(PlayerId(3), "t")),
        Answered(games, No("no", "No.")),
    ]
    assert (client.hello().player, client.hello().token) == (3, "t")


@pytest.mark.parametrize("size", [8, 9])
def test_a_line_without_an_end_is_given_up_at_the_limit(size: int) -> None:
    lines = Lines(8)
    lines.feed(b"x" * size)
    assert lines.feed(b"\nnext\n") == ([b"x" * 8, b"next"] if size == 8 else [])


def test_what_bughouse_drops_has_its_players_colour_though_a_move_before_was_left_out() -> None:
    boards = Boards()
    boards.numbers = (1, 2)
    boards.sit(1, white=11, black=14)
    boards.sit(2, white=13, black=12)
    boards.move(1, chess.E2, chess.E4)  # black's answer is told later, where its piece came to
    for player, at in ((11, chess.A5), (12, chess.A6)):
        boards.hand(player).append("P")
        boards.put(1, player, 0, at)
    state = boards.state()
    assert state is not None
    first, _ = Bughouse().view(state, Seat(0)).fens
    assert first.startswith("rnbqkbnr/pppppppp/p7/P7/4P3/8/PPPP1PPP/RNBQKBNR[]")


def test_who_comes_back_to_no_match_in_tourney_is_in_none() -> None:
    """Its result was said while nobody heard; a match that goes on would be said again."""
    client = TourneyClient("ann")
    list(client.hear(b"@PID:2\n@GAME:START:H:Bob\n@GAME:STATE:0,2,2,3\n"))
    assert client.mine
    client.begin()
    list(client.hear(b"@PID:2\n"))
    assert (client.seat, client.mine) == (None, False)
    list(client.hear(b"@GAME:START:H:Bob\n@GAME:STATE:1,2,2,3\n"))
    assert client.seat is not None
