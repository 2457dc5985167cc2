"""The file of `rookery tour run`: what it may say, and one sentence for everything else."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from rookery.cli.tours.sheet import Sheet, read_sheet
from rookery.core.errors import Mistake
from rookery.core.messages import EntrantLine
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan

EXAMPLE = Path(__file__).parents[2] / "examples" / "tour.toml"


def sheet_of(text: str, folder: Path) -> Sheet:
    file = folder / "friday.toml"
    file.write_text(text, "utf-8")
    return read_sheet(file)


def test_only_the_game_is_needed_and_the_name_is_the_files(tmp_path: Path) -> None:
    sheet = sheet_of('game = "nim"', tmp_path)
    assert sheet.plan() == Plan("nim", name="friday", seats=2)
    assert sheet.patience() is None
    assert sheet.files() == []


def test_everything_said_is_in_the_plan(tmp_path: Path) -> None:
    sheet = sheet_of(
        """
        name = "Cup"
        game = "nim  misere=true"
        format = "swiss rounds=3"
        time = "10s/move"
        seats = 2
        policy = "gone=hold"
        points = "3-1-0"
        ties = ["wins"]
        parallel = 4
        at_once = 2
        fair = true
        late = false
        absent = "1m"
        strict = true
        farewell = true
        stays = true
        rated = false
        """,
        tmp_path,
    )
    assert sheet.plan() == Plan(
        "nim misere=true",
        "swiss rounds=3",
        "Cup",
        2,
        "10s/move",
        Policy(gone=Gone.HOLD),
        points="3-1-0",
        ties=("wins",),
        parallel=4,
        at_once=2,
        fair=True,
        late=False,
        absent=60_000_000,
        strict=True,
        farewell=True,
        stays=True,
        rated=False,
    )


def test_files_are_what_their_names_end_in(tmp_path: Path) -> None:
    text = f"""
    game = "nim"
    export = ["{tmp_path}/a.csv", "{tmp_path}/a.md", "{tmp_path}/a.JSON"]
    export_matches = ["{tmp_path}/m.csv"]
    """
    assert sheet_of(text, tmp_path).files() == [
        (tmp_path / "a.csv", "csv", False),
        (tmp_path / "a.md", "md", False),
        (tmp_path / "a.JSON", "json", False),
        (tmp_path / "m.csv", "csv", True),
    ]


def test_players_are_a_number_or_names(tmp_path: Path) -> None:
    assert sheet_of('game = "nim"\nplayers = 3', tmp_path).players == 3
    assert sheet_of('game = "nim"\nplayers = ["ann"]', tmp_path).players == ("ann",)


def test_seeds_are_names_in_the_order_of_the_file_and_others_come_after(tmp_path: Path) -> None:
    sheet = sheet_of('game = "nim"\nseeding = "hand"\nseeds = ["cyd", "bob", "bob"]', tmp_path)
    names = ("ann", "bob", "cyd", "bob", "dan")
    entrants = [EntrantLine(n, name, (), "") for n, name in enumerate(names, 1)]
    assert sheet.order(entrants) == (3, 2, 4, 1, 5)
    assert sheet.order([replace(entrants[2], out="withdrawn"), entrants[0]]) == (1,)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = nim", "{file} is no TOML: "),
        ('name = "x"', '{file} does not say which game is played: game = "nim", for example.'),
        ('game = "nim"\nplayer = 3', "{file} has no use for 'player'; did you mean players?"),
        ('game = "nim"\nxyzzy = 3', "{file} has no use for 'xyzzy'; it knows game, name, format,"),
        ('game = "chess"', "{file}: There is no game 'chess';"),
        ('game = "nim"\nformat = "cup"', "{file}: There is no format 'cup';"),
        ("game = 3", "{file}: game is a text in quotes, and what is given is not."),
        ('game = "nim"\nfair = "yes"', "{file}: fair is true or false, and what is given is not."),
        ('game = "nim"\nseats = "2"', "{file}: seats is a whole number, and what is given is not."),
        (
            'game = "nim"\nplayers = "8"',
            "{file}: players is a whole number or a list of names, and what is given is not.",
        ),
        (
            'game = "nim"\nties = [3]',
            "{file}: what is in ties is a text in quotes, and what is given is not.",
        ),
        ('game = "nim"\nplayers = -1', "{file}: players is how many must be in it before"),
        ('game = "nim"\nwait = "long"', "{file}: 'long' is no length of time;"),
        ('game = "nim"\nabsent = "long"', "{file}: 'long' is no length of time;"),
        ('game = "nim"\npolicy = "gone"', "{file}: An option is written name=value, and 'gone'"),
        ('game = "nim"\nfarewell = true', "{file}: A tour whose end must be taken is strict,"),
        ('game = "nim"\nname = " "', "{file}: a tour of a file has a name, by which"),
        ('game = "nim"\nseeds = ["ann"]', "{file}: seeds are given by hand: say seeding = "),
        ('game = "nim"\nexport = ["a.xls"]', "{file}: A file of results ends in .csv, .json"),
        ('game = "nim"\nexport = ["no/a.md"]', "{file}: the folder of no/a.md cannot be written"),
        ('game = "nim"\nexport_matches = ["a.md"]', "{file}: export_matches is for .csv alone:"),
    ],
)
def test_a_wrong_line_is_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(Mistake) as wrong:
        sheet_of(text, tmp_path)
    assert str(wrong.value).startswith(sentence.format(file=tmp_path / "friday.toml"))
    assert "\n" not in str(wrong.value)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match=r"none\.toml cannot be read: No such file or directory\.$"):
        read_sheet(tmp_path / "none.toml")


def test_the_example_can_be_read_and_names_every_key_with_its_default() -> None:
    text = EXAMPLE.read_text("utf-8")
    assert read_sheet(EXAMPLE).plan().format == "round_robin legs=2"
    for field in msgspec.structs.fields(Sheet):
        assert f"\n{field.name} = " in text or f"\n# {field.name} = " in text, field.name
