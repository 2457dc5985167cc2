"""The organiser's token where others may listen: it is not taken, and nothing else changes."""

from rookery.core.ids import SessionId
from rookery.core.intents import Enter, OpenTour, Organise, Reclaim
from rookery.core.messages import Done, Refused, TourMade, Welcome
from rookery.core.network import Doorway
from rookery.core.tour_values import Plan
from tests.hall.contest import TOKEN
from tests.hall.house import House


def call(house: House, session: int, *, private: bool) -> SessionId:
    house.inboxes[SessionId(session)] = []
    house.hall.connect(SessionId(session), "10.0.0.9", door=Doorway(private=private))
    return SessionId(session)


def test_the_organiser_s_token_is_not_taken_where_others_may_listen() -> None:
    house = House(organiser=TOKEN)
    open_air, closed = call(house, 101, private=False), call(house, 102, private=True)
    refused = house.ask(open_air, Organise(TOKEN), Refused)
    assert refused.code == "no_tls"
    assert house.no(open_air, OpenTour(Plan("nim"))) == "no_player"
    assert house.do(closed, Organise(TOKEN)) == Done()
    house.ask(closed, OpenTour(Plan("nim")), TourMade)


def test_a_wrong_token_is_told_from_the_right_one_by_nobody_there() -> None:
    house = House(organiser=TOKEN)
    assert house.no(call(house, 101, private=False), Organise("guess")) == "no_tls"


def test_a_player_comes_back_by_its_own_token_all_the_same(house: House) -> None:
    first = call(house, 101, private=False)
    ann = house.ask(first, Enter("ann"), Welcome)
    house.hang_up(first)
    again = call(house, 102, private=False)
    assert house.ask(again, Reclaim(ann.player, ann.token), Welcome).player == ann.player
