"""The results of a tour as a text, and into a file whose name says which kind."""

from pathlib import Path

from rookery.cli.tours.known import KnownTour
from rookery.core.errors import Mistake
from rookery.notation.tours import csv_matches, csv_standing, json_export, markdown_export
from rookery.notation.trf import trf_export

KINDS = ("csv", "json", "md", "trf")


class BadExport(Mistake):
    """A file that cannot be written, or that nobody knows how to write."""


def exported(now: KnownTour, kind: str, *, matches: bool = False) -> str:
    """The tour as a text of this kind; `matches` says which table CSV is to have."""
    match kind:
        case "json":
            return json_export(now.shown, now.matches)
        case "md":
            return markdown_export(now.shown, now.matches)
        case "trf":
            return trf_export(now.shown, now.matches)
        case _:
            return csv_matches(now.shown, now.matches) if matches else csv_standing(now.shown)


def kind_of(file: Path) -> str:
    """The kind of export that a file's name asks for. Raises BadExport."""
    kind = file.suffix.removeprefix(".").lower()
    if kind not in KINDS:
        raise BadExport(f"A file of results ends in .csv, .json, .md or .trf, and {file} does not.")
    return kind


def write(file: Path, text: str) -> None:
    """Write the text into this file. Raises BadExport."""
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as wrong:
        raise BadExport(f"{file} cannot be written: {wrong.strerror}.") from None
