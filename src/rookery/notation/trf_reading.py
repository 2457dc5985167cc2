"""A report in FIDE's format (TRF16) read into a value, whichever program wrote it.

Lines that say nothing about a tour of ours (dates, arbiters, teams) are passed over. A mistake
is told in one sentence that names the line. A match stands in the rows of both its players,
and both must say the same.
"""

from typing import Final

from rookery.notation.trf import (
    ABSENT_CODE,
    BLACK,
    BYE,
    DREW,
    FORFEITED,
    LOST,
    NEITHER,
    UNDECIDED,
    WALKED_OVER,
    WHITE,
    WON,
    BadTrf,
    TrfCell,
    TrfEntrant,
    TrfReport,
)

TEXT_MAX: Final = 4_000_000  # characters: 9999 players with forty rounds
ROUNDS_MAX: Final = 999

_CELLS_AT: Final = 91  # where the first round begins, counted from 0
_BYES: Final = ("H", "F", BYE, ABSENT_CODE)  # half, full, drawn, none
# What the other one has where one has this code; games of less than a move have letters.
_OTHER: Final = {
    WON: (LOST,),
    DREW: (DREW,),
    LOST: (WON, LOST),
    WALKED_OVER: (FORFEITED,),
    FORFEITED: (WALKED_OVER, FORFEITED),
    "W": ("L",),
    "D": ("D",),
    "L": ("W",),
    UNDECIDED: (UNDECIDED,),
}

Numbered = list[tuple[int, TrfEntrant]]  # with the number of its line in the text


def read_trf(text: str) -> TrfReport:
    """Read the report of a tour from its text. Raises BadTrf."""
    if len(text) > TEXT_MAX:
        raise BadTrf(f"A TRF file has at most {TEXT_MAX} characters, and this has {len(text)}.")
    said: dict[str, tuple[int, str]] = {}
    lines: Numbered = []
    out: tuple[int, ...] = ()
    for at, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        row = raw.rstrip("\r")
        code = row[:3]
        if code == "001":
            lines.append((at, _line(at, row)))
        elif code == "XXZ":
            out += tuple(_whole(at, word, "A number of a player") for word in row[3:].split())
        else:
            said.setdefault(code, (at, row[3:].strip()))
    if not lines:
        raise BadTrf("There is no player in it: no line begins with 001.")
    _check(lines)
    at, rounds = said.get("XXR", (0, ""))
    played = max(len(line.cells) for _, line in lines)
    return TrfReport(
        name=said.get("012", (0, ""))[1],
        lines=tuple(sorted((line for _, line in lines), key=lambda line: line.number)),
        rounds=max(played, _whole(at, rounds, "The number of rounds", ROUNDS_MAX) if rounds else 0),
        kind=said.get("092", (0, ""))[1],
        time=said.get("122", (0, ""))[1],
        points=_points(*said.get("XXS", (0, ""))),
        out=out,
    )


def _line(at: int, row: str) -> TrfEntrant:
    number = _whole(at, row[4:8], "The number of the player")
    if not number:
        raise BadTrf(f"Line {at}: players are numbered from 1.")
    name = row[14:47].strip()
    if not name:
        raise BadTrf(f"Line {at}: player {number} has no name.")
    rating, rank = row[48:52].strip(), row[85:89].strip()
    return TrfEntrant(
        number,
        name,
        (_whole(at, rating, f"The rating of {name}") or None) if rating else None,
        _half(at, row[80:84], f"What {name} has in points"),
        _whole(at, rank, f"The rank of {name}") if rank else 0,
        tuple(
            _cell(at, row[start : start + 8], n)
            for n, start in enumerate(range(_CELLS_AT, len(row.rstrip()), 10), 1)
        ),
    )


def _cell(at: int, text: str, number: int) -> TrfCell:
    where = f"Line {at}, round {number}"
    if number > ROUNDS_MAX:
        raise BadTrf(f"Line {at}: there are more than {ROUNDS_MAX} rounds.")
    wide = f"{text:8}"
    rival = _whole(at, wide[:4], f"The opponent in round {number}") if wide[:4].strip() else 0
    colour, code = wide[5].replace(" ", NEITHER), wide[7].upper()
    if wide[4] != " " or wide[6] != " " or colour not in (WHITE, BLACK, NEITHER):
        raise BadTrf(f"{where}: {text.strip()!r} is no opponent, colour and result.")
    if rival == 0:
        if code == UNDECIDED:
            code = ABSENT_CODE
        # A full-point bye was once written as a win by forfeit, and an absence as a loss.
        code = {WALKED_OVER: "F", FORFEITED: ABSENT_CODE}.get(code, code)
        if code not in _BYES or colour != NEITHER:
            raise BadTrf(f"{where}: {code!r} is no result of somebody who has no opponent.")
        return TrfCell(code=code)
    if code not in _OTHER or colour == NEITHER:
        raise BadTrf(f"{where}: {colour} and {code!r} are no colour and result of a match.")
    return TrfCell(rival, colour, code)


def _check(lines: Numbered) -> None:
    """Raise BadTrf where the rows of two opponents do not agree."""
    known: dict[int, TrfEntrant] = {}
    for at, line in lines:
        if line.number in known:
            raise BadTrf(f"Line {at}: there is a player {line.number} already.")
        known[line.number] = line
    for at, line in lines:
        for n, cell in enumerate(line.cells, 1):
            if not cell.rival:
                continue
            where = f"Line {at}, round {n}"
            if cell.rival not in known or cell.rival == line.number:
                raise BadTrf(f"{where}: {line.name} cannot meet player {cell.rival}.")
            row = known[cell.rival].cells
            other = row[n - 1] if n <= len(row) else TrfCell()
            agreed = other.rival == line.number and other.colour != cell.colour
            if not agreed or other.code not in _OTHER[cell.code]:
                name = known[cell.rival].name
                raise BadTrf(f"{where}: {line.name} and {name} do not say the same of their match.")


def _points(at: int, text: str) -> str:
    """The points as `win-draw-loss`, from the text of the XXS line. Raises BadTrf."""
    said = {"W": "1", "D": "0.5", "L": "0"}
    for word in text.split():
        name, sign, value = word.partition("=")
        if not sign:
            raise BadTrf(f"Line {at}: points are written like W=3.0, not {word[:40]!r}.")
        if name in said:
            said[name] = f"{_half(at, value, 'The points for a result'):g}"
    return "-".join(said.values())


def _whole(at: int, text: str, what: str, most: int = 9999) -> int:
    word = text.strip()
    if not (word.isascii() and word.isdecimal() and len(word) < 6 and int(word) <= most):
        raise BadTrf(f"Line {at}: {what} is a whole number up to {most}, not {word[:40]!r}.")
    return int(word)


def _half(at: int, text: str, what: str) -> float:
    word = text.strip().replace(",", ".")
    whole, _, rest = word.partition(".")
    if not (whole.isascii() and whole.isdecimal() and len(word) < 8 and rest in ("", "0", "5")):
        raise BadTrf(f"Line {at}: {what} is a whole or half number, not {word[:40]!r}.")
    return float(word)
