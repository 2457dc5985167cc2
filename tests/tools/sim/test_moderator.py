"""Who rules in a world goes when nothing is left to lift, as it is told in the evening."""

from collections import Counter

import msgspec

from rookery.core.chance import Chance
from rookery.core.messages import Done, Refused
from rookery_tools.sim.clients.moderator import AGAIN, NUMBERS, Moderator
from rookery_tools.sim.clients.person import Habits, WorldTown
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from rookery_tools.sim.machine.wires import Network, Site, WorldLine

NOTHING = Refused("nothing_to_lift", "Player 1 is not muted.")
LIFTING = ["unmute"] * NUMBERS + ["lift_ban"] * NUMBERS


class Overheard(Moderator):
    """One whose words are kept, to be answered when the test pleases."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.asked: list[str] = []

    def say(self, words: bytes) -> None:
        """Keep the kinds of what it asks."""
        self.asked += [msgspec.json.decode(line)["type"] for line in words.splitlines()]

    def answer(self, many: int, *, done: int = 0) -> None:
        """The first of what it has asked is answered in order: so much is done, no more was so."""
        self.asked = self.asked[many:]
        for n in range(many):
            answer = Done() if n < done else NOTHING
            self.hear(msgspec.json.encode(answer) + b"\n")


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


def test_what_was_asked_by_day_and_is_answered_in_the_evening_lets_nobody_go() -> None:
    one, town = one_who_rules()
    for seconds in range(99):
        pass_time(town, seconds * SECOND)
    asked = len(one.asked)
    assert {"mute", "ban", "unmute", "lift_ban"} <= set(one.asked)
    town.calm = True
    one.hurry()
    one.answer(asked)
    assert not one.gone, "that is of the day"
    assert one.asked == LIFTING
    one.answer(len(LIFTING), done=1)
    pass_time(town, town.agenda.now + AGAIN)
    assert one.asked == LIFTING, "something was still in force"
    one.answer(len(LIFTING))
    assert one.gone


def test_however_often_it_is_asked_to_hurry_it_lifts_all_once_at_a_time() -> None:
    one, town = one_who_rules()
    one.answer(2)
    town.calm = True
    for _ in range(5):
        one.hurry()
    assert one.asked == LIFTING
