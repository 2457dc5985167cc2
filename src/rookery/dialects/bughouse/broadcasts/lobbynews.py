"""News of the lobby that wait: of every game only what is newest.

A client that shows a dialog reads nothing, however long one waits. So the lobby's news are held
back until a request has followed the last of them, and then a game that was created, joined and
left meanwhile is told as it is now.
"""

from msgspec import Struct

from rookery.dialects.bughouse.profile import LOBBY_MAX

OPENED = ("NEW_GAME:", "GAME_CHANGED:")  # how the news of a game begin
NO_LONGER_OPEN = ("GAME_STARTED:", "GAME_DELETED:")  # how they end, for who is not in it


class Newest(Struct, frozen=True):
    """The lines that wait of one game; `known` if the client may have found it by asking."""

    lines: tuple[str, ...]
    known: bool = False


class LobbyNews:
    """The lobby news that wait to be sent to one client, by the number of the game."""

    def __init__(self) -> None:
        self.games: dict[str, Newest] = {}  # of those that wait

    def __bool__(self) -> bool:
        """Whether any news wait."""
        return bool(self.games)

    def add(self, game: str, lines: tuple[str, ...], *, held: bool) -> None:
        """Add news of a game; while news are held back, only the newest of a game are kept."""
        before = self.games.get(game)
        if before is None:
            if len(self.games) >= LOBBY_MAX:
                del self.games[next(iter(self.games))]
            self.games[game] = Newest(lines)
        elif not held:
            self.games[game] = Newest(before.lines + lines, before.known)
        elif lines[0].startswith(NO_LONGER_OPEN):
            del self.games[game]  # and comes last now, if at all
            if before.known or not before.lines[0].startswith(OPENED):
                self.games[game] = Newest(lines, before.known)
        elif not before.lines[0].startswith((*OPENED, *NO_LONGER_OPEN)):
            # Somebody came or went, and somebody else before: who cares asks.
            self.games[game] = Newest((*lines, f"GAME_CHANGED:{game}"), before.known)

    def asked(self) -> None:
        """Note that the client sent a request: it may know of all these games now."""
        self.games = {
            game: one if one.known else Newest(one.lines, known=True)
            for game, one in self.games.items()
        }

    def first(self) -> tuple[str, tuple[str, ...]]:
        """The number of the game whose news have waited longest, and its lines."""
        game, newest = next(iter(self.games.items()))
        return game, newest.lines

    def pop(self, game: str) -> tuple[str, ...]:
        """Take out the lines that wait of a game; none, if none do."""
        newest = self.games.pop(game, None)
        return () if newest is None else newest.lines

    def clear(self) -> None:
        """Drop all the news that wait."""
        self.games.clear()
