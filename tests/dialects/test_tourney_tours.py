"""Tournaments in the tourney dialect by themselves: what transcripts cannot show."""

import pytest

from rookery.core.errors import BadOption
from rookery.core.events import (
    Ended,
    Numbered,
    Played,
    PlayerMade,
    Started,
    TourClosing,
    TourPaused,
)
from rookery.core.game import Forfeit, Outcome, win
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Seat, TableId, TourId
from rookery.core.intents import (
    AnyIntent,
    EndTour,
    JoinTour,
    ListMatches,
    ListTours,
    OpenTour,
    Play,
    Show,
    ShowTour,
    StartTour,
)
from rookery.core.messages import (
    AnyMessage,
    EntrantLine,
    Happened,
    Matches,
    MatchLine,
    MemberOf,
    News,
    Refused,
    Scene,
    TourJoined,
    TourMade,
    TourNews,
    Tours,
    TourShown,
    Welcome,
)
from rookery.core.policy import Errors, Gone
from rookery.core.tour_values import Plan, Result, TourLine
from rookery.dialects import read_options
from rookery.dialects.tourney import TourneyDialect, TourneyOptions
from rookery.dialects.tourney.games import TYPES
from rookery.games.nim import Nim, State
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.tours.planning import read_plan
from tests.transcripts.wired_hall import WiredHall

ANN, BOB, CYD = PlayerId(7), PlayerId(9), PlayerId(11)
CUP, OLD = TourId(5), TourId(4)  # which are 2 and 1 here
GAME = Nim(sticks=(3, 4))


def everyone() -> Numbers:
    """A directory in which Ann, Bob and Cyd are 1 to 3, and two tours have numbers."""
    players = PlayerRegistry()
    numbers = Numbers(players)
    for number, (player, name) in enumerate(((ANN, "Ann"), (BOB, "Bob"), (CYD, "Cyd")), 1):
        players.evolve(PlayerMade(player, name, "", "", "tourney"))
        numbers.evolve(Numbered("tourney", "player", player, number))
    for number, tour in enumerate((OLD, CUP), 1):
        numbers.evolve(Numbered("tourney", "tour", tour, number))
    return numbers


def ann() -> TourneyDialect:
    """Ann, registered."""
    one = TourneyDialect(TourneyOptions(), everyone())
    one.receive(b"@NEW PLAYER\n", 0)
    one.tell(Welcome(ANN, "null", "token"))
    one.drain()
    return one


def asks(one: TourneyDialect, line: str) -> list[AnyIntent]:
    """What a line asks of the hall."""
    return list(one.receive(f"{line}\n".encode(), 0))


def heard(one: TourneyDialect, *messages: AnyMessage) -> list[str]:
    """What one is told because of these."""
    for message in messages:
        one.tell(message)
    return one.drain().decode().splitlines()


def closing(tour: TourId) -> TourNews:
    """A tour begins no more matches."""
    return TourNews(tour, 9, 0, TourClosing("ended", ()))


def line_of(tour: TourId, owner: PlayerId, status: str = "running", matches: int = 0) -> TourLine:
    """A tour at a glance, with none of its matches played."""
    return TourLine(
        tour, "", "nim", "joining", status, owner, coded=False, entrants=2, matches=matches,
        played=0, running=0,
    )  # fmt: skip


def shown(line: TourLine) -> TourShown:
    """A tour in which Bob and Cyd play."""
    entrants = tuple(
        EntrantLine(number, "", (MemberOf(player, "", "tourney", connected=True),), "")
        for number, player in enumerate((BOB, CYD), 1)
    )
    return TourShown(line, Plan("nim"), "", None, entrants, (), 9)


def news(
    table: int, event: Started | Played | Ended, state: State, players: tuple[PlayerId, PlayerId]
) -> News:
    """Something that happened in a match."""
    to_act = tuple(GAME.to_act(state))
    names = {ANN: "Ann", BOB: "Bob"}
    scene = Scene(GAME, state, players, None, tuple(names[player] for player in players))
    return News(Happened(TableId(table), 9, 0, event, to_act=to_act), scene)


def match_line(number: int, status: str, places: tuple[int, ...] = ()) -> MatchLine:
    """A match of Bob at home against Cyd."""
    result = Result(places, "line") if places else None
    return MatchLine(number, 1, (1, 2), status, None, result, ())


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_is_a_plan_that_the_hall_takes(kind: str) -> None:
    (intent,) = asks(ann(), f"@TOUR:CREATE:{kind.lower()}")
    assert isinstance(intent, OpenTour)
    assert (intent.player, intent.code, intent.plan.name) == (ANN, "", kind)
    plan = read_plan(intent.plan)
    assert (plan.variant, plan.format) == (TYPES[kind], "joining")
    assert plan.policy.gone is Gone.HOLD
    assert plan.policy.errors == Errors(7, in_a_row=True, out_of_turn=True)
    assert (plan.time, plan.absent, plan.stays) == ("1m33s", 300 * MICROS_A_SECOND, True)
    assert (plan.at_once, plan.points, plan.fair, plan.late) == (1, "3-1-0", False, True)


def test_time_and_absence_can_be_set() -> None:
    options = read_options("tourney", {"time": "5m+3s", "absent": "10"})
    assert isinstance(options, TourneyOptions)
    plan = options.plan("NIM")
    assert (plan.time, plan.absent) == ("5m+3s", 10 * MICROS_A_SECOND)
    with pytest.raises(BadOption, match="no time control"):
        TourneyOptions(time="soon enough")
    with pytest.raises(BadOption, match="absent is a whole number"):
        TourneyOptions(absent=-1)


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("@TOUR:JOIN", JoinTour(player=ANN, again=True)),
        ("@TOUR:JOIN:-1", JoinTour(player=ANN, again=True)),
        ("@TOUR:JOIN:-1:KXQTW", JoinTour(player=ANN, again=True)),
        ("@TOUR:JOIN:2", JoinTour(CUP, player=ANN, again=True)),
        ("@TOUR:JOIN:+02:KXQTW", JoinTour(CUP, "KXQTW", player=ANN, again=True)),
        ("@TOUR:JOIN:KXQTW", JoinTour(code="KXQTW", player=ANN, again=True)),
        ("@TOUR:JOIN:3", ShowTour(player=ANN)),  # there is none; but does she have another?
    ],
)
def test_how_one_joins(line: str, intent: AnyIntent) -> None:
    assert asks(ann(), line) == [intent]


def test_who_owns_a_tour_is_not_told_of_its_end_and_who_plays_in_it_is() -> None:
    one = ann()
    asks(one, "@TOUR:CREATE:NIM")
    assert heard(one, TourMade(CUP, "")) == ["@TID:2"]
    assert list(one.tell(closing(CUP))) == []
    assert heard(one) == []
    asks(one, "@TOUR:JOIN")
    assert heard(one, TourJoined(OLD, 1, ANN)) == ["@MESSAGE:Tournament 1 successfully joined."]
    assert heard(one, closing(OLD)) == ["@TOUR:END"]


@pytest.mark.parametrize(("owner", "said"), [(ANN, []), (BOB, ["@TOUR:END"])])
def test_who_came_back_asks_whose_tour_it_was_that_ended(owner: PlayerId, said: list[str]) -> None:
    one = ann()
    assert list(one.tell(closing(CUP))) == [ListTours(OLD)]
    assert heard(one, Tours((line_of(CUP, owner, "ended"),))) == said


def test_an_end_is_told_once_though_the_tour_is_then_called_off() -> None:
    one = ann()
    asks(one, "@TOUR:JOIN")
    heard(one, TourJoined(OLD, 1, ANN))
    assert heard(one, closing(OLD)) == ["@TOUR:END"]
    asks(one, "@TOUR:JOIN")
    heard(one, TourJoined(CUP, 1, ANN))
    assert heard(one, TourNews(OLD, 10, 0, TourClosing("cancelled", ()))) == []
    assert asks(one, "@TOUR:MATCHES LEFT") == [ShowTour(None, player=ANN)]


def test_both_are_told_that_the_organiser_voided_their_match() -> None:
    one = ann()
    heard(one, news(1, Started(), State((3, 4)), (ANN, BOB)))
    voided = Outcome((2, 2), "voided", "The organiser voided the game.")
    assert heard(one, news(1, Ended(voided), State((3, 4)), (ANN, BOB))) == [
        "@GAME:MESSAGE:The organiser voided the game.",
        "@GAME:RESULT:T",
    ]


def test_a_pause_or_a_start_is_not_the_end() -> None:
    assert heard(ann(), TourNews(CUP, 9, 0, TourPaused())) == []


def test_an_end_waits_for_the_answer_before_it_and_goes_before_the_next() -> None:
    one = ann()
    asks(one, "@TOUR:JOIN")
    heard(one, TourJoined(CUP, 1, ANN))
    asks(one, "@TOUR:REPORT")
    asks(one, "@PING")
    assert heard(one, closing(CUP)) == []
    assert heard(one, Refused("not_owner", "No.")) == [
        "@ERROR:Player is not the owner of the tournament.",
        "@TOUR:END",
        "@PONG",
    ]


def test_an_end_is_not_told_to_the_next_player_of_the_connection() -> None:
    one = ann()
    asks(one, "@PLAYER:2")
    assert heard(one, closing(CUP), Welcome(BOB, "Bob", "")) == ["@PID:2"]


@pytest.mark.parametrize("code", ["running", "not_running", "too_few"])
def test_what_changes_nothing_is_not_answered(code: str) -> None:
    one = ann()
    asks(one, "@TOUR:START")
    assert heard(one, Refused(code, "No.")) == []


def test_a_tour_that_is_over_gives_way_to_the_one_before() -> None:
    one = ann()
    for tour in (OLD, CUP):
        asks(one, "@TOUR:CREATE:NIM")
        heard(one, TourMade(tour, ""))
    assert asks(one, "@TOUR:END") == [EndTour(CUP, player=ANN)]
    over = Refused("over", "It is over.")
    assert list(one.tell(over)) == [EndTour(OLD, player=ANN)]
    assert list(one.tell(over)) == [EndTour(None, player=ANN)]
    assert heard(one, over) == ["@ERROR:Player is not attached to a tournament."]
    assert asks(one, "@TOUR:START") == [StartTour(None, player=ANN)]


def test_a_report_has_all_pages_and_nothing_that_came_meanwhile() -> None:
    one = ann()
    assert asks(one, "@TOUR:REPORT") == [ShowTour(None, player=ANN)]
    assert list(one.tell(shown(line_of(CUP, ANN, matches=5)))) == [ListMatches(CUP, 0, player=ANN)]
    first = (match_line(1, "over", (1, 2)), match_line(2, "over", (2, 1)))
    assert list(one.tell(Matches(CUP, first, more=True))) == [ListMatches(CUP, 2, player=ANN)]
    rest = (
        match_line(3, "over", (1, 1)),
        match_line(4, "over", (2, 2)),
        match_line(5, "playing"),
        match_line(6, "waiting"),
    )
    assert heard(one, Matches(CUP, rest, more=True)) == ["@REPORT:2/3/H,2/3/A,2/3/T,2/3/T,2/3/I"]


def test_matches_that_have_not_two_sides_are_in_no_report() -> None:
    one = ann()
    asks(one, "@TOUR:REPORT")
    bye = MatchLine(1, 1, (1,), "over", None, Result((1,), "bye"), ())
    one.tell(shown(line_of(CUP, ANN, matches=2)))
    assert heard(one, Matches(CUP, (bye, match_line(2, "waiting")))) == ["@REPORT:2/3/N"]


def test_only_the_owner_is_told_how_many_are_left() -> None:
    one = ann()
    for owner, said in (
        (ANN, "@MESSAGE: There are 3 matches left to complete."),
        (BOB, "@ERROR:Player is not the owner of the tournament."),
    ):
        asks(one, "@TOUR:MATCHES LEFT")
        assert heard(one, shown(line_of(CUP, owner, matches=3))) == [said]


def test_the_state_of_a_new_match_is_told_while_the_last_is_looked_up() -> None:
    one = ann()
    heard(one, news(1, Started(), State((3, 4)), (ANN, BOB)))
    assert asks(one, "@GAME:MOVE:x") == [Play(TableId(1), "x", player=ANN)]
    assert list(one.tell(Refused("unreadable", "No."))) == [Show(TableId(1), player=ANN)]
    over = GAME.forfeit(State((3, 4)), Seat(0), Forfeit.CHEATED).state
    ended = Ended(win(2, Seat(1), "cheated", "Home made too many illegal moves."))
    assert heard(
        one,
        news(1, ended, over, (ANN, BOB)),
        news(2, Started(), State((3, 4)), (BOB, ANN)),
        news(2, Played(Seat(0), "0,3", 0), State((0, 4), Seat(1)), (BOB, ANN)),
    )[1:] == [
        "@GAME:RESULT:A",
        "@GAME:START:A:Bob",
        "@GAME:STATE:0,2,3,4",
        "@GAME:STATE:1,2,0,4",
    ]


def test_five_play_a_whole_tournament() -> None:
    hall, played, role = WiredHall(), dict.fromkeys("abcde", 0), dict.fromkeys("abcde", "")
    hall.connect("olga", "tourney")
    hall.send("olga", b"@NEW PLAYER\n@TOUR:CREATE:TTT\n@TOUR:START\n")
    for who in played:
        hall.connect(who, "tourney")
        hall.send(who, b"@NEW PLAYER\n@TOUR:JOIN\n")
    while lines := [(who, line) for who in played for line in hall.take(who).splitlines()]:
        for who, line in lines:
            match line.decode().split(":"):
                case ["@GAME", "START", mine, _]:
                    role[who] = mine
                case ["@GAME", "STATE", state] if "HA"[int(state[0])] == role[who]:
                    free = state.split(",")[1:].index(" ")
                    hall.send(who, b"@GAME:MOVE:%d\n" % free)
                case ["@GAME", "RESULT", _]:
                    played[who] += 1
                case _:
                    pass
    hall.send("olga", b"@TOUR:MATCHES LEFT\n@TOUR:REPORT\n")
    *_, left, report = hall.take("olga").decode().splitlines()
    assert set(played.values()) == {8}
    assert left == "@MESSAGE: There are 0 matches left to complete."
    assert report.count("/H") == 20  # who takes the first free slot wins with the first move
