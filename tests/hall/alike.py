"""Whether two halls are alike inside: every object that can be reached from them, part by part.

No list of places to look at: a part that is added later is compared too. What is empty is the
same as what is not there; functions are not looked into.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

OWN = "rookery.hall."
CONTAINERS = (dict, list, tuple, deque)


def differences(one: object, other: object) -> list[str]:
    """Where these two differ, as paths to it; empty: nowhere."""
    return list(_differ("hall", one, other, {}))


def _differ(
    path: str, one: object, other: object, seen: dict[tuple[int, int], tuple[object, object]]
) -> Iterator[str]:
    if callable(one) or (id(one), id(other)) in seen:
        return
    seen[id(one), id(other)] = (one, other)  # and both live on, so that their ids stay their own
    if type(one) is not type(other):
        yield f"{path}: {one!r} is not {other!r}"
    elif isinstance(one, CONTAINERS) or _is_own(one):
        mine, theirs = dict(_parts(one)), dict(_parts(other))
        for name in mine | theirs:
            yield from _differ(f"{path}{name}", mine.get(name), theirs.get(name), seen)
    elif not _is_foreign(one) and one != other:
        yield f"{path}: {one!r} is not {other!r}"


def _parts(thing: object) -> Iterable[tuple[str, object]]:
    """What something consists of, but for what is empty, by how it is reached."""
    if isinstance(thing, dict):
        found = [(f"[{key!r}]", thing[key]) for key in thing]
    elif isinstance(thing, list | tuple | deque):
        found = [(f"[{n}]", one) for n, one in enumerate(thing)]
    elif isinstance(thing, Struct):
        found = [(f".{name}", getattr(thing, name)) for name in thing.__struct_fields__]
    else:
        names = (*getattr(thing, "__dict__", ()), *_slots(thing))
        found = [(f".{name}", getattr(thing, name, None)) for name in names]
    return [(name, one) for name, one in found if not _is_empty(one)]


def _is_own(thing: object) -> bool:
    return isinstance(thing, Struct) or type(thing).__module__.startswith(OWN)


def _is_foreign(thing: object) -> bool:
    """Whether nobody can say if two of these are the same."""
    return type(thing).__eq__ is object.__eq__


def _slots(thing: object) -> Iterator[str]:
    for kind in type(thing).__mro__:
        slots = getattr(kind, "__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots


def _is_empty(thing: object) -> bool:
    return thing is None or (isinstance(thing, dict | list | deque | set) and not thing)
