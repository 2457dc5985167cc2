"""`rookery tour run`: a whole tour from a file, stopped and taken up, and how it starts."""

import signal
from pathlib import Path

import pytest

from tests.cli.entrants import GAME, Entrants
from tests.cli.processes import Process
from tests.cli.tours import Venue, code_in, venue
from tests.ports import spare_port


def sheet(folder: Path, text: str = "") -> str:
    """A file that describes a tour called Friday."""
    file = folder / "friday.toml"
    file.write_text(f'name = "Friday"\ngame = "{GAME}"\nrated = false\n{text}\n', "utf-8")
    return str(file)


def opened(run: Process) -> str:
    """The code that it prints, once it waits for players."""
    run.until("press Enter to start.")
    return code_in(run.said)


def test_it_starts_when_enough_are_in_and_writes_the_results(tmp_path: Path) -> None:
    text = f"""
    format = "round_robin legs=2"
    players = 3
    export = ["{tmp_path}/grades.csv", "{tmp_path}/page.md", "{tmp_path}/all.json"]
    export_matches = ["{tmp_path}/matches.csv"]
    """
    with (
        venue(tmp_path / "server") as there,
        there.process("run", sheet(tmp_path, text)) as run,
        Entrants(there.port, opened(run), "ann", "bob", "cyd") as entrants,
    ):
        entrants.play()
        assert run.end() == 0
    assert "Waiting for 3 players; press Enter to start.\n" in run.said
    assert "cyd joins as entrant 3.\nThe tour runs.\n" in run.said
    assert run.said.endswith(
        "Tour 1 is over: ann, bob and cyd share first place.\n"
        f"Written: {tmp_path}/grades.csv\nWritten: {tmp_path}/page.md\n"
        f"Written: {tmp_path}/all.json\nWritten: {tmp_path}/matches.csv\n"
    )
    assert (tmp_path / "grades.csv").read_text().startswith("place,entrant,name,")
    assert (tmp_path / "page.md").read_text().startswith("# Friday\n")
    assert (tmp_path / "all.json").read_text().startswith("{")
    assert len((tmp_path / "matches.csv").read_text().splitlines()) == 7


def test_enter_starts_it_once_there_are_enough(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there, there.process("run", sheet(tmp_path)) as run:
        code = opened(run)
        run.type("")
        run.until("A tour like this needs 2 entrants, and has 0. Waiting for more.")
        with Entrants(there.port, code, "ann", "bob") as entrants:
            run.until("bob joins as entrant 2.")
            run.type("")
            entrants.play()
            assert run.end() == 0


def test_it_waits_for_the_players_that_are_named(tmp_path: Path) -> None:
    text = 'players = ["bob", "ann"]'
    with (
        venue(tmp_path / "server") as there,
        there.process("run", sheet(tmp_path, text)) as run,
        Entrants(there.port, opened(run), "cyd", "ann", "bob") as entrants,
    ):
        entrants.play()
        assert run.end() == 0
    assert "Waiting for bob, ann; press Enter to start.\n" in run.said
    assert "bob joins as entrant 3.\nThe tour runs.\n" in run.said


def test_seeds_of_the_file_are_given_before_it_starts(tmp_path: Path) -> None:
    text = """
    format = "knockout"
    seeding = "hand"
    seeds = ["dan", "zoe", "cyd"]
    players = 4
    """
    with (
        venue(tmp_path / "server") as there,
        there.process("run", sheet(tmp_path, text)) as run,
        Entrants(there.port, opened(run), "ann", "bob", "cyd", "dan") as entrants,
    ):
        entrants.play()
        assert run.end() == 0
        matches = there.does("export", "1", "--as", "csv", "--what", "matches")
    assert "The seeds are dan, cyd, ann and bob.\nThe tour runs.\n" in run.said
    sides = [line.split(",")[4:6] for line in matches.splitlines()[1:3]]
    assert sides == [["dan", "bob"], ["cyd", "ann"]]


def test_who_seeds_by_hand_and_names_nobody_is_told_how(tmp_path: Path) -> None:
    text = 'format = "knockout"\nseeding = "hand"\nplayers = 2'
    with (
        venue(tmp_path / "server") as there,
        there.process("run", sheet(tmp_path, text)) as run,
        Entrants(there.port, opened(run), "ann", "bob") as entrants,
    ):
        run.until("bob joins as entrant 2.")
        run.type("")
        run.until("Tour 1 is seeded by hand: give the order first. Waiting for that.")
        there.does("seed", "1", "bob")
        entrants.play()
        assert run.end() == 0
    assert "Before it starts, give its seeds: rookery tour seed 1 NAME" in run.said


def test_when_it_was_waited_long_enough_the_first_who_suffice_start_it(tmp_path: Path) -> None:
    text = 'players = 9\nwait = "1ms"'
    with venue(tmp_path / "server") as there, there.process("run", sheet(tmp_path, text)) as run:
        code = opened(run)
        run.until("A tour like this needs 2 entrants, and has 0. Waiting for more.")
        with Entrants(there.port, code, "ann", "bob") as entrants:
            entrants.play()
            assert run.end() == 0
    assert "Waiting for 9 players, for 1ms at most; press Enter to start.\n" in run.said


def test_it_may_be_started_from_elsewhere(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there, there.process("run", sheet(tmp_path)) as run:
        run.type_all()  # nobody is at the keyboard
        with Entrants(there.port, opened(run), "ann", "bob") as entrants:
            there.does("start", "1")
            entrants.play()
            assert run.end() == 0


def test_ctrl_c_leaves_the_tour_and_the_same_file_takes_it_up(tmp_path: Path) -> None:
    file = sheet(tmp_path, "players = 2")
    with venue(tmp_path / "server") as there:
        with there.process("run", file) as run:
            code = opened(run)
            interrupted(run, there, file)
        with there.process("run", file) as run, Entrants(there.port, code, "ann", "bob") as guests:
            run.until("Taking up tour 1 again (Friday).")
            run.until("The tour runs.")
            guests.begin()
            interrupted(run, there, file)
            with there.process("run", file) as again:
                again.until("Taking up tour 1 again (Friday).")
                guests.play()
                assert again.end() == 0
        assert len(there.does("list").splitlines()) == 2


def interrupted(run: Process, there: Venue, file: str) -> None:
    """It is stopped by Ctrl-C, and says how to go on."""
    run.signal(signal.SIGINT)
    assert run.end() == 130
    assert run.said.endswith(
        f"Tour 1 stays on the server. Go on with: rookery tour run {file} {' '.join(there.flags)}\n"
    )


def test_it_goes_on_when_the_server_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    with (
        venue(folder, spare_port()) as there,
        there.process("run", sheet(tmp_path, "players = 2")) as run,
    ):
        code = opened(run)
        there.server.signal(signal.SIGKILL)
        run.until("The server is gone; going on as soon as it is back.")
        with venue(folder, there.port):
            run.until("Connected again.")
            with Entrants(there.port, code, "ann", "bob") as entrants:
                entrants.play()
                assert run.end() == 0


def test_a_tour_of_that_name_that_is_another_is_one_sentence(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there:
        there.create("--name", "Friday", game="reversi")
        assert there.fails("run", sheet(tmp_path)) == (
            "Tour 1 is called Friday too and is not over, but is not as the file has it: "
            "end it, or take another name."
        )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("colour = 3", "friday.toml has no use for 'colour';"),
        ('format = "cup"', "friday.toml: There is no format 'cup';"),
    ],
)
def test_a_wrong_file_is_one_sentence_and_nothing_is_opened(
    text: str, sentence: str, tmp_path: Path
) -> None:
    with venue(tmp_path / "server") as there:
        assert sentence in there.fails("run", sheet(tmp_path, text))
        assert there.does("list").startswith("There are no tours yet;")
