"""Every call is asked what its description allows, and what it does not: schemathesis.

The same cases on every run. What comes back must be described: its status, its kind, its
headers and its shape; what does not fit must be refused, and nothing may be a mistake of
ours. The table, the tour and the player of number 1 are there.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import settings
from schemathesis import Case
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from schemathesis.config import SchemathesisConfig

from rookery.server.web.api.openapi import document
from rookery.server.web.app import CALLS
from tests.server.process import Server
from tests.server.web.asking import ask, token

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
CONFIG = SchemathesisConfig.from_dict({"seed": 7, "generation": {"deterministic": True}})

schema = schemathesis.openapi.from_dict(document(CALLS), config=CONFIG)


@pytest.fixture(scope="module")
def line() -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.trust_env = False
        yield session


# Any: schemathesis' word for what an operation is.
@schema.parametrize()
@settings(max_examples=15, derandomize=True, database=None, deadline=None)
def test_every_answer_is_as_described(
    case: Case[Any], server: Server, line: requests.Session
) -> None:
    case.call_and_validate(
        base_url=f"http://127.0.0.1:{server.port}",
        session=line,
        headers=token(server),
        checks=CHECKS,
    )


def test_the_description_is_a_right_one() -> None:
    schema.validate()


def test_the_server_hands_out_this_very_description(server: Server) -> None:
    assert json.loads(ask(server, "GET", "/api/openapi.json").body) == json.loads(
        msgspec.json.encode(document(CALLS))
    )
