"""How the tests run: where their files are, what processes need not do twice, how many examples.

Files are in memory where there is room for them: to nearly every test a sync is a wait for
nothing. The few that are about the disk ask for one (`disk`).

Hypothesis tries few examples, the same on every run, and keeps no old failures: a test that
fails today and passes tomorrow teaches nobody anything. `ROOKERY_LAWS=deep` tries many more.
"""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings

from tests.beginning import dealt
from tests.effort import EXAMPLES, MEMORY
from tests.isolation import EmptyPlace, clean_environment
from tests.outside import Outside, build_wheel

HERE = Path(__file__).parent
EMPTY = EmptyPlace()
clean_environment(EMPTY.home)

# Hundreds of processes are started here. Who wants no bytecode among the sources gets it
# elsewhere, for to compile all anew takes a process as long as all else it does.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(sys.prefix) / "pycache")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if MEMORY is not None:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)  # the parent of every `tmp_path`

# What the tests are made of is never thrown away: thousands of modules and tests, which Python
# would look through again and again for what can be.
gc.set_threshold(100_000, 20, 50)

settings.register_profile(
    "rookery", derandomize=True, deadline=None, max_examples=EXAMPLES, database=None
)
settings.load_profile("rookery")


def pytest_collection(session: pytest.Session) -> None:
    """Where several workers begin, each compiles another part of the tests for all of them.

    What is compiled is kept, and pytest's asserts take long to compile. A test that cannot be
    imported says so when it is collected.
    """
    # Any: what xdist tells a worker is a dict of its own.
    told: dict[str, Any] | None = getattr(session.config, "workerinput", None)
    if told is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(HERE.rglob("test_*.py"))
    mine = len(files) * int(told["workerid"].removeprefix("gw")) // told["workercount"]
    for file in files[mine:] + files[:mine]:
        with suppress(Exception):
            import_module(".".join(file.relative_to(HERE.parent).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several workers share the tests, long ones come first."""
    # Any: what xdist tells a worker is a dict of its own.
    told: dict[str, Any] | None = getattr(config, "workerinput", None)
    if told is not None:
        items[:] = [items[n] for n in dealt([item.nodeid for item in items], told["workercount"])]


def pytest_collection_finish() -> None:
    """From here on tests run: in an empty folder, and only what they leave is looked through."""
    os.chdir(EMPTY.folder)
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Remove the empty home and folder."""
    EMPTY.close()


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on a disk, for those who want syncs to take their time."""
    with TemporaryDirectory(prefix="rookery-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of Rookery, the same for all processes of a run."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return build_wheel(tmp_path_factory.mktemp("wheel"))
    return build_wheel(tmp_path_factory.getbasetemp().parent / f"wheel-{run}")


@pytest.fixture
def outside(wheel: Path, tmp_path: Path) -> Outside:
    """An empty folder somewhere else, and Rookery installed there."""
    return Outside(wheel, tmp_path)
