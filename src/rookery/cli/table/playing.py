"""Playing at a terminal: one loop that hears the server and the person who types.

The loop shows what the server says, and guesses nothing ahead of it. When the connection
drops, the loop comes back as the same player; a seat in a game that had not begun is gone
then, and the loop looks for a new one.
"""

import time
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from rookery.cli.connection.address import HOST, PORT, Address
from rookery.cli.connection.server import ConnectionLost, Rejected, ready
from rookery.cli.drawing import meant, noted
from rookery.cli.table.connection import TableConnection
from rookery.cli.table.picture import TICK, Ticking, clocks, picture, sentence, ticks, worth_a_look
from rookery.cli.table.typed import HELP, Ask, OwnCommand, read_line
from rookery.cli.table.words import outcome_words
from rookery.cli.terminal.keyboard import Keyboard
from rookery.cli.terminal.output import Output
from rookery.clients.native.table import KnownTable, heard
from rookery.clients.native.words import TableShown, Told
from rookery.core.errors import BadOption
from rookery.core.events import Ended, Rematched
from rookery.core.ids import Status, TableId
from rookery.core.intents import Leave, LegalMoves, Open, Play, Seek, Show, Sit, TableIntent
from rookery.core.messages import Done, Moves

HINTS: Final = 40  # columns of moves that are listed without being asked for


class PlayWish(Struct, frozen=True):
    """What a person would like to play, and on which server."""

    game: str
    variant: str
    time: str = "none"
    seats: int | None = None
    table: TableId | None = None  # this one
    fresh: bool = False  # a new table, even if somebody waits at another
    at: Address = Address(HOST, PORT)
    house: int | None = None  # the server's bots of this level at once; 0: none
    takebacks: bool = False  # whether moves may be taken back


class TerminalPlayer:
    """A person at a table, from sitting down to leaving."""

    def __init__(
        self, output: Output, server: TableConnection, wish: PlayWish, *, unicode: bool
    ) -> None:
        self._output = output
        self._server = server
        self._wish = wish
        self._unicode = unicode
        self._typed = Keyboard(output)
        self._ticking = Ticking()
        self._moves: tuple[str, ...] = ()  # what may be played now, as far as it is known
        self._hinted = 0  # the event after which the moves were last shown
        self._left = False

    def run(self) -> None:
        """Play until the person leaves, or input ends."""
        with self._typed:
            do = self._sit_down
            try:
                while not self._left:
                    try:
                        do()
                        do = self._go_on
                    except ConnectionLost:
                        self._server.come_back()
                        do = self._sit_down if self._server.known is None else self._resume
            except KeyboardInterrupt:
                self._leave()
                raise
            finally:
                self._server.client.close()

    # -- coming and going

    def _sit_down(self) -> None:
        wish, client = self._wish, self._server.client
        if wish.table is not None:
            line = client.ask(Show(wish.table), TableShown).line
            if line.variant.split(" ")[0] != wish.game:
                raise BadOption(f"Table {wish.table} plays {line.variant}, not {wish.game}.")
            done = client.ask(Sit(wish.table), Done)
        else:
            kind: type[Open | Seek] = Open if wish.fresh or wish.house else Seek
            bots, back = wish.house, wish.takebacks
            asked = kind(wish.variant, wish.seats, wish.time, house=bots, takebacks=back)
            done = client.ask(asked, Done)
        assert done.table is not None, "whoever sits down is told where"
        known = self._server.look(done.table)
        seat = "a guest" if known.mine is None else known.players.seat(known.mine)
        self._output.say(f"You sit at table {known.table} as {seat}.")
        if known.status == Status.OPEN and wish.house:
            self._output.say(f"Waiting for the server's bots of level {wish.house}.")
            return
        if known.status == Status.OPEN:
            at = "" if wish.at == Address(HOST, PORT) else f" --at {wish.at}"
            join = f"rookery play {wish.game} --table {known.table}{at}"
            self._output.say(f"Waiting for somebody to play with; they can join with: {join}")
            return
        self._draw()
        if known.outcome is not None:
            self._output.say(outcome_words(known.outcome, known.players), "bold")

    def _resume(self) -> None:
        """Back after the connection was gone."""
        known = self._server.look(self._known.table)
        if known.mine is None and known.status in (Status.OPEN, Status.CLOSED):
            self._output.say("Your seat was given up meanwhile; looking for another.")
            self._sit_down()
        else:
            self._draw()

    def _leave(self) -> None:
        """Give up the seat, as far as that can still be said."""
        self._left = True
        known = self._server.known
        if known is None or known.mine is None:
            return
        try:
            if known.status in (Status.OPEN, Status.PLAYING):
                self._server.client.ask(Leave(known.table), Done)
                self._output.say("You left the table.")
        except (Rejected, ConnectionLost):
            pass  # the game ended just now, or the server is gone: left either way

    # -- hearing

    @property
    def _known(self) -> KnownTable:
        assert self._server.known is not None, "whoever plays sits somewhere"
        return self._server.known

    def _go_on(self) -> None:
        """Take one step: hear news, obey a typed line, or wait for either."""
        told = self._server.heard()
        if told is not None:
            self._hear(told)
            return
        self._invite()
        wanted = self._line_wanted
        line = self._typed.line() if wanted else None
        if line is not None:
            self._obey(line)
        elif wanted and self._typed.ended:
            self._leave()
        else:
            self._wait(typed=wanted)

    def _wait(self, *, typed: bool) -> None:
        """Wait until the server sends something or the person types; meanwhile tick clocks."""
        server, keys = self._server.client.fileno(), self._typed.fileno()
        pause = TICK if self._ticks else None
        came = ready([server, keys] if typed else [server], pause)
        if server in came:
            self._server.client.read()
        elif came:
            self._typed.read()
        else:
            self._tick()

    @property
    def _ticks(self) -> bool:
        """Whether the terminal shows a clock that runs."""
        return self._typed.interactive and self._output.lively and ticks(self._known)

    def _now(self) -> KnownTable:
        """The table with its clocks as they stand now."""
        return self._ticking.at(self._known, time.monotonic())

    def _tick(self) -> None:
        """Let the clocks be seen to run: at the board, or before the prompt where it is gone."""
        if self._output.stays:
            self._output.show(self._picture())
        else:
            self._output.ask(self._prompt())

    def _prompt(self) -> str:
        told = self._ticks and not self._output.stays
        return f"{clocks(self._now())}> " if told else "> "

    @property
    def _line_wanted(self) -> bool:
        """Whether to read the next line now: a script's line waits until it is its turn."""
        over = self._known.status in (Status.OVER, Status.CLOSED)
        return self._typed.interactive or self._known.my_turn or over

    def _hear(self, told: Told) -> None:
        words = sentence(self._known, told)
        self._output.say(words, "bold" if isinstance(told.event, Ended) else "")
        self._server.known = heard(self._known, told)
        if isinstance(told.event, Rematched):
            self._server.look(told.event.table)
            self._draw()
        elif worth_a_look(told):
            self._draw()

    def _draw(self) -> None:
        """Show the table; with the legal moves marked when it is the person's turn."""
        self._moves = self._legal_moves() if self._known.my_turn else ()
        self._output.show(self._picture())

    def _picture(self) -> Text:
        return picture(self._now(), self._moves, unicode=self._unicode)

    def _written(self) -> tuple[str, ...]:
        """The legal moves, as players of the game write them."""
        return noted(self._known.players.game, self._known.view, self._moves)

    def _legal_moves(self) -> tuple[str, ...]:
        known = self._known
        if known.players.game.secret_moves:
            return ()  # there can be a million of them; the drawing says which
        try:
            return self._server.client.ask(LegalMoves(known.table), Moves).moves
        except Rejected:
            return ()

    # -- speaking

    def _invite(self) -> None:
        """Say once that it is the person's turn, and show a prompt at a terminal."""
        known = self._known
        if self._hinted != known.n:
            self._output.remark(f"Your move{_hint(self._written())}" if known.my_turn else "")
        if self._typed.interactive and self._hinted != known.n:
            self._output.ask(self._prompt())
        self._hinted = known.n

    def _obey(self, line: str) -> None:
        self._output.answered(line)
        self._hinted = -1  # so that the prompt comes again
        match read_line(line, self._known):
            case Ask(Play(move=move) as play):
                game, view = self._known.players.game, self._known.view
                self._request(replace(play, move=meant(game, view, move, self._moves)))
            case Ask(intent):
                self._request(intent)
            case OwnCommand("help"):
                self._output.say(HELP)
            case OwnCommand("moves"):
                self._output.say(" ".join(self._written()) or "There is nothing to list now.")
            case OwnCommand("board"):
                self._draw()
            case OwnCommand("quit"):
                self._leave()
            case OwnCommand():
                pass

    def _request(self, intent: TableIntent) -> None:
        try:
            self._server.client.ask(intent, Done)
        except Rejected as no:
            self._output.say(str(no), "red")
            return
        if isinstance(intent, Play):
            # The news of it is on its way; until then it is nobody's turn.
            self._server.known = replace(self._now(), to_act=())


def _hint(moves: tuple[str, ...]) -> str:
    """The legal moves as the end of a sentence, as many of them as fit into a row."""
    if not moves:
        return "."
    shown = [one for n, one in enumerate(moves) if len(" ".join(moves[: n + 1])) <= HINTS]
    if len(shown) == len(moves):
        return f": {' '.join(moves)}"
    return f": {' '.join(shown)} ... (`moves` lists all {len(moves)})"
