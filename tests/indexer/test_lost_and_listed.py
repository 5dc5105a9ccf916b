"""Units without a line of their own, titles beside units, and divisions that others insert."""

from __future__ import annotations

import pytest
from law_structures import numbers, texts

from indexer.review.structure import Structure


def parents(found: Structure) -> dict[str, str]:
    named = {passage.id: passage.passage_id for passage in found.passages()}
    return {p.passage_id: named.get(p.parent or "", "") for p in found.passages()}


CAPTIONS = """# Lamp Act

### Chapter I General Provisions

(Purpose)

Article 1 This Act regulates lamps.

(Definitions)

- (1) A lamp is a thing that burns.
- (2) A keeper is a person who keeps it.

(Duties etc.)

# Article 3

- (1) A keeper shall trim the lamp.
- (i)the wick first;

#### (Fee)

Article 4 A keeper shall pay.

# Chapter II Penal Provisions

Article 5 A keeper who fails shall be fined.
"""


def test_a_caption_is_the_title_of_its_article_and_opens_the_one_that_a_converter_lost(read):
    law = read(CAPTIONS)
    assert texts(law)["Article 1"] == "(Purpose)\nThis Act regulates lamps."
    assert texts(law)["Article 2"] == "(Definitions)"
    assert texts(law)["Article 2(2)"] == "A keeper is a person who keeps it."
    assert texts(law)["Article 4"] == "(Fee)\nA keeper shall pay."


def test_captions_open_nothing_where_no_number_is_missing(read):
    law = read(CAPTIONS.replace("Article 1 ", "Article 2 "))
    assert [n for n in numbers(law) if "(" not in n][-4:] == [
        "Article 3", "Article 4", "Chapter II", "Article 5",
    ]  # fmt: skip
    assert numbers(law).count("Article 2") == 1


def test_captions_open_nothing_where_more_are_there_than_numbers(read):
    law = read(CAPTIONS.replace("(Definitions)", "(Scope)\n\nAll lamps.\n\n(Definitions)"))
    assert "Article 2" not in numbers(law)


def test_the_title_behind_a_heading_that_is_a_number_is_in_its_passage(read):
    law = read("# Article 1\n\nScope\n\nIt applies.\n\n# Article 2\n\nTerms\n\nIt says so.\n")
    assert texts(law) == {"Article 1": "Scope\nIt applies.", "Article 2": "Terms\nIt says so."}


PARTED = """Article 1

(1) One.

Article 2

(1) Two.

Article 3

(1) Three.

Article 4. A sentence that is whole.

(1) Another article begins.

(2) It goes on.

Article 6

(1) Six.

Chapter II Oil

(1) Below a chapter.

Article 8

(1) Eight.
"""


def test_paragraphs_below_a_sentence_are_its_own_where_other_articles_have_sentences_too(read):
    sentence = " This is said first."
    text = PARTED.replace("Article 1\n", f"Article 1.{sentence}\n")
    text = text.replace("Article 2\n", f"Article 2.{sentence}\n")
    law = texts(read(text))
    assert law["Article 4(1)"] == "Another article begins."


def test_a_label_without_a_blank_behind_it_is_one(read):
    law = read(
        "Article 1 These are lamps.\n\n(i)those that burn;\n\n(ii)those that glow.\n\n"
        "(re)insurance is none.\n\nArticle 2 Nothing else.\n"
    )
    assert texts(law)["Article 1(ii)"] == "those that glow.\n(re)insurance is none."


LISTED = """Chapter I Lamps (Articles 1 to

3)

Chapter II Oil (Article 4)

Chapter III Fees (Article 5)

### Chapter I Lamps

Article 1 One.

Article 2 Two.

Article 3 Three.

### Chapter II Oil

Article 4 Four.

### Chapter III Fees

Article 5 Five.
"""


def test_divisions_that_a_table_of_contents_lists_are_no_headings(read):
    law = read(LISTED)
    assert numbers(law).count("Chapter I") == numbers(law).count("Chapter III") == 1
    assert "a table of contents or a menu" in {one.reason for one in law.left_out}


def test_chapters_that_follow_one_another_are_no_table_of_contents(read):
    law = read("\n".join(LISTED.splitlines()[8:]))
    assert numbers(law)[:2] == ["Chapter I", "Article 1"]


def test_a_section_of_a_bill_is_not_in_the_part_that_the_one_before_inserts(read):
    law = read(
        "SECTION 1. In the Code, add part 13 to article 1 of title 6 as follows:\n\n"
        "# PART 13 LAMPS ACT\n\n"
        + "".join(f"6-1-130{n}. Lamps. (1) A LAMP BURNS.\n\n" for n in range(1, 10))
        + "SECTION 2. In the Code, amend 6-1-104 as follows:\n\n6-1-104. Oil. It burns.\n\n"
        "SECTION 3. In the Code, amend 6-1-105 as follows:\n\n6-1-105. Wicks. They burn.\n"
    )
    assert parents(law)["6-1-1309"] == "Section 1.Part 13"
    assert parents(law)["Section 2"] == parents(law)["Section 3"] == ""


def test_an_annex_behind_the_last_division_is_that_of_the_act(read):
    law = read(
        "## Abschnitt 1 - Lampen\n\n### § 1 Zweck\n\nSie brennen.\n\n## Abschnitt 2 - Öl\n\n"
        "### § 2 Öl\n\nEs brennt.\n\n### Anlage 1 Faktoren\n\n1.  Kunden.\n\n2.  Länder.\n"
    )
    assert parents(law)["Anlage 1"] == ""
    assert texts(law)["Anlage 1.2"] == "Länder."


def test_a_heading_behind_a_bare_division_is_its_title(read):
    law = read(
        "## CHAPTER I\n\n# LAMPS\n\nArticle 1. They burn.\n\n"
        "## CHAPTER II\n\nOIL\n\nArticle 2. Oil.\n"
    )
    assert (texts(law)["Chapter I"], texts(law)["Chapter II"]) == ("LAMPS", "OIL")


def test_notes_below_the_closing_words_are_footnotes(read):
    law = read(
        "Article 1\n\nLamps burn.\n\nArticle 2\n\nOil burns.\n\n"
        "Done at Brussels, 27 April 2016.\n\nM. SCHULZ\n\n(1) OJ C 229.\n\n(2) OJ C 391.\n"
    )
    assert texts(law)["Concluding formulas"] == "Done at Brussels, 27 April 2016.\nM. SCHULZ"
    assert texts(law)["Footnote 2"] == "OJ C 391."


@pytest.mark.parametrize("mark", ["F9[(3A)", "[F9(3A)"])
def test_a_label_behind_the_mark_of_an_amendment_is_one(read, mark):
    law = read(
        f"**1.** (1) One.\n\n(2) Two.\n\n(3) Three.\n\n{mark} Inserted.]\n\n(4) Four.\n\n"
        "**2.** (1) More.\n\n**3.** (1) Most.\n"
    )
    assert numbers(law)[:6] == ["1", "1(1)", "1(2)", "1(3)", "1(3A)", "1(4)"]


def test_a_list_that_a_sentence_introduces_again_is_as_deep_as_it_was(read):
    law = read(
        "1.—(1) In this Part “restrict”—\n\n(a) in relation to lamps—\n\n(i) that burn, or\n\n"
        "(ii) that glow,\n\nmeans—\n\n(I) to put out, or\n\n(II) to trim,\n\nand\n\n"
        "(b) in relation to oil—\n\n(i) that burns, or\n\n(ii) that smells,\n\nmeans—\n\n"
        "(I) to pour, or\n\n(II) to sell;\n\n(2) It applies.\n\n2.—(1) More.\n"
    )
    assert numbers(law) == ["1", "1(1)", "1(2)", "2", "2(1)"]


def test_items_that_begin_on_one_line_are_two(read):
    law = read(
        "Section 1.\n\n(1) (a) Right to opt out. (I) A consumer may opt out of:\n\n(A) oil;\n\n"
        "(B) wicks.\n\n(II) A keeper may not.\n\n(b) Others stay.\n\n(2) Oil. It burns.\n\n"
        "Section 2.\n\n(1) Nothing.\n"
    )
    assert numbers(law) == [
        "Section 1", "Section 1(1)", "Section 1(1)(a)", "Section 1(1)(a)(I)",
        "Section 1(1)(a)(II)", "Section 1(1)(b)", "Section 1(2)", "Section 2", "Section 2(1)",
    ]  # fmt: skip
    assert texts(law)["Section 1(1)(a)"] == "Right to opt out."


def test_recitals_below_the_title_of_a_page_are_recitals(read):
    law = read(
        "# EUR-Lex 32002L0058\n\n# Directive on lamps\n\nThe Council,\n\nWhereas:\n\n"
        "(1) Lamps burn.\n\n(2) Oil burns.\n\n"
        "Article 1\n\nScope\n\nLamps.\n\nArticle 2\n\nTerms\n\nOil.\n"
    )
    assert texts(law)["Recital 2"] == "Oil burns."
