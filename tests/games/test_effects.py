"""Every effect of a game is found by its name in JSON, wherever in its files it stands."""

from collections.abc import Iterator

import pytest

from rookery.core.game import Effect
from rookery.games import GAMES, effects_of
from rookery.games.bughouse import Handed
from rookery.games.reversi.effects import Flipped
from rookery.games.views import read_effect


def kinds(of: type[Effect]) -> Iterator[type[Effect]]:
    """Every kind of effect there is."""
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_effect_of_the_house_belongs_to_a_game() -> None:
    ours = {kind for kind in kinds(Effect) if kind.__module__.startswith("rookery.games.")}
    assert ours
    assert {kind for game in GAMES.values() for kind in effects_of(game)} >= ours


def test_no_game_has_the_effects_of_another() -> None:
    found = [kind for game in GAMES.values() for kind in effects_of(game)]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"type": "flipped", "col": 1, "row": 2}, Flipped),
        ({"type": "handed", "giver": 0, "taker": 2, "piece": "p", "index": 0}, Handed),
        ({"type": "answered"}, Effect),  # it lacks what it needs
        ({"type": "flipped", "col": "x"}, Effect),
        ({"type": ["flipped"]}, Effect),
        ({}, Effect),
        (None, Effect),
    ],
)
def test_what_cannot_be_read_is_just_some_effect(said: object, kind: type[Effect]) -> None:
    assert type(read_effect(said)) is kind
