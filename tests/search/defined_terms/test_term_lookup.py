"""Searches for the meaning of a term: its definitions come first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sample import record

from search.index import Index
from search.json_form import to_json
from search.lookup.pins import BESIDE_NAMED

Make = Callable[..., Index]


def cited(index: Index, question: str, k: int = 10, **filters: str) -> list[str]:
    """The hits that define what is asked, as `DOCUMENT number`."""
    hits = index.search(question, k, filters=filters).hits
    return [f"{hit.document_id} {hit.passage_id}" for hit in hits if hit.definition]


def act(document: str, number: str, text: str, title: str = "") -> dict[str, object]:
    return record(
        number, text, id=f"{document}-{number}", DocumentID=document,
        DocumentTitle=title or f"{document} Rulebook",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is Client Money?", "2.1.9"),
        ("client money definition", "2.1.9"),
        ("What does Controller mean?", "2.1.13"),
        ("Who is a Client?", "2.1.5"),
    ],
)
def test_the_definition_comes_first(rulebook: Index, question: str, first: str) -> None:
    hit, *others = rulebook.search(question, 10).hits
    assert (hit.document_id, hit.passage_id, hit.score) == ("GLOS", first, 1.0)
    assert hit.definition == hit.text == hit.bearing
    assert [other.definition for other in others] == [""] * 9
    assert all(
        other.score == pytest.approx(BESIDE_NAMED * other.scores.fused.normalised)
        for other in others
    )


def test_the_plan_tells_the_term_and_where_it_is_defined(rulebook: Index) -> None:
    result = rulebook.search("What is client money?", 3)
    assert result.to_json()["plan"]["term"] == {
        "text": "Client Money", "found": ["Glossary (GLOS) 2.1.9"],
    }  # fmt: skip
    assert "defined     Client Money → Glossary (GLOS) 2.1.9" in result.trace.describe()
    assert to_json(result.hits[0])["definition"].startswith("Client Money means money of any")
    assert result.trace.answerable is None


def test_a_term_that_nobody_defines_changes_nothing(rulebook: Index) -> None:
    result = rulebook.search("What is a Spaceship?", 5)
    assert result.trace.term is None
    assert {hit.definition for hit in result.hits} == {""}
    assert all(hit.score == hit.scores.fused.normalised for hit in result.hits)


def test_of_a_glossary_only_what_it_says_of_the_term_bears_on_the_question(index_of: Make) -> None:
    table = (
        "Defined Terms\tDefinitions\n"
        "Client\tMeans a person.\n"
        "Controller\tIn relation to:\n(a)\ta firm, means its owner; and\n(b)\ta fund, means its "
        "manager.\nIt may be several persons.\n"
        "Fund\tMeans money of many."
    )
    index = index_of(act("GLO", "1", table), act("ABC", "1", "A Controller must report."))
    (hit, _) = index.search("What is a Controller?", 5).hits
    assert hit.definition == (
        "Controller\tIn relation to:\n(a)\ta firm, means its owner; and\n(b)\ta fund, means its "
        "manager.\nIt may be several persons."
    )
    assert hit.text == table


def test_glossaries_come_first_and_each_document_once(index_of: Make) -> None:
    index = index_of(
        act("ABC", "1", "Client means a firm."),
        act("ABC", "2", "In this Chapter, Client means a bank."),
        act("XYZ", "1", "“Client” means a person."),
        act("GLO", "1", "Client means anybody.", "Glossary"),
    )
    assert cited(index, "What is a Client?") == ["GLO 1", "ABC 1", "XYZ 1"]


def test_the_documents_that_the_question_names_decide(index_of: Make) -> None:
    index = index_of(
        act("ABC", "1", "Client means a firm."),
        act("ABC", "2", "Insider has the meaning given in section 1 of XYZ."),
        act("XYZ", "1", "“Insider” means somebody inside."),
        act("GLO", "1", "Client means anybody.", "Glossary"),
    )
    assert cited(index, "What is a Client under the ABC Rulebook?") == ["ABC 1"]
    # What only points elsewhere is followed by what it points to.
    assert cited(index, "What does Insider mean in the ABC Rulebook?") == ["ABC 2", "XYZ 1"]
    # A document that does not define it has no say.
    assert cited(index, "What is a Client under the XYZ Rulebook?") == ["GLO 1", "ABC 1"]


def test_who_somebody_is_no_pointer_to_a_meaning_says(index_of: Make) -> None:
    index = index_of(
        act("ABC", "1", "“Light Keeper” has the meaning assigned to it by section 88."),
        act("ABC", "2", "You can reach our Light Keeper, Mrs Brannigan, by telephone."),
    )
    assert not any(hit.definition for hit in index.search("Who is the Light Keeper?", 2).hits)
    assert cited(index, "What does Light Keeper mean?") == ["ABC 1"]


def test_filters_hold_for_definitions_too(index_of: Make) -> None:
    index = index_of(
        act("ABC", "1", "Client means a firm."),
        act("GLO", "1", "Client means anybody.", "Glossary"),
    )
    assert cited(index, "What is a Client?", document_id="ABC") == ["ABC 1"]


def test_rules_that_are_named_as_well_come_before(rulebook: Index) -> None:
    hits = rulebook.search("What does Client Money mean in COND 5.1.3?", 3).hits
    assert [hit.passage_id for hit in hits[:2]] == ["5.1.3", "2.1.9"]
    assert [bool(hit.definition) for hit in hits[:2]] == [False, True]
