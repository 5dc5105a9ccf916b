"""The rules that a passage names, as the text of regulations writes them."""

from __future__ import annotations

import pytest

from search.provisions.documents.names import DocumentNames
from search.provisions.links.find import cited_keys, find_cross_references
from search.records import DocumentSummary, Passage

TITLES = {
    "cobs": "COBS_VER15.150823",
    "mkt": "MKT_VER08.181223",
    "funds": "FUNDS_VER08.040723",
    "fsmr": "FSMR (Consolidated_December 2023)",
    "mining": "Guidance - Disclosure Requirements for Mining Reporting Entities_VER01.280922",
    "oil": "Guidance - Disclosure Requirements for Petroleum Reporting Entities_VER01.280922",
    "crr": "CRR (Regulation (EU) No 575/2013)",
    "lcr": "Commission Delegated Regulation (EU) 2015/61 to supplement Regulation (EU) No 575/2013",
}


@pytest.fixture(scope="module")
def names() -> DocumentNames:
    return DocumentNames([DocumentSummary(key, title, 1) for key, title in TITLES.items()])


def passage(text: str, number: str = "3.1.4.(1)", document: str = "cobs") -> Passage:
    return Passage("p", document, number, text)


def named(text: str, names: DocumentNames, **place: str) -> list[tuple[str, ...]]:
    """(first key, *documents or what is outside) of each reference that is not relative."""
    return [
        (one.keys[0], *one.document_ids, *([f"outside: {one.outside}"] if one.outside else []))
        for one in find_cross_references(passage(text, **place), names)
        if not one.relative
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as set out in Rule 3.5.8(b).", [("3/5/8/b",)]),
        ("Chapter 11 of MKT applies.", [("chapter 11", "mkt")]),
        ("the meaning in section 5(1)(a) of FSMR", [("section 5/1/a", "fsmr")]),
        ("Rules 3.2 and 3.4(2) apply", [("3/2",), ("3/4/2",)]),
        ("under Section 4.11 and 4.12", [("4/11",), ("4/12",)]),
        ("the risks listed in Annex III", [("annex iii",)]),
        ("Part 5 of the Fund Rules requires", [("part 5", "funds")]),
        ("in accordance with Part 19", [("part 19",)]),
        ("in Part 14 of FSMR and Chapter 2 of MKT",
         [("part 14", "fsmr"), ("chapter 2", "mkt")]),
        ("In addition to Chapter 12, Rule 15.3 sets out", [("chapter 12",), ("15/3",)]),
        ("see paragraph 105, Chapter 14 of COBS", [("105",), ("chapter 14", "cobs")]),
        ("chapter 3, chapter 4 of Part 12 of FSMR",
         [("part 12/chapter 3", "fsmr"), ("part 12/chapter 4", "fsmr")]),
        ("category 2, 4 or 6 of APP 7", [("app7/6",)]),
        ("this Rule 6.4.2 and this Chapter 4", [("6/4/2",), ("chapter 4",)]),
        ("Rule 2.1.1 or section 3(1) of FSMR", [("2/1/1",), ("section 3/1", "fsmr")]),
        ("Rule 2.1.1 under section 3(1) of FSMR", [("2/1/1",), ("section 3/1", "fsmr")]),
        ("Rule 2.1.1 and MKT 1.1.1", [("2/1/1",), ("1/1/1", "mkt")]),
        ("Chapter 2 and Part 3 of FSMR", [("chapter 2",), ("part 3", "fsmr")]),
        ("section 18 and Schedule 2 of FSMR", [("section 18", "fsmr"), ("schedule 2", "fsmr")]),
        ("Rules 1.1.1 and 1.1.2 of MKT and Rules 2.1.1 and 2.1.2 apply",
         [("1/1/1", "mkt"), ("1/1/2", "mkt"), ("2/1/1",), ("2/1/2",)]),
        ("Chapters 3 and 4 of MKT and Chapter 5",
         [("chapter 3", "mkt"), ("chapter 4", "mkt"), ("chapter 5",)]),
        ("Under section 3 of FSMR, Rule 2.1.1 and Rule 2.1.2",
         [("section 3", "fsmr"), ("2/1/1",), ("2/1/2",)]),
        ("section 5 of FSMR and section 6", [("section 5", "fsmr"), ("section 6", "fsmr")]),
        ("Part 2 or 3 applies", [("part 2",), ("part 3",)]),
        ("Parts 2, 3 and 4 apply", [("part 2",), ("part 3",), ("part 4",)]),
        ("the Rule(s) in Chapter 3", [("chapter 3",)]),
        ("Under Rule 2.1.1, paragraph (2) does not apply", [("2/1/1",)]),
    ],
)  # fmt: skip
def test_references_are_found_in_the_forms_of_rulebooks(
    names: DocumentNames, text: str, expected: list[tuple[str, ...]]
) -> None:
    assert named(text, names) == expected


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Rules 3.5.1 to 3.5.4", ["3/5/1", "3/5/2", "3/5/3", "3/5/4"]),
        ("Rules 3.5.1 – 3.5.3", ["3/5/1", "3/5/2", "3/5/3"]),
        ("3.4.2(a) to (c)", ["3/4/2/a", "3/4/2/b", "3/4/2/c"]),
        ("Rule 3.4.2(a), (b) and (c)", ["3/4/2/a", "3/4/2/b", "3/4/2/c"]),
        ("Rule 3.4.2(i) to (iv)", ["3/4/2/i", "3/4/2/ii", "3/4/2/iii", "3/4/2/iv"]),
        ("chapters 2 to 4", ["chapter 2", "chapter 3", "chapter 4"]),
        ("Rules A4.3.2 to A4.3.4 in App4", ["a4/3/2", "app4/a4/3/3", "app4/a4/3/4"]),
    ],
)
def test_the_members_of_ranges_and_lists_are_references_each(
    names: DocumentNames, text: str, keys: list[str]
) -> None:
    assert [one[0] for one in named(text, names)] == keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Article 129b(4-6) of CRR",
         [("article 129b/4", "crr"), ("article 129b/5", "crr"), ("article 129b/6", "crr")]),
        ("points (a) to (c) of Article 92(1)",
         [("article 92/1/a",), ("article 92/1/b",), ("article 92/1/c",)]),
        ("Article 4(1), point (2), of Regulation (EU) No 575/2013", [("article 4/1/2", "crr")]),
        ("Article 7(2a) of Commission Delegated Regulation (EU) 2015/61",
         [("article 7/2a", "lcr")]),
        ("Articles 10 to 12 of Regulation (EU) No 1093/2010",
         [(f"article {n}", "outside: Regulation (EU) No 1093/2010") for n in (10, 11, 12)]),
        ("Article 2 of Regulation (EU) No 648/2012, and Article 10(3) of that Regulation",
         [("article 2", "outside: Regulation (EU) No 648/2012"),
          ("article 10/3", "outside: Regulation (EU) No 648/2012")]),
        ("Chapter 2 of Title II of Part Three", [("part 3/title ii/chapter 2",)]),
        ("Paragraphs 1 and 2 of Article 5", [("article 5/1",), ("article 5/2",)]),
        ("paragraphs 1 to 3 of Article 5",
         [("article 5/1",), ("article 5/2",), ("article 5/3",)]),
        ("paragraph 1(a) or 2(b) of Article 5", [("article 5/1/a",), ("article 5/2/b",)]),
        ("points (a) and (b) of paragraph 2 of Article 5",
         [("article 5/2/a",), ("article 5/2/b",)]),
        ("Points 1 and 2 of Annex II", [("annex ii/1",), ("annex ii/2",)]),
        ("Annexes I and II", [("annex i",), ("annex ii",)]),
    ],
)  # fmt: skip
def test_references_are_found_in_the_forms_of_eu_acts(
    names: DocumentNames, text: str, expected: list[tuple[str, ...]]
) -> None:
    assert named(text, names, number="Article 5(2)", document="crr") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paragraph 2 or 3 of this Schedule", [("schedule 2/2",), ("schedule 2/3",)]),
        ("Paragraphs 2(1) and (2) of Part 1 of this Schedule",
         [("schedule 2/part 1/2/1",), ("schedule 2/part 1/2/2",)]),
        ("Schedule 1 lists it in paragraphs 98 and 99 of that Schedule",
         [("schedule 1",), ("schedule 1/98",), ("schedule 1/99",)]),
        ("in Schedule 1 of FSMR\nand paragraph 98 or 99 of that Schedule",
         [("schedule 1", "fsmr"), ("schedule 1/98", "fsmr"), ("schedule 1/99", "fsmr")]),
    ],
)  # fmt: skip
def test_this_and_that_schedule_are_the_own_and_the_last_named(
    names: DocumentNames, text: str, expected: list[tuple[str, ...]]
) -> None:
    assert named(text, names, number="Schedule 2.Part 2.9.") == expected


@pytest.mark.parametrize(
    "text",
    [
        "within 30 days of 1 January 2024",
        "an amount of USD 4.5 million, or 2.5 per cent of it",
        "the (a) first and (b) second firm",
        "in 2019 and 2020",
        "",
    ],
)
def test_amounts_dates_and_list_markers_are_no_references(names: DocumentNames, text: str) -> None:
    assert find_cross_references(passage(text), names) == ()


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("section 3 of the Companies Regulations", "Companies Regulations"),
        ("Article 21 of Cabinet Decision No. (74) of 2020", "Cabinet Decision No. (74) of 2020"),
        (
            "section 5 of the Financial Services and Markets Act 2000",
            "Financial Services and Markets Act 2000",
        ),
        ("section 1.1 of the Petroleum Reporting Standard", "Petroleum Reporting Standard"),
        ("Article 107(1) TFEU", "TFEU"),
    ],
)
def test_a_rule_of_a_document_that_is_not_indexed_is_outside(
    names: DocumentNames, text: str, outside: str
) -> None:
    (found,) = find_cross_references(passage(text), names)
    assert (found.outside, found.document_ids) == (outside, ())


@pytest.mark.parametrize("text", ["In Rule 3.16.2 CET1 Capital is", "under Rule 3.16.2, ESMA may"])
def test_capitals_that_only_follow_a_rule_are_not_its_document(
    names: DocumentNames, text: str
) -> None:
    assert named(text, names) == [("3/16/2",)]


def test_a_section_named_again_is_of_the_same_act(names: DocumentNames) -> None:
    text = "Under section 109 of FSMR it may refuse, if section 109(2) is not met."
    assert named(text, names) == [("section 109", "fsmr"), ("section 109/2", "fsmr")]


def test_this_guidance_is_the_passages_own_document(names: DocumentNames) -> None:
    text = "MKT Rule 4.3.1 is in Appendix 1 of this Guidance"
    assert named(text, names, document="mining") == [("4/3/1", "mkt"), ("app1", "mining")]


def test_a_document_is_named_by_what_it_is_about(names: DocumentNames) -> None:
    text = "refer to paragraphs 47-49 of the Guidance on Mining and others"
    assert named(text, names) == [("*/47", "mining"), ("*/48", "mining"), ("*/49", "mining")]
    assert "mining" not in named("paragraph 4 of the Guidance on Disclosure", names)[0]


def test_the_marker_of_a_list_item_is_not_read_into_the_rule_before_it(
    names: DocumentNames,
) -> None:
    text = "comply with:\n(a)\tRule 3.2.1; and\n(b)\tRule 3.2.2; or (c) Rule 3.2.3."
    assert named(text, names) == [("3/2/1",), ("3/2/2",), ("3/2/3",)]


def test_paragraphs_are_counted_within_the_article_they_stand_in(names: DocumentNames) -> None:
    assert named("point (b) of paragraph 1", names, number="Article 7(3)", document="crr") == [
        ("article 7/1/b", )
    ]  # fmt: skip
    assert named("paragraph 8 below", names, number="1.1.3.Guidance.7.") == [("1/1/3/guidance/8",)]
    assert named("see paragraph 29", names, number="132)", document="mining") == [("29",)]


def test_a_chapter_is_one_of_the_same_title(names: DocumentNames) -> None:
    place = Passage("p", "crr", "Article 242(8)", "as in Chapter 3", breadcrumb=(
        "Part Three OWN FUNDS", "Part Three.Title II.Chapter 5 Securitisation", "Article 242 Terms",
    ))  # fmt: skip
    (found,) = find_cross_references(place, names)
    assert found.keys[:2] == ("part 3/title ii/chapter 3", "chapter 3")


@pytest.mark.parametrize(
    "text",
    [
        "GEN 8.3 and MIR 3.2.1(2) apply, as does paragraph 51 of the Virtual Assets Guidance",
        "Article 129b(4-6) of CRR, Part 5 of the Fund Rules, paragraph (3) and section 92",
        "points (a) to (c) of Article 92(1) of Regulation (EU) No 575/2013",
        "Schedule 1 of FSMR is long, and paragraph 98 of that Schedule longer",
    ],
)
def test_the_cited_keys_of_a_text_do_not_depend_on_what_is_loaded(
    names: DocumentNames, text: str
) -> None:
    kept = set(cited_keys(passage(text)))
    for known in (names, DocumentNames([])):
        for reference in find_cross_references(passage(text), known):
            assert kept.issuperset(reference.keys)


def test_the_chapter_around_a_passage_is_not_kept_as_cited() -> None:
    assert cited_keys(passage("In this Chapter and under Rule 3.2.1", "4.2.1")) == ("3/2/1",)
