"""Says what a clock was taken for, where somebody typed it otherwise than we write it."""

import click

from rookery.core.clocks.timecontrol import taken_for


def say_clock(text: str) -> None:
    """Say how this clock was read, beside whatever else is printed."""
    sentence = taken_for(text)
    if sentence is not None:
        click.echo(sentence, err=True)
