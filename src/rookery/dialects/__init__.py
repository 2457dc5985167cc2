"""The registry: every wire language there is, by name.

A new dialect is a file beside this one and a line here; the laws test it at once.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rookery.dialects.base import Dialect
from rookery.dialects.native import Native

DIALECTS: Final[Mapping[str, Callable[[], Dialect]]] = {
    "native": Native,
}
