"""Short lines above paragraphs are headings of a text without numbers, where there are several."""

import pytest

from indexer.problems import Problems
from indexer.readers.text.reader import TextReader
from indexer.structuring.headings import with_unmarked_headings

PARAGRAPH = "We light every lamp of the harbour at dusk and put it out at dawn."
NOTICE = ["Lamp Notice", "", "Who we are", PARAGRAPH, "", "What we light", PARAGRAPH, "",
          "When we sleep", "", PARAGRAPH]  # fmt: skip


def test_each_heading_of_a_notice_is_a_passage(tmp_path):
    path, problems = tmp_path / "notice.txt", Problems()
    path.write_text("\n".join(NOTICE))
    found = list(TextReader().read(path, path.name, problems))
    assert [one.passage_id for one in found] == ["Who we are", "What we light", "When we sleep"]
    assert {one.document_title for one in found} == {"Lamp Notice"}
    assert all(one.text.endswith(PARAGRAPH) for one in found)
    assert not problems.told()


@pytest.mark.parametrize(
    "lines",
    [
        NOTICE[:6],
        [line.replace("W", "w") for line in NOTICE],
        [f"{line}:" if line != PARAGRAPH and line else line for line in NOTICE],
        [line if line != PARAGRAPH else "A note." for line in NOTICE],
        ["# Marked", *NOTICE],
        [
            "Lamplighters of Westminster carry oil from the",
            "Harbour to each lamp of the streets near it",
            "",
        ]
        * 4,
        [],
    ],
)
def test_other_short_lines_are_text(lines):
    assert with_unmarked_headings(lines) is None
