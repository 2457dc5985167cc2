"""Processes under test: their cost is seen from outside, and their last words are kept."""

import resource

import pytest

from rookery_tools.bench.load.processes import CannotMeasure, allow_files, running


def test_what_a_process_costs_is_seen_from_outside() -> None:
    with running("rookery_tools.bench.load.bare") as server:
        first = server.cpu()
        assert 0 < first <= server.cpu()
        assert server.memory() > 1_000_000
        assert server.start_seconds > 0


def test_a_server_that_does_not_start_is_quoted() -> None:
    with (
        pytest.raises(CannotMeasure, match="No module named no_such_module"),
        running("no_such_module"),
    ):
        raise AssertionError("it did not start")


def test_no_more_connections_are_promised_than_files_are_allowed() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        assert allow_files(20) == 20
    else:
        assert allow_files(hard) < hard
