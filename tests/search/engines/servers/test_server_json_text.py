"""What is sent and read is JSON, with the fast library and without it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from search.engines.servers.connection import json_text


@pytest.fixture(params=["with orjson", "without"], autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "without":
        monkeypatch.setattr(json_text, "orjson", None)
    elif json_text.orjson is None:
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
    text = json_text.to_text(value)
    assert "\n" not in text and ": " not in text.replace("character: ", "")
    assert json_text.from_text(text) == json.loads(text) == value
    assert json_text.from_text(text.encode()) == value


@pytest.mark.parametrize("text", ["", "{", "<html>502 Bad Gateway</html>"])
def test_what_is_no_json_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_text.from_text(text)
