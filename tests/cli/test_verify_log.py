"""What the doctor says of logs: nothing of those a hall wrote, everything of damaged ones."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import (
    DrawDeclined,
    DrawOffered,
    Ended,
    Erred,
    Left,
    LogEvent,
    Opened,
    Out,
    Owned,
    Played,
    PlayerMade,
    PlayerNamed,
    Record,
    Rematched,
    RematchWished,
    Said,
    Sat,
    Seeded,
    Started,
    Swapped,
    TakenOver,
)
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import (
    Abort,
    DeclineDraw,
    LegalMoves,
    OfferDraw,
    Open,
    Play,
    Rematch,
    Rename,
    Resign,
    Say,
    TakeOver,
)
from rookery.core.messages import Moves
from rookery.core.policy import Errors, Gone, Policy
from rookery.games import GAMES
from rookery.verify.log import Audit, Census, LogProblem, check_log
from tests.hall.house import Guest, House

Change = Callable[[Record], Record | None]

LINE = ("0", "3", "1", "4", "2")  # moves with which X wins


def sentences(log: list[Record]) -> list[str]:
    return [problem.sentence for problem in check_log(log)]


def won() -> list[Record]:
    """Two players, and a game of tic-tac-toe at table 1 that X won: 13 records."""
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob, time="1m", rated=False)
    play(house, table, (ann, bob), LINE)
    return house.log


def play(house: House, table: TableId, guests: tuple[Guest, ...], moves: tuple[str, ...]) -> None:
    for n, move in enumerate(moves):
        house.wait(1)
        house.do(guests[n % len(guests)], Play(table, move))


def changed(log: list[Record], n: int, change: Change) -> list[Record]:
    """The log with event n of table 1 as `change` makes it; None drops it."""
    made = [
        change(record) if (record.stream, record.n) == ("table/1", n) else record for record in log
    ]
    return [record for record in made if record is not None]


def with_event(event: LogEvent) -> Change:
    return lambda record: replace(record, event=event)


# -- logs that a hall wrote


@pytest.mark.parametrize("name", GAMES)
def test_a_game_at_random_is_sound(name: str) -> None:
    house, chance = House(seed=3), Chance(7)
    guests = [house.enter(f"guest {n}") for n in range(GAMES[name].seat_counts[-1])]
    table = house.game(name, *guests)
    for _ in range(80):
        if not (acting := house.show(guests[0], table).to_act):
            break
        guest = guests[chance.choice(acting)]
        if moves := house.ask(guest, LegalMoves(table), Moves).moves:
            house.do(guest, Play(table, chance.choice(moves)))
    assert sentences(house.log) == []


def test_every_end_that_a_table_knows_is_sound() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    aborted = house.game("reversi", ann, bob)
    house.do(ann, Abort(aborted))
    agreed = house.game("reversi", ann, bob)
    house.do(ann, OfferDraw(agreed))
    house.do(bob, DeclineDraw(agreed))
    house.do(bob, OfferDraw(agreed))
    house.do(ann, OfferDraw(agreed))
    resigned = house.game("nim", ann, bob)
    house.do(bob, Resign(resigned))
    cheated = house.game("nim", ann, bob, policy=Policy(errors=Errors(2)))
    house.reply(ann, Play(cheated, "x"))
    house.reply(ann, Play(cheated, "x"))
    house.game("fish", ann, bob, time="10s/move first 5s of place")
    house.game("nim", ann, bob, time="1m delay 2s")
    house.wait(300)
    gone = house.game("guess", ann, bob)
    house.hang_up(bob)
    house.wait(61)
    house.do(ann, Open("nim"))
    house.hang_up(ann)
    assert house.last(gone, Out).why is Forfeit.GONE
    assert sentences(house.log) == []


def test_talking_and_a_rematch_after_the_end_are_sound() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    play(house, table, (ann, bob), LINE)
    house.do(ann, Say(table, "again?"))
    house.do(ann, Rematch(table))
    house.do(ann, Rename("anna"))
    house.do(bob, Rematch(table))
    audit = Audit()
    assert [problem for record in house.log for problem in audit.take(record)] == []
    assert audit.close() == []
    assert audit.tally() == Census(
        records=len(house.log), players=2, finished=1, running=1, open=0, closed=0, broken=0
    )


def test_a_log_of_two_lives_is_sound() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob, time="1m")
    play(house, table, (ann, bob), LINE[:3])
    house.do(ann, Open("nim"))
    house.wait(5)
    house.restart()
    house.do(house.back(bob), Play(table, "4"))
    house.wait(600)
    assert sentences(house.log) == []


def test_a_seat_that_was_taken_over_is_sound() -> None:
    house = House()
    ann, bob, cid = (house.enter(name) for name in ("ann", "bob", "cid"))
    policy = Policy(gone=Gone.TAKEOVER, grace=1_000_000)
    table = house.game("tictactoe", ann, bob, time="1m", policy=policy)
    play(house, table, (ann, bob), LINE[:1])
    house.hang_up(bob)
    house.wait(1)
    house.do(cid, TakeOver(table, Seat(1)))
    play(house, table, (cid, ann), LINE[1:])
    assert sentences(house.log) == []


def test_an_empty_log_is_sound() -> None:
    assert sentences([]) == []


# -- damage


def test_a_wrong_outcome_is_found_and_both_are_said() -> None:
    lost = Outcome((2, 1), "line", "O has three in a row.")
    (problem,) = check_log(changed(won(), 11, with_event(Ended(lost))))
    assert problem == LogProblem(
        13,
        "table/1",
        11,
        "The outcome is 2-1 (line: O has three in a row.), "
        "and by the rules 1-2 (line: X has three in a row.).",
    )


DAMAGE: list[tuple[int, Change, str]] = [
    (6, with_event(Played(Seat(0), "9", 0)), "The move 9 is not legal: Slot 9 is not on the"),
    (7, with_event(Played(Seat(1), "0", 0)), "The move 0 is not legal: Slot 0 is taken."),
    (7, with_event(Played(Seat(0), "3", 0)), "Seat 0 plays 3, and it is not its turn."),
    (7, with_event(Played(Seat(5), "3", 0)), "There is no seat 5 at this table."),
    (7, with_event(Played(Seat(1), "+3", 0)), "The move 3 is not written +3."),
    (
        7,
        with_event(Played(Seat(1), "3", 60_000_000)),
        "The move 3 took 60000000 µs of the 60000000",
    ),
    (7, with_event(Played(Seat(1), "3", -1)), "The move 3 took -1 µs"),
    (7, with_event(Out(Seat(1), Forfeit.LATE, 5)), "Seat 1 had 60000000 µs, and took 5."),
    (7, with_event(Out(Seat(1), Forfeit.CHEATED)), "Seat 1 has too few errors to be out for them."),
    (7, with_event(Erred(Seat(1), "taken")), "This table does not count errors."),
    (7, with_event(DrawDeclined(Seat(1))), "A draw is declined that nobody offered."),
    (7, with_event(Started()), "This happens while a table is open, and this one is playing."),
    (7, with_event(Rematched(TableId(2))), "This happens while a table is over, and this one is"),
    (7, with_event(Opened("nim", 1, 2, "none", Policy())), "A table is opened once."),
    (4, with_event(Sat(Seat(0), PlayerId(2), "bob")), "Seat 0 is taken."),
    (4, with_event(Sat(Seat(1), PlayerId(1), "ann")), "Player 1 sits here already."),
    (4, with_event(Sat(Seat(1), PlayerId(9), "eve")), "Nobody ever was player 9."),
    (4, with_event(Left(Seat(1), PlayerId(2))), "Nobody sits on seat 1."),
    (4, with_event(Left(Seat(0), PlayerId(2))), "Seat 0 is not player 2's to leave."),
    (4, with_event(Owned(PlayerId(2))), "Player 2 owns a table and does not sit at it."),
    (4, with_event(Swapped(Seat(0), Seat(9))), "There are no two seats 0 and 9."),
    (4, with_event(Swapped(Seat(0), Seat(1))), "Only team-mates change places."),
    (7, with_event(TakenOver(Seat(1), PlayerId(2), "b")), "No seat of this table is taken over."),
    (7, with_event(TakenOver(Seat(1), PlayerId(9), "b")), "Nobody ever was player 9."),
    (4, with_event(TakenOver(Seat(0), PlayerId(2), "b")), "This happens while a table is playing"),
    (4, with_event(Seeded(1)), "A table is seeded once."),
    (4, with_event(Started()), "A game starts with a seat empty."),
    (2, with_event(Started()), "A game starts without its seed."),
    (1, with_event(Seeded(1)), "A table's first event opens it, and this one does not."),
    (1, with_event(Opened("tictactoe", 9, 2, "1m", Policy())), "Table 1 was played by version 9"),
    (1, with_event(Opened("tictactoe", 1, 3, "1m", Policy())), "tictactoe is not a game for 3."),
    (1, with_event(Opened("nim", 1, 2, "soon", Policy())), "'soon' is no length of time;"),
    (9, lambda r: replace(r, ends=True), "It is marked as its stream's last, or is so and is not"),
    (9, lambda r: replace(r, stream="fish/1"), "A table's record is in the stream 'fish/1'."),
    (9, lambda r: replace(r, stream="table/x"), "A table's record is in the stream 'table/x'."),
]


def test_a_game_that_nobody_has_is_not_judged_and_that_is_said() -> None:
    audit = Audit()
    for record in changed(won(), 1, with_event(Opened("chess", 1, 2, "1m", Policy()))):
        audit.take(record)
    assert [sentence[:18] for sentence in audit.tally().absent] == ["The game chess is "]


@pytest.mark.parametrize(("n", "change", "sentence"), DAMAGE)
def test_damage_is_found_where_it_is(n: int, change: Change, sentence: str) -> None:
    found = [problem.sentence for problem in check_log(changed(won(), n, change)) if problem.n == n]
    assert any(said.startswith(sentence) for said in found), found


@pytest.mark.parametrize(
    ("how", "places", "sentence"),
    [
        ("agreed", (1, 1), "Not everyone agreed on a draw."),
        ("aborted", (2, 2), "Called off after 4 moves."),
        ("abandoned", (1, 2), "Not so: 1-2 (abandoned: Why.)."),
        ("line", (1, 2), "The outcome is 1-2 (line: Why.), and by the rules it goes on."),
    ],
)
def test_an_end_without_its_reason_is_found(
    how: str, places: tuple[int, ...], sentence: str
) -> None:
    log = won()[:-2]
    ended = Record(12, "table/1", 10, log[-1].at, Ended(Outcome(places, how, "Why.")), ends=True)
    assert sentences([*log, ended]) == [sentence]


def test_one_wrong_move_is_one_problem_and_not_all_that_follow() -> None:
    log = changed(won(), 8, with_event(Played(Seat(0), "7", 1_000_000)))
    assert sentences(log) == [
        "The outcome is 1-2 (line: X has three in a row.), and by the rules it goes on."
    ]
    log = changed(won(), 8, with_event(Played(Seat(0), "0", 1_000_000)))
    assert sentences(log) == ["The move 0 is not legal: Slot 0 is taken."]


def test_a_missing_record_is_missed_in_the_whole_and_in_its_stream() -> None:
    log = changed(won(), 8, lambda _: None)
    assert list(check_log(log)) == [
        LogProblem(11, "table/1", 9, "Record 11 follows record 9."),
        LogProblem(11, "table/1", 9, "Event 9 follows event 7."),
    ]


def test_a_missing_beginning_is_missed_once() -> None:
    log = changed(won(), 1, lambda _: None)
    assert sentences(log) == ["Record 4 follows record 2.", "Event 2 follows event 0."]


def test_a_game_that_goes_on_after_its_end_is_found() -> None:
    log = won()
    late = Record(14, "table/1", 12, log[-1].at, Played(Seat(1), "8", 0))
    assert sentences([*log, late]) == [
        "This happens while a table is playing, and this one is over."
    ]


def test_an_end_that_is_not_written_is_found() -> None:
    assert sentences(won()[:-1]) == ["The rules have ended the game, and the log has not."]


def test_something_between_the_last_move_and_the_end_is_found() -> None:
    log = changed(won(), 11, lambda r: replace(r, event=DrawOffered(Seat(0)), ends=False))
    assert sentences(log) == ["The rules had ended the game before this."]


def test_a_wish_that_was_not_unanimous_is_found() -> None:
    log = won()
    at = log[-1].at
    wished = Record(14, "table/1", 12, at, RematchWished(Seat(0)))
    again = Record(15, "table/1", 13, at, Rematched(TableId(2)))
    assert sentences([*log, wished, again]) == ["Not all wished for another game."]


def test_a_draw_in_a_game_without_draws_is_found() -> None:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("nim", ann, bob)
    last = house.log[-1]
    offered = Record(last.seq + 1, last.stream, last.n + 1, last.at, DrawOffered(Seat(0)))
    assert sentences([*house.log, offered]) == ["This game has no draw by agreement."]


def test_players_are_made_once_and_named_after_that() -> None:
    made = PlayerMade(PlayerId(1), "ann", "here", "", "native")
    log = [
        Record(1, "hall", 1, 0, PlayerNamed(PlayerId(1), "anna")),
        Record(2, "hall", 2, 0, made),
        Record(3, "hall", 3, 0, made),
        Record(4, "table/1", 1, 0, made),
    ]
    assert sentences(log) == [
        "Nobody ever was player 1.",
        "Player 1 is made a second time.",
        "A record of the hall's is in the stream 'table/1'.",
    ]


def test_what_is_said_is_never_a_problem() -> None:
    log = won()
    said = Record(14, "table/1", 12, log[-1].at, Said(PlayerId(7), "eve", "bravo"))
    assert sentences([*log, said]) == []
