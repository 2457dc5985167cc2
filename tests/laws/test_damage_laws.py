"""Laws of damage: whatever happens to a log's file shows, and nothing else is lost by it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.events import HALL_STREAM, LogEvent, Record
from rookery.dialects import LANGUAGES
from rookery.hall.hall import Hall
from rookery.store import StoreBroken
from rookery.store.examine import gather
from rookery.store.sqlite import SqliteStore
from rookery.verify.log import check_log, salvage
from tests.effort import DEEP
from tests.store.damage import (
    LARGE,
    PAGE,
    SMALL,
    change,
    contents,
    problems,
    rows_of,
    running_log,
    small_log,
    streams,
)

KINDS_OF_DAMAGE = (
    "malformed database schema",
    "is not one that Rookery makes",
    "its checksum is wrong",
    "The bookmark of the log is damaged",
    "The list of finished streams",
    "The catalogue of tables",
    "The list of who sat where",
)
FEW = 100  # bytes on a page
EVERY = 7  # bytes from one flip to the next: fewer than the shortest row has
LAST = len(SMALL)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return small_log(tmp_path_factory.mktemp("sound") / "log").read_bytes()


def flipped(content: bytes, at: int, bit: int, path: Path) -> Path:
    """A file like this with one bit the other way."""
    damaged = bytearray(content)
    damaged[at] ^= 1 << bit
    path.write_bytes(damaged)
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    return path


def test_a_sound_log_has_no_problem(sound: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(sound)
    assert problems(tmp_path / "log") == []
    assert list(check_log(SMALL)) == []


class Flip(Struct, frozen=True):
    """A bit of this byte the other way: what an examination says, and whether anything differs."""

    at: int
    problems: list[str]
    shows: bool


@pytest.fixture(scope="module")
def flips(sound: bytes, tmp_path_factory: pytest.TempPathFactory) -> list[Flip]:
    """A bit of every few bytes, so that no row is passed over; of every byte when deep.

    Of every byte, too, of a page that has few.
    """
    folder = tmp_path_factory.mktemp("flips")
    (folder / "log").write_bytes(sound)
    before = contents(folder / "log")
    chance = Random(7)
    found = []
    for at in _some(list(rows_of(sound))):
        path = flipped(sound, at, chance.randrange(8), folder / "flipped")
        said = problems(path)
        found.append(Flip(at, said, shows=_differ(path, before)))
    return found


def _some(places: list[int]) -> Iterator[int]:
    for _, group in groupby(places, lambda at: at // PAGE):
        page = list(group)
        yield from page[:: 1 if DEEP or len(page) < FEW else EVERY]


def _differ(path: Path, before: list[object]) -> bool:
    try:
        return contents(path) != before
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return True


def test_every_flipped_bit_is_found_or_changes_nothing_that_can_be_read(flips: list[Flip]) -> None:
    unseen = [flip.at for flip in flips if flip.shows and not flip.problems]
    assert unseen == [], "bits of these bytes are flipped, and nobody says so"
    found = [flip for flip in flips if flip.problems]
    assert len(found) > len(flips) // 2, "most of these bytes are somebody's"


@pytest.mark.parametrize("words", KINDS_OF_DAMAGE)
def test_an_examination_that_overlooked_one_kind_of_damage_would_be_caught(
    words: str, flips: list[Flip]
) -> None:
    """So the bits that are flipped are enough: of every kind some are seen by one look alone."""
    assert any(flip.shows and all(words in one for one in flip.problems) for flip in flips)


def test_every_flipped_bit_of_a_record_is_found(tmp_path: Path) -> None:
    path = small_log(tmp_path / "log")
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT seq, stream, n, at, ends, before, event, sum FROM records"
        rows = connection.execute(sql).fetchall()
    names = ("stream", "n", "at", "ends", "before", "event", "sum")
    for seq, *values in rows[::3]:
        for name, value in zip(names, values, strict=True):
            for other in _with_a_bit_flipped(value):
                with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                    update = f"UPDATE records SET {name} = ? WHERE seq = ?"
                    connection.execute(update, (other, seq))
                    assert problems(path), f"record {seq}: {name} is {other!r}, not {value!r}"
                    connection.execute(update, (value, seq))
    assert problems(path) == []


def _with_a_bit_flipped(value: int | str) -> list[int | str]:
    if isinstance(value, int):
        return [value ^ 1 << bit for bit in (0, 1, 7, 31, 62)]
    places = range(0, len(value), 5)
    return [value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :] for at in places]


@pytest.mark.parametrize("seq", range(1, LAST + 1))
def test_a_dropped_record_is_found(seq: int, tmp_path: Path) -> None:
    path = change(small_log(tmp_path / "log"), f"DELETE FROM records WHERE seq = {seq}")
    assert problems(path) or seq_gap(path)


def seq_gap(path: Path) -> bool:
    """Whether the numbers of the records have a gap, which the audit says."""
    with closing(sqlite3.connect(path)) as connection:
        numbers = [seq for (seq,) in connection.execute("SELECT seq FROM records ORDER BY seq")]
    return numbers != list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(("one", "other"), [(3, 4), (1, 2), (5, 6), (5, 12), (LAST - 1, LAST)])
def test_records_that_changed_places_are_found(one: int, other: int, tmp_path: Path) -> None:
    path = change(
        small_log(tmp_path / "log"),
        f"UPDATE records SET seq = 1000 WHERE seq = {one}",
        f"UPDATE records SET seq = {one} WHERE seq = {other}",
        f"UPDATE records SET seq = {other} WHERE seq = 1000",
    )
    assert problems(path)


@pytest.mark.parametrize("seq", [1, 4, LAST])
def test_a_record_that_is_there_twice_is_found(seq: int, tmp_path: Path) -> None:
    columns = "stream, n, at, ends, before, event, sum"
    path = change(
        small_log(tmp_path / "log"),
        f"INSERT INTO records SELECT {LAST + 1}, {columns} FROM records WHERE seq = {seq}",
    )
    assert problems(path)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE bookmark SET seq = seq - 1",
        "UPDATE bookmark SET running = replace(running, '1', '3')",
        "UPDATE finished SET tip = tip - 1 WHERE stream = 'table/1'",
        "DELETE FROM finished WHERE stream = 'table/1'",
        "UPDATE catalogue SET ended = ended + 1",
        "UPDATE catalogue SET game = 'nim'",
        "DELETE FROM sitters WHERE player = 1",
    ],
)
def test_damage_to_what_is_kept_beside_the_records_is_found(harm: str, tmp_path: Path) -> None:
    assert problems(change(small_log(tmp_path / "log"), harm))


def test_whatever_bit_is_flipped_a_start_is_a_hall_or_a_sentence(
    sound: bytes, tmp_path: Path
) -> None:
    chance = Random(11)
    path = tmp_path / "flipped"
    (tmp_path / "running").mkdir()
    running = running_log(tmp_path / "running" / "log")
    wal = running.with_name("log-wal").read_bytes()
    for _ in range(400):
        if chance.random() < 0.5:
            flipped(sound, chance.randrange(len(sound)), chance.randrange(8), path)
        else:
            flipped(running.read_bytes(), chance.randrange(PAGE_HEAD), chance.randrange(8), path)
            path.with_name("flipped-wal").write_bytes(wal)
        # A mistake has a sentence; any other exception is a traceback to whoever starts us.
        with suppress(Mistake), closing(SqliteStore(path)) as store:
            take_up(store)


PAGE_HEAD = 4096  # of a running log most is in its `-wal`, which has checksums of its own


def take_up(store: SqliteStore) -> None:
    """Let a hall go on with this log."""
    hall = Hall(
        languages=LANGUAGES, seeds=lambda: 1, tokens=lambda: "a token", archive=store.read_stream
    )
    hall.resume_counting(store.last_seq(), store.last_table())
    hall.restore(store.unfinished(), store.last_at() + 1, damaged=store.damaged)


@pytest.mark.parametrize("seq", range(3, LAST + 1))
def test_a_damaged_record_concerns_its_stream_alone(seq: int, tmp_path: Path) -> None:
    path = change(running_log(tmp_path / "log"), f"UPDATE records SET at = 1 WHERE seq = {seq}")
    mine = SMALL[seq - 1].stream
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreBroken, match=f"Record {seq} of the log is damaged"):
            store.read_stream(mine)
        for stream in {record.stream for record in SMALL} - {mine}:
            assert store.read_stream(stream) == [r for r in SMALL if r.stream == stream]
        ended = {record.stream for record in SMALL if record.ends}
        wanted = [r for r in SMALL if r.stream not in ended and r.stream != mine]
        assert [r for r in store.unfinished() if r.stream != mine] == wanted
        assert mine in ended or mine in store.damaged()


@pytest.mark.parametrize("seq", range(1, LAST + 1))
def test_what_is_salvaged_opens_and_is_sound(seq: int, tmp_path: Path) -> None:
    path = change(small_log(tmp_path / "log"), f"UPDATE records SET n = 99 WHERE seq = {seq}")
    gathered = gather(path)
    saved = salvage(gathered.records, gathered.broken)
    assert list(check_log(saved.records)) == []
    with closing(SqliteStore(tmp_path / "saved")) as store:
        store.append(saved.records)
        take_up(store)
    assert problems(tmp_path / "saved") == []
    assert len(saved.records) + len(saved.apart) + sum(map(len, gathered.missing)) == LAST
    if seq > 2:
        lost = {SMALL[seq - 1].stream}
        assert set(saved.lost) == lost
        assert {r.stream for r in saved.records} == {r.stream for r in SMALL} - lost


def salvaged(path: Path, log: list[Record]) -> set[str]:
    """The streams that a salvage keeps: each as it is in this log, and the new log is sound."""
    gathered = gather(path)
    saved = salvage(gathered.records, gathered.broken)
    assert list(check_log(saved.records)) == []
    kept = streams(list(saved.records))
    for stream in kept - {HALL_STREAM}:
        assert events(saved.records, stream) == events(log, stream)
    there = len(saved.records) + len(saved.apart) + sum(map(len, gathered.missing))
    assert not gathered.records or there == len(log)
    if HALL_STREAM in kept and len(events(saved.records, HALL_STREAM)) == 2:
        lost = {record.stream for record in log if any(record.seq in s for s in gathered.missing)}
        assert kept == streams(log) - lost, "what is outside of the damage is kept"
    return kept


def events(records: Sequence[Record], stream: str) -> list[LogEvent]:
    return [record.event for record in records if record.stream == stream]


def test_whatever_bit_is_flipped_whole_streams_are_salvaged(sound: bytes, tmp_path: Path) -> None:
    chance = Random(13)
    kept = []
    for at in chance.sample(range(len(sound)), 2_000 if DEEP else 200):
        with suppress(StoreBroken):  # its schema is damaged
            path = flipped(sound, at, chance.randrange(8), tmp_path / "log")
            kept.append(len(salvaged(path, SMALL)))
    assert len(kept) > 150, "few bits are the schema's"
    assert max(kept) == len(streams(SMALL))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A log whose records are on some thirty pages."""
    path = tmp_path_factory.mktemp("large") / "log"
    with closing(SqliteStore(path, bookmark_every=200)) as store:
        for record in LARGE:
            store.append([record])
    return path.read_bytes()


@pytest.mark.parametrize(
    "damage", [bytes(PAGE), bytes((37 * n + 11) % 256 for n in range(PAGE))], ids=["zeros", "noise"]
)
def test_a_page_that_cannot_be_read_costs_what_is_on_it(
    damage: bytes, large: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    lost = []
    for page in range(0, len(large), PAGE):
        path.write_bytes(large[:page] + damage + large[page + PAGE :])
        if page == 0:
            with pytest.raises(StoreBroken):
                gather(path)
            continue
        lost.append(len(streams(LARGE)) - len(salvaged(path, LARGE)))
        assert problems(path) or not lost[-1]
    assert sorted(lost)[-2:] == [41, 41], "the root of all records, and the page of the players"
    assert 0 < sorted(lost)[-3] < 20


def test_a_log_that_was_cut_off_has_the_pages_before(large: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    for size in range(PAGE, len(large), PAGE + 512):
        path.write_bytes(large[:size])
        with suppress(StoreBroken):
            salvaged(path, LARGE)


def test_sound_pages_between_damaged_ones_are_read(large: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"

    def without(*pages: int) -> list[range]:
        content = bytearray(large)
        for page in pages:
            content[page : page + PAGE] = bytes(PAGE)
        path.write_bytes(content)
        return gather(path).missing

    spans = {page: without(page) for page in range(2 * PAGE, len(large), PAGE)}
    leaves = [page for page, missing in spans.items() if missing and len(missing[0]) < 100]
    assert len(leaves) > 50
    some = leaves[5::9]
    assert without(*some) == [span for page in some for span in spans[page]]
