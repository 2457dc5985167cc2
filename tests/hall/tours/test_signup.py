"""Signing up for a tour, and what a strict tour asks of those who are in it."""

from rookery.core.events import Joined, Out, TourClosing, Withdrawn, tour_stream
from rookery.core.game import Forfeit
from rookery.core.ids import MICROS_A_SECOND, TourId
from rookery.core.intents import (
    AnyIntent,
    Enter,
    Farewell,
    Forsake,
    Greet,
    LegalMoves,
    ListMatches,
    Play,
    Resign,
    Seek,
    Show,
    ShowTour,
    SignUp,
    TakeUp,
)
from rookery.core.messages import (
    Done,
    Matches,
    Moves,
    News,
    Notice,
    Shown,
    TourJoined,
    TourNews,
    TourShown,
    Welcome,
)
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import Guest, House

SECOND = MICROS_A_SECOND
WINDOW = 30
FISH = "fish rows=4 cols=3 fish=1"
AT_ONCE = Policy(gone=Gone.AT_ONCE, grace=60 * SECOND)
PLAN = Plan(
    FISH, "groups", time="none", policy=AT_ONCE, absent=60 * SECOND, strict=True, farewell=True
)
ONE = TourId(1)


def sign_up(plan: Plan = PLAN, *, least: int = 2, most: int = 4, again: int = 1) -> SignUp:
    return SignUp(plan, least, most, WINDOW * SECOND, again)


def come(house: House, name: str, dialect: str = "fishcom", host: str = "10.0.0.1") -> Guest:
    session = house.connect(host, dialect)
    welcome = house.ask(session, Enter(name, dialect), Welcome)
    return Guest(session, welcome.player, welcome.token)


def crowd(house: House, count: int, wish: SignUp | None = None) -> list[Guest]:
    """So many who sign up."""
    guests = [come(house, f"g{n}") for n in range(1, count + 1)]
    for guest in guests:
        house.do(guest, wish or sign_up())
    greet(house, guests)
    return guests


def greet(house: House, guests: list[Guest]) -> None:
    """All of them take the start, if it has come."""
    for guest in guests:
        house.do(guest, Greet())


def status(house: House) -> str | None:
    if tour_stream(ONE) not in house.streams:
        return None
    return house.ask(house.connect(), ShowTour(ONE), TourShown).line.status


def shown(house: House) -> TourShown:
    return house.ask(house.connect(), ShowTour(ONE), TourShown)


def names(house: House) -> list[str]:
    return [entrant.name for entrant in shown(house).entrants]


def outs(house: House) -> dict[int, str]:
    events = [r.event for r in house.streams[tour_stream(ONE)]]
    return {e.entrant: e.why for e in events if isinstance(e, Withdrawn)}


def winners(house: House) -> tuple[str, ...]:
    return shown(house).line.winners


# -- windows


def test_as_many_as_can_be_start_at_once() -> None:
    house = house_of_tours()
    crowd(house, 4)
    assert status(house) == "running"
    assert names(house) == ["g1", "g2", "g3", "g4"]
    lines = house.ask(house.connect(), ListMatches(ONE), Matches).matches
    assert [(line.sides, line.status) for line in lines] == [((1, 2, 3, 4), "playing")]


def test_fewer_start_when_the_window_closes() -> None:
    house = house_of_tours()
    crowd(house, 2)
    house.wait(WINDOW - 0.001)
    assert status(house) is None
    house.wait(0.001)
    assert status(house) == "running"


def test_too_few_wait_for_one_more_window_and_are_sent_home() -> None:
    house = house_of_tours()
    (ann,) = crowd(house, 1)
    house.wait(2 * WINDOW - 0.001)
    assert not [m for m in house.heard(ann) if isinstance(m, Notice)]
    house.wait(0.001)
    (notice,) = [m for m in house.heard(ann) if isinstance(m, Notice)]
    assert (notice.code, notice.player) == ("sent_home", ann.player)
    assert status(house) is None
    assert house.hall.deadline() is None
    house.do(ann, sign_up())


def test_who_comes_in_the_second_window_starts_with_the_others_at_its_end() -> None:
    house = house_of_tours()
    crowd(house, 1)
    house.wait(WINDOW + 10)
    crowd(house, 1)
    house.wait(WINDOW - 10)
    assert status(house) == "running"


def test_who_leaves_waits_no_more() -> None:
    house = house_of_tours()
    ann, bob, cyd = crowd(house, 3)
    house.hang_up(bob)
    house.do(ann, Forsake(Forfeit.CHEATED))
    crowd(house, 1)
    house.wait(WINDOW)
    assert names(house) == ["g3", "g1"]
    assert cyd.player in {m.player for e in shown(house).entrants for m in e.players}


def test_other_terms_are_another_crowd() -> None:
    house = house_of_tours()
    crowd(house, 3)
    crowd(house, 3, sign_up(most=5))
    assert status(house) is None


def test_one_signs_up_once_and_not_out_of_a_tour() -> None:
    house = house_of_tours()
    ann, *_ = crowd(house, 3)
    assert house.no(ann, sign_up()) == "waiting"
    assert house.no(ann, sign_up(most=5)) == "waiting"
    crowd(house, 1)
    house.ask(ann, sign_up(), TourJoined)  # it plays in one, and waits for its next match


def test_terms_that_cannot_be_are_refused() -> None:
    house = house_of_tours()
    ann = come(house, "ann")
    odd: list[AnyIntent] = [
        sign_up(least=1),
        sign_up(least=5),
        sign_up(most=10**30),
        sign_up(again=-1),
        sign_up(Plan("chess")),
        sign_up(Plan(NIM, "swiss"), most=601),
        sign_up(Plan("bughouse"), least=4),
        sign_up(Plan("bughouse", "rotating"), least=2),
        SignUp(PLAN, 2, 4, 0),
        SignUp(PLAN, 2, 4, -1),
    ]
    for intent in odd:
        assert house.no(ann, intent) == "bad_option"


def test_a_sign_up_is_presence_and_dies_with_the_process() -> None:
    house = house_of_tours()
    crowd(house, 3)
    house.restart()
    assert house.hall.deadline() is None
    crowd(house, 1)
    assert status(house) is None


def test_an_arena_that_came_of_a_sign_up_ends_at_its_time() -> None:
    house = house_of_tours()
    guests = crowd(house, 2, sign_up(Plan(FISH, "arena minutes=1", time="none"), most=2))
    assert status(house) == "running"
    house.wait(30)
    assert shown(house).left == 30 * SECOND
    house.wait(30)
    play_out(house, guests)
    assert status(house) == "ended"


# -- a strict tour


def play_out(house: House, guests: list[Guest]) -> None:
    """Whatever runs is played with the first legal moves, until nothing does."""
    by_player = {guest.player: guest for guest in guests}
    for _ in range(200):
        lines = house.ask(house.connect(), ListMatches(ONE), Matches).matches
        running = [m.table for m in lines if m.status == "playing" and m.table is not None]
        if not running:
            return
        table = running[0]
        at = house.ask(house.connect(), Show(table), Shown)
        player = at.line.seats[at.to_act[0]].player
        assert player is not None
        guest = by_player[player]
        move = house.ask(guest, LegalMoves(table), Moves).moves[0]
        house.do(guest, Play(table, move))


def test_the_tour_is_over_when_everyone_has_said_farewell() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    for guest in guests:
        house.do(guest, Farewell())  # before the end there is nothing to take
    play_out(house, guests)
    assert status(house) == "closing"
    for guest in guests:
        assert status(house) == "closing"
        house.do(guest, Farewell())
    assert status(house) == "ended"
    assert winners(house)
    assert outs(house) == {}


def test_who_goes_after_its_farewell_is_not_put_out() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    play_out(house, guests)
    for guest in guests:
        house.do(guest, Farewell())
        house.hang_up(guest)
    assert status(house) == "ended"
    assert outs(house) == {}
    assert len(winners(house)) >= 1


def test_a_winner_who_does_not_take_the_end_is_no_winner() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    play_out(house, guests)
    news = [m.event for m in house.heard(guests[0]) if isinstance(m, TourNews)]
    (would,) = [event.winners for event in news if isinstance(event, TourClosing)]
    for number, guest in enumerate(guests, 1):
        if number == would[0]:
            house.do(guest, Forsake(Forfeit.LATE))
        else:
            house.do(guest, Farewell())
    assert status(house) == "ended"
    assert outs(house) == {would[0]: "late"}
    assert f"g{would[0]}" not in winners(house)


def test_who_forsakes_is_out_of_its_game_and_of_the_tour() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    house.do(guests[1], Forsake(Forfeit.LATE))
    (table,) = [r.event for r in house.log if isinstance(r.event, Out)]
    assert table.why is Forfeit.LATE
    assert outs(house) == {2: "late"}
    assert status(house) == "running"


def test_where_it_is_not_strict_who_forsakes_is_out_of_its_game_alone() -> None:
    house = house_of_tours()
    guests = crowd(house, 4, sign_up(Plan(FISH, "groups", time="none", policy=AT_ONCE)))
    house.do(guests[1], Forsake(Forfeit.LATE))
    assert outs(house) == {}
    assert len([r for r in house.log if isinstance(r.event, Out)]) == 1


def test_who_goes_is_out_at_once_in_a_game_and_between_games() -> None:
    house = house_of_tours()
    plan = Plan(FISH, "groups", seats=2, time="none", policy=AT_ONCE, strict=True)
    guests = crowd(house, 3, sign_up(plan, most=3))
    house.hang_up(guests[2])  # it had a bye
    assert outs(house) == {3: "gone"}
    house.hang_up(guests[0])
    play_out(house, guests)  # who is left plays on by itself
    assert outs(house) == {3: "gone", 1: "gone"}
    assert status(house) == "ended"
    assert winners(house) == ("g2",)


def test_when_all_are_gone_the_tour_is_over_without_a_winner() -> None:
    house = house_of_tours()
    for guest in crowd(house, 4):
        house.hang_up(guest)
    assert status(house) == "ended"
    assert winners(house) == ()


def test_after_a_restart_who_does_not_come_back_in_time_is_out() -> None:
    house = house_of_tours()
    crowd(house, 4)
    house.restart()
    session = house.connect(dialect="fishcom")
    house.ask(session, TakeUp("g2", restarted=True), Welcome)
    house.wait(59)
    assert outs(house) == {}
    house.wait(1)
    assert outs(house) == {1: "gone", 3: "gone", 4: "gone"}


def test_a_restart_while_farewells_are_said_ends_the_tour_when_nobody_comes_back() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    play_out(house, guests)
    house.do(guests[0], Farewell())
    house.restart()
    assert status(house) == "closing"
    house.wait(60)
    assert status(house) == "ended"


def test_who_asks_for_a_game_while_its_tour_closes_plays_a_casual_one() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    play_out(house, guests)
    assert status(house) == "closing"
    house.ask(guests[0], Seek("fish"), Done)


def test_entrants_are_numbered_in_the_order_of_signing_up() -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    joined = [r.event for r in house.streams[tour_stream(ONE)] if isinstance(r.event, Joined)]
    assert [(e.entrant, e.player) for e in joined] == [
        (n, guest.player) for n, guest in enumerate(guests, 1)
    ]
    assert any(isinstance(message, News) for message in house.heard(guests[0]))


def strict(players: int, **terms: int) -> Contest:
    """A strict round robin."""
    plan = Plan(NIM, "round_robin", time="none", strict=True, **terms)  # type: ignore[arg-type]
    one = Contest(house_of_tours(), plan)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def test_a_strict_tour_that_nobody_comes_to_ends_with_the_first_who_is_put_out() -> None:
    one = strict(2)
    for guest in one.guests:
        one.house.hang_up(guest)
    one.start()
    one.house.wait(300)
    assert one.status == "ended"
    assert outs(one.house) == {1: "gone"}


def test_who_is_out_of_one_game_of_a_strict_tour_is_out_of_its_others() -> None:
    one = strict(3, at_once=2)
    one.start()
    mine = [m.table for m in one.matches() if 1 in m.sides and m.status == "playing"]
    assert len(mine) == 2
    assert mine[0] is not None
    one.house.do(one.guests[0], Resign(mine[0]))
    assert outs(one.house) == {1: "resigned"}
    assert [m.sides for m in one.matches() if m.status == "playing"] == [(2, 3)]
