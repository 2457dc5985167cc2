"""Games once more, from the disk and from a server."""

from pathlib import Path

from rookery.cli.commands.replay import from_log
from rookery.cli.table.picture import effect_words, heard_by_all, sentence
from rookery.clients.native.players import Players
from rookery.clients.native.table import heard, opened
from rookery.core.chance import Chance
from rookery.core.events import Opened, Played, Sat, Seeded, Started, TableEvent
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.policy import Policy
from rookery.games import GAMES, AnyGame, parse_variant
from tests.cli.conftest import Story
from tests.cli.processes import Process, serving
from tests.cli.running import run, run_process


def test_a_replay_tells_and_draws_what_was_watched(story: Story) -> None:
    done = run_process("replay", "1", "--data", str(story.folder))
    _, _, watched = story.watcher.partition("bob sits down")
    _, _, replayed = done.stdout.partition("bob sits down")
    assert replayed == watched
    assert done.returncode == 0


def test_a_replay_from_the_server_is_the_same(story: Story) -> None:
    done = run_process("replay", "1", "--data", str(story.folder))
    assert [line for line in done.stdout.splitlines() if "seed" not in line] == (
        story.replayed.splitlines()
    )
    assert story.codes[4] == 0


def test_a_replay_can_be_stepped_through(story: Story) -> None:
    with Process("replay", "1", "--step", "--data", str(story.folder)) as replay:
        replay.until("The table is opened")
        replay.type("")
        replay.until("ann sits down as X.")
        replay.type_all()
        assert replay.end() == 0
    assert replay.said.endswith("ann (X) wins: X has three in a row.\n")


def test_a_dealt_game_cannot_be_replayed_over_the_network(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        at = f"127.0.0.1:{port}"
        with Process("play", "fish", "--at", at) as waiting:
            waiting.until("Waiting")
            done = run_process("replay", "1", "--at", at)
            assert done.stderr.startswith("Error: Table 1 was dealt by chance,")
            assert done.returncode == 2
            assert run("replay", "1", "--data", str(tmp_path)).exit_code == 0


def test_a_table_that_is_not_there_is_one_sentence_and_exit_code_2(story: Story) -> None:
    result = run("replay", "2", "--data", str(story.folder))
    assert result.stderr == f"Error: There is no table 2 in {story.folder}.\n"
    assert result.exit_code == 2


def game_log(variant: str, seats: int, *moves: str) -> list[tuple[int, int, TableEvent]]:
    """The events of a game in which whoever can plays the next move."""
    game: AnyGame = parse_variant(variant)
    names = ("ann", "bob", "cid", "dan")[:seats]
    events: list[TableEvent] = [Opened(variant, game.rules, seats, "none", Policy()), Seeded(1)]
    events += [Sat(Seat(n), PlayerId(n + 1), name) for n, name in enumerate(names)]
    events.append(Started())
    state = game.start(seats, Chance(1))
    for text in moves:
        move = game.parse_move(text)
        seat = next(s for s in sorted(game.to_act(state)) if move in game.legal_moves(state, s))
        state = game.play(state, seat, move).state
        events.append(Played(seat, text, 0))
    return [(n, n * 1_000_000, event) for n, event in enumerate(events, 1)]


def told_words(variant: str, seats: int, *moves: str) -> list[str]:
    """What is said of these moves."""
    log = game_log(variant, seats, *moves)
    first = log[0][2]
    assert isinstance(first, Opened)
    table = opened(TableId(1), first)
    said = []
    for told in from_log(TableId(1), log):
        said.append(sentence(table, told))
        table = heard(table, told)
    return said[-len(moves) :]


def test_reversi_counts_the_discs_that_turn_over_and_tells_who_is_passed_over() -> None:
    said = told_words("reversi size=4", 2, "b1", "c1", "d3", "a1")
    assert said[0] == "ann (black) plays b1: 1 disc turns over."
    assert said[3] == (
        "bob (white) plays a1: 1 disc turns over; ann (black) cannot move and is passed over."
    )


def test_guess_tells_the_answers() -> None:
    said = told_words("guess low=1 high=2", 2, "0", "3")
    assert said == ["ann (home) plays 0: too low.", "bob (away) plays 3: too high."]


def test_fish_tells_what_was_eaten() -> None:
    places = ("0,0", "0,1", "0,2", "0,3", "1,0", "1,1", "1,2", "1,3")
    said = told_words("fish rows=5 cols=4 fish=2", 2, *places, "0,0-2,0")
    assert said[-2:] == ["bob (white) plays 1,3.", "ann (red) plays 0,0-2,0: 2 fish eaten."]


def test_bughouse_tells_who_gets_the_piece() -> None:
    said = told_words("bughouse", 4, "1:e2e4", "1:d7d5", "1:e4d5")
    assert said[-1] == "ann (white on board 1) plays 2. exd5: dan (black on board 2) gets a pawn."


def test_every_effect_of_every_game_is_known() -> None:
    for name, kind in GAMES.items():
        game: AnyGame = kind()
        chance = Chance(5)
        seats = game.seat_counts[0]
        state = game.start(seats, Chance(2))
        players = Players(game, ("ann", "bob", "cid", "dan")[:seats])
        for _ in range(60):
            if not (acting := sorted(game.to_act(state))):
                break
            seat = chance.choice(acting)
            if moves := list(game.legal_moves(state, seat)):
                step = game.play(state, seat, chance.choice(moves))
                assert all(effect_words(heard_by_all(step.effects), players)), name
                state = step.state
