"""`rookery laws`: try the laws on a game, its bots or a dialect, and show what breaks one."""

import time
from typing import Any, Final

import click

from rookery.cli.options import WholeNumber, words_option

BROKEN: Final = 1  # the exit code where a law does not hold

_EXAMPLES: Final = """\b
Examples:
  rookery laws nim
  rookery laws connect4 -o cols=5 --effort deep
  rookery laws connect4 --with ./connect4.py
  rookery laws fish --only dialect
"""


@click.command(short_help="Try the laws on a game, bot or dialect.", epilog=_EXAMPLES)
@click.argument("name")
@words_option
@click.option("--only", type=click.Choice(["game", "bot", "dialect"]), help="Only this.")
@click.option("--seed", type=WholeNumber(1), default=1, show_default=True, help="Of what is tried.")
@click.option(
    "--effort",
    type=click.Choice(["quick", "usual", "deep"]),
    default="usual",
    show_default=True,
    help="How much is tried.",
)
def command(*, name: str, words: tuple[str, ...], only: str | None, seed: int, effort: str) -> None:
    """Try the laws on all that is called NAME: a game, the bots that play it, a dialect.

    Each law is told with how much it was tried on. Where one does not hold, the smallest
    example found is shown: variant, seed, the moves that lead there, what was expected and
    what came. The exit code is then 1.
    """
    from rookery.testing.subjects import subjects_called

    began = time.monotonic()
    found = subjects_called(name, " ".join(words), only or "", seed=seed, effort=effort)
    broken = tried = 0
    for subject in found:
        click.secho(f"The {subject.kind} {subject.name}", bold=True)
        for law in subject.laws:
            tried += 1
            broken += not _hold(law, subject.cases)
    took = time.monotonic() - began
    held = "all hold" if not broken else f"{broken} of them broken"
    click.echo(f"{tried} laws, {held}, in {took:.1f} s (seed {seed}, effort {effort}).")
    if broken:
        raise click.exceptions.Exit(BROKEN)


# Any: cases and laws of the same kind, whichever it is.
def _hold(law: Any, cases: tuple[Any, ...]) -> bool:
    """Try one law in all cases and print the outcome; returns whether it held."""
    from rookery.testing import Counterexample

    count = 0
    for case in cases:
        try:
            count += law.hold(case)
        except Counterexample as found:
            first, *others = str(found).splitlines()
            click.secho(f"  ✗ {first}", fg="red")
            click.echo("\n".join(f"  {line}" for line in others))
            return False
    mark = click.style("✓", fg="green") if count else "-"
    plural = "" if count == 1 else "es" if law.thing.endswith("ch") else "s"
    looked = f"({count} {law.thing}{plural})" if count else "(nothing to try)"
    click.echo(f"  {mark} {law.sentence} {click.style(looked, dim=True)}")
    return True
