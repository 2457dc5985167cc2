"""Says how a clock was read, where a person typed it otherwise than we write it."""

import click

from rookery.core.clock import taken_for


def say_clock(text: str) -> None:
    """Print on stderr how a typed clock was read, where it was not typed as we write it."""
    sentence = taken_for(text)
    if sentence is not None:
        click.echo(sentence, err=True)
