"""Who judges whom people are taken for, what is told of games that run, and when tours start."""

from collections import Counter

import msgspec
import pytest

from rookery.core.chance import Chance
from rookery.core.events import Joined, Record, TourEvent, TourOpened, TourStarted
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.tour_values import Plan
from rookery_tools.sim.clients import make_person
from rookery_tools.sim.clients.member import KEEP, SIGN_IN, Member
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.clients.web import post
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from rookery_tools.sim.machine.process import EPOCH
from rookery_tools.sim.machine.wires import Network, Site, WorldLine
from rookery_tools.sim.observer.people.selves import judge_selves
from rookery_tools.sim.observer.standing import judge_starting

STARTS = Micros(EPOCH + 10 * MICROS_A_SECOND)


@pytest.fixture
def town() -> WorldTown:
    """Where people can call one server."""
    agenda = WorldAgenda()
    net = Network(agenda, Chance(1), Counter())
    Site(net)
    return WorldTown(agenda, net, ())


def person(town: WorldTown, kind: str, number: int) -> WorldPerson:
    """Somebody of this kind."""
    return make_person(town, Habits(kind, number, seed=number))


def greet(one: WorldPerson, player: int) -> None:
    """The server takes this one for that player."""
    line = one.town.net.call(one.host, one.port, one)
    line.down.append((1, b'{"type":"hello","version":1,"player":%d,"token":"x"}\n' % player))
    one.lines.append(line)


def answered(one: WorldPerson, path: str, body: object, status: int, player: int = 0) -> WorldLine:
    """Somebody asked this over HTTP, and was answered so."""
    line = one.town.net.call(one.host, one.port, one)
    line.up.append((1, post(path, body)))
    said = msgspec.json.encode({"player": player, "name": one.name, "token": "x"})
    head = f"HTTP/1.1 {status} Well\r\ncontent-length: {len(said)}\r\n\r\n"
    line.down.append((2, head.encode() + said))
    return line


def is_wrong(*people: WorldPerson) -> bool:
    """Whether somebody was taken for another."""
    return bool(list(judge_selves(people)))


def test_a_player_is_one_person_for_good(town: WorldTown) -> None:
    ann, bob, liar = (person(town, kind, n) for n, kind in enumerate(("native", "member", "liar")))
    greet(ann, 1)
    greet(bob, 2)
    greet(ann, 1)
    assert not is_wrong(ann, bob, liar)
    greet(liar, 1)
    assert is_wrong(ann, bob, liar)


def test_only_its_passphrase_is_good_for_an_account(town: WorldTown) -> None:
    ann, thief = person(town, "member", 1), person(town, "thief", 2)
    assert isinstance(ann, Member)
    right = {"name": ann.name, "passphrase": ann.passphrase}
    wrong = {"name": ann.name, "passphrase": "correct horse"}
    greet(ann, 1)
    ann.errands.append(answered(ann, SIGN_IN, right, 200, player=1))
    ann.errands.append(answered(ann, SIGN_IN, wrong, 403))
    thief.lines.append(answered(thief, SIGN_IN, wrong, 403))
    assert not is_wrong(ann, thief)
    thief.lines.append(answered(thief, SIGN_IN, wrong, 200, player=1))
    assert is_wrong(ann, thief)


@pytest.mark.parametrize(("path", "status"), [(SIGN_IN, 403), (KEEP, 403)])
def test_who_says_its_passphrase_is_let_in(town: WorldTown, path: str, status: int) -> None:
    ann = person(town, "member", 1)
    assert isinstance(ann, Member)
    said = {"name": ann.name, "passphrase": ann.passphrase}
    ann.errands.append(answered(ann, path, said, status))
    assert is_wrong(ann)


def starts_wrong(began: Micros | None, entrants: int = 2, *, trouble: bool = False) -> bool:
    """Whether a tour that was to start ten seconds after the beginning may not have begun so."""
    events: list[tuple[Micros, TourEvent]] = [(EPOCH, TourOpened(Plan("nim", starts=STARTS), None))]
    events += [(Micros(EPOCH + n), Joined(n, f"p{n}", PlayerId(n))) for n in range(1, entrants + 1)]
    events += [] if began is None else [(began, TourStarted())]
    log = [Record(n, "tour/1", n, at, event, ends=False) for n, (at, event) in enumerate(events, 1)]
    troubles = [(9 * SECOND, 11 * SECOND)] if trouble else []
    return bool(list(judge_starting(log, troubles)))


def test_a_tour_starts_at_its_time_and_not_before() -> None:
    assert not starts_wrong(STARTS)
    assert not starts_wrong(Micros(STARTS + MICROS_A_SECOND // 2))
    assert starts_wrong(Micros(STARTS - 1))
    assert starts_wrong(Micros(STARTS + 3 * MICROS_A_SECOND))
    assert starts_wrong(None)


def test_with_too_few_or_in_an_outage_it_may_start_later() -> None:
    assert not starts_wrong(None, entrants=1)
    assert not starts_wrong(Micros(STARTS + 3 * MICROS_A_SECOND), trouble=True)
    assert starts_wrong(Micros(STARTS - 1), trouble=True)
