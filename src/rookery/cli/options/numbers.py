"""Numbers with bounds on the command line, called numbers: click says `integer range`."""

import click


class WholeNumber(click.IntRange):
    """A whole number."""

    name = "number"


class Real(click.FloatRange):
    """Any number."""

    name = "number"
