"""The native dialect by itself: what transcripts cannot show, and the bounds."""

import json
import tracemalloc

import msgspec
import pytest

from rookery.core.errors import NOT_YOUR_TURN
from rookery.core.events import Played, Started
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import Enter, Play, Reclaim, Say
from rookery.core.messages import Done, Games, Happened, News, Notice, Refused, Scene, Welcome
from rookery.dialects.explain import explain
from rookery.dialects.native import REQUESTS, NativeDialect
from rookery.dialects.native import profile as native_limits
from rookery.dialects.native import speaking as native_module
from rookery.games import GAMES
from rookery.games.guess import Guess, State
from rookery.games.tictactoe import Tictactoe
from rookery.hall.limits import CHAT_MAX
from tests.transcripts.wired_hall import WiredHall

ANN, BOB = PlayerId(1), PlayerId(2)
HOME, AWAY = Seat(0), Seat(1)


@pytest.fixture
def herald(monkeypatch: pytest.MonkeyPatch) -> native_module._Herald:
    """One of a test's own: what others told is not remembered."""
    made = native_module._Herald()  # noqa: SLF001
    monkeypatch.setattr(native_module, "_herald", made)
    return made


def padded(length: int) -> bytes:
    """A ping of just so many bytes, and its end."""
    return b'{"type":"ping"%b}\n' % (b" " * (length - 15))


def guessing(to_act: tuple[Seat, ...] = (HOME,)) -> News:
    """News from a table where Ann has tried 5 and Bob 7."""
    happened = Happened(TableId(1), 7, 0, Played(AWAY, "", 0), to_act=to_act)
    return News(happened, Scene(Guess(), State(6, ((5,), (7,))), (ANN, BOB), None))


def connected(*players: PlayerId) -> NativeDialect:
    """A connection that acts for these, and sees views."""
    native = NativeDialect()
    native.receive(b'{"type":"hello","version":1,"views":true}\n', 0)
    for player in players:
        native.receive(b'{"type":"enter","name":"x"}\n', 0)
        native.tell(Welcome(player, "x", "token"))
    native.drain()
    return native


def tried(native: NativeDialect, news: News) -> list[int]:
    """The guesses that the view in this news shows."""
    native.tell(news)
    view = msgspec.json.decode(native.drain())["view"]
    return [guess["number"] for guess in view["own"]]


def test_who_has_said_hello_and_no_more_takes_little_memory() -> None:
    def greeted() -> NativeDialect:
        native = NativeDialect()
        native.receive(b'{"type":"hello","version":1}\n', 0)
        assert native.drain()
        return native

    greeted()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        idle = [greeted() for _ in range(1_000)]
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert taken < 400 * len(idle)


def test_a_line_of_just_the_limit_is_read() -> None:
    native = NativeDialect()
    native.receive(padded(native_limits.LINE_MAX), 0)
    assert native.drain() == b'{"type":"pong"}\n'
    assert not native.closing


def test_a_line_one_byte_longer_is_refused_and_ends_the_connection() -> None:
    native = NativeDialect()
    native.receive(padded(native_limits.LINE_MAX + 1), 0)
    refused = msgspec.json.decode(native.drain(), type=Refused)
    assert refused == Refused("too_long", "A line has at most 16384 bytes.")
    assert native.closing


def test_the_longest_chat_fits_a_line_even_when_every_letter_is_escaped() -> None:
    longest = Say(TableId(10**18), "🔔" * CHAT_MAX, team=True, player=ANN)
    escaped = json.dumps(msgspec.to_builtins(longest))  # which escapes all it can
    assert len(escaped) < native_limits.LINE_MAX // 2


def test_hello_becomes_enter_or_reclaim() -> None:
    hello = b'{"type":"hello","version":1,'
    assert list(NativeDialect().receive(hello + b'"name":"Ann"}\n', 0)) == [Enter("Ann", "native")]
    asked = NativeDialect().receive(hello + b'"player":7,"token":"secret"}\n', 0)
    assert list(asked) == [Reclaim(PlayerId(7), "secret")]


def test_an_unreadable_move_is_still_a_play_intent() -> None:
    asked = NativeDialect().receive('{"type":"play","table":1,"move":"♞?!"}\n'.encode(), 0)
    assert list(asked) == [Play(TableId(1), "♞?!")]


def test_whoever_enters_is_a_native_player_whatever_they_say() -> None:
    asked = NativeDialect().receive(b'{"type":"enter","name":"Ann","dialect":"fish"}\n', 0)
    assert list(asked) == [Enter("Ann", "native")]


def test_the_view_of_one_seat_is_its_own() -> None:
    assert tried(connected(ANN), guessing()) == [5]
    assert tried(connected(BOB), guessing()) == [7]


def test_who_only_watches_sees_no_seats_secrets() -> None:
    assert tried(connected(), guessing()) == []


def test_of_several_seats_the_view_is_of_the_one_to_act() -> None:
    assert tried(connected(BOB, ANN), guessing(to_act=(HOME,))) == [5]
    assert tried(connected(ANN, BOB), guessing(to_act=(AWAY,))) == [7]


@pytest.mark.parametrize("to_act", [(), (HOME, AWAY)])
def test_of_several_seats_none_or_all_to_act_the_view_is_of_the_first(
    to_act: tuple[Seat, ...],
) -> None:
    assert tried(connected(BOB, ANN), guessing(to_act)) == [5]


def test_who_lost_a_player_to_another_connection_no_longer_sees_its_secrets() -> None:
    native = connected(ANN, BOB)
    native.tell(Notice("taken_over", "Ann is connected elsewhere now.", ANN))
    native.drain()
    assert tried(native, guessing()) == [7]


def test_before_the_start_there_is_nothing_to_see() -> None:
    native = connected(ANN)
    happened = Happened(TableId(1), 5, 0, Started())
    native.tell(News(happened, Scene(Tictactoe(), None, (ANN, BOB), None)))
    assert msgspec.json.decode(native.drain())["view"] is None


def test_the_same_news_is_written_the_same_with_and_without_a_view() -> None:
    plain, viewing, news = NativeDialect(), connected(ANN), guessing()
    plain.tell(news)
    viewing.tell(news)
    without, with_view = msgspec.json.decode(plain.drain()), msgspec.json.decode(viewing.drain())
    assert with_view.pop("view")["type"] == "guess_view"
    assert with_view == without


def test_equal_news_of_two_tables_are_not_mixed_up() -> None:
    native, first = NativeDialect(), guessing()
    second = News(Happened(TableId(2), 7, 0, Played(AWAY, "", 0)), first.scene)
    for news in (first, second, first):
        native.tell(news)
    tables = [msgspec.json.decode(line)["table"] for line in native.drain().splitlines()]
    assert tables == [1, 2, 1]


@pytest.mark.usefixtures("herald")
@pytest.mark.parametrize(("behind", "written"), [(1, 1), (40, 3 * 40)])
def test_news_are_not_put_into_words_for_each_who_looks_on(
    monkeypatch: pytest.MonkeyPatch, behind: int, written: int
) -> None:
    """However far behind all of them are; the first two find that out."""
    scene, told = guessing().scene, list[int]()
    past = [News(Happened(TableId(9), n, 0, Played(AWAY, "", 0)), scene) for n in range(1, 41)]

    def in_words(news: News) -> bytes:
        told.append(news.happened.n)
        return b"%d\n" % news.happened.n

    monkeypatch.setattr(native_module, "_told", in_words)
    for _ in range(100):
        onlooker = NativeDialect()
        for news in past[-behind:]:
            onlooker.tell(news)
        assert onlooker.drain() == b"".join(b"%d\n" % n for n in range(41 - behind, 41))
    assert len(told) <= written


def test_every_game_is_listed() -> None:
    hall = WiredHall()
    hall.connect("ann", "native")
    hall.send("ann", b'{"type":"list_games"}\n')
    listed = msgspec.json.decode(hall.take("ann"), type=Games)
    assert [game.name for game in listed.games] == list(GAMES)


def test_a_reply_of_each_kind_can_be_read_back() -> None:
    native = NativeDialect()
    native.receive(b'{"type":"unwatch","table":1}\n{"type":"unwatch","table":1}\n', 0)
    native.tell(Done(TableId(1), HOME))
    native.tell(Refused(NOT_YOUR_TURN, "It is not your turn.", TableId(1)))
    done, refused = native.drain().splitlines()
    assert msgspec.json.decode(done, type=Done) == Done(TableId(1), HOME)
    assert msgspec.json.decode(refused, type=Refused).code == NOT_YOUR_TURN


def test_it_has_no_time_outs_of_its_own() -> None:
    assert NativeDialect().deadline() is None
    assert list(NativeDialect().tick(0)) == []


def test_an_explanation_it_does_not_know_is_passed_on() -> None:
    strange = msgspec.ValidationError("Something else is wrong - at `$.policy.grace`")
    assert explain(strange, REQUESTS) == (
        "This cannot be read: Something else is wrong in the field policy.grace."
    )


def test_nesting_without_end_is_refused() -> None:
    native = NativeDialect()
    native.receive(b'{"type":"ping","deep":' + b"[" * 9000 + b"\n", 0)
    told = native.drain()
    # Python 3.14 goes as deep as its stack is long, and so comes to the end of the line.
    assert b'"code":"unreadable"' in told
    assert b"nested too deeply" in told or b"ends too early" in told


def test_what_is_nested_deeper_than_python_goes_is_explained() -> None:
    assert explain(RecursionError(), REQUESTS) == "This is nested too deeply to be read."


def test_a_mistake_said_back_is_cut_short() -> None:
    native = NativeDialect()
    native.receive(b'{"type":"' + b"x" * 9000 + b'"}\n', 0)
    assert len(native.drain()) < 300


class Counting:
    """A writer of JSON that counts what it writes."""

    def __init__(self) -> None:
        self.count = 0

    def encode(self, value: object) -> bytes:
        """Write, and count."""
        self.count += 1
        return msgspec.json.encode(value)


def test_a_thousand_who_look_on_are_told_by_writing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, viewing = [NativeDialect() for _ in range(500)], [connected() for _ in range(500)]
    writer = Counting()
    monkeypatch.setattr(native_module, "_writer", writer)
    events = [guessing(), guessing()]
    for native in (*plain, *viewing):  # who hears of both at once
        for news in events:
            native.tell(news)
    assert writer.count == 2 * len(events), "each event and its view"
    assert len({native.drain() for native in plain}) == 1
    assert len({native.drain() for native in viewing}) == 1


def test_the_lines_of_old_news_are_forgotten(herald: native_module._Herald) -> None:
    native, old = NativeDialect(), guessing()
    native.tell(old)
    for _ in range(native_module.WRITTEN_MAX):
        native.tell(guessing())
    assert id(old) not in herald._written  # noqa: SLF001
    assert len(herald._written) == native_module.WRITTEN_MAX  # noqa: SLF001


def test_once_nobody_is_behind_few_are_remembered_again(herald: native_module._Herald) -> None:
    native, scene = NativeDialect(), guessing().scene
    for n in (2, 1, *range(2, 2 + native_module.WRITTEN_MAX_BEHIND)):
        native.tell(News(Happened(TableId(9), n, 0, Played(AWAY, "", 0)), scene))
        assert len(herald._written) <= native_module.WRITTEN_MAX_BEHIND  # noqa: SLF001
    assert len(herald._written) == native_module.WRITTEN_MAX  # noqa: SLF001
