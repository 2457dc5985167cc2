"""The organiser's token of a hall, which is kept with it: its servers may be on any machine."""

from contextlib import closing
from typing import Final

from rookery.store.address import LogAddress
from rookery.store.postgres.connecting import DatabaseLine

_KEEP: Final = """
UPDATE rookery.halls SET organiser = %s WHERE hall = %s AND organiser = '' RETURNING organiser
"""
_READ: Final = "SELECT organiser FROM rookery.halls WHERE hall = %s"


def keep_organiser(line: DatabaseLine, fresh: str) -> str:
    """The token of this hall; it is `fresh` if the hall had none. Raises StoreFailed."""
    hall = line.address.hall
    line.ask(_KEEP, (fresh, hall))
    return str(line.ask(_READ, (hall,))[0][0])


def read_organiser(address: LogAddress) -> str:
    """The token of this hall; empty if it has none. Raises StoreFailed."""
    with closing(DatabaseLine(address, "organiser")) as line:
        rows = line.ask(_READ, (address.hall,))
        return str(rows[0][0]) if rows else ""
