"""One dialect more is its folder, its page and one line: no law or test must be told its name.

It is put where a dialect of the house stands, with the text that `rookery new dialect` writes,
and tried by whatever tries every dialect.
"""

from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Final

import pytest

from rookery import dialects
from rookery.cli.commands.new import write_package
from rookery.core.manners import OWN
from rookery.core.plugin import HOUSE
from rookery.dialects.base import Kind
from rookery.dialects.detect import recognise
from tests.clients import test_clients
from tests.dialects import test_native_tours
from tests.fuzz.bound import bound
from tests.fuzz.feeding import feed
from tests.laws import test_dialect_laws, test_name_laws
from tests.naming import named_elsewhere, named_on_the_page
from tests.plugins.toys import own_registries
from tests.sources import name_of, python_files, text_of
from tests.transcripts import test_transcripts

NAME: Final = "telegraph"
LAWS: Final = [
    law
    for law in vars(test_dialect_laws).values()
    if test_dialect_laws.every_dialect.mark in getattr(law, "pytestmark", ())
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What somebody adds."""
    made = tmp_path_factory.mktemp("eighth")
    write_package("dialect", NAME, made)
    return made / NAME / "src" / NAME


@pytest.fixture(autouse=True)
def eighth(folder: Path) -> Iterator[Kind]:
    """The dialect in the registry, as if a line there named it."""
    found = spec_from_file_location(f"rookery.dialects.{NAME}", folder / "__init__.py")
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    with own_registries():
        dialects.register(module.KIND, HOUSE)
        yield module.KIND


def test_there_are_laws_for_every_dialect() -> None:
    assert len(LAWS) > 5


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_law_for_dialects_holds_for_it(law: object) -> None:
    assert callable(law)
    law(name=NAME)


@pytest.mark.parametrize("name", test_name_laws.BAD, ids=ascii)
def test_nobody_is_called_in_it_what_others_cannot_read(name: str) -> None:
    test_name_laws.test_every_name_in_the_log_can_be_read(NAME, name)


def test_it_is_fuzzed_as_the_others_are() -> None:
    assert sum(feed(NAME, seed) + bound(NAME, seed) for seed in range(10)) > 10


def test_nothing_that_is_counted_by_dialects_misses_it() -> None:
    test_clients.test_every_dialect_that_is_known_by_heart_has_a_client()
    test_dialect_laws.test_every_dialect_that_is_known_by_heart_has_a_speaker()
    test_transcripts.test_who_is_known_by_heart_has_transcripts_and_every_folder_is_a_dialect()
    test_native_tours.test_every_language_that_is_known_by_heart_is_there()


def test_it_is_recognised(eighth: Kind) -> None:
    assert recognise(eighth.manners.hello.encode() + b"\n") == NAME


def test_it_is_named_in_its_folder_and_the_registry_alone(folder: Path) -> None:
    ours = "src/rookery/dialects"
    sources = {name_of(one): text_of(one) for one in python_files("src")}
    sources[f"{ours}/{NAME}/__init__.py"] = (folder / "__init__.py").read_text()
    sources[f"{ours}/__init__.py"] += f"from rookery.dialects import {NAME}\n"
    assert named_elsewhere(NAME, sources) == []
    assert named_on_the_page(NAME) == []
    sources["src/rookery/hall/hall.py"] += f'OLD = ("{OWN}", "{NAME}")\n'
    assert [found.rpartition(": ")[2] for found in named_elsewhere(NAME, sources)] == [NAME]
