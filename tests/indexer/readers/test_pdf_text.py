"""What is drawn on the pages of a PDF, put together again."""

from __future__ import annotations

from pathlib import Path

import pytest
from effort import no_runaway
from pdf_samples import (
    Picture,
    Rule,
    Text,
    below,
    blocks_of,
    grid,
    left_out_of,
    passages_of,
    read_outline,
    texts_of,
    write_pdf,
)

import indexer
from indexer.problems import Problems
from indexer.readers.pdf.lines import Line
from indexer.readers.pdf.margins import paged_contents
from indexer.readers.pdf.reader import PdfReader

BIRDS = ("auk", "crane", "dove", "eagle", "finch", "goose", "heron", "ibis", "jay", "kite", "lark")
LONG = "shall keep the records that show what it has done for each of its clients and when"
FILL = [
    "The Authority may at any time ask a Firm for the records that it keeps, and the Firm",
    "hands them over within ten days of the request, or says in writing why it is not able",
    "to do so and when it will be, and what it does in the meantime to find what is missing.",
]


def numbered(count: int, chapter: int = 1) -> list[str]:
    """Return lines of rules, two each."""
    lines = []
    for number in range(1, count + 1):
        lines += [f"{chapter}.{number}\tA Firm {LONG}", "\tand where, in rule order."]
    return lines


def test_lines_become_paragraphs_and_numbers_passages(tmp_path):
    lines = ["1\tSCOPE", *numbered(3), "(a)\tfirst, and", "(b)\tsecond."]
    found = passages_of(tmp_path, below(lines))
    assert [one.number for one in found] == ["1", "1.1", "1.2", "1.3", "1.3.(a)", "1.3.(b)"]
    assert found[1].text == f"A Firm {LONG} and where, in rule order."


def test_a_reference_at_the_beginning_of_a_line_is_no_number(tmp_path):
    lines = [
        "1.1\tA Firm that has not told the Authority of a change as it has to under Rule",
        "\t1.2 (a) pays a fee, which is set out in the table of fees in the annex below,",
        "\t(b) and tells its clients.",
        "1.2\tThe fee is due at once.",
    ]
    assert [one.number for one in passages_of(tmp_path, below(lines))] == ["1.1", "1.2"]


def test_lines_farther_apart_are_paragraphs(tmp_path):
    page = [*below(FILL, top=100), *below(FILL, top=160), *below(FILL, top=220)]
    assert texts_of(tmp_path, page) == [" ".join(FILL)] * 3


def test_a_paragraph_goes_on_over_a_page_break(tmp_path):
    pages = [
        [*below(FILL[:2], top=740), Text(300, 800, "Page 1")],
        [*below(FILL[2:], top=80), Text(300, 800, "Page 2")],
        [*below(FILL, top=80), Text(300, 800, "Page 3")],
    ]
    assert texts_of(tmp_path, *pages) == [" ".join(FILL)] * 2


def test_columns_are_read_one_after_the_other(tmp_path):
    left = [f"Left {number} has the words of the first column" for number in range(8)]
    right = [f"Right {number} has those of the second one too" for number in range(8)]
    left[-1] += "."
    page = [
        Text(150, 80, "A HEADING THAT RUNS ACROSS BOTH OF THE COLUMNS", 12, "bold"),
        *(text for pair in zip(below(left, 60), below(right, 310), strict=True) for text in pair),
    ]
    assert texts_of(tmp_path, page) == [
        "A HEADING THAT RUNS ACROSS BOTH OF THE COLUMNS", " ".join(left), " ".join(right),
    ]  # fmt: skip


def test_numbers_beside_their_text_are_no_column(tmp_path):
    page = below(["1\tSCOPE", *numbered(9)])
    found = passages_of(tmp_path, page)
    assert [one.number for one in found] == ["1", *(f"1.{number}" for number in range(1, 10))]


def test_heads_feet_and_page_numbers_are_left_out_by_name(tmp_path):
    pages = [
        [
            Text(72, 40, "CONDUCT RULES v2.1" if page % 2 else "The Authority"),
            *below([f"{page}.1\tA firm keeps a {BIRDS[page]}."], top=100),
            Text(300, 800, str(page)),
        ]
        for page in range(1, 7)
    ]
    assert texts_of(tmp_path, *pages) == [f"{n}.1\tA firm keeps a {BIRDS[n]}." for n in range(1, 7)]
    found = left_out_of(tmp_path, *pages)
    assert ("running head or foot", "CONDUCT RULES v2.1") in found
    assert ("running head or foot", "The Authority") in found
    assert [text for reason, text in found if reason == "page number"] == list("123456")


def test_a_heading_that_tops_some_pages_is_no_running_head(tmp_path):
    pages = [below([f"{n}.1\tA {bird} pays.", *FILL], top=80) for n, bird in enumerate(BIRDS)]
    for page in (1, 6, 10):
        pages[page] = [Text(72, 60, "Guidance", look="bold"), *pages[page]]
    assert texts_of(tmp_path, *pages).count("Guidance") == 3


def test_heads_that_name_their_section_beside_the_page_are_left_out(tmp_path):
    pages = [below([f"{n}.1\tA {bird} pays.", *FILL], top=120) for n, bird in enumerate(BIRDS, 1)]
    for at, bird in enumerate(BIRDS):
        head = (
            f"{at + 3}   Part {at + 1}. On the {bird}" if at % 2 else f"{at + 1}.1. {bird} {at + 3}"
        )
        pages[at] = [Text(72, 60, head), *pages[at]]
    found = " ".join(texts_of(tmp_path, *pages))
    assert "On the" not in found
    assert all(f"A {bird} pays." in found for bird in BIRDS)


def test_a_number_and_the_label_behind_it_need_no_tab(tmp_path):
    rows = [("11.1", "Sanctions"), ("11.1.1 (1)", "A firm pays."), ("(2)", "It pays soon.")]
    page = [
        Text(left, 72 + 14 * row, text)
        for row, texts in enumerate(rows)
        for left, text in zip((72, 144), texts, strict=True)
    ]
    found = passages_of(tmp_path, page)
    assert [one.number for one in found] == ["11.1", "11.1.1", "11.1.1.(1)", "11.1.1.(2)"]


def test_cut_words_are_mended(tmp_path):
    lines = [
        "A Firm keeps its finan-",
        "cial records, and a non-",
        "resident Firm its anti-",
        "fraud records. A non-resident Firm is one; fraud is what anti harm rules are for.",
    ]
    text = " ".join(texts_of(tmp_path, below(lines)))
    assert "financial records" in text
    assert "a non-resident Firm its anti-fraud records" in text


def test_a_table_is_rows_of_cells(tmp_path):
    cells = [("Firm", "Fee"), ("A bank that takes", "2,000"), ("A broker", "500")]
    page: list = [*below(["1.1\tThe fees are these:"]), *grid(72, 130, (200, 100), 3, 30)]
    for row, (left, right) in enumerate(cells):
        page += [Text(76, 142 + 30 * row, left), Text(276, 142 + 30 * row, right)]
    page += [Text(76, 184, "deposits"), *below(["1.2\tThey are due."], top=240)]
    found = blocks_of(tmp_path, page)
    assert [block.kind for block in found] == ["paragraph", "table", "paragraph"]
    assert found[1].text == "Firm\tFee\nA bank that takes deposits\t2,000\nA broker\t500"
    passages = passages_of(tmp_path, page)
    assert passages[0].text.split("\n")[1:3] == ["\\Table Start", "Firm\tFee"]


def test_a_table_that_goes_on_over_a_page_break_is_one(tmp_path):
    first = [*grid(72, 700, (200, 100), 2, 30)]
    second = [*grid(72, 80, (200, 100), 1, 30)]
    for at, word in enumerate(("Bank", "Broker")):
        first += [Text(76, 715 + 30 * at, word), Text(276, 715 + 30 * at, "20")]
    second += [Text(76, 95, "Fund"), Text(276, 95, "30")]
    found = blocks_of(tmp_path, first, second)
    assert [block.text for block in found] == ["Bank\t20\nBroker\t20\nFund\t30"]


def test_a_frame_around_text_is_no_table(tmp_path):
    page = [*grid(60, 85, (450,), 1, 50), *below(FILL)]
    assert [block.kind for block in blocks_of(tmp_path, page)] == ["paragraph"]


def test_a_frame_above_a_table_is_no_part_of_it(tmp_path):
    rules = [*grid(72.4, 100, (400,), 1, 25), *grid(72, 160, (200, 100), 2, 20)]
    cells = [Text(76, 174, "Duty"), Text(276, 174, "Room"), Text(76, 194, "Keeper"),
             Text(276, 194, "4400")]  # fmt: skip
    page = [
        *rules,
        Text(76, 115, "Note: see the register."),
        Text(72, 145, "Annex A Rooms"),
        *cells,
    ]
    found = blocks_of(tmp_path, page)
    assert [block.text for block in found if block.kind == "table"] == ["Duty\tRoom\nKeeper\t4400"]
    assert [block.kind for block in found][-1] == "table"


def test_footnotes_are_kept_apart_and_their_marks_taken_out(tmp_path):
    page = [
        Text(72, 100, "1.1"),
        Text(108, 100, "A Firm pays the fee"),
        Text(197, 96, "1", 6),
        Text(203, 100, "and tells the Authority about it."),
        *below(FILL, left=108, top=130),
        Rule(72, 690, 200, 690),
        Text(72, 700, "1", 6),
        Text(78, 703, "The fee is set out in the annex to these rules,", 8),
        Text(72, 713, "and is due each year.", 8),
    ]
    found = blocks_of(tmp_path, page)
    assert [block.kind for block in found] == ["paragraph", "footnote", "paragraph"]
    assert found[0].text == "A Firm pays the fee and tells the Authority about it."
    assert found[1].text == (
        "1 The fee is set out in the annex to these rules, and is due each year."
    )
    assert ("mark of a footnote", "1") in left_out_of(tmp_path, page)


def test_a_footnote_follows_the_paragraph_that_has_its_mark(tmp_path):
    page = [
        Text(72, 100, "1.1"),
        Text(108, 100, "A Firm pays the fee"),
        Text(197, 96, "1", 6),
        Text(203, 100, "each year."),
        Text(72, 130, "1.2"),
        Text(108, 130, "A Firm reports."),
        *below(FILL, left=108, top=160),
        Text(72, 700, "1", 6),
        Text(78, 703, "The fee is set out in the annex.", 8),
    ]
    found = blocks_of(tmp_path, page)
    assert [block.kind for block in found[:3]] == ["paragraph", "footnote", "paragraph"]
    read = read_outline(write_pdf(tmp_path / "a.pdf", page), footnotes=True).passages
    assert [one.number for one in read] == ["1.1", "1.1.Footnote.1", "1.2"]


def test_a_power_is_no_mark_of_a_footnote(tmp_path):
    page = [Text(72, 100, "More than 10"), Text(129.2, 96, "25", 6), Text(138, 100, "operations.")]
    assert texts_of(tmp_path, page) == ["More than 10^25 operations."]


def test_a_table_of_contents_and_what_precedes_it_are_left_out(tmp_path):
    front = below(["CONDUCT RULES"], size=18, look="bold")
    contents = below(
        ["CONTENTS", *(f"{n}. Chapter {n} {'.' * 60} {n + 2}" for n in range(1, 5))], top=100
    )
    text = below(["1.\tSCOPE", "1.1\tAll firms."], top=100)
    found = passages_of(tmp_path, front, contents, text)
    assert [one.number for one in found] == ["1.", "1.1"]
    reasons = {reason for reason, _ in left_out_of(tmp_path, front, contents, text)}
    assert "table of contents" in reasons


def lines_of(*texts: str) -> list[Line]:
    return [Line(text, 0, 72, 300, 72, 100 + 12 * at, 10) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("end", "leads"),
    [
        ("..... 12", True), (" . . . . . xiv", True), (" … 3", True), (".… 3", True),
        ("....", True), ("... 3", False), (".  .  .  . 3", False), ("..... 12345", False),
        ("… 3 b", False), (" ..... Art. 41", True), (".... § 5a", True), (".... Bern 5", False),
    ],
)  # fmt: skip
def test_an_entry_of_the_contents_leads_to_its_page(end, leads):
    lines = lines_of(*(f"Chapter {number}{end}" for number in "ABC"))
    assert paged_contents(lines) == (set(range(3)) if leads else set())


@pytest.mark.parametrize("fill", [".", ". ", "…", ".… "])
def test_a_line_to_fill_in_is_read_in_no_time(fill):
    with no_runaway():
        assert paged_contents(lines_of(*[f"Name {fill * 20_000} Date"] * 3)) == set()


def test_larger_and_bold_print_is_a_heading(tmp_path):
    page = [
        *below(["Powers"], size=16, look="bold"),
        *below(FILL, top=130),
        *below(["Fees"], size=12, look="bold", top=190),
        *below(FILL, top=210),
    ]
    found = blocks_of(tmp_path, page)
    assert [block.heading_level for block in found] == [0, None, 1, None]
    assert [block.bold for block in found] == [True, False, True, False]


def test_indents_tell_the_level_of_a_list(tmp_path):
    page = [
        *below(["1.1\tA Firm must:"]),
        *below(["(h)\treport;"], left=108, top=112),
        *below(["(i)\tyearly; and"], left=144, top=124),
        *below(["(ii)\tin writing; and"], left=144, top=136),
        *below(["(i)\tpay."], left=108, top=148),
    ]
    assert [block.indent for block in blocks_of(tmp_path, page)] == [720, 1440, 2160, 2160, 1440]


def test_text_that_runs_upwards_is_read_or_told(tmp_path):
    mark = Text(40, 600, "DRAFT", 40, turned=True)
    assert ("text across the page", "DRAFT") in left_out_of(tmp_path, [*below(FILL), mark])
    turned = [Text(100 + 12 * at, 700, line, turned=True) for at, line in enumerate(FILL)]
    assert texts_of(tmp_path, turned) == [" ".join(FILL)]


def test_pictures_of_the_text_are_noted_and_letterheads_are_not(tmp_path):
    pages = [[Picture(72, 20, 60, 40), *below([f"{n}.1\tA {BIRDS[n]} pays."])] for n in range(1, 5)]
    pages[1] = [*pages[1], Picture(72, 200, 300, 200), *below(["2.2\tRule after it."], top=450)]
    kinds = [block.kind for block in blocks_of(tmp_path, *pages)]
    assert kinds == ["paragraph", "paragraph", "figure", "paragraph", "paragraph", "paragraph"]


def test_a_page_that_is_a_picture_is_named(tmp_path):
    pages = [below([f"{n}.1\tA {BIRDS[n]} pays."]) for n in range(1, 4)]
    found = left_out_of(tmp_path, *pages, [Picture(0, 0, 595, 842)])
    assert ("pages that are images without text: 4", "") in found


def test_the_place_of_a_passage_is_its_page(tmp_path):
    pages = [below([f"{n}.1\tA {BIRDS[n]} pays."]) for n in range(1, 4)]
    path = write_pdf(tmp_path / "rules.pdf", *pages)
    found = list(PdfReader().read(path, "rules.pdf", Problems()))
    assert [one.source for one in found] == ["rules.pdf:1", "rules.pdf:2", "rules.pdf:3"]


def test_every_word_is_in_a_passage_or_left_out(tmp_path):
    pages = [
        [Text(72, 40, "HEAD"), *below(numbered(6, page)), Text(300, 800, f"Page {page} of 3")]
        for page in range(1, 4)
    ]
    drawn = sorted(word for page in pages for text in page for word in text.words.split())
    read = [f"{one.number} {one.text}" for one in passages_of(tmp_path, *pages)]
    left = [text for _, text in left_out_of(tmp_path, *pages)]
    assert sorted(" ".join(read + left).split()) == drawn


def test_a_folder_with_a_pdf_is_read_like_any_other(tmp_path: Path):
    write_pdf(tmp_path / "rules.pdf", below(["1\tSCOPE", "1.1\tAll firms."]))
    (tmp_path / "more.txt").write_text("1\tFEES\n2\tPOWERS\n")
    found = list(indexer.read(tmp_path))
    assert [(one.document_id, one.passage_id) for one in found] == [
        ("more", "1"), ("more", "2"), ("rules", "1"), ("rules", "1.1"),
    ]  # fmt: skip


def test_larger_print_parts_what_stands_below_it_from_the_rules_before(tmp_path: Path):
    page = [
        *below(["Loan Code"], top=60, size=20),
        *below(["1. Lenders must act.", "2. Lenders must record what they do."], top=100),
        *below(["Reports"], top=150, size=14),
        *below(["1. Lenders must report."], top=180),
        *below(["Final"], top=220, size=14),
        *below(["This code is in force."], top=250),
    ]
    assert [(one.number, one.text) for one in passages_of(tmp_path, page)] == [
        ("1.", "Lenders must act."), ("2.", "Lenders must record what they do."),
        ("1.", "Reports\nLenders must report."), ("Final", "This code is in force."),
    ]  # fmt: skip


def test_heads_that_no_other_page_has_are_told_by_those_that_pages_share(tmp_path):
    names = [f"ON {BIRDS[at // 3].upper()}S" if at < 6 else f"ON {BIRDS[at].upper()}S"
             for at in range(len(BIRDS))]  # fmt: skip
    pages = [
        [Text(72, 40, name), *below([f"{n}.1\tA {bird} pays.", *FILL], top=100)]
        for n, (name, bird) in enumerate(zip(names, BIRDS, strict=True), 1)
    ]
    found = " ".join(texts_of(tmp_path, *pages))
    assert not any(name in found for name in names)
    assert all(f"A {bird} pays." in found for bird in BIRDS)


def test_the_name_of_an_appendix_in_bold_may_end_a_sentence_on_a_line_of_its_own(tmp_path):
    words = "The two ways of it are compared line by line for all who want to know more of them in"
    page = [
        *below(FILL, top=80),
        Text(72, 140, "27)"),
        Text(110, 140, words),
        Text(100, 152, "Appendix A.", look="bold"),  # the number is wider than the indent
        Text(72, 180, "28)"),
        Text(110, 180, "Firms choose."),
    ]
    found = passages_of(tmp_path, page)
    assert [(one.number, one.text) for one in found][-2:] == [
        ("27)", f"{words} Appendix A."), ("28)", "Firms choose."),
    ]  # fmt: skip


def test_a_number_with_a_letter_may_carry_the_labels_below_it(tmp_path):
    rows = [("10.1", "Reports"), ("10.1.3", "Yearly"), ("10.1.3B (1)", "A firm reports."),
            ("10.1.3B(2)", "It says why.")]  # fmt: skip
    page = [
        Text(left, 72 + 14 * row, text)
        for row, texts in enumerate(rows)
        for left, text in zip((72, 160), texts, strict=True)
    ]
    found = [one.number for one in passages_of(tmp_path, page)]
    assert found == ["10.1", "10.1.3", "10.1.3B", "10.1.3B.(1)", "10.1.3B.(2)"]


def test_a_document_with_few_cuts_cuts_no_words(tmp_path):
    filled = [line for bird in BIRDS for line in (*FILL, f"Each {bird} may be rebalanced.")]
    pages = [below(filled, top=60) for _ in range(3)]
    lines = [
        "A firm that is driven by what it knows of technology and that re-",
        "balanced pays.",
        "A firm that says that it is in its business at all times technology-",
        "driven pays.",
    ]
    found = " ".join(texts_of(tmp_path, *pages, below(lines)))
    assert "technology-driven" in found
    assert "rebalanced pays" in found


def test_a_letter_may_have_no_room_before_its_text(tmp_path):
    lines = ["A. Each firm pays.", "B. It pays soon.", "C.Notwithstanding this, banks do not."]
    page = below(["1.\tFEES"], top=72) + below(lines, top=100)
    assert [one.number for one in passages_of(tmp_path, page)] == ["1.", "1.A.", "1.B.", "1.C."]


def test_a_line_of_the_title_page_that_the_title_repeats_is_left_out(tmp_path):
    front = [
        Text(72, 200, "Harbour Rules", 20),
        Text(72, 300, "Rules", 14),
        Text(72, 340, "2024", 14),
    ]
    found = left_out_of(tmp_path, front, below(numbered(6, 1)))
    assert any("Rules" in text.split("\n") for _, text in found)


def test_short_numbered_lines_are_paragraphs_of_their_own(tmp_path):
    lines = ["1. Keepers hold oil in their lamps at night.", "2. Keepers sleep at day."]
    assert [one.number for one in passages_of(tmp_path, below(lines))] == ["1.", "2."]
