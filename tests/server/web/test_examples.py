"""The examples over HTTP: every one can be read, taken along, and is in the zip."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from rookery.server.web.pages import EXAMPLES, ZIP, Docs, Examples, first_words

FOLDER = Path(__file__).parents[3] / "examples"


def test_every_client_and_starter_bot_is_listed_shown_and_in_the_zip() -> None:
    examples = Examples()
    listed, packed = examples.file(EXAMPLES), examples.file(ZIP)
    assert listed is not None
    assert packed is not None
    with zipfile.ZipFile(BytesIO(packed.body)) as together:
        for path in examples:
            name = path.removeprefix(f"{EXAMPLES}/")
            source = (FOLDER / name).read_bytes()
            shown, raw = examples.file(path), examples.file(path, raw=True)
            assert shown is not None
            assert raw is not None
            assert f'href="{path}"'.encode() in listed.body
            assert raw.body == source == together.read(f"examples/{name}")
    for name in ("native_client.py", "bots/bot.js", "bots/nim_bot.py", "games/agram/agram.py"):
        assert f"{EXAMPLES}/{name}" in examples


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"""A nim bot. It wins.\n\nMore."""', "A nim bot"),
        ('"""A whole client: it plays."""\nimport x', "A whole client: it plays"),
        ("// A bot in Java. It\n// knows more.", "A bot in Java"),
        ("/* A bot in C,\n * by hand.\n */", "A bot in C, by hand"),
        ("# Agram\n\n![](x.png)", "Agram"),
        ("[build-system]\n# nothing", ""),
        ("", ""),
    ],
)
def test_an_example_is_listed_with_what_it_says_it_is(text: str, said: str) -> None:
    assert first_words(text) == said


def test_what_a_program_says_is_text_on_its_page(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "a.js").write_text("if (1 < 2) '<script>'")
    (tmp_path / "bots" / "a.pyc").write_bytes(b"\0")
    (tmp_path / ".hidden.py").write_text("")
    examples = Examples(tmp_path)
    assert list(examples) == [f"{EXAMPLES}/bots/a.js"]
    shown = examples.file(f"{EXAMPLES}/bots/a.js")
    assert shown is not None
    assert b"<script>" not in shown.body
    assert examples.file(f"{EXAMPLES}/bots/b.js") is None
    assert examples.file(f"{EXAMPLES}/../pyproject.toml") is None


def test_a_link_of_the_documentation_to_an_example_leads_there() -> None:
    tours = Docs(examples=Examples()).file("/docs/tours")
    assert tours is not None
    assert b'href="/examples/tour.toml"' in tours.body
