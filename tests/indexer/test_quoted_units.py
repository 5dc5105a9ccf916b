"""Sections that an act quotes in order to insert them elsewhere are found by their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.review.structure import structure
from search.provisions.numbering import lookup_keys

ACT = """\
# Lamp Amendment Act of 1996

## SEC. 1. WICKS.

(a) IN GENERAL.—The Wick Act is amended by adding at the end the following:

{}

(b) OIL.—Oil is kept.

## SEC. 2. FEES.

There is no fee.
"""
QUOTED = """\
''DEFINITIONS

''SEC. 71. For purposes of this part:

''(1) WICK.—The term 'wick' means a rope that a keeper trims.

''GENERAL PENALTY

42 USC 1.

''SEC. 72. (a) Whoever fails to trim a wick pays ten pounds.

''(b) There is no other penalty.''."""
CONTENTS = """\
''Sec. 71. Definitions.

''Sec. 72. General penalty.

''Sec. 73. Fees.''."""


@pytest.fixture
def read(tmp_path: Path):
    def run(quoted: str) -> dict[str, str]:
        path = tmp_path / "act.md"
        path.write_text(ACT.format(quoted), encoding="utf-8")
        return {one.passage_id: one.text for one in structure(path).passages()}

    return run


def test_quoted_sections_are_passages_below_the_one_that_quotes_them(read):
    found = read(QUOTED)
    assert [number for number in found if "SEC" not in number and number != "Preamble"] == [
        "Section 1", "Section 1(a)", "Section 1(a).Section 71", "Section 1(a).Section 72",
        "Section 1(b)", "Section 2",
    ]  # fmt: skip
    assert found["Section 1(a).Section 72"].startswith("''GENERAL PENALTY\n42 USC 1.\n''SEC. 72.")
    assert found["Section 1(a).Section 72"].endswith("no other penalty.''.")
    assert found["Section 1(a)"].endswith("the following:")


def test_the_quoted_sections_of_a_table_of_contents_are_no_passages(read):
    found = read(CONTENTS)
    assert not any("Section 7" in number for number in found)
    assert "General penalty" in found["Section 1(a)"]


def test_a_quoted_section_is_found_by_its_own_number_and_not_by_that_of_a_schedule():
    assert "section 1176" in lookup_keys("Section 262(a).Section 1176")
    assert "1176" in lookup_keys("Section 262(a).Section 1176")
    assert "section 5" not in lookup_keys("Schedule 2.Section 1(a).Section 5")
