"""The dialects that the tests know by heart, and not only by what they declare.

Each of these owes transcripts, a speaker for the laws, a client and a line on the page about
tours. Any other is tried with the hello that it declares, until somebody writes these for it.
"""

from typing import Final

BY_HEART: Final = frozenset(
    {"blackwhite", "bughouse", "fish", "fishcom", "native", "othello", "tourney"}
)
