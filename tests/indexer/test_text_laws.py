"""Laws as text and Markdown: units that run through the text, their paragraphs, and headings."""

from __future__ import annotations

import time

import pytest
from law_structures import numbers, texts

import indexer
from indexer.review.structure import Structure, structure
from indexer.structuring.units.series import Numbers

MOST_SECONDS = 10


@pytest.mark.parametrize(
    "piece", ["| a | b |\n", "![", "[[x]", " *a", " _a", "[x](", "> ", "| ", "1."]
)
def test_what_comes_again_and_again_is_read_in_a_time_that_does_not_grow_faster(read, piece):
    started = time.process_time()
    read(f"# Lamps\n\nKeepers {piece * 10_000}\n\n# Oil\n\nIt burns.\n")
    assert time.process_time() - started < MOST_SECONDS


def left_out(found: Structure) -> set[str]:
    return {one.reason for one in found.left_out}


def test_numbers_below_a_section_are_its_paragraphs_and_no_chapters(read):
    law = read(
        "# Bankgesetz\n\n## Erster Abschnitt\n\n### § 1 Begriffe\n\n(1) Banken sind\n\n"
        "1.  Firmen,\n\n2.  Kassen.\n\n(2) Andere nicht.\n\n### § 1a Geltung\n\nÜberall.\n\n"
        "### § 2 Pflichten\n\n(1) Keine.\n"
    )
    assert numbers(law)[-6:] == ["§ 1", "§ 1(1)", "§ 1(2)", "§ 1a", "§ 2", "§ 2(1)"]
    assert texts(law)["§ 1(1)"] == "Banken sind\n1. Firmen,\n2. Kassen."


def test_an_escaped_dot_is_a_dot_and_cited_numbers_open_nothing(read):
    law = read(
        "Article 1\n\nScope\n\n"
        "1\\. It applies to banks, and to what is referred to in paragraph\n"
        "2\\. of the annex, as far as this Regulation says so, and to what stands\n"
        "in Article 2 and the articles that follow it in this chapter, but no\nothers.\n\n"
        "2\\. It does not apply to shops.\n\nArticle 2\n\nDuties\n\nA bank shall report.\n"
    )
    assert numbers(law) == ["Article 1", "Article 1(1)", "Article 1(2)", "Article 2"]


def test_a_number_that_stands_in_the_heading_and_below_it_is_read_once(read):
    law = read(
        "## PART 1 Preliminary\n\n##### 1. **Title**\n\n**1.** (1) This is the Act.\n\n"
        "(2) It begins.\n"
        "\n##### 2. **Terms**\n\n**2.** None.\n\n##### 2A. **Officers**\n\n"
        "**2A.** (1) Name one.\n\n"
        "(2) He reports.\n"
    )
    assert numbers(law) == ["Part 1", "1", "1(1)", "1(2)", "2", "2A", "2A(1)", "2A(2)"]
    assert "number that the heading above has too" in left_out(law)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["SECTION 1. TITLE.", "SEC. 101. FUNDS.", "SEC. 102. GRANTS."],
         ["Section 1", "Section 101", "Section 102"]),
        (["6-1-1301. Short title.", "6-1-1302. Definitions."], ["6-1-1301", "6-1-1302"]),
        (["22757.10. Title.", "22757.11. Terms.", "1107. Terms.", "1107.1. Duties."],
         ["22757.10", "22757.11", "1107", "1107.1"]),
        (["Стаття 1. Держава.", "Стаття 2. Народ."], ["Стаття 1", "Стаття 2"]),
        (["REGULATION R-1", "REGULATION R-2", "REGULATION O-1", "REGULATION O-2"],
         ["Regulation R-1", "Regulation R-2", "Regulation O-1", "Regulation O-2"]),
        (["ข้อ 1 ระเบียบ", "ข้อ 2 ผู้ใช้"], ["ข้อ 1", "ข้อ 2"]),
        (["Article 22 Use.", "Article 22-2 Reuse.", "Article 23 End."],
         ["Article 22", "Article 22-2", "Article 23"]),
    ],
)  # fmt: skip
def test_forms_of_numbers_that_count_on_open_units(read, lines, found):
    law = read("".join(f"{line}\nAll of it.\n" for line in lines), "law.txt")
    assert [number for number in numbers(law) if "(" not in number] == found


def test_controls_are_units_of_their_family(read):
    law = read(
        "# 3.1 ACCESS\n\n**AC-1 POLICY**\n\nControl: Have one.\n\n**AC-2 ACCOUNTS**\n\n"
        "Control: Define "
        "them.\n\n(1) AUTOMATED MANAGEMENT\n\nUse machines.\n\n# 3.2 TRAINING\n\n"
        "**AT-1 POLICY**\n\nTrain.\n"
    )
    assert {"AC-1", "AC-2", "AC-2(1)", "AT-1"} <= set(numbers(law))


def test_headings_within_a_section_end_neither_it_nor_its_paragraphs(read):
    law = read(
        "**1.** (1) Give notice.\n\n# *Illustration*\n\nX opens an account.\n\n(2) Say why.\n\n"
        "# *Illustration*\n\nY does so.\n\n(3) Keep it.\n\n**2.** (1) All.\n\n**3.** (1) End.\n"
    )
    assert numbers(law) == ["1", "1(1)", "1(2)", "1(3)", "2", "2(1)", "3", "3(1)"]
    assert texts(law)["1(1)"].endswith("Illustration\nX opens an account.")


def test_what_converters_leave_is_in_no_passage_and_named(read):
    law = read(
        "{0}------------------------------------------------\n\n# RULES\n\n"
        "![](_page_0_Picture_0.jpeg)\n\n"
        "**Section 500.1 Terms.** An event is an [act](http://example.com/act).\n\n"
        "{1}------------------------------------------------\n\n"
        "**Section 500.2 Program.** (a) Keep "
        "one.\n\n(b) Test it.\n"
    )
    together = "\n".join(passage.text for passage in law.passages())
    assert not any(mark in together for mark in ("----", "_page_", "http", "**"))
    assert left_out(law) >= {"mark of a page", "picture", "address of a link"}
    assert law.documents[0].title == "RULES"


def test_running_heads_are_left_out_and_never_the_title(read):
    pages = "".join(
        f"EN\n\nOfficial Journal\n\nL 176/{page}\n\nArticle {page}\n\nDuties of part {page}\n\n"
        "A bank shall report.\n\n"
        for page in range(1, 9)
    )
    law = read(f"REGULATION (EU) No 9/2013 OF THE COUNCIL\n\n{pages}", "law.txt")
    assert law.documents[0].title.startswith("Regulation (EU) No 9/2013")
    assert numbers(law) == [f"Article {number}" for number in range(1, 9)]
    assert all("Journal" not in text for text in texts(law).values())


def test_the_title_of_an_act_comes_before_forms_and_kinds(read):
    law = read(
        "(Legislative acts)\n\n# REGULATIONS\n\n# REGULATION (EU) No 999/2013 OF THE COUNCIL\n\n"
        "Article 1\n\nAll.\n\nArticle 2\n\nNone.\n"
    )
    assert law.documents[0].title == "Regulation (EU) No 999/2013"


def test_a_document_with_headings_alone_has_a_passage_for_each(read):
    policy = read(
        "# Procedure\n\n## Reporting\n\nReport at once.\n\n## Escalation\n\nTell the head.\n"
    )
    assert texts(policy) == {
        "Reporting": "Reporting\nReport at once.", "Escalation": "Escalation\nTell the head.",
    }  # fmt: skip
    assert policy.documents[0].title == "Procedure"


def test_rows_of_a_table_stay_together(read):
    law = read(
        "Article 1\n\nFees:\n\n| Firm | Fee |\n|---|---|\n| bank | 10 |\n\nArticle 2\n\nNone.\n"
    )
    assert texts(law)["Article 1"].endswith("\\Table Start\nFirm\tFee\nbank\t10\n\\Table End")


def test_a_sign_within_a_line_is_text_and_one_before_it_is_a_quote(read):
    found = read("Article 1\n> The value is 0 if t > 1 year.\n\nArticle 2\n| No | Fine |\n"
                 "|---|---|\n| 1 | Up to<br>ten<sup>2</sup>Euros |\n")  # fmt: skip
    assert texts(found)["Article 1"] == "The value is 0 if t > 1 year."
    assert "Up to ten2 Euros" in texts(found)["Article 2"]


def test_a_table_of_contents_above_and_a_table_of_origins_below_open_nothing():
    entries = [f"Sec. {number}. Duty {number}." for number in range(1, 7)]
    body = [line for entry in entries for line in (entry.upper(), "A bank shall report. " * 9)]
    found = Numbers([*entries, *body, *entries]).running()
    assert sorted(found.units) == list(range(6, 18, 2))
    assert found.contents == frozenset(range(6))


def test_two_columns_that_lost_their_order_keep_their_articles():
    order = [1, 2, 3, 5, 4, 6, 7, 8]
    lines = [line for number in order for line in (f"Article {number}", "All of them report. " * 9)]
    assert [unit.number for unit in Numbers(lines).units.values()] == [
        f"Article {number}" for number in order
    ]


def test_several_numbers_on_one_line_are_parted_and_cited_ones_are_not(read):
    text = (
        "1.1 This is issued under section 7. 1.2 Terms are those of 1.3 Annex. Else as used. "
        "1.3 It\nholds.\n\n1.4 It is kept.\n\n2.1 Assess. Scope 2.2 Write it down.\n"
    )
    found = texts(read(text, "guide.txt"))
    assert list(found) == ["1.1", "1.2", "1.3", "1.4", "2.1", "2.2"]
    assert found["1.2"] == "Terms are those of 1.3 Annex. Else as used."
    assert read(text, "guide.txt").passages()[2].source.endswith(":1")


def test_the_header_of_a_converted_page_is_its_title_and_metadata(tmp_path):
    path = tmp_path / "guide.md"
    path.write_text("Title: A Guide\n\nURL Source: a.hk\n\nRegion: Hong Kong\n---\n\n1.1 All.\n")
    (passage,) = indexer.read(path)
    assert passage.document_title == "A Guide"
    assert passage.metadata == {"url_source": "a.hk", "region": "Hong Kong"}
    assert passage.source == "guide.md:8"


def test_a_first_line_that_is_not_the_title_that_the_file_gives_is_named(tmp_path):
    path = tmp_path / "law.txt"
    path.write_text("---\ntitle: Lamp Rules\n---\nORDINANCE (Chapter 615)\n\n1.1 Keep lamps.\n")
    assert left_out(structure(path)) == {"title page"}


def test_contents_with_other_words_are_known_by_their_heading_and_numbers(read):
    law = read(
        "Contents\n\n1. R.1 Risks\n2. R.2 Help\n3. R.5 Terror\n\n# A. POLICY\n\n"
        "1. Assessing risks\n\n"
        "Assess them.\n\n2. National help\n\nHelp.\n\n# B. CRIME\n\n3. Financing\n\nPunish it.\n"
    )
    assert numbers(law) == ["A.", "1.", "2.", "B.", "3."]
    assert "table of contents" in left_out(law)


def test_the_control_table_of_a_policy_is_its_metadata(tmp_path):
    path = tmp_path / "policy.md"
    path.write_text(
        "# Access Policy\n\n| Document owner | Head of IT |\n|---|---|\n| Version | 3.2 |\n"
        "| Effective date | 2025-04-01 |\n\nNext review: 2026-04-01\n\n"
        "## Purpose\n\nThe owner: all.\n"
    )
    for passage in indexer.read(path):
        assert passage.metadata == {
            "owner": "Head of IT", "version": "3.2", "effective": "2025-04-01",
            "review": "2026-04-01",
        }  # fmt: skip


def test_an_act_that_a_heading_names_comes_before_the_gazette_above_it(read):
    law = read(
        "#### EXTRAORDINARY\n\nPART II - Section 1\n\n# MINISTRY OF LAW\n\n"
        "# THE DATA ACT, 2023\n\n**Section 1.** All.\n\n**Section 2.** None.\n"
    )
    assert law.documents[0].title == "THE DATA ACT, 2023"


def test_the_fence_of_a_figure_is_not_the_title(read):
    law = read(
        "\\Figure Start\n\n\\Figure End\n\nOil Guidance\n\nSECTION I\n\nKeepers hold oil.\n\n"
        "SECTION II\n\nKeepers clean wicks.\n",
        "law.txt",
    )
    (document,) = law.documents
    assert document.title == "Oil Guidance"


def test_a_page_number_joined_to_a_paragraph_number_is_not_part_of_it(read):
    found = read("1.1 Keep lamps.\n\n1.2 Trim wicks. 81.3 Fill the oil. 1.4 Rest at 9.4 AM.\n")
    assert numbers(found) == ["1.1", "1.2", "1.3", "1.4"]
    assert found.passages()[1].text == "Trim wicks. 8"


def test_a_number_that_seems_cited_is_believed_if_the_next_one_follows(read):
    text = "1.1 Keep lamps.\n\n1.2 Applicable Regulation 1.3 Trim wicks. {} Fill the oil.\n"
    assert numbers(read(text.format("1.4"))) == ["1.1", "1.2", "1.3", "1.4"]
    assert numbers(read(text.format("Then"))) == ["1.1", "1.2"]
