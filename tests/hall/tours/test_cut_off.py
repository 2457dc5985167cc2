"""Places in a tour after a restart: who was between two games is found by where it came from."""

from rookery.core.events import TourClosing, TourEnded, Withdrawn
from rookery.core.ids import PlayerId, SessionId, TableId
from rookery.core.intents import (
    Enter,
    Farewell,
    Greet,
    JoinTour,
    LegalMoves,
    OpenTour,
    Play,
    SignUp,
    StartTour,
    TakeUp,
)
from rookery.core.messages import Moves, TourJoined, TourMade, TourNews, Welcome
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM
from tests.hall.house import SECOND, House

PLAN = Plan(
    NIM,
    "groups",
    seats=2,
    policy=Policy(gone=Gone.AT_ONCE),
    absent=60 * SECOND,
    strict=True,
    farewell=True,
)
HOST = "10.0.0.1"


def come(house: House, name: str) -> tuple[SessionId, PlayerId]:
    """Somebody signs up for a tour of four."""
    session = house.connect(HOST, "fishcom")
    player = house.ask(session, Enter(name, "fishcom"), Welcome).player
    house.do(session, SignUp(PLAN, 4, 4, SECOND, player=player))
    return session, player


def crowd(house: House, *names: str) -> list[tuple[SessionId, PlayerId]]:
    """All who sign up, and take the start."""
    came = [come(house, name) for name in names]
    for session, _ in came:
        house.do(session, Greet())
    return came


def tour_of(*names: str) -> tuple[House, list[PlayerId]]:
    """A tour whose first match is over; the second runs."""
    house = House()
    came = crowd(house, *names)
    play(house, TableId(1), *came)
    return house, [player for _, player in came]


def play(house: House, table: TableId, *came: tuple[SessionId, PlayerId]) -> None:
    """The game there is played to its end."""
    while to_act := house.show(came[0][0], table).to_act:
        who = house.show(came[0][0], table).line.seats[to_act[0]].player
        session = next(session for session, player in came if player == who)
        moves = house.ask(session, LegalMoves(table), Moves).moves
        house.do(session, Play(table, moves[0]))


def back(house: House, name: str, host: str = HOST) -> PlayerId:
    """Somebody comes back."""
    session = house.connect(host, "fishcom")
    return house.ask(session, TakeUp(name, restarted=True), Welcome).player


def test_who_waits_between_two_games_takes_its_place_again() -> None:
    house, (ann, bob, *_) = tour_of("ann", "bob", "cyd", "dan")
    house.restart()
    assert (back(house, "bob"), back(house, "ann")) == (bob, ann)
    again = house.connect(HOST, "fishcom")
    assert house.no(again, TakeUp("ann", restarted=True)) == "nothing_lost"


def test_of_equal_names_who_came_first_comes_back_first_at_a_table_or_not() -> None:
    house, players = tour_of("ann", "ann", "ann", "ann")
    house.restart()
    assert [back(house, "ann") for _ in players] == players


def test_another_host_or_an_ordinary_return_finds_nobody() -> None:
    house, _ = tour_of("ann", "bob", "cyd", "dan")
    house.restart()
    elsewhere = house.connect("10.0.0.9", "fishcom")
    assert house.no(elsewhere, TakeUp("ann", restarted=True)) == "nothing_lost"
    assert house.no(house.connect(HOST, "fishcom"), TakeUp("ann")) == "nothing_lost"


def test_who_is_not_back_in_time_is_out_and_has_no_place() -> None:
    house, _ = tour_of("ann", "bob", "cyd", "dan")
    house.restart()
    house.wait(60)
    out = [record.event for record in house.log if isinstance(record.event, Withdrawn)]
    assert {event.entrant for event in out} >= {1, 2}
    again = house.connect(HOST, "fishcom")
    assert house.no(again, TakeUp("ann", restarted=True)) == "nothing_lost"


def test_who_comes_back_to_a_tour_that_closes_is_told_so(house: House) -> None:
    came = crowd(house, "ann", "bob", "cyd", "dan")
    for table in (1, 2, 3):
        play(house, TableId(table), *came)
    house.restart()
    session = house.connect(HOST, "fishcom")
    house.ask(session, TakeUp("ann", restarted=True), Welcome)
    news = [said.event for said in house.heard(session) if isinstance(said, TourNews)]
    assert [type(event) for event in news] == [TourClosing]


def test_who_said_farewell_may_go_and_stays_a_winner(house: House) -> None:
    came = crowd(house, "ann", "bob", "cyd", "dan")
    for table in (1, 2, 3):
        play(house, TableId(table), *came)
    for session, _ in came:
        house.do(session, Farewell())
        house.hang_up(session)
    ended = [record.event for record in house.log if isinstance(record.event, TourEnded)]
    assert [len(event.winners) for event in ended] == [1]


def test_the_code_behind_a_name_is_no_part_of_it(house: House) -> None:
    owner = house.enter("Zoe")
    code = house.ask(owner, OpenTour(Plan(NIM, "groups")), TourMade).code
    house.ask(owner, JoinTour(code=code), TourJoined)
    session = house.connect(HOST, "fishcom")
    wrong = house.no(session, Enter(f"ann#{code}", "fishcom"))
    assert wrong == "wrong_dialect"  # fishcom has no words for nim
    plan = Plan("fish", "groups")
    other = house.ask(house.enter("Yan"), OpenTour(plan), TourMade)
    ann = house.ask(session, Enter(f"ann#{other.code}", "fishcom"), Welcome)
    assert ann.name == "ann"


def test_who_came_by_a_code_comes_back_by_it(house: House) -> None:
    owner = house.enter("Zoe")
    made = house.ask(owner, OpenTour(Plan("fish", "groups", absent=60 * SECOND)), TourMade)
    players = []
    for name in ("ann", "bob"):
        session = house.connect(HOST, "fishcom")
        players.append(house.ask(session, Enter(f"{name}#{made.code}", "fishcom"), Welcome).player)
    house.do(owner, StartTour(made.tour))
    house.restart()
    assert back(house, f"bob#{made.code}") == players[1]
