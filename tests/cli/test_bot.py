"""`rookery bot` as processes on a real server: whole games, restarts, tours, and Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from rookery.dialects import LANGUAGES
from rookery.games import parse_variant
from tests.cli.processes import Process, serving
from tests.cli.running import run
from tests.cli.tours import code_in, venue
from tests.ports import spare_port

NAMES = ("ann", "bob", "cyd", "dan")


def speakers(variant: str) -> str:
    """The dialects that have words for this, as a sentence lists them."""
    return ", ".join(sorted(LANGUAGES.speaking(parse_variant(variant))))


class Place:
    """A server, and the ports of the languages that have their own."""

    def __init__(self, server: Process, ports: dict[str, int]) -> None:
        self.server = server
        self.ports = ports

    def bot(self, dialect: str, *words: str) -> Process:
        """A bot that calls it."""
        at = f"127.0.0.1:{self.ports[dialect]}"
        return Process("bot", "--dialect", dialect, "--at", at, *words)


@contextmanager
def place(folder: Path, ports: dict[str, int] | None = None) -> Iterator[Place]:
    """A server with small ice, on these ports or any that are free."""
    ports = ports or dict.fromkeys(("any", "fish", "fishcom"), 0)
    ports = {name: port or spare_port() for name, port in ports.items()}
    settings = folder / "rookery.toml"
    folder.mkdir(exist_ok=True)
    settings.write_text(
        f"[listen.fish]\nport = {ports['fish']}\nplayers = 2\nrows = 5\ncols = 5\n"
        f"[listen.fishcom]\nport = {ports['fishcom']}\nleast = 2\nmost = 2\n"
    )
    with serving(folder, ports["any"], "--config", str(settings)) as (server, port):
        others = dict.fromkeys(("native", "othello", "blackwhite", "bughouse", "tourney"), port)
        yield Place(server, {**others, **ports})


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One server for all who need no restart of it."""
    with place(tmp_path_factory.mktemp("bot")) as found:
        yield found


def squad(stack: ExitStack, at: Place, dialect: str, players: int, *words: str) -> list[Process]:
    """So many bots of a language, all started."""
    names = NAMES[:players]
    return [stack.enter_context(at.bot(dialect, *words, "--name", name)) for name in names]


@pytest.mark.parametrize(
    ("dialect", "game", "players"),
    [
        ("native", "tictactoe", 2),
        ("native", "fish rows=4 cols=4", 2),
        ("othello", "reversi", 2),
        ("blackwhite", "reversi", 2),
        ("fish", "fish", 2),
        ("fishcom", "fish", 2),
        ("bughouse", "bughouse", 4),
    ],
)
def test_bots_play_a_whole_game_with_each_other(
    there: Place, dialect: str, game: str, players: int
) -> None:
    with ExitStack() as stack:
        words = ("2", "--game", game, "--games", "1")
        for bot in squad(stack, there, dialect, players, *words):
            assert bot.end() == 0, bot.said
            assert "A game begins.\nGame 1: " in bot.said
            assert bot.said.rstrip().rpartition("\n")[2].startswith("1 game: ")


def test_one_in_native_plays_with_one_in_othello(there: Place) -> None:
    words = ("1", "--game", "reversi", "--games", "1")
    with there.bot("native", *words) as ann, there.bot("othello", *words) as bob:
        assert (ann.end(), bob.end()) == (0, 0)
        results = {said.rpartition("1 game: ")[2] for said in (ann.said, bob.said)}
        assert len(results) == 2 or results == {"0 won, 1 drawn, 0 lost.\n"}


@pytest.mark.parametrize(
    ("dialect", "game", "players"),
    [
        ("native", "reversi size=12", 2),
        ("othello", "reversi", 2),
        ("blackwhite", "reversi", 2),
        ("fish", "fish", 2),
        ("fishcom", "fish", 2),
        ("bughouse", "bughouse", 4),
    ],
)
def test_bots_survive_a_server_that_is_killed_and_started_again(
    dialect: str, game: str, players: int, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        with place(tmp_path) as before:
            words = ("1", "--game", game, "--games", "2")
            bots = squad(stack, before, dialect, players, *words)
            bots[0].until("A game begins.")
            before.server.signal(signal.SIGKILL)
            for bot in bots:
                bot.until("The server hung up; calling again until it answers.")
        ports = {name: before.ports[name] for name in ("any", "fish", "fishcom")}
        with place(tmp_path, ports):
            for bot in bots:
                assert bot.end() == 0, bot.said
                assert bot.said.rstrip().rpartition("\n")[2].startswith("2 games: ")


@pytest.mark.parametrize(
    ("dialect", "game"),
    [
        ("native", "tictactoe"),
        ("tourney", "nim rows=3"),
        ("tourney", "guess"),
        ("tourney", "reversi size=4"),
        ("blackwhite", "reversi size=10"),
    ],
)
def test_bots_join_a_tour_by_its_code_and_play_it(dialect: str, game: str, tmp_path: Path) -> None:
    sheet = tmp_path / "tour.toml"
    sheet.write_text(f'game = "{game}"\nformat = "round_robin legs=2"\nplayers = 2\n')
    with (
        venue(tmp_path / "server") as there,
        there.process("run", str(sheet)) as tour,
        ExitStack() as stack,
    ):
        tour.until("press Enter to start.")
        code = code_in(tour.said).lower()
        at = Place(there.server, {dialect: there.port})
        for bot in squad(stack, at, dialect, 2, "1", "--game", game, "--tour", code):
            assert bot.end() == 0, bot.said
            assert bot.said.rstrip().rpartition("\n")[2].startswith("2 games: ")
        assert tour.end() == 0
        assert "2 of 2 matches played" in there.does("show", "1")


def test_bots_join_an_open_tour_by_its_number(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there, ExitStack() as stack:
        at = Place(there.server, {"native": there.port})
        for name in ("First", "Second"):
            there.does(
                "create", "--game", "nim", "--format", "round_robin", "--open", "--name", name
            )
        bots = squad(stack, at, "native", 2, "1", "--game", "nim", "--open-tour", "2")
        for bot in bots:
            bot.until("Joined tour 2 (Second).")
        there.does("start", "2")
        for bot in bots:
            assert bot.end() == 0, bot.said
        assert "1 of 1 matches played" in there.does("show", "2")
        assert "nobody in it yet" in there.does("show", "1")


def test_a_tournament_goes_on_after_a_restart(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with venue(tmp_path, spare_port()) as there:
            code = there.create("--format", "round_robin legs=4", game="reversi size=6")
            words = ("1", "--game", "reversi size=6", "--tour", code)
            at = Place(there.server, {"tourney": there.port})
            bots = squad(stack, at, "tourney", 2, *words)
            for bot in bots:
                bot.until("successfully joined")
            there.does("start", "1")
            bots[0].until("A game begins.")
            there.server.signal(signal.SIGKILL)
            bots[1].until("The server hung up")
        with venue(tmp_path, there.port):
            for bot in bots:
                assert bot.end() == 0, bot.said
                assert bot.said.rstrip().rpartition("\n")[2].startswith("4 games: ")


def test_ctrl_c_leaves_the_game_and_the_other_has_won(there: Place) -> None:
    words = ("1", "--game", "reversi size=26")
    with there.bot("native", *words) as ann, there.bot("native", *words, "--games", "1") as bob:
        ann.until("A game begins.")
        ann.signal(signal.SIGINT)
        assert ann.end() == 130, ann.said
        assert "Traceback" not in ann.said
        assert bob.end() == 0, bob.said
        assert bob.said.endswith("1 game: 1 won, 0 drawn, 0 lost.\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("3", "--game", "chess"), "There is no game 'chess';"),
        (("3", "--game", "reversi size=7"), "A board is an even size from 4 to 26, not 7."),
        (("6", "--game", "nim"), "A level is a whole number from 1 to 5, not 6."),
        (("best", "--game", "nim"), "A level is a whole number from 1 to 5, not 'best'."),
        (("--game", "nim"), "A bot has a level, like 3, or a --program: one of them."),
        (
            ("--game", "nim", "--program", "no-such-bot"),
            "There is no program 'no-such-bot' to run.",
        ),
        (
            ("1", "--game", "nim", "--dialect", "fish"),
            f"fish has no words for nim; these do: {speakers('nim')}.",
        ),
        (
            ("1", "--game", "reversi size=8", "--dialect", "blackwhite"),
            f"blackwhite has no words for reversi; these do: {speakers('reversi')}.",
        ),
        (
            ("1", "--game", "reversi", "--dialect", "othello", "--tour", "DEN"),
            "othello has no words for tours: call the tour's own port, without --tour.",
        ),
        (
            ("1", "--game", "reversi", "--dialect", "othello", "--time", "1m"),
            "In othello nobody chooses --time or --seats; native can.",
        ),
        (
            ("1", "--game", "nim", "--tour", "DEN", "--time", "1m"),
            "A tour has its own clock and seats: only --tour, or none of it.",
        ),
        (
            ("1", "--game", "fish", "--dialect", "fish", "--tour", "DEN", "--team", "owls"),
            "In fish nobody has a --team; native and bughouse can.",
        ),
        (
            ("1", "--game", "bughouse", "--team", "owls"),
            "A team is one of a tour: --team goes with --tour.",
        ),
        (
            ("1", "--game", "nim", "--dialect", "tourney", "--room", "den"),
            "In tourney there is no --room; native and blackwhite have some.",
        ),
        (
            ("1", "--game", "nim", "--tour", "DEN", "--room", "den"),
            "A tour's matches are not in a room: --tour or --room, not both.",
        ),
        (
            ("1", "--game", "fish", "--room", "den", "--seats", "3"),
            "A room has as few seats as its game can have: --room without --seats.",
        ),
        (
            ("1", "--game", "reversi", "--dialect", "blackwhite", "--room", "[den]"),
            "A room in blackwhite has 1 to 40 printable characters and none of [ ] #.",
        ),
        (
            ("1", "--game", "fish", "--dialect", "fishcom", "--name", "a" * 13),
            "A name in fishcom has 1 to 12 printable characters.",
        ),
        (
            ("1", "--game", "bughouse", "--dialect", "bughouse", "--name", "a:b"),
            "A name in bughouse has 1 to 40 printable characters and none of : #.",
        ),
        (
            ("1", "--game", "nim", "--tour", "DEN", "--open-tour", "2"),
            "A tour has a code or is open: --tour or --open-tour, not both.",
        ),
        (
            ("1", "--game", "fish", "--dialect", "fish", "--open-tour", "2"),
            "In fish a tour is joined by its code alone; native has --open-tour.",
        ),
        (
            ("1", "--game", "nim", "--dialect", "tourney", "--open-tour", "2"),
            "In tourney a bot joins what is open by itself: leave out --open-tour.",
        ),
        (("1", "--game", "nim", "--at", "nowhere:x"), "A server is written HOST:PORT,"),
    ],
)
def test_what_cannot_be_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    done = run("bot", *words)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"Error: {sentence}")
    assert done.stderr.count("\n") == 1


def test_no_server_at_the_first_call_is_one_sentence() -> None:
    done = run("bot", "1", "--game", "nim", "--at", f"127.0.0.1:{spare_port()}")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: No server answers at 127.0.0.1:")


@pytest.mark.parametrize(
    ("dialect", "sentence"),
    [
        ("native", "There is no tour with that code."),
        ("bughouse", "The server does not take that name, or that code."),
    ],
)
def test_a_code_that_no_tour_has_is_one_sentence(there: Place, dialect: str, sentence: str) -> None:
    done = run(
        *("bot", "1", "--game", "bughouse", "--dialect", dialect, "--tour", "NEVER"),
        *("--at", f"127.0.0.1:{there.ports['native']}"),
    )
    assert (done.exit_code, done.stderr) == (2, f"Error: {sentence}\n")


@pytest.mark.parametrize("dialect", ["fish", "fishcom"])
def test_where_a_wrong_code_is_not_told_that_is_said(there: Place, dialect: str) -> None:
    with there.bot(dialect, "1", "--game", "fish", "--name", "ann", "--tour", "NO") as bot:
        bot.until(f"In {dialect} nobody is told that a code so short is wrong: it is a part of")


def test_a_wrong_code_is_told_in_fish(there: Place) -> None:
    done = run(
        *("bot", "1", "--game", "fish", "--dialect", "fish", "--name", "ann", "--tour", "NEVER"),
        *("--at", f"127.0.0.1:{there.ports['native']}"),
    )
    assert (done.exit_code, "There is no tour with" in done.stderr) == (2, True)
