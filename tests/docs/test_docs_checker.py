"""scripts/docs notices what is stale, mends it, and lets times and last digits be."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from pages import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from docs_blocks import PageError, alike, rewritten
from docs_commands import PageCommands
from docs_tables import attribute_docs

PAGE = """# Page

<!-- write: fees.txt -->
```text
1.1\tA fee is due.
```

<!-- run: rirag ingest fees.txt --index fees -->
```text
$ rirag ingest fees.txt --index fees
Read 2 passages of 1 document in 9.9 s: 1 added, 0 changed, 0 unchanged.
```

<!-- run (exit 2): rirag ingest nowhere.txt -->
```text
$ rirag ingest nowhere.txt
rirag: nowhere.txt: no such file or folder; check the path
```
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page with one stale block, on line 8."""
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    return page


class EmptyFolder:
    """In the place of a workspace: commands run in a folder without the sample rulebook."""

    def __init__(self, _root: Path, folder: Path) -> None:
        self._folder = folder

    def for_page(self) -> PageCommands:
        return PageCommands(self._folder, "")


def scripts_docs(*arguments: object) -> int:
    """Run scripts/docs in this process; return its exit code."""
    loader = SourceFileLoader("scripts_docs", str(ROOT / "scripts" / "docs"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    found: int = module.main([str(one) for one in arguments], EmptyFolder)
    return found


def test_a_stale_block_is_named_and_the_page_left_alone(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scripts_docs("--check", page) == 1

    told = capsys.readouterr()
    assert told.out == f"{page}:8: stale: run: rirag ingest fees.txt --index fees\n"
    assert "run scripts/docs" in told.err
    assert page.read_text(encoding="utf-8") == PAGE


def test_writing_mends_it_and_only_it(page: Path) -> None:
    assert scripts_docs(page) == 0

    mended = page.read_text(encoding="utf-8")
    assert "Read 1 passage of 1 document" in mended
    assert mended.endswith(PAGE[PAGE.index("<!-- run (exit 2)") :])
    assert scripts_docs("--check", page) == 0


def test_a_command_that_ends_in_another_way_is_told_with_its_output(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page.write_text("<!-- run: rirag ingest nowhere.txt -->\n```text\n```\n", encoding="utf-8")

    assert scripts_docs("--check", page) == 2

    told = capsys.readouterr().err
    assert "exit code 2 instead of 0" in told
    assert "no such file or folder" in told


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("in 2.6 s", "in 0.31 s", True),
        ("p50 12.4 ms", "p50 3.0 ms", True),
        ('"seconds": 0.0003', '"seconds": 2.5e-05', True),
        ('"milliseconds": {"retrieve": 1.2}', '"milliseconds": {"retrieve": 3.4}', True),
        ("COND 6.2.2  0.998", "COND 6.2.2  0.991", True),
        ("COND 6.2.2  0.998", "COND 6.2.2  0.898", False),
        ("COND 6.2.2  0.998", "COND 6.2.3  0.998", False),
        ("Rule 6.2 says", "Rule 6.3 says", False),
        ("228 passages", "229 passages", False),
        ("weight 0.10", "weight 0.10, none", False),
    ],
)
def test_only_times_and_the_last_digits_of_scores_may_differ(
    old: str, new: str, expected: bool
) -> None:
    assert alike(old, new) is expected


def test_a_block_without_a_fence_ends_at_its_end_mark() -> None:
    page = "<!-- table: rooms -->\nold\n<!-- end -->\nafter\n"

    made, changed = rewritten(page, {"table": lambda name, _: f"| {name} |\n"})

    assert made == "<!-- table: rooms -->\n| rooms |\n<!-- end -->\nafter\n"
    assert changed == [(1, "table: rooms")]


@pytest.mark.parametrize(
    "page",
    [
        "<!-- run: rirag --help -->\n\nno fence\n",
        "<!-- table: rooms -->\nno end\n",
        "<!-- run: rirag --help -->\nno fence\n\n<!-- table: rooms -->\n<!-- end -->\n",
        "<!-- table: no such table -->\n<!-- end -->\n",
    ],
)
def test_a_block_that_cannot_be_made_is_refused(page: str) -> None:
    with pytest.raises(PageError):
        rewritten(page, {"run": lambda command, _: command, "table": lambda n, _: {"rooms": ""}[n]})


def test_the_text_below_an_assignment_is_its_meaning() -> None:
    assert attribute_docs('A = 1\n"""First."""\nB: int = 2\nC = 3\n"""Two\nlines."""\n') == {
        "A": "First.",
        "C": "Two lines.",
    }
