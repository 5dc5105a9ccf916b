"""How an extra is installed."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError

import pytest

from search import errors
from search.errors import installing


def installed_from(origin: dict[str, object] | None) -> object:
    class Installed:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return json.dumps(origin) if origin else None

    return Installed()


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        ({"url": "file:///srv/rirag", "dir_info": {}}, "pip install '/srv/rirag[ocr]'"),
        (
            {"url": "file:///my%20files/rirag", "dir_info": {"editable": True}},
            "pip install -e '/my files/rirag[ocr]'",
        ),
        ({"url": "https://example.com/rirag.whl"}, "pip install 'rirag[ocr]'"),
        (None, "pip install 'rirag[ocr]'"),
    ],
)
def test_an_extra_comes_from_where_rirag_came_from(
    monkeypatch: pytest.MonkeyPatch, origin: dict[str, object] | None, command: str
) -> None:
    monkeypatch.setattr(errors, "distribution", lambda name: installed_from(origin))
    assert installing("ocr") == command


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (
            {"url": "file:///srv/rirag", "dir_info": {"editable": True}},
            "pip install -e '/srv/rirag/workbench[train]'",
        ),
        ({"url": "file:///srv/rirag-0.1.0.whl"}, "pip install 'rirag-workbench[train]'"),
        (None, "pip install 'rirag-workbench[train]'"),
    ],
)
def test_the_workbench_is_in_a_folder_of_rirag(
    monkeypatch: pytest.MonkeyPatch, origin: dict[str, object] | None, command: str
) -> None:
    monkeypatch.setattr(errors, "distribution", lambda name: installed_from(origin))
    assert installing("train", workbench=True) == command


def test_an_extra_of_a_rirag_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(errors, "distribution", missing)
    assert installing("ocr") == "pip install 'rirag[ocr]'"
