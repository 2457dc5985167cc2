"""What a wire language of one's own imports: manners, lines, intents and messages.

`intents` and `messages` are modules: what one may ask the hall, and what the hall says.
"""

from rookery.core import intents, messages
from rookery.core.manners import Directory, FirstLines, Manners, Matched, Words
from rookery.dialects.base import Dialect, HouseBot, Kind, Lines, Owed
from rookery.dialects.first_bytes import first_word

__all__ = [
    "Dialect",
    "Directory",
    "FirstLines",
    "HouseBot",
    "Kind",
    "Lines",
    "Manners",
    "Matched",
    "Owed",
    "Words",
    "first_word",
    "intents",
    "messages",
]
