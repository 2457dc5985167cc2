"""What a game says of itself: its name, its seats and their names, its phases, its view."""

from collections.abc import Iterator
from typing import Final, get_type_hints

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.game import View
from rookery.testing.cases import GameCase
from rookery.testing.law import Broken, Law

NAME_MAX: Final = 24  # characters: it stands in columns, addresses and commands


def a_game_declares_what_it_is(case: GameCase, _: None) -> None:
    """Its class has all that the protocol asks for."""
    game: object = case.game
    if not (isinstance(game, Struct) and game.__struct_config__.frozen):
        raise Broken("a frozen msgspec struct, whose fields are the options", type(game))
    name = case.game.name
    if not (name.isidentifier() and name == name.lower() and len(name) <= NAME_MAX):
        raise Broken(f"a name of small letters, at most {NAME_MAX}, like connect4", repr(name))
    if isinstance(case.game.rules, bool) or not isinstance(case.game.rules, int):
        raise Broken("a whole number for the version of the rules", repr(case.game.rules))
    counts = tuple(case.game.seat_counts)
    if not counts or min(counts) < 1:
        raise Broken("numbers of seats, like range(2, 3)", repr(case.game.seat_counts))
    for word in ("can_draw", "secret_moves"):
        if not isinstance(getattr(case.game, word), bool):
            raise Broken(f"True or False for {word}", repr(getattr(case.game, word)))


def a_game_says_which_view_it_has(case: GameCase, _: None) -> None:
    """By what `view` says it returns: so it is read back from JSON."""
    kind = get_type_hints(type(case.game).view).get("return")
    if not (isinstance(kind, type) and issubclass(kind, View)) or kind is View:
        raise Broken("that `view` is annotated with a subclass of View of the game's own", kind)


def every_seat_is_in_a_team_and_has_a_name_of_its_own(case: GameCase, _: None) -> None:
    """As many teams and names as seats."""
    teams = case.game.teams(case.seats)
    if len(teams) != case.seats:
        raise Broken(f"one team for each of {case.seats} seats", teams)
    names = [case.game.seat_name(seat) for seat in case.all_seats]
    if not all(names) or len(set(names)) != case.seats:
        raise Broken("a name for each seat, and no two alike", names)


def the_same_seed_starts_the_same_game(case: GameCase, seed: "Seed") -> None:
    """Twice."""
    starts = [case.game.start(case.seats, Chance(seed.seed)) for _ in range(2)]
    if starts[0] != starts[1]:
        raise Broken(f"{starts[0]} again", starts[1])


class Seed(Struct, frozen=True):
    """A seed that a game is started from."""

    seed: int

    def told(self) -> Iterator[tuple[str, str]]:
        """The seed."""
        yield "seed", str(self.seed)


def once(_: GameCase) -> tuple[None]:
    """The trial of laws about a whole variant."""
    return (None,)


def _seeds(case: GameCase) -> tuple[Seed, ...]:
    return tuple(Seed(case.seed + n - 1) for n in range(20))


LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law("A game declares what it is.", once, a_game_declares_what_it_is, "variant"),
    Law("A game says which view it has.", once, a_game_says_which_view_it_has, "variant"),
    Law(
        "Every seat is in a team and has a name of its own.",
        once,
        every_seat_is_in_a_team_and_has_a_name_of_its_own,
        "variant",
    ),
    Law("The same seed starts the same game.", _seeds, the_same_seed_starts_the_same_game, "start"),
)
