"""What a match may be, its file, and the share of the clock."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from rookery.arena.arena_game import LONGEST, millis_for
from rookery.arena.players.player_pool import check_players, names_of
from rookery.arena.setup import (
    BadMatch,
    level_in,
    read_setup,
    same_match,
    variant_with,
    write_setup,
)
from rookery.arena.statistics import Sprt
from rookery.arena.tally import shares_of
from rookery.core.clock import parse_time_control
from rookery.core.errors import BadOption, Mistake
from rookery.core.tour_values import Result
from tests.arena.matches import setup


def test_the_file_of_a_match_says_all_that_was_asked(tmp_path: Path) -> None:
    match = setup('python "my bot.py" \\ é', "level3", sprt=Sprt(0, 12.5))
    write_setup(match, tmp_path)
    assert read_setup(tmp_path) == match


@pytest.mark.parametrize("text", ["players = 3", "not toml", 'players = ["1", "2"]'])
def test_a_file_that_is_no_match_is_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "match.toml").write_text(text)
    with pytest.raises(BadMatch, match=r"cannot be read: .*\.$"):
        read_setup(tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("players = 3", "players is a list, and what is given is not."),
        ('players = ["1", "2"]', "it does not say variant."),
    ],
)
def test_what_does_not_fit_is_said_in_words(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "match.toml").write_text(text)
    with pytest.raises(BadMatch, match=f"cannot be read: {sentence}"):
        read_setup(tmp_path)


def test_another_match_in_the_folder_is_not_taken_for_this_one() -> None:
    match = setup("level2", "level1")
    same_match(replace(match, seed=9, key="other"), match)
    with pytest.raises(BadMatch, match=r'its time is "30s", not "10s"\.'):
        same_match(replace(match, time="10s"), match)


@pytest.mark.parametrize(
    ("players", "changes", "sentence"),
    [
        (("1",), {}, "A match of nim is between 2 players, not 1."),
        (("1", "2", "3"), {"variant": "bughouse"}, "is between 2 or 4 players, not 3."),
        (("6", "1"), {}, "A level is a whole number from 1 to 5, not 6."),
        (("2", "1"), {"games": 5}, "must be a multiple of 2, and 5 is not."),
        (("2", "1"), {"games": 0}, "A match has one game or more, not 0."),
        (("2", "1"), {"games": 100_002}, "A match has at most 100000 games, not 100002."),
        (("2", "1"), {"jobs": 51}, "From 1 to 50 games are played at once, not 51."),
        (("2", "1"), {"time": "soon"}, "no length of time"),
        (("2", "1"), {"variant": "chess"}, "There is no game 'chess'"),
        (("2", "1"), {"variant": "fish rows=1 cols=1"}, "."),
        (("1", "1", "1"), {"variant": "fish", "games": 3, "sprt": Sprt(0, 5)}, "two sides"),
    ],
)  # fmt: skip
def test_a_match_that_cannot_be_played_is_refused_with_a_sentence(
    players: tuple[str, ...], changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(Mistake) as refused:
        setup(*players, **changes)
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("player", ["./nothing-here", '"open', "", "localhost:70000"])
def test_what_is_no_player_is_refused_before_the_match(player: str) -> None:
    with pytest.raises(BadMatch, match=r"\.$"):
        check_players((player,))


def test_reversi_begins_with_an_opening_by_chance_unless_it_is_said_otherwise() -> None:
    assert variant_with("reversi", None) == "reversi opening=8"
    assert variant_with("reversi size=6", 4) == "reversi size=6 opening=4"
    assert variant_with("reversi opening=2", None) == "reversi opening=2"
    assert variant_with("nim", None) == "nim"
    with pytest.raises(BadOption, match="not in nim"):
        variant_with("nim", 8)


def test_names_are_short_and_no_two_are_alike() -> None:
    texts = ("level3", "3", "python3 bots/mine.py --fast", "./mine.py", "localhost:9000")
    assert names_of(texts) == (
        "level 3", "level 3 (2)", "mine.py --fast", "mine.py", "localhost:9000",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bot.py 1", "bot.py 1"),
        ("python3.12 -u bots/bot.py 1", "bot.py 1"),
        ("/usr/bin/env A=1 node bot.js 2", "bot.js 2"),
        ("java -jar x.jar", "x.jar"),
        ("python -m my.bot", "my.bot"),
        ("./bot --depth=3", "bot --depth=3"),
        ("python bot.py --depth=3", "bot.py --depth=3"),
        ("new=python bot.py", "new"),
        ("v1.2=level3", "v1.2"),
        ("far=localhost:9000", "far"),
        ("python", "python"),
    ],
)
def test_a_player_is_called_by_its_name_or_its_command_from_the_file_on(
    text: str, name: str
) -> None:
    assert names_of((text,)) == (name,)


def test_a_name_is_no_part_of_the_player() -> None:
    assert (level_in("ann=level3"), level_in("ann=3"), level_in("ann=x")) == (3, 3, None)
    check_players(("ann=3", "bob=python3 bot.py", "far=localhost:9000"))
    with pytest.raises(BadMatch, match="no program 'nosuchbot'"):
        check_players(("ann=nosuchbot",))


@pytest.mark.parametrize(
    ("places", "shares"),
    [((1, 2), (1, 0)), ((1, 1), (0.5, 0.5)), ((2, 2), (0.5, 0.5)), ((2, 1, 3), (0.5, 1, 0))],
)
def test_a_game_is_one_point_against_every_other(
    places: tuple[int, ...], shares: tuple[float, ...]
) -> None:
    assert shares_of(Result(places, "how")) == pytest.approx(shares)


@pytest.mark.parametrize(
    ("clock", "left", "millis"),
    [
        ("none", None, LONGEST),
        ("1s/move", 1_000_000, 780),  # four fifths, and something to spare
        ("1s+0.1s", 1_000_000, 100),  # a 25th and four fifths of the increment
        ("1s", 25_000, 1),
    ],
)
def test_a_level_thinks_for_a_share_of_its_clock(clock: str, left: int | None, millis: int) -> None:
    assert millis_for(parse_time_control(clock), left) == millis
