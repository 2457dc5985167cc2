"""What came waits with the time it was read at, and is given out in small pieces."""

from rookery.server.connections.inlet import Inlet


def taken(inlet: Inlet, most: int) -> list[tuple[bytes, int]]:
    """All of it, piece by piece."""
    found = []
    while inlet.size:
        found.append(inlet.take(most))
    return found


def test_a_piece_is_of_one_read_and_has_its_time() -> None:
    inlet = Inlet()
    inlet.put(b"abcdefg", 10)
    inlet.put(b"hi", 20)
    assert inlet.since == 10
    assert taken(inlet, 3) == [(b"abc", 10), (b"def", 10), (b"g", 10), (b"hi", 20)]
    assert inlet.size == 0


def test_what_somebody_else_began_to_hear_comes_first_again() -> None:
    inlet = Inlet()
    inlet.put(b"abcd", 10)
    assert inlet.take(1) == (b"a", 10)
    inlet.put_back(b"xy", 30)
    assert inlet.all() == b"xybcd"
    assert taken(inlet, 2) == [(b"xy", 30), (b"bc", 10), (b"d", 10)]


def test_nothing_is_no_piece() -> None:
    inlet = Inlet()
    inlet.put(b"", 10)
    assert inlet.since is None
