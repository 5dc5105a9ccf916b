"""EU acts, named by their numbers and by what people call them."""

from __future__ import annotations

import pytest

from search.provisions.act_numbers import act_number, act_numbers
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import find_rule_numbers
from search.records import DocumentSummary

TITLES = {
    "crr": "CRR (Regulation (EU) No 575/2013)",
    "lcr": "Commission Delegated Regulation (EU) 2015/61 to supplement Regulation (EU) No 575/2013",
    "ai": "Artificial Intelligence Act (Regulation (EU) 2024/1689)",
}


@pytest.fixture(scope="module")
def names() -> DocumentNames:
    return DocumentNames([DocumentSummary(key, title, 1) for key, title in TITLES.items()])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Regulation (EU) No 575/2013", "575/2013"),
        ("Directive 2013/36/EU", "2013/36"),
        ("Commission Delegated Regulation (EU) 2015/61 of 10 October 2014", "2015/61"),
        ("Regulation (EC) No 1/2003", "1/2003"),
        ("Verordnung (EU) Nr. 575/2013", "575/2013"),
        ("règlement (UE) n° 575/2013", "575/2013"),
        ("regolamento (UE) n. 575/2013", "575/2013"),
        ("Reglamento (UE) n.º 575/2013", "575/2013"),
        ("Richtlijn 2013/36/EU", "2013/36"),
        ("Regulation 5/6", None),
        ("Regulation 5 of 2013/14", None),
        ("the rule in 575/2013", None),
    ],
)
def test_the_number_of_an_act_is_read(text: str, number: str | None) -> None:
    assert act_number(text) == number


def test_several_acts_of_one_list_are_read() -> None:
    text = "Regulations (EU) No 648/2012 and (EU) No 575/2013"
    assert [number for _, _, number in act_numbers(text)] == ["648/2012", "575/2013"]


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Article 7(2a) of Commission Delegated Regulation (EU) 2015/61", "lcr"),
        ("What does Article 7 of Delegated Regulation (EU) 2015/61 say?", "lcr"),
        ("Article 8(1) of the LCR Delegated Regulation", "lcr"),
        ("Article 4(1) of Regulation (EU) No 575/2013", "crr"),
        ("Artikel 4 Absatz 1 der Verordnung (EU) Nr. 575/2013", "crr"),
        ("article 4, paragraphe 1, du règlement (UE) n° 575/2013", "crr"),
        ("artículo 4 del Reglamento (UE) n.º 575/2013", "crr"),
        ("Article 92(1)(a) CRR", "crr"),
        ("Regulation (EU) 2024/1689, Article 6", "ai"),
        ("Article 6 of the AI Act", "ai"),
        ("Article 6 of the Artificial Intelligence Act", "ai"),
    ],
)
def test_rules_of_acts_are_found_by_every_name(
    names: DocumentNames, question: str, document: str
) -> None:
    (rule,) = find_rule_numbers(question, names)
    assert (rule.document_ids, rule.certain) == ((document,), True)


def test_an_act_that_is_not_indexed_is_none_of_those_that_are(names: DocumentNames) -> None:
    (rule,) = find_rule_numbers("Article 10 of Regulation (EU) No 1093/2010", names)
    assert (rule.document_ids, rule.unknown_document) == ((), "Regulation (EU) No 1093/2010")
