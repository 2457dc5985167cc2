"""Taking the start of a strict tour: nobody who fails it is dealt to a table."""

from rookery.core.game import Forfeit
from rookery.core.intents import Farewell, Forsake, Greet, ListMatches, SignUp, TakeUp
from rookery.core.messages import Matches, Welcome
from rookery.core.tour_values import Plan
from tests.hall.contest import house_of_tours
from tests.hall.house import Guest, House
from tests.hall.tours.test_signup import AT_ONCE, FISH, ONE, SECOND, come, greet, sign_up, winners


def matches(house: House) -> list[tuple[int, ...]]:
    lines = house.ask(house.connect(), ListMatches(ONE), Matches).matches
    return [line.sides for line in lines]


def signed(house: House, count: int, wish: SignUp | None = None) -> list[Guest]:
    """So many who sign up, and have not taken the start."""
    guests = [come(house, f"g{n}") for n in range(1, count + 1)]
    for guest in guests:
        house.do(guest, wish or sign_up(most=count))
    return guests


def test_nobody_is_dealt_to_a_table_before_all_have_taken_the_start_or_failed_it() -> None:
    house = house_of_tours()
    first, *others = signed(house, 5)
    greet(house, others)
    assert matches(house) == []
    house.do(first, Forsake(Forfeit.LATE))
    assert matches(house) == [(2, 3, 4, 5)]


def test_who_hangs_up_instead_of_taking_the_start_holds_nobody_up() -> None:
    house = house_of_tours()
    first, *others = signed(house, 3)
    greet(house, others)
    house.hang_up(first)
    assert matches(house) == [(2, 3)]


def test_whoever_alone_takes_the_start_has_won() -> None:
    house = house_of_tours()
    ann, bob = signed(house, 2)
    greet(house, [ann])
    house.do(bob, Forsake(Forfeit.CHEATED))
    house.do(ann, Farewell())
    assert (matches(house), winners(house)) == ([], ("g1",))


def test_players_of_other_dialects_need_not_answer_the_start() -> None:
    house = house_of_tours()
    ann, bob = come(house, "ann"), come(house, "bob", "native")
    for guest in (ann, bob):
        house.do(guest, sign_up(most=2))
    assert matches(house) == []
    greet(house, [ann])
    assert matches(house) == [(1, 2)]


def test_after_a_restart_the_start_is_taken_anew_or_missed() -> None:
    house = house_of_tours()
    greet(house, signed(house, 3)[:2])
    house.restart()
    assert matches(house) == []
    for name in ("g1", "g2"):
        session = house.connect("10.0.0.1", "fishcom")
        house.ask(session, TakeUp(name, restarted=True), Welcome)
        house.do(session, Greet())
    assert matches(house) == []
    house.wait(60)
    assert matches(house) == [(1, 2)]


def test_a_tour_that_is_not_strict_waits_for_nobody() -> None:
    house = house_of_tours()
    plan = Plan(FISH, "groups", time="none", policy=AT_ONCE, absent=60 * SECOND)
    signed(house, 2, sign_up(plan, most=2))
    assert matches(house) == [(1, 2)]
