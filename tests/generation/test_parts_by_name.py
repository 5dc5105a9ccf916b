"""Parts of regulations, found by the names that models give them."""

from __future__ import annotations

import pytest
from small_acts import Shelves, act

from generation.delegate.outline import outline
from generation.delegate.part_index import PartIndex
from generation.delegate.part_reading import part_names
from generation.delegate.parts import MissingPart, Part, PartFinder
from generation.delegate.shelf import Shelf
from search.provisions.grammar.keys import rule_keys
from search.provisions.grammar.references import Reference

LIBRARY = Shelves()


def finder_of(library: Shelves) -> PartFinder:
    indices = {key: PartIndex(passages) for key, passages in library.acts.items()}
    return PartFinder(library.documents(), indices)


FINDER = finder_of(LIBRARY)


def found(name: str, document: str = "Internet Services Act") -> list[str]:
    """The first and last number of each part, or the problem."""
    spans = []
    for part in FINDER.find(name, document):
        if isinstance(part, MissingPart):
            spans.append(part.problem)
        else:
            first, last = part.passages[0].passage_id, part.passages[-1].passage_id
            spans.append(first if first == last else f"{first} .. {last}")
    return spans


def key_of(part: Reference) -> str:
    return next(rule_keys(part, in_document=True))


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Article 92(1)(a)", ["article 92/1/a"]),
        ("Art. 92 para 1 lit. a", ["article 92/1/a"]),
        ("Articles 8–15", ["article 8 to article 15"]),
        ("Articles 8, 9 and 15", ["article 8", "article 9", "article 15"]),
        ("Article 5(1)(a), (b) and (d)", ["article 5/1/a", "article 5/1/b", "article 5/1/d"]),
        ("points 1 and 2 of Annex III", ["annex iii/1", "annex iii/2"]),
        ("point (a) of Article 5(1)", ["article 5/1/a"]),
        ("Annex III, points 1, 4 and 5",
         ["annex iii/1", "annex iii/4", "annex iii/5"]),
        ("Section 2 of Chapter III", ["chapter iii/section 2"]),
        ("Section 2 of Chapter 2, Title II, Part Three",
         ["part 3/title ii/chapter 2/section 2"]),
        ("Chapter III, Section 2 and Chapter IV", ["chapter iii/section 2", "chapter iv"]),
        ("Article 6, paragraphs 1 to 3", ["article 6/1 to article 6/3"]),
        ("Annexes I to IV and VI", ["annex i to annex iv", "annex vi"]),
        ("Article 6(1), second subparagraph", ["article 6/1"]),
        ("the definitions", []),
    ],
)  # fmt: skip
def test_the_parts_of_a_name_are_read(name: str, keys: list[str]) -> None:
    read = [(one.part, one.until) for one in part_names(name)]
    assert [" to ".join(key_of(end) for end in ends if end) for ends in read] == keys


@pytest.mark.parametrize(
    ("name", "spans"),
    [
        ("Article 2", ["Article 2 .. Article 2(3)"]),
        ("Articles 1-3", ["Article 1 .. Article 3(2)"]),
        ("Article 3(1)", ["Article 3(1)"]),
        ("Article 3, point 2", ["Article 3(2)"]),
        ("Chapter II", ["Chapter II .. Article 4"]),
        ("Chapter 2", ["Chapter II .. Article 4"]),
        ("Chapter II, Article 4", ["Article 4"]),
        ("Chapter I, Article 4", ["Chapter I .. Article 2(3)", "Article 4"]),
        ("Article 4 (Audits) and Annex I", ["Article 4", "Annex I"]),
        ("Article 3 – Points of contact", ["Article 3 .. Article 3(2)"]),
        ("Points of contact", ["Article 3 .. Article 3(2)"]),
        ("definitions", ["Article 2 .. Article 2(3)"]),
        ("the whole Act", ["Chapter I .. Annex I"]),
    ],
)
def test_a_name_gives_its_part_with_all_below(name: str, spans: list[str]) -> None:
    assert found(name) == spans


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Article 12", "there is no Article 12. It has Article 1 to Article 4."),
        ("Article 3(7)", "there is no Article 3(7) in Article 3. It has Article 3(1) to Article"),
        ("Articles 4-2", "Article 2 comes before Article 4."),
        ("Annex XX", "there is no Annex XX. It has Annex I to Annex I."),
        ("GDPR Article 4", "GDPR is not among the documents; the documents are: Internet Services"),
        ("Article 4 of Directive 2013/36/EU", "2013/36 is not among the documents"),
        ("the point of contacts", "Headings like it: points of contact."),
        ("", "The name of a part is empty"),
        ("\x1b[?!" * 400, "The name of a part is empty"),
    ],
)
def test_a_part_that_is_not_there_is_a_sentence_to_act_on(name: str, problem: str) -> None:
    (told,) = found(name)
    assert problem in told


def test_a_part_of_several_documents_is_asked_back() -> None:
    (told,) = found("Article 2", "")
    assert "is in several documents (Internet Services Act, FEES); say in which" in told
    assert found("Article 2 of FEES", "") == ["Article 2"]
    assert found("FEES: Articles 1 and 2", "") == ["Article 1", "Article 2"]
    assert found("Annex I", "") == ["Annex I"]
    assert "'XYZ'" in found("Article 1", "XYZ")[0]


def test_an_ambiguous_name_lists_what_it_may_mean() -> None:
    rows = [("Title I", "heading", "ONE"), ("Title I.Chapter 1", "heading", "A"),
            ("Title II", "heading", "TWO"), ("Title II.Chapter 1", "heading", "B")]  # fmt: skip
    library = Shelves({"x": act("x", "Twofold Act", rows)})
    finder = finder_of(library)
    (missing,) = finder.find("Chapter 1")
    assert isinstance(missing, MissingPart)
    assert "Title I.Chapter 1 (A); Title II.Chapter 1 (B). Name it in full." in missing.problem
    (part,) = finder.find("Chapter 1 of Title II")
    assert isinstance(part, Part)
    assert part.passages[0].passage_id == "Title II.Chapter 1"


def test_a_point_inside_of_a_text_is_found_with_the_text() -> None:
    text = "An institution shall meet:\n(a) a ratio of 4,5 %;\n(b) a ratio of 6 %."
    library = Shelves({"x": act("x", "Ratio Act", [("Article 92", "rule", text)])})
    finder = finder_of(library)
    assert isinstance(finder.find("Article 92(b)")[0], Part)
    assert isinstance(finder.find("Article 92(c)")[0], MissingPart)


def test_the_outline_leaves_out_the_inside_where_it_is_too_long() -> None:
    shelf = Shelf(LIBRARY, LIBRARY.documents())
    whole = outline(shelf, 1000)
    assert "  - Article 3 Points of contact (~" in whole
    assert "# FEES\n- Article 1 Fee (~" in whole
    short = outline(shelf, 40)
    assert "Article 3" not in short
    assert "- Chapter II DUTIES (~" in short
    assert "deeper parts are left out" in short


def test_numbers_with_stops_are_found_in_rulebooks() -> None:
    rows = [
        ("6", "heading", "COMPLAINTS"),
        ("6.2", "heading", "Time limits"),
        ("6.2.2", "rule", "Within 40 days."),
        ("6.2.3", "rule", "Explain the delay:\n(a) why; and\n(b) until when."),
    ]
    library = Shelves({"x": act("x", "Conduct Rulebook (COND)", rows)})
    finder = finder_of(library)
    for name in ("Rule 6.2.2", "COND 6.2.2", "6.2.2", "Rules 6.2.2 to 6.2.2"):
        (part,) = finder.find(name)
        assert isinstance(part, Part), name
        assert [one.passage_id for one in part.passages] == ["6.2.2"]
    (part,) = finder.find("Rule 6.2.3(a)")
    assert isinstance(part, Part)
    assert finder.names == {"x": "COND"}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Article 5.3", None),
        ("5.3", None),
        ("Rule 1.3", None),
        ("Article 5.1.3", "5.1.3"),
        ("Article 5.1", "5.1"),
        ("Chapter 7, Rule 2.3", "Chapter 7.2.3"),
        ("Article 2.3", "Chapter 7.2.3"),
        ("Article 8.3", "Article 8"),
    ],
)
def test_a_number_with_stops_leaves_out_no_level_inside(name: str, number: str | None) -> None:
    rows = [
        ("5", "heading", "DUTIES"),
        ("5.1", "heading", "Reports"),
        ("5.1.3", "rule", "Within 40 days."),
        ("Chapter 7", "heading", "FEES"),
        ("Chapter 7.2.3", "rule", "Fees are due at once."),
        ("Article 8", "rule", "A firm must:\n2. pay; and\n3. report."),
    ]
    (part,) = finder_of(Shelves({"x": act("x", "Conduct Act", rows)})).find(name)
    first = part.passages[0].passage_id if isinstance(part, Part) else None
    assert first == number
