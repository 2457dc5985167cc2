"""What a server imports: nobody waits at a start for what the server itself never does."""

import subprocess
import sys
from pathlib import Path

import pytest

import rookery.bots
from rookery.bots import ANALYSED, LEVELS, OWN, analyst_of

# Who thinks does so in other processes; pages are put into markup in a thread, when asked for.
ELSEWHERE = ("markdown_it", *(f"rookery.bots.{name}" for name in (*OWN, "any_game", "answering")))
# Passphrases are hashed in a thread, when somebody first keeps a name; the model of ratings is
# wanted where more than two play, or nobody wins.
LATER = ("argon2", "openskill")
BOTS = Path(rookery.bots.__file__).parent


def imported(module: str) -> set[str]:
    """Everything that is there once this is imported, in a process of its own."""
    words = [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"]
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def test_a_server_imports_nobody_who_thinks_and_no_markup() -> None:
    there = imported("rookery.server.app")
    assert "rookery.server.app" in there
    assert there.isdisjoint(ELSEWHERE)


def test_a_server_imports_neither_hashes_nor_the_model_before_they_are_wanted() -> None:
    assert imported("rookery.server.app").isdisjoint(LATER)


def test_a_start_leaves_no_cycles_that_would_have_to_be_looked_for() -> None:
    asked = "import gc, rookery.server.app; print(gc.collect())"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True)
    assert int(found.stdout) < 1_000


def test_who_thinks_has_imported_all_before_it_is_asked() -> None:
    assert imported("rookery.server.worker_main") >= {f"rookery.bots.{name}" for name in OWN}


@pytest.mark.parametrize("game", OWN)
def test_the_bots_of_the_house_are_those_beside_the_registry(game: str) -> None:
    assert (BOTS / game).is_dir() or (BOTS / f"{game}.py").is_file()
    assert len(LEVELS[game]) == 5
    assert (analyst_of(game) is not None) is (game in ANALYSED)
    assert hasattr(sys.modules[f"rookery.bots.{game}"], "ANALYST") is (game in ANALYSED)
