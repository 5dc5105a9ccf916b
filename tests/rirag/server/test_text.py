"""What pages make of the texts of answers and documents."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from markupsafe import Markup

from rirag.server.app import FOLDER
from rirag.server.outline import OutlineEntry, outline
from rirag.server.pages.asking import view_of
from rirag.server.pages.forms import _is_common
from rirag.server.pages.places import MOST_CHARACTERS, MOST_PASSAGES, parts_of
from rirag.server.pages.reading import levelled, row_of
from rirag.server.pages.render import _head_first, environment
from rirag.server.pages.text import Block, ShownVerdict, answer_blocks, passage_blocks
from rirag.server.pages.uploading import _words
from rirag.server.storage.answers import StoredAnswer
from rirag.server.strings import Words
from search import DocumentSummary, Passage

PASSAGE = Passage(id="0", document_id="D", passage_id="0", text="A rule.")


def drawn(blocks: list[Block], *more: str) -> str:
    return str(environment().get_template("text.html").module.laid_out(blocks, *more))  # type: ignore[attr-defined]


def passages(*lengths: int) -> list[Passage]:
    return [
        replace(PASSAGE, id=str(place), text="x" * length) for place, length in enumerate(lengths)
    ]


def test_a_part_of_a_document_ends_before_it_is_too_long() -> None:
    third = MOST_CHARACTERS // 3
    parts = parts_of(passages(third, third, third, third, 5 * MOST_CHARACTERS, 1))
    assert list(parts.values()) == [1, 1, 1, 2, 3, 4]
    many = parts_of(passages(*[1] * (MOST_PASSAGES + 1)))
    assert (many["0"], many[str(MOST_PASSAGES)]) == (1, 2)
    assert parts_of([]) == {}


async def test_the_head_of_a_page_is_sent_before_the_rest_is_drawn() -> None:
    drawn: list[str] = []

    def pieces() -> Iterator[str]:
        yield from ("<body>", Markup("</header>\n<main>"))
        drawn.append("hits")
        yield from (Markup("<p>"), "text")

    chunks = _head_first(pieces())
    assert (await anext(chunks), drawn) == ("<body></header>\n<main>", [])
    assert [chunk async for chunk in chunks] == ["<p>text"]


def test_quoted_rows_of_a_table_are_shown_as_a_table() -> None:
    text = "Fees: “\n| Days <b> | Fee |\n| --- | --- |\n| 1 to 14 | 20 |” [1]\nMore."
    verdicts = [ShownVerdict(text.index("[1]") + 3, "supported", "Supported")]
    html = drawn(answer_blocks(text, frozenset({1}), verdicts))
    assert "<tr><th>Days &lt;b&gt;</th><th>Fee</th></tr></thead><tbody><tr><td>1 to 14</td>" in html
    assert "“" not in html and "”" not in html
    assert "---" not in html and html.count("<table ") == 1
    below = html.partition("</table>")[2]
    assert 'href="#c1"' in below and "verdict supported" in below and "More." in below


@pytest.mark.parametrize(
    ("state", "mode", "checked", "sign"),
    [
        ("answered", "extractive", "1 of 1 quotations are exact", "Quoted exactly"),
        ("answered", "rag", "1 of 1 statements supported", "Supported"),
        ("unsure", "extractive", "they may not answer the question", ""),
    ],
)
def test_no_sign_of_confidence_is_shown_where_an_answer_is_not_sure(
    state: str, mode: str, checked: str, sign: str
) -> None:
    said = "“A firm must pay.” [1]"
    verdict = {"text": said, "verdict": "supported", "reasons": [], "end": len(said)}
    body = {
        "Answer": said, "state": state, "mode": mode, "insufficient_evidence": False,
        "refused_by": None, "citations": [], "warnings": [], "notes": [], "index": {},
        "filters": {}, "verification": {"statements": [verdict]},
    }  # fmt: skip
    view = view_of(StoredAnswer("1", "2026-01-01T00:00:00", "", "", "Who pays?", body, {}))
    assert checked in view.checked
    assert view.is_unsure == (state == "unsure")
    assert sign in drawn(view.blocks)
    assert ("verdict supported" in drawn(view.blocks)) == bool(sign)


@pytest.mark.parametrize(
    ("kind", "careful", "sign"),
    [("differing", True, True), ("not-in-force", True, False), ("uncited", False, True)],
)
def test_an_answer_that_differs_or_is_past_is_not_called_complete(
    kind: str, careful: bool, sign: bool
) -> None:
    said = "“A firm must pay.” [1]"
    verdict = {"text": said, "verdict": "supported", "reasons": [], "end": len(said)}
    cited = {"marker": "[1]", "id": "a", "document_id": "A", "passage_id": "1", "quote": "",
             "document_title": "A", "breadcrumb": [], "status": "past"}  # fmt: skip
    body = {
        "Answer": said, "state": "answered", "mode": "extractive", "insufficient_evidence": False,
        "refused_by": None, "citations": [cited], "notes": [], "index": {}, "filters": {},
        "warnings": [{"kind": kind, "message": "Look.", "statement": ""}],
        "verification": {"statements": [verdict]},
    }  # fmt: skip
    view = view_of(StoredAnswer("1", "2026-01-01T00:00:00", "", "", "Who pays?", body, {}))
    assert (view.is_careful, "verdict supported" in drawn(view.blocks)) == (careful, sign)
    assert (view.sources[0].status, view.sources[0].citation) == ("past", "A 1 (past)")


def test_a_table_drawn_with_bars_is_shown_as_a_table_in_its_source() -> None:
    text = "Grades:\n\n| Grade | Time <b> |\n| :-- | --- |\n| 4 | 1 hour |\n|  | later |\nEnd."
    start = text.index("1 hour")
    html = drawn(passage_blocks(text, [(start, start + 6)]))
    assert "<tr><th>Grade</th><th>Time &lt;b&gt;</th></tr>" in html
    assert "<tr><td>4</td><td><mark>1 hour</mark></td></tr>" in html
    assert "<tr><td></td><td>later</td></tr>" in html and html.count("<table ") == 1
    assert "--" not in html and '<p class="line" dir="auto">End.</p>' in html


def test_vendored_files_are_those_that_are_listed() -> None:
    folder = FOLDER / "vendor"
    listed = re.findall(r"\| `([^`]+)` .*`([0-9a-f]{64})` \|", (folder / "README.md").read_text())
    assert listed
    assert {one.name for one in folder.glob("*.js")} == {name for name, _ in listed}
    for name, hashed in listed:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == hashed


def test_a_passage_named_by_its_heading_has_no_second_one_in_the_contents() -> None:
    table = replace(PASSAGE, passage_id="Fees", text="\\Table Start\nRole\tFee\n\\Table End")
    numbered = replace(table, id="1", passage_id="2.1")
    assert [(one.number, one.heading) for one in outline([table, numbered])] == [
        ("Fees", ""),
        ("2.1", "Role\tFee"),
    ]


def test_a_section_that_is_one_passage_is_among_the_contents_beside_headings() -> None:
    texts = {"1": "Scope\nThis holds.", "2": "Approval", "2.1": "Ask.", "3": "Register"}
    kinds = {"2": "heading", "3": "heading"}
    found = [
        replace(PASSAGE, id=number, passage_id=number, text=text, kind=kinds.get(number, "rule"),
                parent="2" if number == "2.1" else None)
        for number, text in texts.items()
    ]  # fmt: skip
    recitals = [replace(PASSAGE, id=f"r{n}", passage_id=f"Recital {n}", kind="rule", parent=None)
                for n in range(9)]  # fmt: skip
    assert [one.number for one in outline([*recitals, *found])][-3:] == ["1", "2", "3"]
    assert len(outline([*recitals, *found])) == 12


def test_a_preview_shows_what_a_passage_says_below_a_heading_that_is_its_number() -> None:
    headed = replace(PASSAGE, passage_id="Gifts.Limits", text="Limits\n\nUp to 50 euros.\nAsk.")
    assert _words(headed) == "Up to 50 euros. Ask."
    assert _words(replace(headed, text="Limits")) == "Limits"
    assert _words(replace(PASSAGE, text="No.: 1\nReport: tax")) == "No.: 1 Report: tax"


def test_no_level_of_headings_is_skipped() -> None:
    heading = replace(PASSAGE, kind="heading")
    rows = [
        row_of(replace(heading, breadcrumb=("",) * depth), {}) for depth in (3, 5, 5, 4, 3, 0, 2)
    ]
    rows.insert(1, row_of(replace(PASSAGE, breadcrumb=("",)), {}))
    assert [one.level for one in levelled(rows)] == [2, 0, 3, 3, 3, 2, 2, 3]
    assert [one.level for one in levelled(rows[:3], above=2)] == [3, 0, 4]


def test_metadata_is_shown_in_words_with_long_texts_last() -> None:
    shown = Words().facts(
        {"long_title": "x" * 61, "orig_slug": "a", "effective": "2027", "to": ("b", "c")}
    )
    assert [label for label, _ in shown] == ["Effective", "Orig slug", "To", "Long title"]
    assert dict(shown)["To"] == "b, c"


def test_fields_of_few_documents_are_filters_on_demand() -> None:
    def document(name: str, **metadata: str) -> DocumentSummary:
        return DocumentSummary(name, name, 1, metadata)

    documents = [
        document("A", owner="x", slug="a", rare="z"), document("B", owner="x", slug="b"),
        document("C"),
    ]  # fmt: skip
    found = [_is_common(name, documents) for name in ("owner", "slug", "rare")]
    assert found == [True, False, False]


def test_contents_have_titles_of_roman_numbers_and_every_article() -> None:
    rows = (
        # ID, parent, kind, text, entry in the contents
        ("Chapter II", None, "heading", "Duties", "Chapter II|Duties"),
        ("Chapter II.Section 1", "Chapter II", "heading", "Keeping", "Section 1|Keeping"),
        ("Article 3", "Chapter II.Section 1", "heading", "Oil", "Article 3|Oil"),
        ("Article 3(1)", "Article 3", "rule", "Fill it.", ""),
        ("Article 4", "Chapter II.Section 1", "rule", "Fees\nTwo coins.", "Article 4|Fees"),
        ("Article 5", "Chapter II.Section 1", "rule", "Books\nKeep one.", "Article 5|Books"),
        ("Article 5.Interpretation", "Article 5", "heading", "Interpretation", "Interpretation|"),
        ("1.2", None, "heading", "Scope", "1.2|Scope"),
        ("1.2.3", "1.2", "heading", "Reach", "1.2.3|Reach"),
    )
    passages = [
        replace(PASSAGE, id=number, passage_id=number, parent=parent, kind=kind, text=text)
        for number, parent, kind, text, _ in rows
    ]

    def entries(found: list[OutlineEntry]) -> list[str]:
        return [
            line for one in found for line in (f"{one.label}|{one.heading}", *entries(one.children))
        ]

    assert entries(outline(passages)) == [shown for *_, shown in rows if shown]
