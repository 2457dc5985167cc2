"""Keeping a name from the terminal, and playing under it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from rookery.cli import rookery
from rookery.cli.connection.accounts import sign_in
from rookery.cli.connection.address import Address
from rookery.cli.connection.server import Rejected
from tests.server.process import serving

WORDS = "correct horse battery"


def test_a_name_is_kept_once_and_played_under(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        at = Address("127.0.0.1", server.port)
        kept, again = (
            CliRunner(env={"ROOKERY_PASSPHRASE": WORDS}).invoke(
                rookery, ["account", name, "--at", str(at)]
            )
            for name in ("ann", "Ann")
        )
        assert kept.output == "ann is kept. Play as it with --account 'ann'.\n"
        assert (again.exit_code, "Somebody keeps that name" in again.output) == (2, True)
        assert sign_in(at, "ANN", WORDS).player == 1
        with pytest.raises(Rejected, match="no such name"):
            sign_in(at, "ann", "something else")
        asked = ["play", "nim", "--account", "bob", "--at", str(at)]
        refused = CliRunner(env={"ROOKERY_PASSPHRASE": WORDS}).invoke(rookery, asked)
        assert (refused.exit_code, "no such name" in refused.output) == (2, True)
