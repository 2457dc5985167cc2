"""Who beat whom: games from the log, counted for one player.

As in a tour's standing, a win is to be first when somebody was not, a draw when everybody
was. A game that nobody won, one that was called off, counts for nothing. Between two of
several it is the better place that wins; partners are no opponents.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.game import Outcome
from rookery.core.ids import PlayerId, Seat
from rookery.core.messages import SeatLine
from rookery.server.web.past.glances import Glance

WIN: Final = "win"
DRAW: Final = "draw"
LOSS: Final = "loss"
NONE: Final = "none"  # nobody won


class Score(Struct, frozen=True):
    """So many games, and how they came out."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def plus(self, result: str) -> "Score":
        """One more."""
        match result:
            case "win":
                return replace(self, games=self.games + 1, wins=self.wins + 1)
            case "draw":
                return replace(self, games=self.games + 1, draws=self.draws + 1)
            case "loss":
                return replace(self, games=self.games + 1, losses=self.losses + 1)
            case _:
                return self


class Opponent(Struct, frozen=True):
    """Somebody who was met, by the name it had when that happened last."""

    player: PlayerId
    name: str
    score: Score


class Count(Struct, frozen=True):
    """How somebody did, in all and against each; who was met most stands first."""

    score: Score
    opponents: tuple[Opponent, ...]


def result_of(outcome: Outcome | None, seat: Seat) -> str:
    """What a game was for this seat; empty while it goes on."""
    if outcome is None:
        return ""
    if 1 not in outcome.places:
        return NONE
    if outcome.places[seat] != 1:
        return LOSS
    return DRAW if set(outcome.places) == {1} else WIN


def others(glance: Glance, seat: Seat) -> tuple[list[SeatLine], list[SeatLine]]:
    """Who sat with this seat, and who against it."""
    rest = [line for line in glance.line.seats if line.seat != seat]
    team = glance.teams[seat]
    partners = [line for line in rest if glance.teams[line.seat] == team]
    return partners, [line for line in rest if glance.teams[line.seat] != team]


def count(player: PlayerId, glances: Iterable[Glance]) -> Count:
    """These games, the newest first, in all of which this player may have sat to the end."""
    score = Score()
    met: dict[PlayerId, Opponent] = {}
    for glance in glances:
        mine = next((one.seat for one in glance.line.seats if one.player == player), None)
        outcome = glance.line.outcome
        if mine is None or outcome is None:
            continue
        score = score.plus(result_of(outcome, mine))
        for one in others(glance, mine)[1]:
            if one.player is not None and one.player != player and 1 in outcome.places:
                known = met.get(one.player, Opponent(one.player, one.player_name, Score()))
                result = _between(outcome.places[mine], outcome.places[one.seat])
                met[one.player] = replace(known, score=known.score.plus(result))
    most_first = sorted(met.values(), key=lambda one: (-one.score.games, one.player))
    return Count(score, tuple(most_first))


def _between(mine: int, theirs: int) -> str:
    if mine == theirs:
        return DRAW
    return WIN if mine < theirs else LOSS
