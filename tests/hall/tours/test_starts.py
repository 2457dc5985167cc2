"""Where matches begin: the legs of a pair alike if the plan is fair, else each by itself."""

from rookery.core.events import Seeded, TourKeyed, tour_stream
from rookery.core.ids import TableId
from rookery.core.intents import Resign, VoidMatch
from rookery.core.tour_values import Plan
from tests.hall.contest import Contest, house_of_tours
from tests.hall.house import House, written

DRAWN = "nim"  # rows and sticks by chance


def contest(*, fair: bool, form: str = "round_robin legs=2", players: int = 4) -> Contest:
    one = Contest(house_of_tours(), Plan(DRAWN, form, time="none", fair=fair))
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def rows(one: Contest, table: TableId) -> str:
    """The game as it begins, whoever is to move."""
    return str(one.house.show(one.organiser, table).view)


def resigned(one: Contest, table: TableId) -> None:
    seats = one.house.show(one.organiser, table).line.seats
    guest = next(g for g in one.guests if g.player == seats[0].player)
    one.house.do(guest, Resign(table))


def starts(one: Contest) -> dict[int, str]:
    """How each match began; all of them are played by resigning."""
    one.start()
    found: dict[int, str] = {}
    while one.running():
        for line in one.matches():
            if line.status == "playing" and line.table is not None:
                found[line.match] = rows(one, line.table)
                resigned(one, line.table)
                break
    return found


def legs(one: Contest) -> list[tuple[int, int]]:
    """The matches in pairs that were between the same two."""
    sides = {line.match: frozenset(line.sides) for line in one.matches()}
    return [(a, b) for a in sides for b in sides if a < b and sides[a] == sides[b]]


def test_in_a_fair_tour_both_legs_of_a_pair_begin_alike() -> None:
    one = contest(fair=True)
    began = starts(one)
    assert len(legs(one)) == 6
    assert all(began[first] == began[second] for first, second in legs(one))


def test_in_a_fair_tour_different_pairs_begin_differently() -> None:
    one = contest(fair=True)
    began = starts(one)
    assert len({began[first] for first, _ in legs(one)}) == 6


def test_else_every_match_begins_by_itself() -> None:
    began = starts(contest(fair=False))
    assert len(set(began.values())) == len(began) == 12


def test_a_match_that_is_played_again_begins_elsewhere() -> None:
    one = contest(fair=False, players=2)
    one.start()
    seen = set()
    for _ in range(5):
        seen.add(rows(one, one.running()[0]))
        one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert len(seen) == 5


def test_in_a_fair_tour_a_match_is_played_again_from_where_its_other_leg_begins() -> None:
    one = contest(fair=True, players=2)
    one.start()
    first = rows(one, one.running()[0])
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert rows(one, one.running()[0]) == first
    resigned(one, one.running()[0])
    assert rows(one, one.running()[0]) == first


def test_a_leg_without_a_second_begins_by_itself_in_a_fair_tour_too() -> None:
    one = contest(fair=True, form="round_robin legs=1")
    began = starts(one)
    assert len(set(began.values())) == len(began) == 6


def seeds(house: House) -> list[int]:
    return [r.event.seed for r in house.log if isinstance(r.event, Seeded)]


def test_seeds_are_in_the_log_and_follow_from_the_tours_own() -> None:
    one = contest(fair=True, players=3)
    starts(one)
    keyed = one.house.streams[tour_stream(one.tour)][1].event
    assert isinstance(keyed, TourKeyed)
    assert len(seeds(one.house)) == 6
    assert len(set(seeds(one.house))) == 3
    assert keyed.seed not in seeds(one.house)
    assert str(keyed.seed) not in "".join(
        written(message) for inbox in one.house.inboxes.values() for message in inbox
    )


def test_two_tours_begin_differently() -> None:
    house = house_of_tours()
    began = []
    for _ in range(2):
        one = Contest(house, Plan(DRAWN, time="none", fair=True))
        one.join("ann", "bob")
        one.start()
        began.append(rows(one, one.running()[0]))
    assert began[0] != began[1]


def test_after_a_restart_a_pair_still_begins_alike() -> None:
    one = contest(fair=True, players=2)
    one.start()
    first = rows(one, one.running()[0])
    resigned(one, one.running()[0])
    one.house.restart()
    (begun,) = [line.table for line in one_again(one).matches() if line.status == "playing"]
    assert begun is not None
    assert rows(one, begun) == first


def one_again(one: Contest) -> Contest:
    one.organiser = one.house.connect()
    one.guests = [one.house.back(guest) for guest in one.guests]
    return one
