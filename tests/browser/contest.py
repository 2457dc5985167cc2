"""A tour of tic-tac-toe whose players are programs: they play when they are told to."""

from typing import Final

from rookery.server.datadir import TOKEN_FILE
from tests.browser.programs import Line
from tests.server.process import Server

FIRST: Final = ("0", "3", "1", "4", "2")  # X has the top row
SECOND: Final = ("0", "3", "1", "4", "8", "5")  # O has the row in the middle


class Contest:
    """Players who do nothing by themselves, and a tour for them."""

    def __init__(
        self, server: Server, *names: str, title: str = "Thursday cup", **plan: object
    ) -> None:
        self._organiser = Line(server)
        self._organiser.ask("organise", token=token_of(server))
        lines = [Line(server, name) for name in names]
        self._players = {line.player: line for line in lines}
        self._named = dict(zip(names, lines, strict=True))
        self.tour = 0  # the one that is on
        self.open(title, **plan)

    def open(self, title: str, **more: object) -> None:
        """Open a tour for them, with more of a plan than usual, and let them join it."""
        plan = {"variant": "tictactoe", "name": title, "time": "none", **more}
        self.tour = self._organiser.ask("open_tour", plan=plan, code="")["tour"]
        for player in self._players.values():
            player.ask("join_tour", tour=self.tour)

    def start(self) -> None:
        """Begin."""
        self._organiser.ask("start_tour", tour=self.tour)

    def hang_up(self, name: str) -> None:
        """Let one of them be gone."""
        self._named[name].hang_up()

    def put_out(self, entrant: int) -> None:
        """Put one of them out of the tour."""
        self._organiser.ask("withdraw", tour=self.tour, entrant=entrant)

    def tables(self) -> list[int]:
        """Where matches are being played; waits for one, unless the tour is over."""
        while self._organiser.ask("show_tour", tour=self.tour)["line"]["status"] != "ended":
            matches = self._organiser.ask("list_matches", tour=self.tour)["matches"]
            if tables := [one["table"] for one in matches if one["status"] == "playing"]:
                return tables
        return []

    def seats(self, table: int) -> list[str]:
        """Who plays at this table, by name, who moves first first."""
        seats = self._organiser.ask("show", table=table)["line"]["seats"]
        return [one["player_name"] for one in seats]

    def win(self, table: int, *, moves: int = 9) -> None:
        """Let X win at this table, or O at every third; or make the first moves of that."""
        seats = self._organiser.ask("show", table=table)["line"]["seats"]
        line = SECOND if table % 3 == 0 else FIRST
        for number, move in enumerate(line[:moves]):
            player = self._players[seats[number % 2]["player"]]
            player.ask("play", table=table, move=move)

    def play(self) -> None:
        """Play all that is left."""
        while tables := self.tables():
            for table in tables:
                self.win(table)

    @property
    def winner(self) -> int:
        """The player who leads."""
        shown = self._organiser.ask("show_tour", tour=self.tour)
        first = shown["standing"][0]["entrant"]
        player: int = shown["entrants"][first - 1]["players"][0]["player"]
        return player


def token_of(server: Server) -> str:
    """What the organiser knows."""
    return (server.folder / TOKEN_FILE).read_text().strip()
