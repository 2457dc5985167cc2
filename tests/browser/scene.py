"""A hall in which everything there is can be seen: games of every kind, players and tours."""

from typing import Final

from tests.browser.contest import Contest
from tests.browser.programs import Line, game
from tests.server.process import Server

LONG: Final = 60  # moves: more than a small game has


def furnish(server: Server) -> tuple[str, ...]:
    """Fill this server's hall; the addresses of all that is there to be seen."""
    game(server, "reversi size=4", "Ann", "Bob", moves=LONG)
    cyd, _ = game(server, "reversi", "Cyd", "Dan", moves=9)
    cyd.ask("say", table=2, text="good luck to you")
    game(server, "bughouse", "Eve", "Fay", "Gil", "Hal", moves=12)
    game(server, "fish", "Ida", "Jon", moves=11)
    game(server, "nim", "Kay", "Leo", moves=2)
    game(server, "guess", "Mia", "Ned", moves=3)
    game(server, "tictactoe", "Oda", "Pat", moves=LONG)
    Line(server, "Quin").ask("open", variant="tictactoe", house=0)
    over = Contest(server, "Rob", "Sue", "Tom", title="Spring cup")
    over.start()
    over.play()
    running = Contest(server, "Uma", "Vic", "Wes", "Xia")
    running.start()
    running.win(running.tables()[0])
    running.win(running.tables()[0], moves=3)
    return (
        *(f"/tables/{number}" for number in range(1, 9)),
        "/",
        "/tables",
        "/tours",
        f"/tours/{over.tour}",
        f"/tours/{running.tour}",
        f"/tours/{over.tour}/screen",
        f"/tours/{running.tour}/screen",
        "/rules/reversi",
        "/rules/bughouse",
        "/players",
        f"/players/{over.winner}",
        "/connect",
        "/nowhere",
        "/docs/",
        "/docs/dialects/othello",
        "/examples",
        "/examples/bots/nim_bot.py",
        "/api/docs",
    )
