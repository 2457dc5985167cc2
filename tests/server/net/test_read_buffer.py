"""What came waits with the time it was read at, and is given out in small pieces."""

from rookery.server.net.input_buffer import ReadBuffer


def taken(buffer: ReadBuffer, most: int) -> list[tuple[bytes, int]]:
    """All of it, piece by piece."""
    found = []
    while buffer.size:
        found.append(buffer.take(most))
    return found


def test_a_piece_is_of_one_read_and_has_its_time() -> None:
    buffer = ReadBuffer()
    buffer.put(b"abcdefg", 10)
    buffer.put(b"hi", 20)
    assert buffer.since == 10
    assert taken(buffer, 3) == [(b"abc", 10), (b"def", 10), (b"g", 10), (b"hi", 20)]
    assert buffer.size == 0


def test_what_somebody_else_began_to_hear_comes_first_again() -> None:
    buffer = ReadBuffer()
    buffer.put(b"abcd", 10)
    assert buffer.take(1) == (b"a", 10)
    buffer.put_back(b"xy", 30)
    assert buffer.all() == b"xybcd"
    assert taken(buffer, 2) == [(b"xy", 30), (b"bc", 10), (b"d", 10)]


def test_nothing_is_no_piece() -> None:
    buffer = ReadBuffer()
    buffer.put(b"", 10)
    assert buffer.since is None
