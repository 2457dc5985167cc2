"""A table for two, for the server's tests."""

from rookery.core.ids import TableId
from rookery.core.intents import Open, Sit
from tests.server.process import Client


def sit_down(
    first: Client, second: Client, variant: str = "tictactoe", time: str = "none"
) -> TableId:
    """A table where these two play, the first one moving first."""
    table = first.done(Open(variant, time=time)).table
    assert table is not None
    second.done(Sit(table))
    return table
