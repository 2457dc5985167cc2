"""The answers of `offered` as a picture: moves a second to the right, milliseconds upwards.

Both axes are logarithmic. It is SVG by hand, for a page of the docs, and needs nothing.
"""

import re
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Final

from rookery_tools.bench.figures import Figure

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 170, 24, 52
COLOURS: Final = {"Rookery": "#b3541e", "bare": "#4a6d8c"}
DASHES: Final = {"p50": "none", "p99": "6 4"}
_NAME: Final = re.compile(r"answer at (\d+) moves/s, (p50|p99)")

Point = tuple[float, float]


def picture(figures: Sequence[Figure]) -> str:
    """The curves of all figures that are about a load; empty where there are none."""
    curves = dict(_curves(figures))
    points = [point for curve in curves.values() for point in curve]
    if len(points) < 2:
        return ""
    wide = _Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    high = _Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    return "\n".join(_drawing(curves, wide, high)) + "\n"


def _curves(figures: Sequence[Figure]) -> Iterator[tuple[tuple[str, str], list[Point]]]:
    found: dict[tuple[str, str], list[Point]] = {}
    for figure in figures:
        if read := _NAME.fullmatch(figure.name):
            rate, part = int(read[1]), read[2]
            found.setdefault(("Rookery", part), []).append((rate, figure.value))
            if figure.bare is not None:
                found.setdefault(("bare", part), []).append((rate, figure.bare))
    yield from ((key, sorted(curve)) for key, curve in found.items())


class _Axis:
    """An axis of the picture, which places numbers by their logarithms."""

    def __init__(self, numbers: Sequence[float], start: float, end: float) -> None:
        self.low, self.high = floor(log10(min(numbers))), ceil(log10(max(numbers)))
        self.high = max(self.high, self.low + 1)
        self._start, self._size = start, end - start

    def at(self, number: float) -> float:
        return self._start + self._size * (log10(number) - self.low) / (self.high - self.low)

    def ticks(self) -> Iterator[tuple[float, bool]]:
        """The numbers to mark, ones, twos and fives, each with whether its line is thick."""
        for power in range(self.low, self.high + 1):
            for digit in (1, 2, 5):
                if digit == 1 or power < self.high:
                    yield digit * 10.0**power, digit == 1


def _drawing(curves: dict[tuple[str, str], list[Point]], wide: _Axis, high: _Axis) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#333">'
    )
    yield "<title>How long an answer takes, by how many moves come in a second</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf8"/>'
    yield from _grid(wide, high)
    for n, ((who, part), curve) in enumerate(curves.items()):
        line = f'stroke="{COLOURS[who]}" stroke-dasharray="{DASHES[part]}"'
        places = " ".join(f"{wide.at(x):.1f},{high.at(y):.1f}" for x, y in curve)
        yield f'<polyline points="{places}" fill="none" stroke-width="2" {line}/>'
        y, x = TOP + 20 + 20 * n, WIDTH - RIGHT + 16
        yield f'<line x1="{x}" y1="{y}" x2="{x + 30}" y2="{y}" stroke-width="2" {line}/>'
        yield f'<text x="{x + 38}" y="{y + 4}">{who}, {part}</text>'
    yield "</svg>"


def _grid(wide: _Axis, high: _Axis) -> Iterator[str]:
    top, bottom, right = TOP, HEIGHT - BOTTOM, WIDTH - RIGHT
    for number, thick in wide.ticks():
        x, grey = wide.at(number), "#bbb" if thick else "#e4e0d8"
        yield f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="{grey}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{number:g}</text>'
    for number, thick in high.ticks():
        y, grey = high.at(number), "#bbb" if thick else "#e4e0d8"
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{grey}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number:g}</text>'
    yield f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">moves/s</text>'
    yield f'<text x="16" y="{TOP - 8}">milliseconds until a move is answered</text>'
