"""Who rules in a world goes when nothing is left to lift, as it was told after its last act."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from rookery.core.chance import Chance
from rookery.core.ids import PlayerId, Wall
from rookery.core.messages import Done
from rookery.core.people.community_messages import ActLine, Sanctions
from rookery_tools.sim.clients.moderator import AGAIN, Moderator
from rookery_tools.sim.clients.person import Habits, WorldTown
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from rookery_tools.sim.machine.wires import Network, Site, WorldLine

BANNED = ActLine(Wall(1), "banned", "", PlayerId(5), "ann")


class Overheard(Moderator):
    """One whose words are kept, to be answered when the test pleases."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.asked: list[str] = []

    def say(self, words: bytes) -> None:
        """Keep the kinds of what it asks."""
        self.asked += [msgspec.json.decode(line)["type"] for line in words.splitlines()]

    def answer(self, many: int, banned: Sequence[ActLine] = ()) -> None:
        """The first of what it has asked is answered in order; each list has these."""
        asked, self.asked = self.asked[:many], self.asked[many:]
        for kind in asked:
            listed = Sanctions((), tuple(banned)) if kind == "list_sanctions" else Done()
            self.hear(msgspec.json.encode(listed) + b"\n")


def one_who_rules() -> tuple[Overheard, WorldTown]:
    """It has called, and its line stands."""
    agenda = WorldAgenda()
    net = Network(agenda, Chance(1), Counter())
    town = WorldTown(agenda, net, ())
    one = Overheard(town, Habits("moderator", 1, 7))
    one.line = WorldLine(Site(net), 1, one.host, one.port, one)
    one.connected()
    return one, town


def pass_time(town: WorldTown, until: int) -> None:
    agenda = town.agenda
    while agenda.due and agenda.due[0][0] <= until:
        agenda.now = agenda.due[0][0]
        agenda.run_due()
    agenda.now = until


def test_a_list_asked_for_by_day_and_answered_in_the_evening_lets_nobody_go() -> None:
    one, town = one_who_rules()
    for seconds in range(99):
        pass_time(town, seconds * SECOND)
    assert "list_sanctions" in one.asked, "it looks by day, too"
    town.calm = True
    one.hurry()
    one.answer(len(one.asked) - 1)
    assert not one.gone, "what was forbidden since is on no list"
    one.answer(1, [BANNED])
    assert one.asked == ["lift_ban"]
    pass_time(town, town.agenda.now + AGAIN)
    one.answer(2)
    assert one.gone


def test_however_often_it_is_asked_to_hurry_it_looks_once_at_a_time() -> None:
    one, town = one_who_rules()
    one.answer(2)
    town.calm = True
    for _ in range(5):
        one.hurry()
    assert one.asked == ["list_sanctions"]
