"""Opening tours, running them and looking at them, against a real server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rookery.dialects import DIALECTS
from rookery.hall.tours.formats import FORMATS
from tests.cli.entrants import GAME, Entrants
from tests.cli.running import run, run_process
from tests.cli.tours import Venue, code_in, venue
from tests.dialects.by_heart import BY_HEART
from tests.ports import spare_port

STANDING = """\
Tour 1 Class 3b: nim rows=1 sticks=1, round_robin; ended, 3 in it, 3 of 3 matches played

    name  1  2  3  points  played  won  drawn  lost
1.  ann   ×  1  0  1       2       1    0      1
1.  bob   0  ×  1  1       2       1    0      1
1.  cyd   1  0  ×  1       2       1    0      1
Tour 1 is over: ann, bob and cyd share first place.
"""


def trimmed(said: str) -> str:
    """Without the spaces at the ends of lines that a table has."""
    return "".join(f"{line.rstrip()}\n" for line in said.splitlines())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Venue]:
    """A server where tour 1 is over: who moves first has won, so everyone has once."""
    with venue(tmp_path_factory.mktemp("played")) as there:
        code = there.create("--name", "Class 3b", "--not-rated")
        with Entrants(there.port, code, "ann", "bob", "cyd") as entrants:
            there.does("start", "1")
            entrants.play()
        yield there


# -- looking


def test_show_has_the_standing_with_its_cross_table(played: Venue) -> None:
    assert trimmed(played.does("show", "1")) == STANDING


def test_whoever_comes_to_watch_a_tour_that_is_over_sees_how_it_ended(played: Venue) -> None:
    assert trimmed(played.does("watch", "1")) == STANDING


def test_list_has_a_line_a_tour(played: Venue) -> None:
    head, line, *_ = played.does("list").splitlines()
    assert head.split()[:3] == ["tour", "name", "game"]
    assert line.split()[:3] == ["1", "Class", "3b"]
    assert "ended" in line
    assert line.rstrip().endswith("3/3     ann, bob, cyd")


def test_looking_needs_no_token(played: Venue) -> None:
    done = run("tour", "show", "1", "--at", f"127.0.0.1:{played.port}")
    assert (trimmed(done.stdout), done.stderr) == (STANDING, "")


def test_a_game_without_rated_tours_has_no_ratings(played: Venue) -> None:
    assert played.does("ratings", "nim").startswith("Nobody has a rating in nim yet;")


def test_a_rated_tour_gives_ratings(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "round_robin legs=2")
        with Entrants(there.port, code, "ann", "bob") as entrants:
            there.does("start", "1")
            entrants.play()
        _, first, second = there.does("ratings", "nim").splitlines()
    assert {first.split()[1], second.split()[1]} == {"ann", "bob"}
    assert first.split()[-1] == "2"


# -- results by hand


def test_a_result_is_entered_by_hand_and_corrected(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--stays")
        with Entrants(there.port, code, "ann", "bob"):
            there.does("start", "1")
            ruled = there.does("result", "1", "1", "bob", "--reason", "Played at the board.")
            assert ruled.endswith(": bob wins. Played at the board.\n")
            assert "a draw" in there.does("result", "1", "1", "draw")
            assert there.does("result", "1", "1", "1,2", "--unplayed").endswith(
                "Somebody did not come.\n"
            )
            matches = there.does("export", "1", "--as", "csv", "--what", "matches")
            assert matches.splitlines()[1].endswith(",yes")
            assert there.fails("result", "1", "9", "1-0") == "Tour 1 has no match 9."
            assert there.fails("result", "1", "1", "2-0").startswith("A result is 1-0, 0-1, draw")
            assert there.fails("result", "1", "1", "1,3").startswith("A place is one more than")


# -- writing it down


def test_the_export_is_a_gradebook(played: Venue) -> None:
    assert played.does("export", "1", "--as", "csv").splitlines()[1] == (
        "1,1,ann,ann,1,2,1,0,1,0,0,1,1,2,1,0,,,,1-0.5-0,"
    )


def test_the_matches_can_be_exported_too(played: Venue) -> None:
    said = played.does("export", "1", "--as", "csv", "--what", "matches")
    assert said.splitlines()[1] == (
        "1,1,1,over,bob,cyd,1,0,win,bob,last_stick,Home took the last stick.,0,"
    )


def test_an_export_to_a_file_is_what_its_name_ends_in(played: Venue, tmp_path: Path) -> None:
    page, numbers = tmp_path / "results.md", tmp_path / "results.json"
    assert played.does("export", "1", "--out", str(page)) == f"Tour 1 is written to {page}.\n"
    played.does("export", "1", "--out", str(numbers))
    assert page.read_text("utf-8").startswith("# Class 3b\n")
    assert json.loads(numbers.read_text("utf-8"))["winners"] == ["ann", "bob", "cyd"]


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("a.xls", "A file of results ends in .csv, .json, .md or .trf, and a.xls does not."),
        ("no/where.csv", "no/where.csv cannot be written: No such file or directory."),
    ],
)
def test_an_export_that_cannot_be_is_one_sentence(out: str, sentence: str, played: Venue) -> None:
    assert played.fails("export", "1", "--out", out) == sentence


# -- opening


def test_create_says_how_players_join_in_every_language(played: Venue) -> None:
    said = played.does("create", "--game", GAME, "--format", "round_robin  legs=2")
    code, tour = code_in(said), said.split()[1]
    others = tuple(f"  {name} " for name in set(DIALECTS) - BY_HEART)
    lines = [line for line in said.splitlines(keepends=True) if not line.startswith(others)]
    assert "".join(lines) == (
        f"Tour {tour} is open: {GAME}, round_robin legs=2.\n"
        f"Its code is {code}.\n"
        f"Players join at 127.0.0.1:{played.port}, each in its own language:\n"
        f'  native      {{"type": "join_tour", "code": "{code}"}}\n'
        f"  tourney     @TOUR:JOIN:{code}\n"
        f"Start it with: rookery tour start {tour} --live {' '.join(played.flags)}\n"
    )


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (("reversi size=10",), ["blackwhite  ENTERROOM [ann#ROOM1]"]),
        (("reversi",), ['othello     come to a port that has tour = "ROOM1" in the settings']),
        (("fish", "--format", "groups"), ["fish        join with the id ann#ROOM1"]),
        (("bughouse", "--format", "rotating"), ["bughouse    ADD_PLAYER:ann#ROOM1"]),
        (
            ("bughouse",),
            [
                'native      {"type": "join_tour", "code": "ROOM1", "team": "red"}',
                "bughouse    ADD_PLAYER:ann@red#ROOM1",
            ],
        ),
    ],
)
def test_old_clients_give_the_code_in_their_own_way(
    words: tuple[str, ...], lines: list[str], tmp_path: Path
) -> None:
    with venue(tmp_path) as there:
        said = there.does("create", "--code", "room1", "--game", *words)
    for line in lines:
        assert f"  {line}\n" in said


def test_an_open_tour_has_no_code(played: Venue) -> None:
    said = played.does("create", "--game", GAME, "--open")
    tour = said.split()[1]
    assert "Anyone may join it.\n" in said
    assert f'  native      {{"type": "join_tour", "tour": {tour}}}\n' in said
    assert f"  tourney     @TOUR:JOIN:{tour}\n" in said


def test_what_create_is_told_is_in_the_plan(played: Venue) -> None:
    words = ("--strict", "--farewell", "--no-late", "--policy", "gone=hold only=tourney")
    said = played.does("create", "--game", GAME, *words)
    tour, code = said.split()[1], code_in(said)
    plan = json.loads(played.does("export", tour, "--as", "json"))["plan"]
    assert {key: plan[key] for key in ("strict", "farewell", "late")} == {
        "strict": True,
        "farewell": True,
        "late": False,
    }
    assert (plan["policy"]["gone"], plan["policy"]["only"]) == ("hold", "tourney")
    assert f"language:\n  tourney     @TOUR:JOIN:{code}\nStart it" in said


def test_show_tells_the_organiser_the_code_and_nobody_else(played: Venue) -> None:
    said = played.does("create", "--game", GAME)
    code, tour = code_in(said), said.split()[1]
    stranger = run("tour", "show", tour, "--at", f"127.0.0.1:{played.port}")
    assert code in played.does("show", tour)
    assert stranger.exit_code == 0
    assert code not in stranger.stdout


def test_the_help_of_create_has_every_format() -> None:
    shown = run("tour", "create", "--help").output
    assert [name for name in FORMATS if f"\n    {name} " not in shown] == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--game", "chess"], "There is no game 'chess'; there are bughouse, fish,"),
        (["--game", "nim", "--format", "cup"], "There is no format 'cup'; there are round_robin,"),
        (["--game", "nim", "--format", "swiss rounds=x"], "The option rounds is a whole number,"),
        (["--game", "nim", "--format", "rotating"], "The format rotating is for games of teams,"),
        (["--game", "nim", "--time", "soon"], "'soon' is no length of time;"),
        (["--game", "nim", "--points", "1-2-3"], "A draw is worth no more than a win"),
        (["--game", "nim", "--ties", "luck"], "There is no tie-break 'luck'; there are"),
        (["--game", "nim", "--absent", "long"], "'long' is no length of time;"),
        (["--game", "nim", "--policy", "gone=away"], "In a tour gone is forfeit, hold or at_once,"),
        (["--game", "nim", "--policy", "grace=999h"], "A grace period is not negative, and at"),
        (["--game", "nim", "--policy", "only=fish"], "fish has no words for nim; these do:"),
        (["--game", "nim", "--farewell"], "A tour whose end must be taken is strict,"),
        (["--game", "nim", "--code", "ÄÖ"], "A code is 1 to 20 letters and digits."),
        (["--game", "nim", "--code", "A", "--open"], "A tour has a code, or anyone may join it:"),
    ],
)
def test_a_tour_that_cannot_be_is_one_sentence_and_none_is_opened(
    words: list[str], sentence: str, played: Venue
) -> None:
    before = played.does("list")
    assert played.fails("create", *words).startswith(sentence)
    assert played.does("list") == before


# -- running


def test_a_tour_is_paused_and_goes_on(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "round_robin legs=2")
        with Entrants(there.port, code, "ann", "bob") as entrants:
            assert there.does("start", "1") == "Tour 1 runs.\n"
            entrants.begin()
            assert there.does("pause", "1") == (
                f"Tour 1 is paused; go on with: rookery tour start 1 {' '.join(there.flags)}\n"
            )
            assert "; paused, 2 in it, 0 of 2 matches played" in there.does("show", "1")
            assert "Playing: ann – bob (table 1)." in there.does("show", "1")
            there.does("start", "1")
            entrants.play()
        assert "; ended, 2 in it, 2 of 2 matches played" in there.does("show", "1")


def test_a_match_is_voided_and_played_again(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "bob") as entrants:
            there.does("start", "1")
            entrants.begin()
            assert there.does("void", "1", "1") == (
                "Match 1 of tour 1 counts for nothing, and is played again.\n"
            )
            entrants.play()
        said = there.does("export", "1", "--what", "matches")
    assert said.splitlines()[1].startswith("1,1,2,over,ann,bob,1,0,win,ann,")


def test_somebody_is_put_out_by_name_or_by_number(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "bob", "cyd"):
            assert there.does("withdraw", "1", "bob") == "bob is out of tour 1.\n"
            there.does("withdraw", "1", "3")
            shown = there.does("show", "1")
            assert there.fails("withdraw", "1", "bob") == "Nobody in tour 1 is called 'bob'."
            assert there.fails("withdraw", "1", "2") == "bob is out of it already."
    assert shown.count("removed") == 2


def test_two_of_one_name_are_told_apart_by_number(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "ann"):
            assert there.does("withdraw", "1", "ann²") == "ann² is out of tour 1.\n"
            assert there.does("withdraw", "1", "ann") == "ann is out of tour 1.\n"


def test_a_tour_is_ended_as_it_stands_or_called_off(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        there.create()
        there.create()
        assert there.does("end", "1") == "Tour 1 ends; no more matches begin.\n"
        assert there.does("cancel", "2") == "Tour 2 is called off.\n"
        assert there.does("show", "1").endswith("Tour 1 is over; nobody has won it.\n")
        assert there.does("show", "2").endswith("Tour 2 was called off.\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("start", "1"), "Tour 1 is over."),
        (("pause", "1"), "Tour 1 does not run."),
        (("end", "1"), "Tour 1 is over."),
        (("void", "1", "2"), "Tour 1 is over."),
        (("start", "99"), "There is no tour 99."),
        (("show", "99"), "There is no tour 99."),
        (("show", "99", "--live"), "There is no tour 99."),
        (("export", "99"), "There is no tour 99."),
        (("ratings", "chess"), "There is no game 'chess'; there are bughouse, fish, guess, nim,"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    words: tuple[str, ...], sentence: str, played: Venue
) -> None:
    assert played.fails(*words).startswith(sentence)


def test_too_few_players_and_a_second_start_are_one_sentence(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        assert there.fails("start", "1") == "A tour like this needs 2 entrants, and has 0."
        with Entrants(there.port, code, "ann", "bob"):
            there.does("start", "1")
            assert there.fails("start", "1") == "Tour 1 runs already."


# -- who may


def test_whoever_has_no_token_may_not(played: Venue) -> None:
    done = run("tour", "create", "--game", "nim", "--at", f"127.0.0.1:{played.port}")
    assert done.stderr == (
        "Error: This is for the organiser: say --token TOKEN, or --data and the server's folder; "
        "there is no data/organiser.token.\n"
    )
    assert done.exit_code == 2


def test_a_token_is_not_looked_for_when_the_server_is_elsewhere() -> None:
    done = run("tour", "start", "1", "--at", "192.0.2.1:7350")
    assert done.stderr == (
        "Error: This is for the organiser: say --token TOKEN, or --data and the server's folder.\n"
    )


def test_a_wrong_token_is_one_sentence(played: Venue) -> None:
    at = f"127.0.0.1:{played.port}"
    done = run("tour", "list", "--token", "guessed", "--at", at)
    sentence = f"Error: The token that was given is not the organiser's at {at}.\n"
    assert (done.stderr, done.exit_code) == (sentence, 2)


def test_the_token_may_come_from_the_environment(played: Venue) -> None:
    token = (Path(played.flags[3]) / "organiser.token").read_text().strip()
    at = f"127.0.0.1:{played.port}"
    done = run_process("tour", "create", "--game", GAME, "--at", at, env={"ROOKERY_TOKEN": token})
    assert (done.stderr, done.returncode) == ("", 0)


def test_the_folder_of_another_server_is_one_sentence(played: Venue, tmp_path: Path) -> None:
    (tmp_path / "organiser.token").write_text("another\n")
    at = f"127.0.0.1:{played.port}"
    words = ("--at", at, "--data", str(tmp_path))
    done = run("tour", "start", "1", *words)
    assert done.stderr == (
        f"Error: The token in {tmp_path / 'organiser.token'} is not the organiser's at {at}.\n"
    )


def test_no_server_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "organiser.token").write_text("token\n")
    at = f"127.0.0.1:{spare_port()}"
    done = run("tour", "list", "--at", at, "--data", str(tmp_path))
    assert done.stderr == f"Error: No server answers at {at}: Connection refused.\n"
    assert done.exit_code == 2
