"""Every form of a reference has one meaning, asked for, in a passage and in the reference sets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generation.delegate.part_reading import part_names
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import RuleNumber, find_rule_numbers
from search.provisions.links.find import find_cross_references
from search.provisions.numbering import segments
from search.provisions.roman import roman_value
from search.records import DocumentSummary, Passage

SETS = Path(__file__).resolve().parents[3] / "benchmarks" / "questions"
NO_DOCUMENTS = DocumentNames([])
_CODE = re.compile(r"\b[A-Z]{2,5}\b")
_HAS_NUMBER = re.compile(r"(?<!Level )\d|\b[IVX]+\b")

FORMS = {
    "point (a) of the first subparagraph of Article 5(1)": ["article 5/1/a"],
    "Article 5(1), first subparagraph, point (a)": ["article 5/1/a"],
    "§ 5 Abs. 2 Satz 1": ["section 5/2"],
    "Article 129b(4-6)": ["article 129b/4", "article 129b/5", "article 129b/6"],
    "Annex III, point 1": ["annex iii/1"],
    "art. L. 511-1": ["article l511-1"],
    "articolo 2, comma 3": ["article 2/3"],
    "artículo 5, apartado 2": ["article 5/2"],
    "artikel 5, tweede lid": ["article 5/2"],
    "reg 4(2)": ["regulation 4/2"],
    "reg. 12A": ["regulation 12a"],
    "s 5(1)(a)": ["section 5/1/a"],
    "ss 5, 6 and 7": ["section 5", "section 6", "section 7"],
    "17 CFR 240.10b-5(b)": ["240/10b-5/b"],
    "section 5(1) or 5(2)": ["section 5/1", "section 5/2"],
    "section 5(1)(a) or (2)": ["section 5/1/a", "section 5/2"],
    "subsection (1)(a) or (2) of section 5": ["section 5/1/a", "section 5/2"],
    "section 30101": ["section 30101"],
    "§ 30101(4)": ["section 30101/4"],
    "sections 5 & 6": ["section 5", "section 6"],
    "sections 5/6": ["section 5", "section 6"],
    "sections 5 thru 7": ["section 5", "section 6", "section 7"],
    "§§ 3 bis 5": ["section 3", "section 4", "section 5"],
    "section 5-A": ["section 5a"],
    "§ 5 a Abs. 2": ["section 5a/2"],
    "5 a §": ["section 5a"],
    "cl. 5(2)": ["5/2"],
    "paras 3 and 4": ["3", "4"],
    "Section 4.11 and 4.12": ["4/11", "4/12"],
    "Article 6, paragraphs 1 to 3": ["article 6/1", "article 6/2", "article 6/3"],
    "Art. 5 § 1": ["article 5/1"],
    "Articles 428k to 428m": ["article 428k", "article 428l", "article 428m"],
    "Articles 428ax to 428az": ["article 428ax", "article 428az"],
    "Section 2 and Section 3 of Chapter III": [
        "chapter iii/section 2", "chapter iii/section 3",
    ],
    "Annex I, Sections A and B": ["annex i/section a", "annex i/section b"],
    "ss 30101/30102": ["section 30101", "section 30102"],
    "sections 5A-5C": ["section 5a", "section 5b", "section 5c"],
    "s 5, sub-ss (2)-(4)": ["section 5/2", "section 5/3", "section 5/4"],
    "Rules 3.4.2–4": ["3/4/2", "3/4/3", "3/4/4"],
    "regs 12–14": ["regulation 12", "regulation 13", "regulation 14"],
    "paras 3 & 4 of Schedule 2": ["schedule 2/3", "schedule 2/4"],
    "12 C.F.R. § 1026.43(c)(2)": ["1026/43/c/2"],
    "§ 26 I BDSG": ["section 26/1"],
    "Art. 6 I f DSGVO": ["article 6/1/f"],
    "§ 10 III 1 Nr. 2 GwG": ["section 10/3/2"],
    "section 59.1-580(A)": ["59/1-580/a"],
    "59.1-577.1": ["59/1-577/1"],
    "recital (12)": ["recital 12"],
    "§ 2 Abs. 1, 2 und 4": ["section 2/1", "section 2/2", "section 2/4"],
    "§ 2 Absatz 1 Nummer 3 Buchstabe a": ["section 2/1/3/a"],
    "Art. 12 al. 2 let. b": ["article 12/2/b"],
    "art. 12 cpv. 2 lett. b": ["article 12/2/b"],
    "articolo 5, commi 2 e 3": ["article 5/2", "article 5/3"],
    "artículo 5, apartados 1 a 3": ["article 5/1", "article 5/2", "article 5/3"],
    "artikel 5 lid 2 en 3": ["article 5/2", "article 5/3"],
    "articles L. 511-1 et L. 511-2": ["article l511-1", "article l511-2"],
    "artikelen 3:15 en 3:16a": ["article 3:15", "article 3:16a"],
    "artikel 4:86, tweede lid": ["article 4:86/2"],
    "§ 93 Abs. 4 Satz 3 und 4 und Abs. 6": ["section 93/4", "section 93/6"],
    "§ 118 Absatz 1 Satz 3 bis 5 sowie Absatz 2 Satz 2": ["section 118/1", "section 118/2"],
    "paragraphs (1) through (3) of section 152(a)": [
        "section 152/a/1", "section 152/a/2", "section 152/a/3",
    ],
    "subparts A through C": ["subpart a", "subpart b", "subpart c"],
    "Parts Four and Five of Annex I": ["annex i/part 4", "annex i/part 5"],
    "Article 53(1)(a)–(c)": ["article 53/1/a", "article 53/1/b", "article 53/1/c"],
    "paragraph 17.3, all of it": ["17/3"],
    "Rule 6.8 also": ["6/8"],
    "Pt 7, ch 2": ["part 7/chapter 2"],
    "Part Five, Titles I–III": ["part 5/title i", "part 5/title ii", "part 5/title iii"],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_form_means_the_same_asked_for_and_in_a_passage(form: str) -> None:
    assert asked_for(form) == FORMS[form]
    assert named_in_a_passage(f"A firm must comply with {form}.") == FORMS[form]


def test_a_law_behind_a_list_is_that_of_all_its_members() -> None:
    for question in ("§§ 25a, 25b KWG", "Articles 5 and 6 TFEU", "HGB §§ 5, 6"):
        assert len({rule.unknown_document for rule in read(question)} - {None}) == 1, question
        assert all(rule.unknown_document for rule in read(question)), question


@pytest.mark.parametrize(
    "citation",
    [
        "Companies Act 2006, s 5",
        "Companies Act 2006 s 5(1)",
        "Companies Act 2006 (s 5)",
        "(Companies Act 2006, ss 5 and 6)",
        "s 5 Companies Act 2006.",
        "See section 5, Companies Act 2006.",
        "Subject to the Companies Act 2006, section 5 applies.",
        "Companies Act 2006, Pt 7",
        "the Companies Act 2006, section 10(3) and Schedule 1",
    ],
)
def test_a_law_with_its_year_beside_a_number_has_the_rule_not_the_own_document(
    citation: str,
) -> None:
    passage = Passage("x", "D", "99", citation, "D", "rule", 0, 1, None, (), {}, "s")
    found = find_cross_references(passage, NO_DOCUMENTS)
    assert found
    assert {one.outside for one in found} == {"Companies Act 2006"}


@pytest.mark.parametrize(
    "text",
    [
        "Under section 5, the Companies Act 2006 does not apply.",
        "In accordance with section 5 and the Companies Act 2006, a firm must report.",
        "Under Article 19(3), EBA shall develop drafts.",
    ],
)
def test_a_law_that_the_sentence_goes_on_with_has_no_rule_beside_it(text: str) -> None:
    passage = Passage("x", "D", "99", text, "D", "rule", 0, 1, None, (), {}, "s")
    assert [one.outside for one in find_cross_references(passage, NO_DOCUMENTS)] == [None]


def test_the_number_of_an_act_is_no_list_of_rules() -> None:
    assert asked_for("Regulations 2016/679 and 575/2013") == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Article 129b(4-5)", ["Article 129b(4)", "(5)"]),
        (
            "point (a) of the first subparagraph of Article 5(1)",
            ["(a) of the first subparagraph of Article 5(1)"],
        ),
        ("§ 5 Abs. 2 Satz 1 KWG", ["§ 5 Abs. 2 Satz 1"]),
        ("17 CFR 240.10b-5(b)", ["240.10b-5(b)"]),
        ("Annexes I and II", ["Annexes I", "II"]),
    ],
)
def test_a_rule_is_named_by_the_words_of_the_question(text: str, named: list[str]) -> None:
    assert [rule.text for rule in read(text)] == named


def test_a_question_may_be_nothing_but_numbers() -> None:
    assert asked_for("5(1)(a) or (2)") == ["5/1/a", "5/2"]
    assert asked_for("cl 5") == ["5"]
    assert asked_for("30101(4)") == ["30101/4"]


def test_a_paragraph_behind_a_rule_may_be_one_of_something_else() -> None:
    assert asked_for("section 5, paragraph 2 of Schedule 1") == ["section 5", "schedule 1/2"]


def test_articles_of_real_questions_are_read() -> None:
    missing = [
        (one["text"], number)
        for record in records("article_references")
        for one in record["references"]
        for number in one["articles"]
        if not any(
            _is_of(number, key) for key in (key for rule in read(one["text"]) for key in rule.keys)
        )
    ]
    assert len(missing) <= 8, missing  # misspelt, or written for another number


def test_names_of_parts_are_read() -> None:
    numbered = [
        one for one in records("part_names") if one["parts"] and _HAS_NUMBER.search(one["name"])
    ]
    missing = [
        one["name"]
        for one in numbered
        if not {_last(end) for _, *ends in one["parts"] for end in ends} <= _ends(one["name"])
    ]
    assert len(numbered) > 200
    # Words between its parts, which mode `delegate` takes away beforehand.
    assert missing == [
        "Article 6 in conjunction with Annex III",
        "Article 10 (Level 1 assets) to Article 13",
        "Article 43 together with Annexes VI and VII",
    ]


def test_questions_with_rule_numbers_name_one() -> None:
    asked = [one["question"] for one in records("rule_numbers")]
    codes = sorted({code for question in asked for code in _CODE.findall(question)})
    names = DocumentNames([DocumentSummary(code, f"Rulebook ({code})", 1) for code in codes])
    without = [question for question in asked if not find_rule_numbers(question, names)]
    assert len(asked) > 200
    assert len(without) <= 9, without  # their documents are named by titles


def test_a_law_that_is_not_there_is_named_with_its_rule() -> None:
    """No document has a name here, so each rule is one of a document that is unknown."""
    without = [
        one["question"]
        for one in records("absent_laws")
        if not any(rule.unknown_document for rule in read(one["question"]))
    ]
    assert without == [
        # Neither a unit nor a number of rules.
        "PCI DSS v4.0 Requirement 8.3.6",
        "NIST SP 800-53 AC-2(1)",
        "Standard Operating Procedure 12, step 4.3",
    ]


@cache
def read(question: str) -> tuple[RuleNumber, ...]:
    return find_rule_numbers(question, NO_DOCUMENTS)


def asked_for(question: str) -> list[str]:
    return [rule.keys[0] for rule in read(question)]


def named_in_a_passage(text: str) -> list[str]:
    passage = Passage("x", "D", "99", text, "D", "rule", 0, 1, None, (), {}, "s")
    return [one.keys[0] for one in find_cross_references(passage, NO_DOCUMENTS)]


def records(name: str) -> Iterator[dict[str, Any]]:
    lines = (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return map(json.loads, lines)


def _is_of(article: str, key: str) -> bool:
    return key.removeprefix("*/").removeprefix("article ").split("/")[0] == article


def _ends(name: str) -> set[str]:
    ends = [end for one in part_names(name) for end in (one.part, one.until) if end]
    levels = (level for end in ends for level in (*end.containers, *end.number))
    return {_plain(level.split(" ")[-1]) for level in levels}


def _last(number: str) -> str:
    return _plain(segments(number)[-1].split(" ")[-1])


def _plain(value: str) -> str:
    return str(roman_value(value) or value)
