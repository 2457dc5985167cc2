"""The plain page that says what is going on, for who has no scripts."""

from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.messages import SeatLine, TableLine
from rookery.dialects import DIALECTS
from rookery.dialects.detect import recognise
from rookery.server.web.site.status import how_to_connect, page


def nim(name: str) -> TableLine:
    """A table at which one player waits."""
    seat = SeatLine(Seat(0), "home", PlayerId(1), name, connected=True)
    return TableLine(TableId(1), "nim", "none", "open", (seat,), 3)


def test_the_page_says_what_runs_and_how_to_connect() -> None:
    said = page([nim("ann")], 1)
    assert "0 games running, 1 table open, 1 player connected." in said
    assert "<td>nim<td>none<td>open<td>ann" in said
    assert "<code>@NEW PLAYER</code>" in said


def test_the_page_says_how_to_connect_with_each_dialect() -> None:
    assert set(how_to_connect()) == set(DIALECTS)
    known = {name: recognise(line.encode() + b"\n") for name, line in how_to_connect().items()}
    assert known == {name: name for name in DIALECTS}


def test_an_empty_hall_is_an_invitation() -> None:
    assert "Nobody plays yet: be the first." in page([], 0)


def test_more_players_than_are_listed_are_more() -> None:
    assert "more than 1 player connected." in page([], 1, more=True)


def test_names_are_never_markup() -> None:
    said = page([nim("<script>alert(1)</script>")], 1)
    assert "<script>" not in said
    assert "&lt;script&gt;" in said
