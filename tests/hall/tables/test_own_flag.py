"""A move after one's own flag, while somebody else's words may be on their way.

A flag waits for what others said before it fell: an edge that is not heard, or a queue. Who moves
after its own has said so itself, and nothing that others say can make the move one in time.
"""

from rookery.core.events import Ended, Out, Played
from rookery.core.game import Forfeit
from rookery.core.ids import Micros, Seat, SessionId
from rookery.core.intents import OfferDraw, Play, TableIntent
from rookery.core.messages import Refused
from tests.hall.house import SECOND, Guest, House
from tests.hall.tables.test_time import two


def say_nothing(house: House, who: Guest) -> None:
    """From now on it may have said something that nobody has heard yet."""
    since = house.now

    def unheard(session: SessionId) -> Micros | None:
        return since if session == who.session else None

    house.hall.presence.unheard = unheard


def late_while_the_other_is_unheard(intent: type[Play] | type[OfferDraw]) -> House:
    house = House()
    ann, bob, table = two(house, "5s/move", "reversi size=4")
    house.now += 4 * SECOND
    say_nothing(house, bob)
    house.now += SECOND
    wish: TableIntent = Play(table, "c4") if intent is Play else OfferDraw(table)
    assert house.ask(ann, wish, Refused).code == "over"
    assert not [event for event in house.events(table) if isinstance(event, Played)]
    assert house.last(table, Out) == Out(Seat(0), Forfeit.LATE, 5 * SECOND)
    assert house.last(table, Ended).outcome.winners == (Seat(1),)
    return house


def test_a_move_read_after_its_own_flag_is_late_though_others_may_have_said_something() -> None:
    late_while_the_other_is_unheard(Play)


def test_so_is_anything_else_that_who_has_no_time_asks_for() -> None:
    late_while_the_other_is_unheard(OfferDraw)


def test_the_flag_of_who_may_have_moved_still_waits_for_its_words(house: House) -> None:
    ann, bob, table = two(house, "5s/move")
    house.now += 4 * SECOND
    say_nothing(house, ann)
    house.now += 2 * SECOND
    assert house.ask(bob, Play(table, "4"), Refused).code == "not_your_turn"
    assert not [event for event in house.events(table) if isinstance(event, Out)]
    house.reply(ann, Play(table, "4"), read=house.now - 2 * SECOND)
    assert house.last(table, Played).spent == 4 * SECOND
