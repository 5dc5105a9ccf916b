"""What is sent and read is JSON, with the fast library and without it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from search.engines.servers.connection import http


@pytest.fixture(params=["with orjson", "without"], autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "without":
        monkeypatch.setattr(http, "orjson", None)
    elif http.orjson is None:
        pytest.skip("orjson is not installed")
    yield


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


@pytest.mark.parametrize("text", ["", "{", "<html>502 Bad Gateway</html>"])
def test_what_is_no_json_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        http.from_text(text)
