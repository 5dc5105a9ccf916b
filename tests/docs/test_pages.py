"""The pages are short, say what kind of page they are, and can all be found from the first one."""

from __future__ import annotations

import re

import pytest
from pages import PAGES, ROOT

MOST_BYTES = 20_000
MOST_WRITTEN_BYTES = 225_000
"""What people have to read and keep true: all pages without their generated blocks."""

LONGER = {"cli.md": 26_000, "cli-evaluation.md": 23_000}
"""The generated reference of the commands."""

BLOCK = re.compile(
    r"<!-- table: .*?<!-- end -->"
    r"|(?<=-->\n)(?P<fence>`{3,})[^\n]*\n.*?\n(?P=fence)$",
    re.DOTALL | re.MULTILINE,
)

KINDS = ("Tutorial", "How-to guide", "Reference", "Explanation")
DOCS = ROOT / "docs"
DOORS = DOCS / "index.md"
LIVING = [page for page in PAGES if page.parent == DOCS]


def test_pages_are_short_and_few() -> None:
    pages = [*LIVING, ROOT / "README.md"]
    sizes = {page.name: page.stat().st_size for page in pages}
    written = [len(BLOCK.sub("", page.read_text(encoding="utf-8")).encode()) for page in pages]

    assert {n: s for n, s in sizes.items() if s > LONGER.get(n, MOST_BYTES)} == {}
    assert sum(written) <= MOST_WRITTEN_BYTES


@pytest.mark.parametrize("page", LIVING, ids=lambda page: page.name)
def test_a_page_says_what_kind_of_page_it_is(page) -> None:
    if page != DOORS:
        assert re.match(rf"# .+\n\n\*({'|'.join(KINDS)})\.\*", page.read_text(encoding="utf-8"))


def test_every_page_is_behind_one_of_three_doors() -> None:
    text = DOORS.read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w/-]+\.md)", text))
    linked |= {name for page in linked for name in _links_of(page)}

    assert len(re.findall(r"^## I ", text, re.MULTILINE)) == 3
    assert {page.name for page in LIVING} - linked == {"index.md"}


def test_research_logs_are_dated_apart() -> None:
    for page in (DOCS / "research").glob("*.md"):
        assert "*Research log: dated, and not updated.*" in page.read_text(encoding="utf-8")


def _links_of(page: str) -> set[str]:
    return set(re.findall(r"\]\(([\w-]+\.md)", (DOCS / page).read_text(encoding="utf-8")))
