"""What the API's document describes keeps its names: the golden file beside this one holds them.

Clients are generated from that document, and call a type by the name of our class. So a class that
is renamed inside renames it for everyone. `python -m tests.server.web.test_api_shape` writes the
file anew, for what was added.
"""

from pathlib import Path

from rookery.server.web.api.openapi import document
from rookery.server.web.app import CALLS

GOLDEN = Path(__file__).with_name("api_shape.txt")


def shape() -> str:
    """All calls, and all types with the names of their fields, one a line."""
    described = document(CALLS)
    calls = [f"{way.upper()} {path}" for path, ways in described["paths"].items() for way in ways]
    types = [
        f"{name}: {' '.join(sorted(schema.get('properties', ())))}".rstrip(": ")
        for name, schema in described["components"]["schemas"].items()
    ]
    return "".join(f"{line}\n" for line in sorted(calls) + sorted(types))


def test_the_document_of_the_api_keeps_its_names() -> None:
    assert shape() == GOLDEN.read_text("utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(shape(), "utf-8")
