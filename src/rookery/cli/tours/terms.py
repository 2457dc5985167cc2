"""The policies of a tour's tables, as people write them: `gone=hold grace=2m`.

`begin` is not among them, for a tour begins its games by itself; nor is a bot that takes
over, for in a tour nobody plays for another.
"""

from typing import Final

from msgspec import Struct

from rookery.cli.options.dialects import check_words
from rookery.core.clock import format_length, parse_length
from rookery.core.errors import BadOption
from rookery.core.options import make_variant, split_options
from rookery.core.policy import DEFAULT_GRACE, Errors, Gone, Policy
from rookery.core.tour_values import Plan
from rookery.dialects import DIALECTS
from rookery.games import parse_variant

GONE: Final = (Gone.FORFEIT, Gone.HOLD, Gone.AT_ONCE)


class PolicyTerms(Struct, frozen=True):
    """The policies that can be set for a tour, with the defaults of every table."""

    gone: str = Gone.FORFEIT.value
    grace: str = format_length(DEFAULT_GRACE)
    errors: int = 0
    in_a_row: bool = True
    out_of_turn: bool = False
    only: str = ""


def parse_policy(text: str) -> Policy:
    """Read policies from a text; those that it does not name have defaults. Raises Mistake."""
    said = make_variant(PolicyTerms, "a tour", split_options(text.split()), kind="policy of")
    gone = next((one for one in GONE if one == said.gone), None)
    if gone is None:
        raise BadOption(f"In a tour gone is {_either(GONE)}, not {said.gone[:40]!r}.")
    if said.only and said.only not in DIALECTS:
        raise BadOption(f"There is no dialect {said.only[:40]!r}; there are {', '.join(DIALECTS)}.")
    errors = Errors(said.errors, said.in_a_row, said.out_of_turn)
    return Policy(gone=gone, grace=parse_length(said.grace), errors=errors, only=said.only)


def check_only(plan: Plan) -> None:
    """Raise BadOption where the only dialect of a tour cannot play its game."""
    if plan.policy.only:
        check_words(plan.policy.only, parse_variant(plan.variant))


def _either(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
