"""Looks for mutants: plays worlds with the mistake in the server until the observer names it.

A mutant is found by the one judgement that its entry names, and by nothing else: not by an error,
a server that crashes, a hang, nor a judge that does. A slip in the mutant itself (a name that is
gone, an argument that is missing) says so as MutantBroken, wherever it shows.
"""

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec
from msgspec import Struct

from rookery_tools.sim.many import JUDGED, TOO_LONG, WorldOutcome, run_world
from rookery_tools.sim.mutants import Mutant, MutantBroken, mutated
from rookery_tools.sim.observer.observer import ENDS, MISTAKE, STAYS
from rookery_tools.sim.observer.serving import SOON
from rookery_tools.sim.observer.verdict import Failing

WORLDS_MAX: Final = 400  # in which a mutant must be found
PROGRAM: Final = ("-m", "rookery_tools.sim.hunting")
BROKEN: Final = 3  # the exit code of a program that finds its mutant broken
LIVENESS: Final = (ENDS, SOON)  # what ends late, or not, where a server is gone


class Sighting(Struct, frozen=True):
    """The first world in which a mutant was found, and what was said of it."""

    world: int
    judgement: str
    sentence: str


Found = Sighting | MutantBroken | None


def named(mutant: Mutant, outcome: WorldOutcome) -> Failing | None:
    """By what the observer names this mutant in a world, if it does. Raises MutantBroken."""
    for one in outcome.failings:
        if one.judgement in (JUDGED, TOO_LONG):
            raise MutantBroken(f"{mutant.name}, world {outcome.seed}: {one.sentence}")
    for error in outcome.raised:
        if error.slip:
            raise MutantBroken(f"{mutant.name}, world {outcome.seed}: {error.kind} in {error.file}")
    found = next((one for one in outcome.failings if one.judgement == mutant.judgement), None)
    gone = any(one.judgement in (MISTAKE, STAYS) for one in outcome.failings)
    if mutant.judgement in LIVENESS and gone:
        return None  # it is the crash that is seen
    own = any(error.file == mutant.file for error in outcome.raised)
    return None if mutant.judgement == STAYS and own else found


def hunt(mutant: Mutant, most: int = WORLDS_MAX) -> Sighting | None:
    """Play worlds with this mutant until it is found. Raises MutantBroken."""
    with mutated(mutant) as copy:
        done = copy.run((*PROGRAM, msgspec.json.encode(mutant).decode(), str(most)))
    if done.returncode:
        raise MutantBroken(done.stderr.strip() or f"{mutant.name} cannot be run")
    return msgspec.json.decode(done.stdout, type=Sighting | None)


def hunt_all(
    mutants: Iterable[Mutant], most: int = WORLDS_MAX, jobs: int = 1
) -> Iterator[tuple[Mutant, Found]]:
    """Hunt each of these mutants, some at a time; what was found, in their order."""

    def found(mutant: Mutant) -> tuple[Mutant, Found]:
        try:
            return mutant, hunt(mutant, most)
        except MutantBroken as broken:
            return mutant, broken

    with ThreadPoolExecutor(jobs) as pool:  # each waits for a process
        yield from pool.map(found, mutants)


def search(mutant: Mutant, most: int) -> Sighting | None:
    """Play worlds of the server as it is here, which has this mutant. Raises MutantBroken."""
    for seed in range(1, most + 1):
        if (one := named(mutant, run_world(seed))) is not None:
            return Sighting(seed, one.judgement, one.sentence)
    return None


def main(mutant: str, most: str) -> int:
    """Search the sources that this is run from for a mutant, given as JSON; print its sighting."""
    try:
        found = search(msgspec.json.decode(mutant, type=Mutant), int(most))
    except MutantBroken as broken:
        sys.stderr.write(f"{broken}\n")
        return BROKEN
    sys.stdout.write(msgspec.json.encode(found).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
