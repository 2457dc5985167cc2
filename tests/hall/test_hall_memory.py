"""What is remembered of the hall's own stream: the same however it came about, and versioned.

That a hall which begins with it is as one that read everything is tried at every restart in
these tests, at any cut (`house.py`).
"""

from hashlib import sha256
from random import Random

import msgspec
import pytest

from rookery.core.events import HALL_STREAM, Record
from rookery.core.ids import PlayerId
from rookery.core.intents import (
    Ban,
    Block,
    LiftBan,
    Mute,
    Open,
    Organise,
    Play,
    Rename,
    Sit,
    Unblock,
    Unmute,
)
from rookery.dialects import LANGUAGES
from rookery.hall.hall_memory import VERSION, AnyPart, ConductPart, HallMemory, read_parts
from rookery.hall.people.conduct import Conduct
from tests.hall.house import SECOND, House

# Whoever changes what is in a part raises VERSION, and puts what comes out here: a snapshot of
# another version is not read at all. The same must be done where other things follow from records.
SHAPE = (1, "c392")


def own_records() -> list[Record]:
    """People come, change names, meet others of theirs, play, and block each other."""
    house = House()
    ann, bob = house.enter("ann"), house.enter("ann", house.connect("10.0.0.2"))
    house.reply(bob, Rename("bob"))
    house.enter("ann", house.connect("10.0.0.3"))
    for n in range(3):
        house.enter(f"cook{n}", house.connect("10.0.0.4", "fish"), "fish")
    for _ in range(3):
        table = house.do(ann, Open("tictactoe")).table
        assert table is not None
        house.do(bob, Sit(table))
        for n, move in enumerate(("0", "3", "1", "4", "2")):
            house.do((ann, bob)[n % 2], Play(table, move))
    for one in (Block(bob.player), Block(PlayerId(3)), Unblock(bob.player), Block(bob.player)):
        house.do(ann, one)
    house.do(bob, Block(ann.player))
    return [record for record in house.log if record.stream == HALL_STREAM]


def remembered(records: list[Record], begun: list[bytes] | None = None, seq: int = 0) -> HallMemory:
    memory = HallMemory(LANGUAGES)
    memory.recall(read_parts(begun or []), seq)
    for record in records:
        memory.take(record)
    return memory


def test_it_is_the_same_to_the_byte_however_often_one_began_with_another() -> None:
    records = own_records()
    whole = remembered(records).written()
    for cut in range(len(records)):
        first = remembered(records[:cut])
        assert remembered(records[cut:], first.written(), first.seq).written() == whole


def test_who_blocks_and_unblocks_all_day_leaves_no_more_than_once(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    sizes = []
    for _ in range(3):
        for _ in range(20):
            house.do(ann, Block(bob.player))
            house.do(ann, Unblock(bob.player))
        house.do(ann, Block(bob.player))
        own = [record for record in house.log if record.stream == HALL_STREAM]
        parts = list(remembered(own).parts())
        sizes.append(sum(len(one.events) for one in parts if isinstance(one, ConductPart)))
    assert sizes == [1, 1, 1]


def moderated(seed: int) -> list[Record]:
    """The own records of a hall whose organiser does this and that for long."""
    chance, house = Random(seed), House(organiser="token")
    boss = house.connect()
    house.do(boss, Organise("token"))
    guests = [house.enter(f"g{n}", house.connect(f"10.7.{n}.1")) for n in range(4)]
    silent = [house.enter(f"s{n}", house.connect(f"10.8.{n}.1")).player for n in range(2)]
    for _ in range(60):
        house.now += 60 * SECOND
        whom = chance.choice(guests)
        wishes = (
            Mute(whom.player, chance.choice([0, 30 * SECOND, 3600 * SECOND])),
            Unmute(whom.player),
            Ban(chance.choice(silent), time=chance.choice([0, 90 * SECOND])),
            Ban(chance.choice(silent), home=True, time=chance.choice([0, 90 * SECOND])),
            LiftBan(chance.choice(silent)),
            Ban(host="192.0.2.7"),
            LiftBan(host="192.0.2.7"),
        )
        house.reply(boss, chance.choice(wishes))
    return [record for record in house.log if record.stream == HALL_STREAM]


@pytest.mark.parametrize("seed", range(8))
def test_of_mutes_and_bans_what_holds_is_kept_and_nothing_else(seed: int) -> None:
    records = moderated(seed)
    whole = remembered(records)
    kept = [one for part in whole.parts() if isinstance(part, ConductPart) for one in part.events]
    for cut in range(0, len(records), 7):
        first = remembered(records[:cut])
        assert remembered(records[cut:], first.written(), first.seq).written() == whole.written()
    again = conduct_of(read_parts(whole.written()))
    assert shown(again) == shown(whole.conduct())
    assert len(kept) == whole.conduct().sanctions(records[-1].at)


def conduct_of(parts: list[AnyPart]) -> Conduct:
    memory = HallMemory(LANGUAGES)
    memory.recall(parts, 1)
    return memory.conduct()


def shown(one: Conduct) -> object:
    """All mutes and bans, in order."""
    return [list(found.items()) for found in (one.muted, one.banned, one.barred)]


def test_what_is_something_else_is_not_read() -> None:
    for wrong in (b"", b"\x00", msgspec.msgpack.encode(["players", [[1]]]), b"\xc1"):
        with pytest.raises(msgspec.MsgspecError):
            read_parts([wrong])


def _shape(schema: object) -> object:
    """A schema without the words that explain it."""
    if isinstance(schema, dict):
        return {key: _shape(one) for key, one in schema.items() if key != "description"}
    return [_shape(one) for one in schema] if isinstance(schema, list) else schema


def test_the_version_goes_up_with_what_is_in_the_parts() -> None:
    described = msgspec.json.encode(_shape(msgspec.json.schema(AnyPart)), order="sorted")
    assert (VERSION, sha256(described).hexdigest()[:4]) == SHAPE
