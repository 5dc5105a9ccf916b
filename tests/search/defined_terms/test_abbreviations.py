"""Abbreviations that an index explains, in short questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from effort import no_runaway
from sample import write_lines

import indexer
import search
from search.pipeline import SearchResult
from search.provisions.terms.abbreviations import abbreviations_in, abbreviations_of
from search.ranking.profile_file import load_profile


@pytest.mark.parametrize(
    ("text", "short", "meaning"),
    [
        ("make a Suspicious Activity Report (SAR) to the", "SAR", "Suspicious Activity Report"),
        ("file suspicious activity reports (“SARs”)", "SAR", "suspicious activity reports"),
        ("the Suspicious Activity Report (the 'SAR')", "SAR", "Suspicious Activity Report"),
        ("SAR means a suspicious activity report under", "SAR", "suspicious activity report"),
        ("1. “MLRO” bedeutet Money Laundering Reporting", "MLRO", ""),
        ("“UBO” is the ultimate beneficial owner", "UBO", "ultimate beneficial owner"),
        ("a UBO (Ultimate Beneficial Owner) is", "UBO", "Ultimate Beneficial Owner"),
        ("UBO – Ultimate Beneficial Owner", "UBO", "Ultimate Beneficial Owner"),
        ("UBO\tUltimate Beneficial Owner", "UBO", "Ultimate Beneficial Owner"),
        ("Common Equity Tier 1 (CET1) capital", "CET1", "Common Equity Tier 1"),
        ("une transaction à risque (« TAR »)", "TAR", "transaction à risque"),
        ("l'Établissement de crédit (EC)", "EC", "Établissement de crédit"),
        ("das Geldwäschegesetz (GwG) und", "GwG", "Geldwäschegesetz"),
        ("Gesetz über das Kreditwesen (Kreditwesengesetz – KWG)", "KWG", "Kreditwesengesetz"),
        ("Datenschutz-Grundverordnung (DSGVO)", "DSGVO", "Datenschutz-Grundverordnung"),
        ("Authority (European Banking Authority) (EBA)", "EBA", "European Banking Authority"),
        ("generic top-level domains (gTLD)", "gTLD", "generic top-level domains"),
        ("the Data Protection Act 2018 (hereinafter “DPA”)", "DPA", "Data Protection Act 2018"),
        ("on the Functioning of Banks. Treaty on the Functioning of the EU (TFEU)", "TFEU", ""),
        ("the tax identification number (TIN)", "TIN", "tax identification number"),
    ],
)
def test_a_text_explains_an_abbreviation_if_its_letters_are_there(
    text: str, short: str, meaning: str
) -> None:
    expected = [(short, meaning)] if meaning else []
    assert [(one.short, one.meaning) for one in abbreviations_in(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "a firm must (a) report and (ii) keep records",
        "Regulation (EU) No 575/2013 of the Council",
        "securitisation (STS) is simple",
        "the report (SAR) is due",
        "SAR means whatever the Regulator decides",
        "SAR (SAR)",
        "",
    ],
)
def test_other_brackets_explain_nothing(text: str) -> None:
    assert abbreviations_in(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "(A" * 20_000,
        "A " * 40_000 + "(AA)",
        "(A B" * 9000,
        "AA a a a (AAAAAAAAAAAAAAA) " * 3000,
        ("A" + " a" * 40 + " (AAAAAAAAAAAAAAA) ") * 300,
    ],
)
def test_long_texts_are_read_quickly(text: str) -> None:
    with no_runaway():
        abbreviations_in(text)


def passage(document: str, number: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "ID": f"{document}-{number}",
        "DocumentID": document,
        "PassageID": number,
        "Passage": text,
        **more,
    }


RECORDS = (
    passage("AML", "1", "A firm must make a Suspicious Activity Report (SAR) without delay."),
    passage("AML", "2", "A suspicious activity report must be kept for six years."),
    passage("AML", "3", "The nominated officer, in German Geldwäschebeauftragter, decides."),
    passage("DATA", "1", "The subject access request (SAR) is free of charge."),
    passage("DATA", "2", "The register of processing activities is kept by the controller."),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[search.Index]:
    """Two documents that give SAR two meanings."""
    folder = tmp_path_factory.mktemp("abbreviations")
    indexer.ingest([write_lines(folder / "source.jsonl", *RECORDS)], str(folder / "index"))
    with search.open(str(folder / "index"), reranker=None) as opened:
        yield opened


def short_for(result: SearchResult) -> list[tuple[str, str]]:
    return [(one.short, one.meaning) for one in result.trace.abbreviations]


def lexical(result: SearchResult) -> set[str]:
    return {hit.id for hit in result.hits if hit.scores.lexical is not None}


def test_the_meaning_of_an_abbreviation_is_searched_too(index: search.Index) -> None:
    result = index.search("SAR retention", filters={"document_id": "AML"})
    assert short_for(result) == [("SAR", "Suspicious Activity Report")]
    assert "AML-2" in lexical(result)  # which has neither word of the question
    assert "short for   SAR = Suspicious Activity Report" in result.trace.describe()


def test_the_abbreviation_of_a_meaning_is_searched_too(index: search.Index) -> None:
    result = index.search("subject access requests")
    assert short_for(result) == [("SAR", "subject access request")]
    assert "AML-1" in lexical(result)


@pytest.mark.parametrize("asked", ["sar", "SARs?", "“SAR” fee"])
def test_an_abbreviation_is_known_in_any_form(index: search.Index, asked: str) -> None:
    assert short_for(index.search(asked, filters={"document_id": "DATA"}))


def test_what_a_filter_excludes_explains_nothing(index: search.Index) -> None:
    found = index.search("SAR register", filters={"document_id": "DATA"})
    assert short_for(found) == [("SAR", "subject access request")]
    pipeline, profile = index.pipeline, load_profile("default")
    prepared = pipeline.prepare("subject access request", profile, {"document_id": "AML"})
    searched = pipeline.find(prepared)
    assert searched.request == prepared.request
    assert searched.trace.abbreviations == ()


def test_longer_questions_are_searched_as_they_are(index: search.Index) -> None:
    result = index.search("how long is a SAR kept")
    assert short_for(result) == []
    assert result.trace.spelled_out == ()


def test_a_small_word_is_no_abbreviation(index_of: Callable[..., search.Index]) -> None:
    index = index_of(passage("A", "1", "Information Technology (IT) is checked. It is old."))
    assert short_for(index.search("is it old")) == []
    assert short_for(index.search("IT old")) == [("IT", "Information Technology")]


def test_the_most_frequent_meaning_counts(index_of: Callable[..., search.Index]) -> None:
    index = index_of(
        passage("A", "1", "subject access request (SAR)"),
        passage("B", "1", "suspicious activity report (SAR)"),
        passage("B", "2", "the suspicious activity report (SAR)"),
    )
    assert short_for(index.search("SAR")) == [("SAR", "suspicious activity report")]


@pytest.mark.parametrize(
    ("heading", "shorts"),
    [
        ("Article 35 Data protection impact assessment", ["DPIA"]),
        ("Chapter IV.Section 3 Use of force", ["UOF"]),
        ("Register of Overseas Entities", ["ROOE", "ROE"]),
        ("CIVIL SERVANT DATA", ["CSD"]),
        ("Überwachung der Schulden", ["ÜDS"]),
        ("Client money", []),
        ("§ 7", []),
        ("", []),
    ],
)
def test_a_heading_has_the_initials_of_its_words(heading: str, shorts: list[str]) -> None:
    assert [one.short for one in abbreviations_of(heading)] == shorts


ASSESSMENT = "Article 35 Data protection impact assessment"


@pytest.fixture
def headed(index_of: Callable[..., search.Index]) -> search.Index:
    """A rule below a heading that people call by its initials, among rules of other words."""
    return index_of(
        passage("GDPR", "35(1)", "It is made before the processing.", breadcrumb_read=[ASSESSMENT]),
        *(passage("GDPR", str(n), f"Tool {n} is bought by the office.") for n in range(40, 60)),
    )


@pytest.mark.parametrize("asked", ["DPIA", "Do we need a DPIA for a new tool?", "Who makes DPIAs?"])
def test_initials_of_a_heading_are_searched_as_its_words(headed: search.Index, asked: str) -> None:
    result = headed.search(asked)
    assert [(one.short, one.meaning) for one in result.trace.spelled_out] == [
        ("DPIA", "Data protection impact assessment")
    ]
    assert result.hits[0].passage_id == "35(1)"
    assert "short for   DPIA = Data protection" in result.trace.describe()


@pytest.mark.parametrize("asked", ["dpia", "A DPIA IS MADE", "DPO", "DPIA2"])
def test_other_words_are_searched_as_they_are(headed: search.Index, asked: str) -> None:
    assert headed.search(asked).trace.spelled_out == ()


def test_initials_that_some_passage_has_are_a_word_of_the_index(
    index_of: Callable[..., search.Index],
) -> None:
    index = index_of(
        passage("A", "1", "It is made first.", breadcrumb_read=[ASSESSMENT]),
        passage("B", "1", "The DPIA of the port is in dock four."),
    )
    assert index.search("Where is the DPIA of the port?").trace.spelled_out == ()
    only_a = index.search("Where is the DPIA?", filters={"document_id": "A"})
    assert [one.short for one in only_a.trace.spelled_out] == ["DPIA"]
