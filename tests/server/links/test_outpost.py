"""What an edge has a copy of: tables that are at hand in the hall, and no others."""

from rookery.core.ids import SessionId, TableId
from rookery.core.intents import Resign
from rookery.server.links import frames
from rookery.server.links.numbered import FrameStream
from rookery.server.links.outages import EdgeOutages
from rookery.server.links.outpost import Lodger, Outpost
from tests.hall.house import House


def said(outpost: Outpost) -> tuple[frames.DownItem, ...]:
    """What is in its next frame."""
    frame = outpost.step()
    return () if frame is None else tuple(frames.read_down(frame).items)


def test_an_edge_forgets_a_table_when_the_hall_has() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim sticks=2,2", ann, bob)
    outpost = Outpost("edge", FrameStream(1), house.hall, lambda: None, EdgeOutages(0, 0))
    lodger = Lodger(outpost, SessionId(1), ann.session)
    for message in house.inboxes[ann.session]:
        lodger.tell(message)
    assert any(isinstance(item, frames.Follows) for item in said(outpost))
    outpost.forget_some()
    assert said(outpost) == (), "it is being played"
    house.do(ann, Resign(table))
    house.wait(30)
    outpost.forget_some()
    assert said(outpost) == (), "there may be a rematch"
    house.wait(31)
    outpost.forget_some()
    assert said(outpost) == (frames.Forgets(TableId(table)),)
    outpost.forget_some()
    assert said(outpost) == ()
