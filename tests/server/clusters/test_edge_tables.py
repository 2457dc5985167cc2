"""What an edge has a copy of: tables that are at hand in the hall, and no others."""

from rookery.core.ids import SessionId, TableId
from rookery.core.intents import Resign
from rookery.server.cluster import frames
from rookery.server.cluster.frames import FrameStream
from rookery.server.cluster.gateway import EdgePeer, RemoteSession
from rookery.server.cluster.outages import EdgeOutages
from tests.hall.house import House


def said(peer: EdgePeer) -> tuple[frames.DownItem, ...]:
    """What is in its next frame."""
    frame = peer.next_frame()
    return () if frame is None else tuple(frames.read_down(frame).items)


def test_an_edge_forgets_a_table_when_the_hall_has() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim sticks=2,2", ann, bob)
    peer = EdgePeer("edge", FrameStream(1), house.hall, EdgeOutages(0, 0), soon=lambda: None)
    remote = RemoteSession(peer, SessionId(1), ann.session)
    for message in house.inboxes[ann.session]:
        remote.tell(message)
    assert any(isinstance(item, frames.TableEvents) for item in said(peer))
    peer.drop_some()
    assert said(peer) == (), "it is being played"
    house.do(ann, Resign(table))
    house.wait(30)
    peer.drop_some()
    assert said(peer) == (), "there may be a rematch"
    house.wait(31)
    peer.drop_some()
    assert said(peer) == (frames.TableDropped(TableId(table)),)
    peer.drop_some()
    assert said(peer) == ()
