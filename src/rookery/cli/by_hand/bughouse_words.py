"""What a server of bughouse tells, as sentences for a person."""

from collections.abc import Mapping
from typing import Final

from rookery.clients.bughouse.happenings import (
    Admitted,
    Began,
    Came,
    Created,
    Deleted,
    Happening,
    Joined,
    LeftGame,
    Listed,
    Made,
    Noticed,
    Owning,
    Refused,
    Unknown,
    Went,
)

HELP: Final = "Type: games, create, join GAME TEAM, start, quit; in a game e2e4, e7e8n or N@f3."
REFUSALS: Final = {  # what was asked and how the answer begins
    ("ADD_PLAYER", "-1"): "The server does not take that name; come again with another.",
    ("CREATE_GAME", "-1"): "You are in a game already.",
    ("JOIN_GAME", "GAME_FULL"): "You cannot join that: no such game, the team is full, or you "
    "are in one.",
    ("START_GAME", "UNAUTHORIZED"): "Only who owns a game can start it.",
    ("START_GAME", "NOT_READY"): "It cannot start before four have joined.",
    ("QUIT", "QUIT_FAILED"): "There is nothing to leave.",
    ("MOVE", "MOVE_FAILED"): "That move cannot be made.",
    ("PUT", "MOVE_FAILED"): "That move cannot be made.",
}


def words_of(happening: Happening, names: Mapping[int, str]) -> str:
    """A sentence, or nothing where the boards say more."""
    match happening:
        case Made(player, game):
            return f"{_called(player, names)} created game {game}."
        case Came(player, game):
            return f"{_called(player, names)} joined game {game}."
        case Went(player, game):
            return f"{_called(player, names)} left game {game}."
        case Owning(game):
            return f"Game {game} is yours to start now."
        case Deleted(game):
            return f"Game {game} is gone."
        case Began(game):
            return f"Game {game} starts."
        case Noticed(sentence=sentence):
            return sentence
        case Unknown(line):
            return f"The server said something unknown: {line}"
        case _:
            return _answer_words(happening)


def minutes(milliseconds: int) -> str:
    """Milliseconds written as minutes and seconds, `4:05`."""
    whole, seconds = divmod(milliseconds // 1000, 60)
    return f"{whole}:{seconds:02}"


def _answer_words(happening: Happening) -> str:
    match happening:
        case Admitted(player):
            return f"You are player {player}."
        case Listed(games):
            listed = ", ".join(map(str, games))
            return f"Games to join: {listed}." if listed else "There is no game to join."
        case Created(game):
            return f"You created game {game}, and are in team 1. Four must join."
        case Joined(game, team):
            return f"You joined game {game} in team {team}."
        case LeftGame():
            return "You left."
        case Refused(verb, line):
            return REFUSALS.get((verb, line.partition(":")[0]), f"The server says: {line}")
        case _:
            return ""


def _called(player: int, names: Mapping[int, str]) -> str:
    return names.get(player, f"Player {player}")
