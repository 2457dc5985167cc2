"""Whole matches, with real workers and real programs, in games that take no time."""

import asyncio
from pathlib import Path

import pytest

from rookery.arena.match import ArenaMatch
from rookery.arena.setup import BadMatch
from rookery.arena.statistics import Sprt
from rookery.bots.programs.program import START_SECONDS
from rookery.core.events import Ended, MatchBegun, Out, Paired, Played, Said, Seeded, TourEnded
from rookery.core.game import Forfeit
from tests.arena.matches import FIRST_MOVE, log_of, play, play_on, program, setup, table_of


def test_a_perfect_player_wins_twenty_games_against_one_that_plays_anyhow(tmp_path: Path) -> None:
    found = play(setup("level5", "1", games=20), tmp_path)
    assert found.status == "played"
    assert (found.played, found.sides[0].points + found.sides[1].points) == (20, 20)
    assert found.sides[0].score > 0.7
    assert found.strength is not None
    assert sum(found.strength.pairs) == 10
    assert found.sides[1].losses == {"last_stick": found.sides[0].wins}


def test_both_games_of_a_pair_begin_alike_with_seats_exchanged(tmp_path: Path) -> None:
    play(setup("level5", "level4", variant="nim", games=6), tmp_path)
    events = [record.event for record in log_of(tmp_path)]
    tables = {event.match: event.table for event in events if isinstance(event, MatchBegun)}
    (paired,) = (event for event in events if isinstance(event, Paired))
    for one, other in ((1, 2), (3, 4), (5, 6)):
        starts = [table_of(tmp_path, tables[match]) for match in (one, other)]
        seeds = [event.seed for start in starts for event in start if isinstance(event, Seeded)]
        assert seeds[0] == seeds[1]
        sides = [paired.fixtures[match - 1].sides for match in (one, other)]
        assert sides == [(1, 2), (2, 1)]
    assert len({event.seed for event in events if isinstance(event, Seeded)}) == 3


def test_the_same_seed_plays_the_same_games(tmp_path: Path) -> None:
    moves = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        play(setup("level3", "level2", variant="nim", jobs=1), folder)
        events = [record.event for record in log_of(folder)]
        moves.append([event.move for event in events if isinstance(event, Played)])
    assert moves[0] == moves[1]


def test_a_match_that_was_stopped_goes_on_with_the_games_under_way(tmp_path: Path) -> None:
    match = setup("level4", "level3", variant="nim", games=20)
    stopped = play(match, tmp_path, until=4)
    assert stopped.status == "stopped"
    assert 4 <= stopped.played < 20
    whole = play(match, tmp_path)
    assert (whole.status, whole.played) == ("played", 20)
    events = [record.event for record in log_of(tmp_path)]
    begun = [event.match for event in events if isinstance(event, MatchBegun)]
    assert sorted(begun) == list(range(1, 21)), "no game was begun twice"
    assert not any(isinstance(event, Out) for event in events)


def test_a_match_that_is_over_says_the_same_again(tmp_path: Path) -> None:
    match = setup("level4", "level3")
    assert play(match, tmp_path) == play(match, tmp_path)


def test_a_sequential_test_ends_the_match_when_it_is_decided(tmp_path: Path) -> None:
    test = Sprt(0, 300)
    found = play(setup("level5", "level1", variant="nim", games=200, sprt=test), tmp_path)
    assert found.status == "decided"
    assert found.sprt is not None
    assert found.sprt.verdict == "accepted"
    assert found.played < 200
    last = [e for r in log_of(tmp_path) if isinstance(e := r.event, TourEnded)]
    assert [ended.how for ended in last] == ["ended"]


def test_a_team_of_one_player_has_both_seats_of_bughouse(tmp_path: Path) -> None:
    found = play(setup("2", "1", variant="bughouse plies=20", games=2), tmp_path)
    assert [side.name for side in found.sides] == ["level 2", "level 1"]
    assert found.played == 2


def test_four_players_of_bughouse_are_two_teams(tmp_path: Path) -> None:
    found = play(setup("2", "1", "1", "1", variant="bughouse plies=20", games=2), tmp_path)
    assert [side.name for side in found.sides] == ["level 2 + level 1", "level 1 (2) + level 1 (3)"]


def test_three_play_fish_each_for_itself(tmp_path: Path) -> None:
    found = play(setup("2", "1", "1", variant="fish rows=6 cols=4", games=3), tmp_path)
    assert sum(side.points for side in found.sides) == pytest.approx(3 * 1.5)
    assert found.strength is None


# -- programs


def test_a_program_plays_every_game_in_one_process(tmp_path: Path) -> None:
    counting = 'n = globals().get("n", 0) + 1; print("turn", n, file=sys.stderr); ' + FIRST_MOVE
    found = play(setup(program(tmp_path, counting), "level1"), tmp_path)
    assert (found.status, found.played, found.failures) == ("played", 4, ())
    assert found.sides[0].name == "program0.py"
    assert found.sides[0].moves > 0


def test_an_illegal_move_loses_and_the_log_has_it(tmp_path: Path) -> None:
    wrong = program(tmp_path, 'say(type="play", move="99,99")')
    found = play(setup(wrong, "level1", games=2), tmp_path)
    assert found.sides[0].losses == {"illegal move": 2}
    assert [failure.reason for failure in found.failures] == ["program0.py played '99,99'."] * 2
    outs = [event for event in table_of(tmp_path, 1) if isinstance(event, Out)]
    assert [out.why for out in outs] == [Forfeit.CHEATED]


def test_a_program_that_crashes_loses_with_a_reason_and_plays_the_next_game(
    tmp_path: Path,
) -> None:
    dies = program(tmp_path, 'sys.exit("no idea") if told["seat"] else ' + FIRST_MOVE)
    found = play(setup(dies, "level1"), tmp_path)
    assert found.sides[0].losses["failed"] == 2, "once in each game in which it sat second"
    assert found.played == 4
    assert "no idea" in found.failures[0].reason
    said = [e for e in table_of(tmp_path, found.failures[0].table) if isinstance(e, Said)]
    assert "no idea" in said[0].text


def test_a_program_that_hangs_loses_on_time(tmp_path: Path) -> None:
    hangs = program(tmp_path, "sys.stdin.read()")
    found = play(setup(hangs, "level1", games=2, time="2s"), tmp_path)
    assert found.sides[0].losses == {"out of time": 2}
    assert isinstance(table_of(tmp_path, 1)[-1], Ended)


def test_starting_a_program_is_not_on_its_clock(tmp_path: Path) -> None:
    slow = program(tmp_path, FIRST_MOVE)
    file = Path(slow.split()[-1])
    file.write_text(f"import threading; threading.Event().wait(2.1)\n{file.read_text()}")
    found = play(setup(slow, "level1", games=2, time="2s"), tmp_path)
    assert found.failures == ()


def test_who_says_stop_does_not_wait_for_a_program_that_is_never_ready(tmp_path: Path) -> None:
    async def story() -> None:
        stop = asyncio.Event()
        match = ArenaMatch(setup("sleep 100", "level1"), tmp_path)
        running = asyncio.create_task(match.run(stop, lambda _: None))
        stop.set()
        await asyncio.wait_for(running, START_SECONDS - 1)  # a busy machine is slow, too

    asyncio.run(story())
    assert log_of(tmp_path) == []


def test_a_program_that_does_not_know_the_game_stops_the_match_before_it_begins(
    tmp_path: Path,
) -> None:
    other = program(tmp_path, FIRST_MOVE)
    Path(other.split()[-1]).write_text("raise SystemExit('I play chess.')")
    with pytest.raises(BadMatch, match=r"cannot begin.*I play chess\."):
        play(setup(other, "level1"), tmp_path)
    assert log_of(tmp_path) == []


def test_a_program_may_listen_at_an_address(tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            if b'"type":"begin"' in line:
                writer.write(b'{"type": "ready"}\n')
            elif b'"type":"turn"' in line:
                writer.write(b'{"type": "play", "move": "0,1"}\n')
        writer.close()

    async def meet() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        match = setup(f"127.0.0.1:{port}", "level1", variant="nim rows=1 sticks=2", games=2)
        found = await play_on(match, tmp_path)
        server.close()
        assert (found.played, found.failures) == (2, ())

    asyncio.run(meet())


def test_an_address_where_nobody_listens_stops_the_match(tmp_path: Path) -> None:
    with pytest.raises(BadMatch, match=r"Nobody takes a connection at 127\.0\.0\.1:1\."):
        play(setup("127.0.0.1:1", "level1"), tmp_path)


# Nim as the moves that were told say it stands; who was told otherwise plays what is no move.
_BY_MOVES = """rows = [3, 4, 5]
        for _, move in told["played"]:
            row, take = map(int, move.split(","))
            rows[row] -= take
        say(type="play", move=told["moves"][0] if rows == told["view"]["rows"] else "lie")"""


def test_a_program_can_follow_by_the_moves_alone_also_in_a_game_taken_up(tmp_path: Path) -> None:
    match = setup(program(tmp_path, _BY_MOVES), "1", games=20)
    play(match, tmp_path, until=3)
    found = play(match, tmp_path)
    assert (found.played, found.failures) == (20, ())


def test_the_moves_so_far_begin_with_the_opening(tmp_path: Path) -> None:
    by_count = 'say(type="play", move=told["moves"][0] if len(told["played"]) >= 6 else "lie")'
    match = setup(program(tmp_path, by_count), "1", variant="reversi size=4 opening=6", games=2)
    found = play(match, tmp_path)
    assert (found.played, found.failures) == (2, ())


def test_secret_moves_are_told_to_nobody_else(tmp_path: Path) -> None:
    own = '{seat for seat, _ in told["played"]} <= {told["seat"]}'
    careful = f'say(type="play", move=told["moves"][0] if {own} else "lie")'
    found = play(setup(program(tmp_path, careful), "1", variant="guess", games=4), tmp_path)
    assert (found.played, found.failures) == (4, ())


def test_without_a_clock_a_program_that_hangs_is_not_cut_off_but_people_are_told(
    tmp_path: Path,
) -> None:
    async def run() -> tuple[list[str], ArenaMatch]:
        stop, said = asyncio.Event(), list[str]()

        def notice(sentence: str) -> None:
            said.append(sentence)
            if len(said) == 3:
                stop.set()

        match = ArenaMatch(
            setup(f"dumb={program(tmp_path, 'pass')}", "1", jobs=1, time="none"),
            tmp_path,
            notice,
            fret=0.01,
        )
        await match.run(stop, lambda _: None)
        return said, match

    said, match = asyncio.run(run())
    assert said[0].startswith("dumb has thought for 0.01 seconds at table 1; there is no clock")
    assert (match.tally.failures, match.tally.results) == ([], {})
