"""The API's document stays what it is: the golden file beside this one is all of it.

Clients are generated from that document, and call a type by the name it has there. Where a class is
renamed inside, `rookery.server.web.openapi.CALLED` says what it is called outside.
`python -m tests.server.web.test_openapi` writes the file anew, for what was added.
"""

import json
from pathlib import Path

import pytest

from rookery.server.web import openapi
from rookery.server.web.app import CALLS
from rookery.server.web.openapi import document

GOLDEN = Path(__file__).with_name("openapi.json")
PAGE = Path(__file__).parents[3] / "web" / "src" / "wire.ts"


def written() -> str:
    """The whole document, sorted."""
    return json.dumps(document(CALLS), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def test_the_document_of_the_api_stays_what_it_is() -> None:
    assert written() == GOLDEN.read_text("utf-8")


def test_a_type_is_called_outside_as_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    was = written()
    monkeypatch.setitem(openapi.CALLED, "Moment", "Instant")
    now = json.loads(written().replace('Instant"', 'Moment"'))
    assert '"title": "Instant"' in written()
    assert now == json.loads(was)


def test_who_is_called_otherwise_is_in_the_document_or_on_the_page() -> None:
    outside = GOLDEN.read_text("utf-8") + PAGE.read_text("utf-8")
    assert [name for name in openapi.CALLED.values() if name not in outside] == []


if __name__ == "__main__":
    GOLDEN.write_text(written(), "utf-8")
