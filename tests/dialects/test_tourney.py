"""The tourney dialect by itself: what transcripts cannot show, and the bounds."""

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.events import Ended, Numbered, Out, Played, PlayerMade, Said, Started
from rookery.core.game import Forfeit, win
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Seat, TableId
from rookery.core.intents import ListGames, Play, Resume, Show
from rookery.core.messages import (
    AnyMessage,
    Done,
    Games,
    Happened,
    News,
    Notice,
    Refused,
    Scene,
    SeatLine,
    Shown,
    TableLine,
    Welcome,
)
from rookery.core.policy import Policy
from rookery.dialects import read_options
from rookery.dialects.conversation import ENOUGH
from rookery.dialects.tourney import TourneyDialect, TourneyOptions
from rookery.dialects.tourney import profile as tourney_limits
from rookery.dialects.tourney.games import TYPES, words_of
from rookery.dialects.tourney.profile import given, plain
from rookery.games import AnyGame, parse_variant
from rookery.games.nim import Nim, State
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from tests.transcripts.wired_hall import WiredHall

ANN, BOB = PlayerId(7), PlayerId(9)
HOME, AWAY = Seat(0), Seat(1)
TABLE = TableId(4)
GAME = Nim(sticks=(3, 4))


def two() -> Numbers:
    """A directory in which Ann is 1 and Bob is 2."""
    players = PlayerRegistry()
    numbers = Numbers(players)
    for number, (player, name) in enumerate(((ANN, "Ann"), (BOB, "Bob")), 1):
        players.evolve(PlayerMade(player, name, "", "", "tourney"))
        numbers.evolve(Numbered("tourney", "player", player, number))
    return numbers


def news(event: Started | Played | Out | Ended | Said, state: State) -> News:
    """Something that happened in Ann's match with Bob."""
    to_act = tuple(GAME.to_act(state))
    scene = Scene(GAME, state, (ANN, BOB), None, ("Ann", "Bob"))
    return News(Happened(TABLE, 9, 0, event, to_act=to_act), scene)


def shown(state: State) -> Shown:
    """Ann's match with Bob, as Ann sees it."""
    seats = (
        SeatLine(HOME, "home", ANN, "Ann", connected=True),
        SeatLine(AWAY, "away", BOB, "Bob", connected=True),
    )
    line = TableLine(TABLE, "nim sticks=3,4", "93s", "playing", seats, 9)
    return Shown(line, Policy(), HOME, tuple(GAME.to_act(state)), None, GAME.view(state, HOME))


def registered(*, playing: bool = False) -> TourneyDialect:
    """Ann, perhaps in her match with Bob."""
    ann = TourneyDialect(TourneyOptions(), two())
    ann.receive(b"@NEW PLAYER\n", 0)
    ann.tell(Welcome(ANN, "null", "token"))
    if playing:
        ann.tell(news(Started(), State((3, 4))))
    ann.drain()
    return ann


def heard(ann: TourneyDialect, *messages: AnyMessage) -> list[str]:
    """What Ann is told because of these."""
    for message in messages:
        ann.tell(message)
    return ann.drain().decode().splitlines()


def test_the_state_after_an_error_tells_of_a_move_made_meanwhile_and_comes_once() -> None:
    ann = registered(playing=True)
    moved = State((3, 3), AWAY)
    ann.receive(b"@GAME:MOVE:1,1\n", 0)
    assert heard(ann, Done(), news(Played(HOME, "1,1", 0), moved)) == [
        "@GAME:MESSAGE:Took 1 sticks from row 1.",
        "@GAME:STATE:1,2,3,3",
    ]
    assert list(ann.receive(b"@GAME:MOVE:0,1\n", 0)) == [Play(TABLE, "0,1", player=ANN)]
    assert list(ann.tell(Refused("not_your_turn", "No."))) == [Show(TABLE, player=ANN)]
    answered = State((3, 2), HOME)
    assert heard(ann, news(Played(AWAY, "1,1", 0), answered), shown(answered)) == [
        "@GAME:ERROR:It is not your turn.",
        "@GAME:STATE:0,2,3,2",
    ]


def test_after_an_error_that_ended_the_match_there_is_no_state() -> None:
    ann = registered(playing=True)
    over = GAME.forfeit(State((3, 4)), HOME, Forfeit.CHEATED).state
    ended = Ended(win(2, AWAY, "cheated", "Home made too many illegal moves."))
    ann.receive(b"@GAME:MOVE:x\n", 0)
    assert heard(
        ann,
        Refused("unreadable", "No."),
        news(Out(HOME, Forfeit.CHEATED), over),
        news(ended, over),
        shown(over),
    ) == [
        "@GAME:ERROR:Could not understand your move.  Please use Row,Take as integral values.",
        "@GAME:MESSAGE:Home made too many illegal moves.",
        "@GAME:RESULT:A",
    ]


def test_a_move_that_came_when_the_match_was_just_over_is_in_no_match() -> None:
    ann = registered(playing=True)
    ann.receive(b"@GAME:MOVE:0,1\n", 0)
    assert heard(ann, Refused("over", "It is over.")) == [
        "@ERROR:Player is not playing in a match currently."
    ]


def test_what_happens_before_a_match_is_taken_up_is_not_told_before_its_start() -> None:
    ann = TourneyDialect(TourneyOptions(), two())
    assert [type(intent) for intent in ann.receive(b"@PLAYER:1\n", 0)] == [Resume]
    assert list(ann.tell(Welcome(ANN, "Ann", "", (TABLE,)))) == [Show(TABLE, player=ANN)]
    state = State((3, 3), HOME)
    assert heard(ann, news(Played(AWAY, "1,1", 0), state), shown(state)) == [
        "@PID:1",
        "@GAME:START:H:Bob",
        "@GAME:STATE:0,2,3,3",
    ]


def test_a_match_that_ended_while_it_was_taken_up_is_not_told_of() -> None:
    ann = TourneyDialect(TourneyOptions(), two())
    ann.receive(b"@PLAYER:1\n", 0)
    over = GAME.forfeit(State((3, 4)), HOME, Forfeit.LATE).state
    assert heard(ann, Welcome(ANN, "Ann", "", (TABLE,)), shown(over)) == ["@PID:1"]


def test_lines_that_come_together_are_answered_in_order() -> None:
    hall = WiredHall()
    hall.connect("ann", "tourney")
    hall.send("ann", b"@NEW PLAYER\n@NAME:Ann\n@PING\n@GET NAME:1\n@NEW PLAYER\n@NAME:Eve\n@GET")
    hall.send("ann", b" NAME:1\r")
    assert hall.take("ann").decode().splitlines() == [
        "@PID:1",
        "@PONG",
        "@NAME:Ann:1",
        "@ERROR:Player already registered for this account.",
        "@NAME:Eve:1",
    ]


def test_a_move_behind_a_move_is_judged_after_it() -> None:
    ann = registered(playing=True)
    ann.receive(b"@GAME:MOVE:0,3\n@GAME:MOVE:1,4\n@PING\n", 0)
    ann.tell(Done())
    over = State((0, 0), AWAY)
    assert list(ann.tell(news(Played(HOME, "0,3", 0), State((0, 4), AWAY)))) == [
        Play(TABLE, "1,4", player=ANN)
    ]
    ann.drain()
    assert heard(ann, Done(), news(Played(HOME, "1,4", 0), over)) == ["@GAME:MESSAGE:Home won!"]
    assert heard(ann, news(Ended(win(2, HOME, "last_stick", "")), over)) == [
        "@GAME:RESULT:H",
        "@PONG",
    ]


def test_a_pong_goes_first_where_nothing_was_said_for_half_a_second() -> None:
    ann = registered()
    ann.receive(b"@NAME:Ann\n@GET NAME:1\n@ping:x\n", 5)
    due = 5 + tourney_limits.PONG_AFTER
    assert ann.deadline() == due
    ann.tick(due - 1)
    assert heard(ann) == []
    ann.tick(due)
    assert heard(ann) == ["@PONG"]
    assert ann.deadline() == 5 + tourney_limits.SILENCE
    assert heard(ann, Done()) == ["@NAME:Ann:1"]


def test_a_pong_keeps_its_place_while_other_answers_come() -> None:
    ann = registered()
    ann.receive(b"@NAME:Ann\n@GET NAME:1\n@NAME:Eve\n@PING\n", 0)
    assert heard(ann, Done()) == ["@NAME:Ann:1"]
    ann.tick(tourney_limits.PONG_AFTER)
    assert heard(ann) == []
    assert ann.deadline() == 2 * tourney_limits.PONG_AFTER
    assert heard(ann, Done()) == ["@PONG"]
    assert ann.deadline() == tourney_limits.SILENCE


def test_it_is_full_while_many_lines_wait() -> None:
    ann = registered()
    full = []
    ann.receive(b"@NAME:Ann\n" + b"@PONG\n" * (ENOUGH - 1), 0)
    full.append(ann.full)
    ann.receive(b"@PONG\n", 0)
    full.append(ann.full)
    ann.tell(Done())
    full.append(ann.full)
    assert full == [False, True, False]


def test_what_is_said_at_a_table_is_not_for_bots() -> None:
    said = Said(BOB, "Bob", "Hello!")
    assert heard(registered(playing=True), news(said, State((3, 4)))) == []


def test_as_many_lines_as_the_limit_may_wait_and_one_more_ends_the_connection() -> None:
    for extra in (0, 1):
        ann = TourneyDialect(TourneyOptions(), two())
        ann.receive(b"@NEW PLAYER\n" + b"@PING\n" * (tourney_limits.WAITING_MAX + extra), 0)
        assert not ann.closing
        said = heard(ann, Refused("too_many", "No."))
        assert ann.closing == bool(extra)
        assert said[:2] == ["@ERROR:No.", "@PONG"]
        assert len(said) == 1 + tourney_limits.WAITING_MAX + 2 * extra


def test_a_line_of_just_the_limit_is_read() -> None:
    ann = registered()
    ann.receive(b"@PING:" + b"x" * (tourney_limits.LINE_MAX - 6) + b"\n", 0)
    assert heard(ann) == ["@PONG"]
    ann.receive(b"@PING:" + b"x" * (tourney_limits.LINE_MAX - 5) + b"\n@PING\n", 0)
    assert heard(ann) == [f"@ERROR:A line has at most {tourney_limits.LINE_MAX} bytes."]
    assert ann.closing


def test_what_the_server_has_to_say_is_a_message() -> None:
    assert heard(registered(), Notice("going_down", "Note: it goes down.")) == [
        "@MESSAGE:Note_ it goes down."
    ]


def test_a_connection_whose_player_is_anothers_now_is_closed_and_answers_nothing_more() -> None:
    ann = registered()
    ann.receive(b"@NAME:Ann\n@PING\n", 0)
    assert heard(ann, Notice("taken_over", "Ann is elsewhere.", ANN), Done()) == []
    assert ann.closing


def test_a_client_is_asked_whether_it_lives_when_it_has_been_silent_for_30_seconds() -> None:
    ann = TourneyDialect(TourneyOptions(), two())
    assert ann.deadline() is None
    ann.receive(b"@PING\n", 5)
    due = 5 + 30 * MICROS_A_SECOND
    assert ann.deadline() == due
    ann.tick(due - 1)
    assert heard(ann) == ["@PONG"]
    ann.tick(due)
    assert heard(ann) == ["@PING"]
    assert ann.deadline() == due + 30 * MICROS_A_SECOND
    ann.tick(due + 30 * MICROS_A_SECOND)
    assert ann.closing
    assert ann.deadline() is None


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ann", "Ann"), ("", "-"), ("  ", "-"), ("a\tb", "a_b"), ("x" * 41, "x" * 40)],
)
def test_any_name_can_be_given(name: str, kept: str) -> None:
    assert given(name) == kept


def test_no_text_has_a_colon() -> None:
    assert plain("a:b::c") == "a_b__c"


@pytest.mark.parametrize(
    ("kind", "pieces"), [("OTHELLO", 67), ("OTHELLO_MINI", 39), ("OTHELLO_MICRO", 19), ("TTT", 10)]
)
def test_a_state_has_a_piece_for_every_cell(kind: str, pieces: int) -> None:
    game: AnyGame = parse_variant(TYPES[kind])
    words = words_of(TYPES[kind])
    assert words is not None
    view = game.view(game.start(2, Chance(1)), HOME)
    assert len(words.state(view).split(",")) == pieces


def test_every_type_of_tournament_has_a_game_and_words_for_it() -> None:
    for variant in TYPES.values():
        assert parse_variant(variant).seat_counts == range(2, 3)
        assert words_of(variant) is not None
    assert words_of("fish") is None


def test_nonsense_cannot_be_set() -> None:
    with pytest.raises(BadOption, match="codes is true or false"):
        TourneyOptions(codes="perhaps")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="no option 'code'"):
        read_options("tourney", {"code": True})


class Unsure(Numbers):
    """What numbers mean is not known yet."""

    known = False

    @property
    def sure(self) -> bool:
        """Once the test says so."""
        return self.known


def test_what_a_number_means_is_asked_for_where_it_is_not_sure_and_pings_are_answered() -> None:
    players = PlayerRegistry()
    numbers = Unsure(players)
    ann = TourneyDialect(TourneyOptions(), numbers)
    assert ann.receive(b"@GET NAME:1\n@PING\n", 0) == (ListGames(),)
    due = ann.deadline()
    assert due is not None
    assert due < MICROS_A_SECOND
    ann.tick(due)
    assert ann.drain() == b"@PONG\n"
    assert ann.tell(Games(())) == (ListGames(),), "that hall is gone as well"
    players.evolve(PlayerMade(ANN, "Ann", "", "", "tourney"))
    numbers.evolve(Numbered("tourney", "player", ANN, 1))
    numbers.known = True
    ann.tell(Games(()))
    assert ann.drain() == b"@NAME:Ann:1\n"
