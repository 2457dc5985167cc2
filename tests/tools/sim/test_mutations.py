"""Mistakes that the server does not make are found when it makes them, and by what they break.

Here each is seen to apply to the sources, and a few are looked for; `make sim` looks for all of
them. What is no mistake of the server, but one of the mutant, is never taken for a finding.
"""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from rookery_tools.sim.hunting import Sighting, hunt, named
from rookery_tools.sim.many import TOO_LONG, WorldOutcome
from rookery_tools.sim.mutants import Mutant, MutantBroken, mutants_of_worlds, read_mutants
from rookery_tools.sim.observer.verdict import Failing

MUTANTS = mutants_of_worlds()
QUICK = (
    *("tell-early", "leak-move", "charge-way", "start-early"),
    *("tell-alone-early", "forget-flags", "forget-table", "ask-again"),
)
ALL = bool(os.environ.get("ROOKERY_MUTATIONS"))
EARLY = MUTANTS["tell-early"]
FEW = 2  # worlds, in which a mistake that is made at every turn must show


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_applies_to_the_sources(name: str) -> None:
    assert MUTANTS[name].mutated()
    assert MUTANTS[name].judgement


@pytest.mark.parametrize("name", MUTANTS if ALL else QUICK)
def test_a_mistake_is_found_by_what_it_breaks(name: str) -> None:
    found = hunt(MUTANTS[name])
    assert isinstance(found, Sighting), f"{name} was not found"
    assert found.judgement == MUTANTS[name].judgement


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("self._no_such_text(", "pass", "0 times"),
        ("self._loop", "pass", r"\d+ times"),
        ("self._writer.write(", "self._writer.write((", "no Python"),
        ("self._writer.write(", "self._writer.write(", "changes nothing"),
        ("", "pass", "0 times"),
    ],
)
def test_a_mutant_that_does_not_apply_fails_loudly(old: str, new: str, why: str) -> None:
    with pytest.raises(MutantBroken, match=why):
        hunt(replace(EARLY, old=old, new=new), FEW)


def test_a_mutant_of_a_file_that_is_gone_fails_loudly() -> None:
    with pytest.raises(MutantBroken, match="no rookery/nothing"):
        hunt(replace(EARLY, file="rookery/nothing.py"), FEW)


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("self.no_such_method(", "AttributeError"),
        ("no_such_name(", "NameError"),
        ("self._guarded() or self._writer.write(", "TypeError"),
    ],
)
def test_a_mutant_that_slips_is_broken_and_not_found(new: str, kind: str) -> None:
    with pytest.raises(MutantBroken, match=f"{kind} in rookery/server"):
        hunt(replace(EARLY, new=new), FEW)


def test_a_mutant_that_cannot_be_imported_is_broken() -> None:
    broken = replace(EARLY, old="NO_DISK: Final = (", new="NO_DISK: Final = no_such_name or (")
    with pytest.raises(MutantBroken, match="NameError"):
        hunt(broken, FEW)


@pytest.mark.parametrize("judgement", [EARLY.judgement, "everything ends", "the server stays up"])
def test_a_mutant_that_raises_is_not_found(judgement: str) -> None:
    raises = 'raise AssertionError("nobody writes")\n        self._writer.write('
    assert hunt(replace(EARLY, new=raises, judgement=judgement), FEW) is None


def test_a_mutant_is_not_found_by_what_it_does_not_break() -> None:
    assert hunt(replace(EARLY, judgement="clocks are fair"), FEW) is None


def test_a_world_that_hangs_shows_a_broken_mutant() -> None:
    hangs = WorldOutcome(1, (Failing(TOO_LONG, "it is still busy"),), {}, 0, 0, "")
    with pytest.raises(MutantBroken, match="still busy"):
        named(EARLY, hangs)


@pytest.mark.parametrize(
    "text",
    [
        "mutant = 1",
        "[[mutant]]\nname = 'a'",
        "[[mutant]]\nname='a'\nbreaks='b'\nfile='c'\nold='d'\nnew='e'\nodd='f'",
        2 * "[[mutant]]\nname='a'\nbreaks='b'\nfile='c'\nold='d'\nnew='e'\n",
    ],
)
def test_a_list_of_mutants_that_is_not_one_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mutants.toml").write_text(text)
    with pytest.raises(MutantBroken):
        read_mutants(tmp_path / "mutants.toml")


def test_mutants_of_anything_need_no_judgement(tmp_path: Path) -> None:
    text = "[[mutant]]\nname='a'\nbreaks='b'\nfile='c.py'\nold='1'\nnew='2'\n"
    (tmp_path / "mutants.toml").write_text(text)
    (tmp_path / "c.py").write_text("ONE = 1\n")
    mutants = read_mutants(tmp_path / "mutants.toml")
    assert mutants == {"a": Mutant("a", "b", "c.py", "1", "2")}
    assert mutants["a"].mutated(tmp_path) == "ONE = 2\n"
