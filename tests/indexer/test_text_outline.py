"""Plain text whose numbers are relative, as Acts and handbooks have them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import indexer
from indexer.blocks import TITLE_PAGE
from indexer.readers.text.law import law_text
from indexer.readers.text.outline import text_blocks
from indexer.structuring.outline import outline
from search.records import Passage

ACT = """LENDING ACT 2020

PART 1
PRELIMINARY

1. Short title
This Act is the Lending Act 2020.

2. Names
(1) A bank is what the Names Act says in section
3. Banks report.
(2) The persons named in subsection (1) or
(2) are lenders.

2A. Companies
(1) A company is a lender where it—
(a) lends money;
(aa) lends shares; or
(b) keeps accounts,
and has told the Registrar.

PART 1A
DUTIES

3. Technical rules
(1) A lender must report.

SCHEDULE 1
FEES

1. The fee for a report is 10 dollars.
1A. The fee for a late report is 20 dollars.
2. The fee for a copy is 5 dollars.
"""

WITHOUT_MARKS = """LENDING ACT 2020
PART 1
PRELIMINARY
1 Short title
(1) This Act is the Lending Act 2020.
2 Names
(1) A bank counts as
30 Lenders
And three as
3 lenders.
PART 2
DUTIES
CHAPTER 1
REPORTS
3 Duty to report
(1) A lender must report.
CHAPTER 2
FEES
4 Duty to pay
SCHEDULE 1
FORMS
1 Form of a report
"""

HEADINGS_ABOVE = """PAYMENTS ACT
The Payments Act 2020

Part 1
Preliminary

Short title
1. This Act is the Payments Act.

Interpretation
2.—(1) In this Act, "account" means an account
that a person keeps.
(2) A reference to paragraph
(a) is one to this Act.

Prescribed rules
3. A person must not pay without a licence.

FIRST SCHEDULE
FEES

PART 1
LENDERS

1. A lender pays 10 dollars.

SECOND SCHEDULE
FORMS

1. A form is on paper.
"""

CODE = """CODE OF RULES

PART 225—BANK HOLDING COMPANIES

Subpart A—General Provisions

§ 225.1 Authority and purpose.
(a) Authority. The Board issues this part.
(b) Purpose. This part is to:
(1) Regulate the control of banks;
(2) Define their business.

Subpart B - Acquisitions

§ 225.10b-2 Transactions that need approval.
A company needs approval for every acquisition.
Under
§ 225.1 thereunder it is.

Appendix A to Part 225—Capital
The Board has adopted capital ratios.
"""


@pytest.fixture
def read(tmp_path: Path):
    def run(text: str, name: str = "act.txt") -> list[Passage]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return list(indexer.read(path))

    return run


def texts(passages: list[Passage]) -> dict[str, str]:
    return {passage.passage_id: passage.text for passage in passages}


def test_sections_with_titles_part_into_their_subsections(read):
    found = texts(read(ACT))
    assert list(found) == [
        "PART 1", "PART 1.1.", "PART 1.2.", "PART 1.2.(1)", "PART 1.2.(2)", "PART 1.2A.",
        "PART 1.2A.(1)", "PART 1A", "PART 1A.3.", "PART 1A.3.(1)", "SCHEDULE 1", "SCHEDULE 1.1.",
        "SCHEDULE 1.1A.", "SCHEDULE 1.2.",
    ]  # fmt: skip
    assert found["PART 1.1."] == "Short title\nThis Act is the Lending Act 2020."
    assert found["PART 1.2A."] == "Companies"


def test_a_list_stays_with_its_clause_and_the_words_that_close_it(read):
    clause = texts(read(ACT))["PART 1.2A.(1)"].replace("\t", " ")
    assert clause == (
        "A company is a lender where it—\n(a) lends money;\n(aa) lends shares; or\n"
        "(b) keeps accounts,\nand has told the Registrar."
    )


def test_a_number_that_a_sentence_cites_over_the_end_of_a_line_opens_nothing(read):
    found = texts(read(ACT))
    assert "section 3. Banks report." in found["PART 1.2.(1)"]
    assert found["PART 1.2.(2)"].endswith("subsection (1) or (2) are lenders.")


def test_sections_without_a_mark_are_told_by_their_titles_and_their_order(read):
    passages = read(WITHOUT_MARKS)
    found = texts(passages)
    assert list(found) == [
        "PART 1", "PART 1.1", "PART 1.1.(1)", "PART 1.2", "PART 1.2.(1)", "PART 2",
        "PART 2.CHAPTER 1", "PART 2.CHAPTER 1.3", "PART 2.CHAPTER 1.3.(1)", "PART 2.CHAPTER 2",
        "PART 2.CHAPTER 2.4", "SCHEDULE 1", "SCHEDULE 1.1",
    ]  # fmt: skip
    assert found["PART 1.2.(1)"] == "A bank counts as\n30 Lenders\nAnd three as\n3 lenders."
    breadcrumbs = {passage.passage_id: passage.breadcrumb for passage in passages}
    assert breadcrumbs["PART 2.CHAPTER 2.4"] == ("PART 2 DUTIES", "PART 2.CHAPTER 2 FEES")
    assert breadcrumbs["SCHEDULE 1"] == ()


def test_a_heading_above_a_number_is_its_title(read):
    found = texts(read(HEADINGS_ABOVE))
    assert list(found)[:6] == [
        "Part 1", "Part 1.1.", "Part 1.2.", "Part 1.2.(1)", "Part 1.2.(2)", "Part 1.3.",
    ]  # fmt: skip
    assert found["Part 1.1."] == "Short title\nThis Act is the Payments Act."
    assert found["Part 1.2."] == "Interpretation"
    assert found["Part 1.3."].startswith("Prescribed rules\nA person")
    assert found["Part 1"] == "Preliminary"
    assert found["Part 1.2.(2)"] == "A reference to paragraph (a) is one to this Act."


def test_schedules_may_be_counted_in_words(read):
    assert list(texts(read(HEADINGS_ABOVE)))[6:] == [
        "FIRST SCHEDULE", "FIRST SCHEDULE.PART 1", "FIRST SCHEDULE.PART 1.1.", "SECOND SCHEDULE",
        "SECOND SCHEDULE.1.",
    ]  # fmt: skip


def test_lists_without_titles_stay_with_their_number(read):
    assert texts(
        read("Handbook\n1. Leave\n(a) 25 days.\n2. Bring:\n(a) a pen; and\n(b) ink.\n")
    ) == {
        "1.": "Leave",
        "1.(a)": "25 days.",
        "2.": "Bring:\n(a)\ta pen; and\n(b)\tink.",
    }


def test_front_matter_names_the_document_and_its_lines_count(read):
    front = "---\ndocument_id: lending\ntitle: Lending Act\ntopic: banks\n---\n"
    first, *_ = read(front + ACT.partition("\n\n")[2])
    assert (first.document_id, first.document_title) == ("lending", "Lending Act")
    assert first.metadata == {"topic": "banks"}
    assert first.source == "act.txt:6"


def test_tables_stay_as_they_are(read):
    fence = "\\Table Start\n1. Bank | 2,000\n(a) Fund\n\\Table End"
    found = texts(read(f"Fees\n1. Amounts\n(a) The fees are:\n{fence}\n2. Late fees\n(a) None.\n"))
    assert list(found) == ["1.", "1.(a)", "2.", "2.(a)"]
    assert found["1.(a)"] == f"The fees are:\n{fence}"


@pytest.mark.parametrize("text", [ACT, WITHOUT_MARKS, HEADINGS_ABOVE, CODE])
def test_every_word_is_in_a_passage_or_left_out_with_a_reason(text):
    lines = law_text(text.split("\n"), frozenset(), int).lines
    found = outline(text_blocks(lines))
    kept = [f"{one.number} {one.text}" for one in found.passages]
    left = [one.text for one in found.left_out]
    assert {one.reason for one in found.left_out} == {TITLE_PAGE}
    assert not set(_words(text)) - set(_words(" ".join([*kept, *left])))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_rules_whose_paragraphs_and_guidance_say_only_their_place(read):
    text = (
        "Conduct Rules\n1. GENERAL\n1.1 Application\n1.1.1 (1) A Firm must report.\n(2) A Fund:\n"
        "(a) must pay; and\n(b) may lend.\nGuidance\n1. A branch is no Firm.\n2. BUSINESS\n"
        "2.1 Records\n2.1.1 A Firm keeps records.\n"
    )
    found = texts(read(text))
    assert list(found) == [
        "1.", "1.1", "1.1.1", "1.1.1.(1)", "1.1.1.(2)", "1.1.1.Guidance", "1.1.1.Guidance.1.",
        "2.", "2.1", "2.1.1",
    ]  # fmt: skip
    assert found["2."] == "BUSINESS"


def test_a_heading_above_a_subsection_is_of_that_subsection(read):
    text = "1 GENERAL\nPurpose\n(1) To help.\nWho is a Bank\n(2) A Bank is\nEach Firm\n(a) here.\n"
    found = texts(read(text))
    assert found["1.(1)"] == "Purpose\nTo help."
    assert found["1.(2)"].startswith("Who is a Bank\nA Bank is\nEach Firm\n(a)")


def test_lines_that_were_broken_at_a_border_go_on_whatever_they_begin_with(read):
    text = """Conduct Rules

1. RECORDS

1.1.1 (1) A Firm must keep records of each order that it gave under Rule
3.5.8 Applies to orders, and of each order that it took over, as well as
(2) Of the order before.

(2) A Firm must keep these records for as long as it may be asked about;
(3) A Firm must show its records to whoever asks for them under chapters
2. Business and records of all kinds of any of the Firms that it lent to
Guidance
that was given to it.
"""
    assert list(texts(read(text))) == ["1.", "1.1.1", "1.1.1.(1)", "1.1.1.(2)", "1.1.1.(3)"]


def test_sections_of_a_code_stand_in_their_parts_and_subparts(read):
    found = texts(read(CODE))
    assert list(found) == [
        "PART 225", "PART 225.Subpart A", "PART 225.Subpart A.§ 225.1",
        "PART 225.Subpart A.§ 225.1.(a)", "PART 225.Subpart A.§ 225.1.(b)",
        "PART 225.Subpart B", "PART 225.Subpart B.§ 225.10b-2", "Appendix A",
    ]  # fmt: skip
    assert found["PART 225"] == "BANK HOLDING COMPANIES"
    assert found["PART 225.Subpart A.§ 225.1.(b)"].startswith("Purpose. This part is to:\n(1)")
    assert found["PART 225.Subpart B.§ 225.10b-2"].endswith("\nUnder\n§ 225.1 thereunder it is.")
    assert found["Appendix A"].startswith("to Part 225—Capital\n")


def test_numbers_that_are_written_out_open_their_passages_alone(read):
    text = "1.1.1\tFirms:\n1.1.1.(1)\tA Firm must:\n(1)\tpay; or\n(2)\tlend.\n"
    text += "1.1.1.(2)\tIt reports.\n1.1.2\tFunds.\n"
    assert list(texts(read(text))) == ["1.1.1", "1.1.1.(1)", "1.1.1.(2)", "1.1.2"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.1 Scope\n(a) All firms.\n", ["1.1", "1.1.(a)"]),
        (
            "Article 1\n1. All:\n(a) banks.\nArticle 2\nNone.\nArticle 3\nSome.\n",
            ["Article 1", "Article 1(1)", "Article 2", "Article 3"],
        ),
        ("# Rules\n\n## 1. Scope\n\n(a) All firms.\n", ["1.", "1.(a)"]),
        ("**1.** Scope\n(a) All firms.\n", ["1.", "1.(a)"]),
        ("1) Scope\n(a) All firms.\n2) Fees\n", ["1)", "1).(a)", "2)"]),
    ],
)  # fmt: skip
def test_lists_below_a_title_are_passages_as_in_word_files(read, text, found):
    assert list(texts(read(text))) == found


CONSTITUTION = """Constitution of the Society

1. Bodies

   Decisions are made by one of these:
    1. The members;
    2. The chair.

  1.1. General rules

    1. Nobody is obliged to work.
    2. A person may hold several posts; see §2.1(3),
       §2.1.

2. Members

  2.1. Powers

   The members may:
    1. Appoint the chair.
    2. Issue papers of two kinds.
         1. A charter is a paper.
         2. A policy is a paper.
    3. Dissolve the Society.

A. Procedure

   These rules apply to votes.

  A.1. Proposal

    1. A vote begins with a proposal.
    2. It ends after a week.
"""


def test_the_indent_tells_which_number_a_list_is_below(read):
    found = texts(read(CONSTITUTION))
    assert list(found) == [
        "1.", "1.1.", "1.1.1.", "1.1.2.", "2.", "2.1.", "2.1.1.", "2.1.2.", "2.1.2.1.",
        "2.1.2.2.", "2.1.3.", "A.", "A.1.", "A.1.1.", "A.1.2.",
    ]  # fmt: skip
    assert found["2.1.3."] == "Dissolve the Society."


def test_items_whose_numbers_sections_have_stay_in_their_text(read):
    assert "2.\tThe chair." in texts(read(CONSTITUTION))["1."]


def test_a_reference_on_a_line_of_its_own_opens_nothing(read):
    assert texts(read(CONSTITUTION))["1.1.2."].endswith("§2.1(3), §2.1.")


def test_lists_that_begin_anew_below_a_line_left_of_them_are_two(read):
    lists = "Our promise\n\n{}\nThe tests\n\n{}".format(
        *("".join(f"    {n}. {word} {n}\n       We keep it.\n" for n in (1, 2, 3))
          for word in ("Promise", "Test"))
    )  # fmt: skip
    found = read(lists)
    assert [one.passage_id for one in found][-6:] == ["1.", "2.", "3."] * 2
    assert "Test 1" in found[-3].text
