"""Numbers of EU acts as lawyers cite them, and that people find them so."""

import pytest

from indexer.structuring.acts.eu_titles import (
    celex_number,
    celex_of_title,
    document_id,
    iso_date,
    short_title,
)
from indexer.structuring.labels.eu_numbers import (
    annex_number,
    article_number,
    division_number,
    is_label,
    item_number,
    section_number,
    split_label,
)
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import find_rule_numbers
from search.provisions.numbering import lookup_keys
from search.records import DocumentSummary


@pytest.mark.parametrize(
    ("printed", "number", "heading"),
    [
        ("TITLE II", "Title II", ""),
        ("PART THREE", "Part Three", ""),
        ("PART SEVEN A — REPORTING", "Part Seven A", "REPORTING"),
        ("CHAPTER 1a", "Chapter 1a", ""),
        ("DIVISION 1.1 Safeguards", "Division 1.1", "Safeguards"),
        ("Sub-Section 2 — Scope", "Sub-Section 2", "Scope"),
        ("SECTION A", "Section A", ""),
    ],
)
def test_divisions(printed, number, heading):
    found = division_number(printed)
    assert found is not None
    assert (found[0], found[2]) == (number, heading)


@pytest.mark.parametrize("text", ["", "Parties", "Article 5", "Part-time work"])
def test_what_is_no_division(text):
    assert division_number(text) is None


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("Article 129b", ("Article 129b", "")),
        ("ARTICLE 5", ("Article 5", "")),
        ("Article 1 Scope", ("Article 1", "Scope")),
        ("Sole Article", ("Sole Article", "")),
        ("Articles", None),
    ],
)
def test_articles(printed, found):
    assert article_number(printed) == found


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("ANNEX III", ("Annex III", "")),
        ("ANNEX", ("Annex", "")),
        ("ANNEX Ia — Forms", ("Annex Ia", "Forms")),
        ("Annex X Union legislative acts", ("Annex X", "Union legislative acts")),
        ("Schedule 2", ("Schedule 2", "")),
        ("Annexation", None),
    ],
)
def test_annexes(printed, found):
    assert annex_number(printed) == found


@pytest.mark.parametrize(
    ("label", "article", "annex"),
    [
        ("1.", "(1)", ".1"), ("1a.", "(1a)", ".1a"), ("(a)", "(a)", "(a)"), ("a)", "(a)", "(a)"),
        ("(ca)", "(ca)", "(ca)"), ("(ia)", "(ia)", "(ia)"), ("(-i)", "(-i)", "(-i)"),
        ("2.1.", ".2.1", ".2.1"), ("—", "", ""), ("a.", "(a)", ".a"),
    ],
)  # fmt: skip
def test_items(label, article, annex):
    assert item_number(label) == article
    assert item_number(label, in_annex=True) == annex


def test_headings_within_annexes():
    assert section_number("Section A. List") == (".Section A", "Section A", "List")
    assert section_number("1.   Introduction") == (".1", "1.", "Introduction")
    assert section_number("Prices of lamps") == ("", "", "Prices of lamps")


def test_labels_are_parted_from_their_text():
    assert split_label("(a) first") == ("(a)", "first")
    assert split_label("A firm") == ("", "A firm")
    assert is_label("(ii)")
    assert is_label("—")
    assert not is_label("NLO")


@pytest.mark.parametrize(
    ("official", "short", "celex"),
    [
        ("Regulation (EU) No 575/2013 of the European Parliament", "Regulation (EU) No 575/2013",
         "32013R0575"),
        ("COMMISSION DELEGATED REGULATION (EU) 2015/61 of 10 October 2014",
         "Commission Delegated Regulation (EU) 2015/61", "32015R0061"),
        ("Directive 2013/36/EU of the European Parliament", "Directive 2013/36/EU", "32013L0036"),
        ("Council Directive 86/635/EEC of 8 December 1986", "Council Directive 86/635/EEC",
         "31986L0635"),
        ("Regulation (EU) 2024/1689 of 13 June 2024 on AI (Artificial Intelligence Act)",
         "Artificial Intelligence Act (Regulation (EU) 2024/1689)", "32024R1689"),
        ("REGULATIONS REGULATION (EU) No 575/2013 OF THE EUROPEAN PARLIAMENT",
         "Regulation (EU) No 575/2013", "32013R0575"),
        ("Council Regulation (EEC, Euratom) No 1182/71 of 3 June 1971",
         "Council Regulation (EEC, Euratom) No 1182/71", "31971R1182"),
        ("RÈGLEMENT (UE) 2016/679 (règlement général sur la protection des données) (Texte"
         " présentant de l'intérêt pour l'EEE)",
         "Règlement général sur la protection des données (Règlement (UE) 2016/679)", ""),
        ("Durchführungsverordnung (EU) Nr. 680/2014 der Kommission",
         "Durchführungsverordnung (EU) Nr. 680/2014", ""),
        ("Regolamento (UE) n. 575/2013 del Parlamento", "Regolamento (UE) n. 575/2013", ""),
        ("Rules of the harbour", "Rules of the harbour", ""),
    ],
)  # fmt: skip
def test_titles_are_short_enough_to_cite(official, short, celex):
    assert short_title(official) == short
    assert celex_of_title(official) == celex


def test_the_short_title_may_be_on_a_line_below_the_first():
    below = ["of 27 April 2016", "on lamps (General\nLamp Regulation)", "(Text with EEA relevance)"]
    official = "REGULATION (EU) 2016/679 OF THE COUNCIL"
    assert short_title(official, below) == "General Lamp Regulation (Regulation (EU) 2016/679)"
    assert short_title(official, below[:1]) == "Regulation (EU) 2016/679"


def test_versions_have_the_names_that_eur_lex_gives_them():
    assert celex_number("uri=CELEX:02013R0575-20230628") == ("02013R0575", "2023-06-28")
    assert document_id("32013R0575", "2023-06-28") == "02013R0575-20230628"
    assert document_id("32013R0575") == "32013R0575"
    assert iso_date("28.06.2023") == "2023-06-28"
    assert iso_date("99999999") == ""


CRR = DocumentNames(
    [DocumentSummary("02013R0575-20230628", "CRR (Regulation (EU) No 575/2013)", 9)]
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Article 92(1)(a) CRR", "Article 92(1)(a)"),
        ("Article 129(1) of CRR", "Article 129(1)"),
        ("Article 429a of the CRR", "Article 429a"),
        ("point (1) of Article 4(1) CRR", "Article 4(1)(1)"),
        ("Annex III point 1(a) of CRR", "Annex III.1(a)"),
        ("Title II of Part Three CRR", "Part Three.Title II"),
        ("recital 12 of CRR", "Recital 12"),
    ],
)
def test_numbers_are_found_as_people_write_them(question, number):
    (rule,) = find_rule_numbers(question, CRR)
    assert any(key in lookup_keys(number) for key in rule.keys)
    assert rule.document_ids == ("02013R0575-20230628",)
