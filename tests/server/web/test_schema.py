"""Every call is asked what its description allows, and what it does not: schemathesis.

The same cases on every run. What comes back must be described: its status, its kind, its
headers and its shape; what does not fit must be refused, and nothing may be a mistake of
ours. The table, the tour and the player of number 1 are there.

The cases of a call are worked out when its test runs. Schemathesis' own plugin for pytest would
work out those of all calls wherever tests are collected, which is once for every worker.
"""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import settings

from rookery.server.web.app import CALLS
from rookery.server.web.openapi import document
from tests.server.process import Server
from tests.server.web.asking import ask, token

if TYPE_CHECKING:
    import requests
    from schemathesis import Case
    from schemathesis.schemas import BaseSchema

TRIES = settings(max_examples=15, derandomize=True, database=None, deadline=None)


@pytest.fixture(scope="module")
def schema() -> "BaseSchema":
    import schemathesis
    from schemathesis.checks import load_all_checks
    from schemathesis.config import SchemathesisConfig

    load_all_checks()
    same = SchemathesisConfig.from_dict({"seed": 7, "generation": {"deterministic": True}})
    return schemathesis.openapi.from_dict(document(CALLS), config=same)


@pytest.fixture(scope="module")
def line() -> "Iterator[requests.Session]":
    import requests

    with requests.Session() as session:
        session.trust_env = False
        yield session


@pytest.mark.parametrize(("method", "path"), [(call.method, call.path) for call in CALLS])
def test_every_answer_is_as_described(
    method: str, path: str, schema: "BaseSchema", server: Server, line: "requests.Session"
) -> None:
    from schemathesis import checks
    from schemathesis.generation.feedback import FeedbackSources
    from schemathesis.pytest._test_builder import build_operation_test
    from schemathesis.python._constants.orchestrator import make_constants_value_source

    # Any: schemathesis' word for what an operation is.
    def answered(case: "Case[Any]") -> None:
        case.call_and_validate(
            base_url=f"http://127.0.0.1:{server.port}",
            session=line,
            headers=token(server),
            checks=[
                checks.not_a_server_error,
                checks.status_code_conformance,
                checks.content_type_conformance,
                checks.response_headers_conformance,
                checks.response_schema_conformance,
                checks.negative_data_rejection,
                checks.unsupported_method,
            ],
        )

    build_operation_test(
        config=schema.config,
        operation=schema[path][method],
        test_func=answered,
        given_kwargs={},
        feedback=FeedbackSources(constants_value_source=make_constants_value_source(schema)),
        explicit_settings=TRIES,
    )()


def test_the_description_is_a_right_one(schema: "BaseSchema") -> None:
    schema.validate()


def test_the_server_hands_out_this_very_description(server: Server) -> None:
    assert json.loads(ask(server, "GET", "/api/openapi.json").body) == json.loads(
        msgspec.json.encode(document(CALLS))
    )
