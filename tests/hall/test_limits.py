"""Every bound of the hall, tried at the bound: so many are fine, and one more is refused."""

import pytest

from rookery.core.clock import LONGEST
from rookery.core.events import HALL_STREAM, Opened, PlayerMade, Record, Said, Started, table_stream
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import (
    CloseTable,
    Enter,
    EnterRoom,
    Gather,
    History,
    LegalMoves,
    ListPlayers,
    ListTables,
    Open,
    Organise,
    Play,
    Reclaim,
    Rematch,
    Resign,
    Say,
    Seek,
    Sit,
    TakeOver,
    Unwatch,
    Watch,
)
from rookery.core.messages import Done, Moves, Past, Players, Refused, Roomed, Tables, Welcome
from rookery.core.policy import Errors, Gone, Policy
from rookery.hall import limits
from rookery.hall.people.players import hash_token
from tests.hall.house import NOON, SECOND, Guest, House


def two(house: House) -> tuple[Guest, Guest]:
    return house.enter("ann"), house.enter("bob")


def test_chat_max(house: House) -> None:
    table = house.game("nim", *two(house))
    ann = house.enter("cleo")
    house.ask(ann, Watch(table), Past)
    house.do(ann, Say(table, "x" * limits.CHAT_MAX))
    assert house.no(ann, Say(table, "x" * (limits.CHAT_MAX + 1))) == "too_long"
    house.do(ann, Say(table, "\n" * 10_000 + "x" * limits.CHAT_MAX))


def test_chats_a_table(house: House) -> None:
    ann, bob = two(house)
    table = house.game("nim", ann, bob)
    for n in range(limits.CHATS_A_TABLE):
        house.do(ann, Say(table, str(n)))
    assert house.no(ann, Say(table, "one more")) == "too_many"
    assert house.no(bob, Say(table, "one more")) == "too_many"
    assert house.last(table, Said).text == str(limits.CHATS_A_TABLE - 1)


def test_asides_a_table(house: House) -> None:
    ann, bob = two(house)
    table = house.game("nim", ann, bob)
    eve, fay = house.enter("eve"), house.enter("fay")
    for viewer in (eve, fay):
        house.ask(viewer, Watch(table), Past)
    for n in range(limits.ASIDES_A_TABLE):
        house.do(eve, Say(table, str(n)))
    assert house.no(eve, Say(table, "one more")) == "too_many"
    assert house.no(fay, Say(table, "one more")) == "too_many"
    house.do(ann, Say(table, "players still can"))


def test_variant_max(house: House) -> None:
    ann, _ = two(house)
    spaces = " " * (limits.VARIANT_MAX - len("nim"))
    house.do(ann, Open("nim" + spaces))
    assert house.no(ann, Open("nim " + spaces)) == "bad_option"
    assert house.no(ann, Seek("nim" + "x" * 10**6)) == "bad_option"
    thirty = ",".join(["1000"] * 30)
    house.do(ann, Open(f"nim sticks={thirty} misere=true"))


def test_time_max(house: House) -> None:
    ann, _ = two(house)
    spaces = " " * (limits.TIME_MAX - len("1m"))
    house.do(ann, Open("nim", time="1m" + spaces))
    assert house.no(ann, Open("nim", time="1m " + spaces)) == "bad_option"


def test_the_longest_time_control(house: House) -> None:
    ann, _ = two(house)
    house.do(ann, Open("nim", time=f"{LONGEST // SECOND}s"))
    assert house.no(ann, Open("nim", time=f"{LONGEST // SECOND}.000001s")) == "bad_option"


def test_move_max(house: House) -> None:
    """A longer text is never a move, even where a game reads numbers of any length."""
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    for length in (limits.MOVE_MAX, limits.MOVE_MAX + 1, 10**6):
        assert house.no(ann, Play(table, "0" * length)) == "unreadable"


def test_tables_a_player(house: House) -> None:
    ann, bob = two(house)
    for _ in range(limits.TABLES_A_PLAYER - 1):
        house.do(ann, Open("tictactoe"))
    house.do(bob, Open("nim"))
    house.do(ann, Sit(TableId(limits.TABLES_A_PLAYER)))
    house.do(bob, Open("fish"))
    assert house.no(ann, Open("nim")) == "too_many"
    assert house.no(ann, Seek("fish")) == "too_many"
    assert house.no(ann, Sit(TableId(limits.TABLES_A_PLAYER + 1))) == "too_many"
    house.do(bob, Sit(TableId(1)))
    house.do(ann, Resign(TableId(1)))
    house.do(ann, Seek("fish"))


def test_tables_a_player_counts_those_opened_for_others_until_they_begin(house: House) -> None:
    ann, bob = two(house)
    for _ in range(limits.TABLES_A_PLAYER):
        house.do(ann, Open("tictactoe", sit=False))
    assert house.no(ann, Open("tictactoe", sit=False)) == "too_many"
    house.do(bob, Sit(TableId(1)))
    house.do(ann, Sit(TableId(2)))
    house.do(house.enter("cleo"), Sit(TableId(1)))
    house.do(ann, Open("tictactoe", sit=False))


def test_tables_a_player_holds_for_rematches_whoever_wishes_last(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Resign(table))
    house.do(ann, Rematch(table))
    for _ in range(limits.TABLES_A_PLAYER):
        house.do(ann, Open("nim"))
    assert house.no(bob, Rematch(table)) == "too_many"
    assert house.no(ann, Rematch(table)) == "too_many"


def test_players_a_session(house: House) -> None:
    outside = house.enter("ann")
    session = house.connect()
    for n in range(limits.PLAYERS_A_SESSION):
        last = house.enter(f"p{n}", session)
    assert house.no(session, Enter("one more")) == "too_many"
    assert house.no(session, Reclaim(outside.player, outside.token)) == "too_many"
    house.ask(session, Reclaim(last.player, last.token), Welcome)


def full_hall(tables: int, organiser: str = "") -> House:
    """A house that comes back with so many running games of players who are away."""
    house = House(organiser=organiser)
    made = PlayerMade(PlayerId(1), "ann", "h", hash_token("t"), "native")
    records = [Record(1, HALL_STREAM, 1, NOON, made)]
    opened = Opened("nim", 1, 2, "none", Policy())
    for n in range(1, tables + 1):
        stream = table_stream(TableId(n))
        records.append(Record(2 * n, stream, 1, NOON, opened))
        records.append(Record(2 * n + 1, stream, 2, NOON, Started()))
    for record in records:
        house.log.append(record)
        house.streams.setdefault(record.stream, []).append(record)
    house.restart()
    return house


def test_tables_max_and_tables_reserved() -> None:
    """Where nobody else finds room, the organiser opens tables, and closes them."""
    house = full_hall(limits.TABLES_MAX - limits.TABLES_RESERVED - 1, organiser="o")
    ann = house.back(Guest(house.connect(), PlayerId(1), "t"))
    bob = house.enter("bob")
    house.do(ann, Open("tictactoe"))
    assert house.no(ann, Open("tictactoe")) == "too_many"
    assert house.no(bob, Seek("nim")) == "too_many"
    house.do(bob, Seek("tictactoe"))  # who takes a free seat needs no table
    table = TableId(limits.TABLES_MAX - limits.TABLES_RESERVED)
    house.do(bob, Resign(table))
    house.do(ann, Open("tictactoe"))
    assert house.no(bob, Rematch(table)) == "too_many"
    orla = house.enter("orla")
    assert house.no(orla, Open("nim")) == "too_many"
    house.do(orla, Organise("o"))
    more = house.do(orla, Open("nim", sit=False)).table
    assert more is not None
    assert house.no(bob, Open("tictactoe")) == "too_many"
    house.do(orla, CloseTable(more))


def test_kept_tables() -> None:
    house = full_hall(limits.KEPT_TABLES - 1)
    ann, bob = house.enter("ann"), house.enter("bob")
    kept = [house.do(one, Open("tictactoe", kept=SECOND)).table for one in (ann, bob)]
    house.hang_up(bob)
    house.hang_up(ann)
    statuses = []
    for table in kept:
        assert table is not None
        statuses.append(house.show(house.connect(), table).line.status)
    assert statuses == ["open", "closed"]  # bob's was one too many when he went


def test_watched_a_session(house: House) -> None:
    guests = [house.enter(f"g{n}") for n in range(5)]
    for n in range(limits.WATCHED_A_SESSION + 1):
        house.do(guests[n % 5], Open("nim"))
    watcher = house.connect()
    for n in range(limits.WATCHED_A_SESSION):
        house.ask(watcher, Watch(TableId(n + 1)), Past)
    more = TableId(limits.WATCHED_A_SESSION + 1)
    assert house.no(watcher, Watch(more)) == "too_many"
    house.ask(watcher, Watch(TableId(1), since=2), Past)  # which it watches already
    house.do(watcher, Unwatch(TableId(1)))
    house.ask(watcher, Watch(more), Past)


def test_past_page(house: House) -> None:
    ann, bob = two(house)
    table = house.game("nim", ann, bob)
    for n in range(limits.PAST_PAGE - 4):
        house.do(ann, Say(table, str(n)))
    page = house.ask(ann, History(table), Past)
    assert (len(page.events), page.more) == (limits.PAST_PAGE, False)
    house.do(ann, Say(table, "one more"))
    page = house.ask(ann, History(table), Past)
    assert (len(page.events), page.more) == (limits.PAST_PAGE, True)
    rest = house.ask(ann, History(table, page.events[-1].n), Past)
    assert (len(rest.events), rest.more) == (1, False)


def test_past_page_counts_what_one_may_hear_so_that_there_is_always_a_next_page(
    house: House,
) -> None:
    guests = [house.enter(name) for name in "abcd"]
    table = house.game("bughouse", *guests)
    for n in range(limits.PAST_PAGE + 10):
        house.do(guests[0], Say(table, str(n), team=True))
    house.do(guests[0], Say(table, "to all"))
    page = house.ask(guests[1], History(table, 7), Past)
    assert [type(entry.event) for entry in page.events] == [Said]
    assert not page.more


def test_list_page(house: House) -> None:
    for n in range(limits.LIST_PAGE):
        if n % limits.PLAYERS_A_SESSION == 0:
            session = house.connect()
        guest = house.enter(f"p{n}", session)
        house.do(guest, Open("nim", player=guest.player))
    assert not house.ask(session, ListTables(), Tables).more
    house.do(house.enter("one more"), Open("nim"))
    page = house.ask(session, ListTables(), Tables)
    assert (len(page.tables), page.more) == (limits.LIST_PAGE, True)
    rest = house.ask(session, ListTables("", page.tables[-1].table), Tables)
    assert (len(rest.tables), rest.more) == (1, False)
    assert len(house.ask(session, ListPlayers(), Players).players) == limits.LIST_PAGE


def test_moves_max(house: House) -> None:
    ann, bob = two(house)
    most = limits.MOVES_MAX - 2  # one more at either end
    table = house.game(f"guess low=1 high={most}", ann, bob)
    assert len(house.ask(ann, LegalMoves(table), Moves).moves) == limits.MOVES_MAX
    table = house.game(f"guess low=1 high={most + 1}", ann, bob)
    assert house.no(ann, LegalMoves(table)) == "too_many"
    assert len(house.ask(ann, LegalMoves(table, some=True), Moves).moves) == limits.MOVES_MAX


def test_level_max() -> None:
    house = House(bots=frozenset({"nim"}))
    ann = house.enter("ann")
    house.do(ann, Open("nim", house=limits.LEVEL_MAX))
    assert house.no(ann, Open("nim", house=limits.LEVEL_MAX + 1)) == "bad_option"


def test_errors_max(house: House) -> None:
    ann, bob = two(house)
    policy = Policy(errors=Errors(limits.ERRORS_MAX))
    table = house.game("tictactoe", ann, bob, policy=policy)
    for _ in range(limits.ERRORS_MAX):
        assert house.show(bob, table).line.status == "playing"
        house.ask(ann, Play(table, "x"), Refused)
    assert house.show(bob, table).line.status == "over"
    for limit in (-1, limits.ERRORS_MAX + 1, 10**30):
        assert house.no(ann, Open("nim", policy=Policy(errors=Errors(limit)))) == "bad_option"


@pytest.mark.parametrize("grace", [0, limits.GRACE_MAX])
def test_grace_max(house: House, grace: int) -> None:
    ann, bob = two(house)
    table = house.game("nim", ann, bob, policy=Policy(grace=grace))
    for over in (-1, limits.GRACE_MAX + 1, 10**30):
        assert house.no(ann, Open("nim", policy=Policy(grace=over))) == "bad_option"
    house.hang_up(ann)
    house.wait(grace / SECOND)
    assert house.show(bob, table).line.status == "over"


def test_kept_max(house: House) -> None:
    ann = house.enter("ann")
    for over in (-1, limits.KEPT_MAX + 1, 10**30):
        assert house.no(ann, Open("nim", kept=over)) == "bad_option"
    table = house.do(ann, Open("nim", kept=limits.KEPT_MAX)).table
    assert table is not None
    house.hang_up(ann)
    house.wait(limits.KEPT_MAX / SECOND)
    assert house.show(house.connect(), table).line.status == "closed"


def test_wait_max(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Gather("fish", 2, 3, limits.WAIT_MAX))
    for over in (-1, limits.WAIT_MAX + 1, 10**30):
        assert house.no(bob, Gather("fish", 2, 3, over)) == "bad_option"
    house.do(bob, Gather("fish", 2, 3, limits.WAIT_MAX))
    assert house.hall.deadline() == house.now + limits.WAIT_MAX


def test_members_a_room(house: House) -> None:
    for n in range(limits.MEMBERS_A_ROOM):
        house.ask(house.connect(), EnterRoom("den", "nim", name=f"g{n}"), Roomed)
    assert house.no(house.connect(), EnterRoom("den", "nim", name="late")) == "too_many"
    house.ask(house.connect(), EnterRoom("attic", "nim", name="late"), Roomed)


def test_linger(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Resign(house.game("nim", ann, bob)))
    assert house.hall.deadline() == house.now + limits.LINGER


def test_number_kept(house: House) -> None:
    directory = house.hall.directory
    house.hang_up(house.enter("ann", house.connect(dialect="tourney"), "tourney"))
    house.now += limits.NUMBER_KEPT - 1
    bob = house.enter("bob", house.connect(dialect="tourney"), "tourney")
    house.now += 1
    cyd = house.enter("cyd", house.connect(dialect="tourney"), "tourney")
    assert directory.player_number("tourney", bob.player) == 2
    assert directory.player_number("tourney", cyd.player) == 1


def test_offered(house: House) -> None:
    ann, bob, cid = (house.enter(name) for name in ("ann", "bob", "cid"))
    for moment, answer in ((limits.OFFERED - 1, Done), (limits.OFFERED, Refused)):
        policy = Policy(gone=Gone.TAKEOVER, grace=0)
        table = house.ask(ann, Open("nim", policy=policy), Done).table
        assert table is not None
        house.ask(bob, Sit(table), Done)
        house.hang_up(bob)
        house.now += moment
        house.tick()
        house.ask(cid, TakeOver(table, Seat(1)), answer)
        bob = house.back(bob)
