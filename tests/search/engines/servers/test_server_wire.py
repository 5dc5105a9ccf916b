"""What goes over the wire, and which answers are taken for complete."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from search.engines.servers.connection import client as http
from search.engines.servers.connection.client import (
    bulk_lines,
    call_of,
    refusal_of,
    to_json,
    whole,
)
from search.engines.servers.connection.faults import FaultError


def test_one_body_is_json_and_several_are_lines() -> None:
    one = call_of("POST", "/a/_search", {"size": 1}, 5.0, {})
    assert (one.body, one.headers["content-type"]) == ('{"size":1}', "application/json")
    several = call_of("POST", "/_msearch", [{"index": "a"}, {"size": 1}], 5.0, {})
    assert several.body == '{"index":"a"}\n{"size":1}\n'
    assert several.headers["content-type"] == "application/x-ndjson"
    assert call_of("GET", "/", None, 5.0, {}).body is None


def test_parameters_are_written_as_servers_read_them() -> None:
    call = call_of("PUT", "/a", None, 5.0, {"wait": True, "size": 3, "q": "a b&c"})
    assert call.target == "/a?wait=true&size=3&q=a+b%26c"


@pytest.mark.parametrize(
    ("method", "path", "repeatable"),
    [
        ("GET", "/a/_mapping", True),
        ("POST", "/_msearch", True),
        ("POST", "/a/_search", True),
        ("POST", "/a/_count", True),
        ("PUT", "/a", False),
        ("POST", "/_aliases", False),
        ("DELETE", "/a", False),
        ("PUT", "/a/_create/1", False),
    ],
)
def test_only_what_changes_nothing_is_sent_twice(method: str, path: str, repeatable: bool) -> None:
    assert call_of(method, path, None, 5.0, {}).repeatable is repeatable


def test_half_a_character_does_not_break_a_request() -> None:
    text = to_json({"q": "caf\udce9 規則"})
    assert json.loads(text.encode("ascii")) == {"q": "caf\udce9 規則"}


@pytest.mark.parametrize(
    ("action", "lines"),
    [
        ({"_id": "1", "parent": "p", "version": "2"},
         ({"index": {"_id": "1"}}, {"parent": "p", "version": "2"})),
        ({"_id": "1", "_source": {"routing": "x"}}, ({"index": {"_id": "1"}}, {"routing": "x"})),
        ({"_op_type": "create", "_id": "1", "_index": "b", "a": 1},
         ({"create": {"_id": "1", "_index": "b"}}, {"a": 1})),
        ({"_op_type": "delete", "_id": "1"}, ({"delete": {"_id": "1"}}, None)),
    ],
)  # fmt: skip
def test_fields_of_a_document_are_no_orders_to_the_server(
    action: dict[str, Any], lines: tuple[Any, Any]
) -> None:
    assert bulk_lines(action) == lines


def test_a_refused_action_keeps_the_servers_words() -> None:
    error = {
        "type": "document_parsing_exception",
        "reason": "failed",
        "caused_by": {"reason": "why"},
    }
    refusal = refusal_of({"index": {"_id": "7", "status": 400, "error": error}})
    assert (refusal.id, refusal.status, refusal.reason) == ("7", 400, "failed: why")


def test_a_missing_document_is_refused_with_the_result() -> None:
    refusal = refusal_of({"delete": {"_id": "7", "status": 404, "result": "not_found"}})
    assert (refusal.status, refusal.reason) == (404, "not_found")


GOOD = {"hits": {"hits": []}, "timed_out": False, "_shards": {"total": 1, "failed": 0}}


@pytest.mark.parametrize("answer", [GOOD, {"responses": [GOOD, GOOD]}, {"timed_out": True}, {}])
def test_a_complete_answer_is_taken(answer: dict[str, Any]) -> None:
    assert whole(answer) == answer


def test_no_answer_at_all_is_an_empty_one() -> None:
    assert whole(None) == {}


@pytest.mark.parametrize("answer", [[], "welcome", 7, True])
def test_what_is_no_object_is_no_answer_of_a_search_server(answer: object) -> None:
    with pytest.raises(FaultError) as fault:
        whole(answer)
    assert fault.value.fault.kind == "answer"


@pytest.mark.parametrize(
    ("bad", "kind", "told"),
    [
        ({"error": {"type": "index_not_found_exception", "reason": "no such index [a]"},
          "status": 404}, "status", ""),
        ({**GOOD, "_shards": {"total": 2, "failed": 1, "failures": [
            {"shard": 1, "reason": {"type": "x", "reason": "disk broke"}}]}},
         "partial", "disk broke"),
        ({**GOOD, "timed_out": True}, "partial", "ran out of time"),
    ],
)  # fmt: skip
def test_part_of_an_answer_is_an_error(bad: dict[str, Any], kind: str, told: str) -> None:
    for answer in (bad, {"responses": [GOOD, bad]}):
        with pytest.raises(FaultError) as error:
            whole(answer)
        assert error.value.fault.kind == kind
        assert told in error.value.fault.detail


@pytest.fixture(params=["with orjson", "without"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "without":
        monkeypatch.setattr(http, "orjson", None)
    elif http.orjson is None:
        pytest.skip("orjson is not installed")
    yield


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    "value",
    [
        {"query": {"term": {"text": "规则 §5 \u2028"}}, "size": 10, "sort": [], "x": None},
        [0.1, -1.5e-9, 0.123456789012345678, 2**53, True],
        "half a character: caf\udce9",
        {"id": "caf\udce9"},
    ],
    ids=ascii,
)
def test_what_is_written_is_read_back(value: object) -> None:
    text = http.to_text(value)
    assert "\n" not in text and ": " not in text.replace("character: ", "")
    assert http.from_text(text) == json.loads(text) == value
    assert http.from_text(text.encode()) == value


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("text", ["", "{", "<html>502 Bad Gateway</html>"])
def test_what_is_no_json_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        http.from_text(text)
