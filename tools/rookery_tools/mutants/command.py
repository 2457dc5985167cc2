"""`rookery mutants`: what share of mistakes in a package the tests see."""

import sys

import click

from rookery.cli.options import WholeNumber

_EXAMPLES = """\b
Examples:
  rookery mutants --coverage                find out which test reaches which line; once
  rookery mutants hall --sample 100         a hundred mistakes in src/rookery/hall
"""


@click.command(short_help="Show what share of mistakes the tests see.", epilog=_EXAMPLES)
@click.argument("package", required=False)
@click.option(
    "--sample", type=WholeNumber(1), default=100, show_default=True, help="How many mistakes."
)
@click.option(
    "--seed", type=WholeNumber(0), default=1, show_default=True, help="What they are drawn from."
)
@click.option("--coverage", is_flag=True, help="Only this: find out what each test reaches.")
def command(*, package: str | None, sample: int, seed: int, coverage: bool) -> None:
    """Make mistakes in a PACKAGE of src/rookery, one at a time, and run the tests that reach it.

    A mistake is a comparison turned round, a number off by one, a condition always true, a
    statement left out. At the end stands what share was seen, with its interval of 95 %, and
    each that no test saw: it wants a test, or a reason.
    """
    from rookery_tools.mutants import reach, trials
    from rookery_tools.mutants import sample as samples

    if coverage:
        reach.measure()
    elif package is None or not (samples.SOURCES / "rookery" / package).is_dir():
        raise click.UsageError("Say a package of src/rookery, or --coverage.")
    elif not reach.REACHED.is_dir():
        raise click.UsageError("Say --coverage first: it runs all tests once.")
    else:
        sys.exit(trials.start(package, sample, seed))
