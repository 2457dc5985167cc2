"""Finds a smaller script with the same failure: it leaves out all that can be left out.

Halves first, then quarters, down to single people and faults; the smaller world must still
fail by the same judgement. Everybody draws from a chance of their own, so those who stay mostly
do what they did.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from rookery_tools.sim.many import run_script
from rookery_tools.sim.script import WorldScript

T = TypeVar("T")
Shows = Callable[[WorldScript], bool]


def shrink(script: WorldScript, judgement: str) -> WorldScript:
    """The smallest script that was found which still fails by this judgement."""

    def shows(smaller: WorldScript) -> bool:
        _, failings = run_script(smaller)
        return any(one.judgement == judgement for one in failings)

    size = 0
    while len(script.faults) + len(script.people) != size:
        size = len(script.faults) + len(script.people)
        script = _without_people(_without_faults(script, shows), shows)
    return script


def _without_faults(script: WorldScript, shows: Shows) -> WorldScript:
    faults = fewer(script.faults, lambda some: shows(replace(script, faults=tuple(some))))
    return replace(script, faults=tuple(faults))


def _without_people(script: WorldScript, shows: Shows) -> WorldScript:
    people = fewer(script.people, lambda some: shows(replace(script, people=tuple(some))))
    return replace(script, people=tuple(people))


def fewer(things: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """As few of these things as `holds` still accepts, by leaving out ever smaller parts."""
    part = max(1, len(things) // 2)
    while things:
        at = 0
        while at < len(things):
            rest = [*things[:at], *things[at + part :]]
            if holds(rest):
                things = rest
            else:
                at += part
        if part == 1:
            break
        part //= 2
    return things
