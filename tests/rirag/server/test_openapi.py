"""The description of the API: committed, true, and what a fuzzer makes of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from scripts.openapi import description
from tests.extras import require
from tests.rirag.server.running import Running, running

EXAMPLES = int(os.environ.get("RIRAG_EXAMPLES", "6"))
"""Requests that are made up for each endpoint; `RIRAG_EXAMPLES=200` tries harder."""

FILE = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


def test_the_committed_description_is_that_of_the_server() -> None:
    again = "python scripts/openapi.py > docs/openapi.json"
    assert FILE.read_text(encoding="utf-8") == description(), f"write it again with: {again}"


@pytest.fixture(scope="module")
def fuzzed(rulebook: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running(rulebook, tmp_path_factory.mktemp("fuzzed"), read_only=True) as server:
        yield server


def test_a_fuzzer_finds_no_response_that_is_not_described(fuzzed: Running) -> None:
    schemathesis = require("schemathesis")
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    schema = schemathesis.openapi.from_url(f"{fuzzed.address}/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(max_examples=EXAMPLES, phases=[Phase.generate], suppress_health_check=HealthCheck)
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            case.call_and_validate(checks=checks, timeout=30)

        check()
        tried += 1
    assert tried >= 19


def test_generated_clients_get_names_and_methods_that_people_would_choose(fuzzed: Running) -> None:
    paths = fuzzed.client.get("/openapi.json").json()["paths"]
    operations = {one["operationId"] for path in paths.values() for one in path.values()}
    assert {"search", "ask", "listDocuments", "showPassage", "cancelJob"} <= operations
    assert paths["/v1/search"]["post"]["security"] == [{"key": []}, {}], "no key is needed here"
    refused = fuzzed.client.patch("/v1/documents/GOVN")
    assert (refused.status_code, refused.headers["Allow"]) == (405, "DELETE, GET")
