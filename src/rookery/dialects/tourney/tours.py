"""The sub-commands of `@TOUR`, as far as they can be answered without tournaments.

Nobody is attached to a tournament yet, and none can be joined; so every sub-command ends
in an error, and they are checked in the order the page lists them.
"""

from typing import Final, NoReturn

from rookery.dialects.tourney.errors import BadLine, integer
from rookery.dialects.tourney.games import TYPES

NOT_YET: Final = "Tournaments are not here yet."


def take(pieces: list[str], registered: bool) -> NoReturn:
    """Answer a sub-command, from whoever has a player or not. Raises BadLine."""
    if not pieces:
        raise BadLine("A subcommand is required for TOUR.")
    match pieces[0].upper():
        case "CREATE":
            if len(pieces) < 2:
                raise BadLine("A TYPE must be specified.")
            _check_player(registered)
            if pieces[1].upper() not in TYPES:
                raise BadLine("Type not recognized.")
            raise BadLine(NOT_YET)
        case "JOIN":
            _check_player(registered)
            if len(pieces) > 1:
                integer(pieces[1])
            raise BadLine("Failed to join a tournament.")
        case "START" | "PAUSE" | "END" | "REPORT" | "MATCHES LEFT":
            _check_player(registered)
            raise BadLine("Player is not attached to a tournament.")
        case _:
            raise BadLine("Unrecognized TOUR sub-command.")


def _check_player(registered: bool) -> None:
    if not registered:
        raise BadLine("No player set yet (to own the command).")
