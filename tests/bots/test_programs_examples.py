"""The starter bots in four languages, and those on the pages: whole games, judged by the rules.

Where a language's tool is not on this machine there is nothing to run, and pytest says so.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from rookery.bots.asking import Thought
from rookery.bots.programs import Program
from rookery.bots.programs.words import Begin, End, Quit, Turn, read, write
from rookery.core.chance import Chance
from rookery.core.game import AnyView, Outcome
from rookery.core.ids import Seat
from rookery.games import AnyGame, parse_variant, read_view
from tests.bots.test_programs_told import HOME, PATIENCE, run

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
PROTOCOL = ROOT / "docs" / "programs.md"
GUIDE = ROOT / "docs" / "howto" / "write-your-first-bot.md"
ANY_BOT = (sys.executable, str(BOTS / "any_bot.py"))
NIM_BOT = (sys.executable, str(BOTS / "nim_bot.py"))

# Every game, and how many sit at it; short where a game of chance takes long.
EVERY = {
    "nim": 2,
    "nim misere=true": 2,
    "guess high=9": 2,
    "tictactoe": 2,
    "reversi": 2,
    "reversi size=10": 2,
    "fish": 4,
    "bughouse plies=40": 4,
}


def found(tool: str) -> list[str]:
    return [path for path in [shutil.which(tool)] if path is not None]


async def play(bot: Program, variant: str, seats: int, seat: Seat, seed: int) -> Outcome:
    """A game of the bot against chance; a move that the rules refuse fails the test."""
    game: AnyGame = parse_variant(variant)
    chance = Chance(seed)
    state = game.start(seats, chance)
    await bot.begin(variant, seat, [f"player {n}" for n in range(seats)], "none")
    while (outcome := game.outcome(state)) is None:
        acting = chance.choice(sorted(game.to_act(state)))
        moves = tuple(map(game.format_move, game.legal_moves(state, acting)))
        if not moves:
            continue  # in bughouse one may have to wait for a piece
        move: str | None = chance.choice(moves)
        if acting == seat:
            view = game.view(state, seat)
            assert isinstance(view, AnyView)
            move = await bot.move(Thought(variant, 1, seat, view, moves, 1, 1000), PATIENCE)
        assert move is not None
        state = game.play(state, acting, game.parse_move(move)).state
    await bot.end(outcome)
    return outcome


async def outcomes(
    command: Sequence[str], variants: Sequence[str], seat: Seat = HOME, games: int = 1
) -> list[Outcome]:
    """One process plays them all, one after the other."""
    bot = Program(command, name=command[-1])
    try:
        return [
            await play(bot, variant, EVERY.get(variant, 2), seat, seed)
            for variant in variants
            for seed in range(games)
        ]
    finally:
        await bot.close()


def plays_every_game(*command: str) -> None:
    assert len(run(outcomes(command, list(EVERY)))) == len(EVERY)


def test_the_python_bot_plays_every_game() -> None:
    plays_every_game(*ANY_BOT)


@pytest.mark.parametrize("node", found("node"))
def test_the_javascript_bot_plays_every_game(node: str) -> None:
    plays_every_game(node, str(BOTS / "bot.js"))


@pytest.mark.parametrize("java", found("java"))
def test_the_java_bot_plays_every_game(java: str) -> None:
    plays_every_game(java, str(BOTS / "Bot.java"))


@pytest.mark.parametrize("gcc", found("gcc"))
def test_the_c_bot_compiles_without_a_warning_and_plays_every_game(
    gcc: str, tmp_path: Path
) -> None:
    built = str(tmp_path / "bot")
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([gcc, "-O2", *warnings, "-o", built, str(BOTS / "bot.c")], check=True)
    plays_every_game(built)


@pytest.mark.parametrize("misere", ["false", "true"])
def test_the_nim_bot_wins_what_is_won(misere: str) -> None:
    variant = f"nim sticks=3,4,5 misere={misere}"
    won = [outcome.winners for outcome in run(outcomes(NIM_BOT, [variant], games=20))]
    assert won == [(HOME,)] * 20


@pytest.mark.parametrize("node", found("node"))
def test_the_javascript_bot_finds_one_in_a_hundred_in_seven_guesses(node: str) -> None:
    command = (node, str(BOTS / "bot.js"))
    ends = run(outcomes(command, ["guess rounds=7"], games=30))
    assert {outcome.how for outcome in ends} <= {"found", "both"}


def test_every_starter_bot_is_short_enough_to_be_read() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in BOTS.iterdir()}
    assert set(lengths) == {"any_bot.py", "nim_bot.py", "bot.js", "Bot.java", "bot.c"}
    assert [name for name, lines in lengths.items() if not 30 <= lines <= 60] == []


def guides_bot(choose: str = "") -> tuple[str, ...]:
    """The bot of the guide, as its reader writes it, with another `choose` if there is one."""
    source, *_ = python_on(GUIDE)
    if choose:
        source = re.sub(r"def choose.*?\n\n", lambda _: f"{choose}\n", source, flags=re.DOTALL)
    return (sys.executable, "-c", source)


def python_on(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_first_bot_of_the_guide_plays_every_game() -> None:
    plays_every_game(*guides_bot())


def test_the_second_bot_of_the_guide_wins_what_is_won() -> None:
    command = guides_bot(python_on(GUIDE)[1])
    won = [outcome.winners for outcome in run(outcomes(command, ["nim sticks=3,4,5"], games=20))]
    assert won == [(HOME,)] * 20


def test_the_page_of_the_protocol_shows_what_is_said() -> None:
    lines = re.findall(r"^> (.*)", PROTOCOL.read_text("utf-8"), re.MULTILINE)
    reader = msgspec.json.Decoder(
        Begin | Turn | End | Quit, dec_hook=lambda _, found: read_view(found)
    )
    told = [reader.decode(line) for line in lines]
    assert [write(said).decode() for said in told] == [f"{line}\n" for line in lines]
    assert {type(said) for said in told} == {Begin, Turn, End, Quit}


def test_the_page_of_the_protocol_shows_what_is_understood() -> None:
    lines = re.findall(r"^< (.*)", PROTOCOL.read_text("utf-8"), re.MULTILINE)
    assert lines
    assert [line for line in lines if read(line.encode()) is None] == []


def test_the_bot_of_the_guide_stays_out_of_the_checks(tmp_path: Path) -> None:
    root = GUIDE.parents[2]
    (named,) = set(re.findall(r"into a file `(\S+)`", GUIDE.read_text("utf-8")))
    (tmp_path / "pyproject.toml").write_text((root / "pyproject.toml").read_text("utf-8"))
    (tmp_path / named).write_text(python_on(GUIDE)[0])
    ruff = Path(sys.executable).with_name("ruff")
    for words in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [ruff, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
    ignored = (root / ".gitignore").read_text("utf-8").split()
    assert any(Path("/", named).match(pattern) for pattern in ignored)


def test_no_page_ends_processes_by_a_broad_name() -> None:
    pages = [*(GUIDE.parents[1]).rglob("*.md"), GUIDE.parents[2] / "README.md"]
    assert [
        page.name for page in pages if re.search("pkill|killall", page.read_text("utf-8"))
    ] == []
