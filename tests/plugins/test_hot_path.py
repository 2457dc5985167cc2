"""A move costs the same wherever its game came from: nobody on its way asks."""

import sys
from pathlib import Path
from types import FrameType

from rookery.core.intents import Play
from rookery.core.messages import News
from rookery.dialects.native import NativeDialect
from rookery.plugins import load
from tests.hall.house import House
from tests.plugins.test_broken import table_of
from tests.plugins.toys import toy

ASKING = frozenset({"is_added", "origin_of", "added", "is_suspended", "parse_variant", "judge_of"})


def test_nobody_asks_on_the_way_of_a_move_whether_its_game_is_a_plug_in(
    house: House, tmp_path: Path
) -> None:
    load([toy(tmp_path)])
    ann, bob, table = table_of(house)
    house.do(ann, Play(table, "1"))
    called: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add((str(frame.f_globals.get("__name__")), frame.f_code.co_name))

    listener = NativeDialect()
    sys.setprofile(note)
    try:
        batch = house.hall.receive(bob.session, Play(table, "1"), house.now)
        for delivery in batch.deliveries:
            if isinstance(delivery.message, News):
                listener.tell(delivery.message)
        house.hall.handed(batch, house.now)
    finally:
        sys.setprofile(None)
    assert ("rookery.hall.tables.quick_move", "play") in called
    asked = [one for one in called if one[1] in ASKING or one[0].startswith("rookery.plugins")]
    assert asked == []
