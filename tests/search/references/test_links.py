"""What passages cite, what cites them, and where their terms are defined."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sample import change_manifest, record, write_lines

import indexer
import search
from search.index import Index
from search.lookup.links import Links
from search.provisions.documents.names import DocumentNames

Make = Callable[..., Index]


def links(index: Index, document: str, number: str) -> Links:
    passages = index.passages({"document_id": document})
    (wanted,) = [one for one in passages if one.passage_id == number]
    (found,) = index.links([wanted])
    return found


def cited(found: Links) -> list[str]:
    return [
        f"{one.target.document_id} {one.target.passage_id}"
        for one in found.cites
        if one.target is not None
    ]


def citing(found: Links) -> list[str]:
    return [f"{one.document_id} {one.passage_id}" for one in found.cited_by]


def act(document: str, number: str, text: str, title: str = "") -> dict[str, object]:
    return record(
        number, text, id=f"{document}-{number}", DocumentID=document,
        DocumentTitle=title or f"{document} Rulebook",
    )  # fmt: skip


def test_every_reference_of_the_sample_rulebook_finds_its_passage(rulebook: Index) -> None:
    found = rulebook.links(rulebook.passages())
    assert sum(len(one.cites) for one in found) > 70
    assert [one for all_ in found for one in all_.cites if one.target is None] == []


def test_rules_of_its_own_and_of_other_documents_are_cited(rulebook: Index) -> None:
    assert cited(links(rulebook, "COND", "2.2.1")) == ["AMLR 3"]
    assert cited(links(rulebook, "COND", "2.2.2")) == [
        "COND 2.1.1", "COND 3.3.1", "COND 5", "COND 6.2.4",
    ]  # fmt: skip


def test_what_cites_a_passage_is_the_other_end_of_what_it_cites(rulebook: Index) -> None:
    passages = rulebook.passages()
    found = rulebook.links(passages)
    outgoing = {
        (passage.id, one.target.id)
        for passage, all_ in zip(passages, found, strict=True)
        for one in all_.cites
        if one.target is not None and not one.text.startswith("this ")
    }
    incoming = {
        (one.id, passage.id)
        for passage, all_ in zip(passages, found, strict=True)
        for one in all_.cited_by
    }
    assert incoming == {edge for edge in outgoing if edge[0] != edge[1]}
    assert len(incoming) > 60


def test_defined_terms_lead_to_the_glossary(rulebook: Index) -> None:
    found = links(rulebook, "COND", "6.2.2")
    terms = {one.term: one.passage.citation() for one in found.terms}
    assert terms["Licensed Firm"] == "Glossary (GLOS) 2.2.6"
    assert found.terms[0].text.startswith(f"{found.terms[0].term} means")


def test_a_term_of_the_own_document_goes_before_one_of_the_glossary(index_of: Make) -> None:
    index = index_of(
        act("GLO", "1", "Client means any person.", "GLO_VER1"),
        act("ABC", "1", "Client means a firm."),
        act("ABC", "2", "Pay the Client."),
        act("XYZ", "2", "Pay the Client."),
    )
    assert [one.passage.document_id for one in links(index, "ABC", "2").terms] == ["ABC"]
    assert [one.passage.document_id for one in links(index, "XYZ", "2").terms] == ["GLO"]


def test_a_glossary_of_another_jurisdiction_defines_nothing(index_of: Make) -> None:
    index = index_of(
        {**act("GLO", "1", "Client means any person.", "GLO_VER1"), "jurisdiction": "A"},
        {**act("ABC", "2", "Pay the Client."), "jurisdiction": "B"},
    )
    assert links(index, "ABC", "2").terms == ()


def test_documents_that_are_loaded_later_are_found_from_both_ends(tmp_path: Path) -> None:
    url = str(tmp_path / "index")
    first = write_lines(tmp_path / "a.jsonl", act("ABC", "1.1", "See XYZ Rule 4.2.1."))
    indexer.ingest([first], url)
    with search.open(url) as index:
        (alone,) = links(index, "ABC", "1.1").cites
        assert (alone.target, alone.outside) == (None, "XYZ")
    later = write_lines(tmp_path / "x.jsonl", act("XYZ", "4.2.1", "Report it."))
    indexer.ingest([later], url)
    with search.open(url) as index:
        assert cited(links(index, "ABC", "1.1")) == ["XYZ 4.2.1"]
        assert citing(links(index, "XYZ", "4.2.1")) == ["ABC 1.1"]


def test_the_same_number_in_another_document_is_not_cited(index_of: Make) -> None:
    index = index_of(
        act("ABC", "1.1", "See Rule 4.2.1."), act("ABC", "4.2.1", "Report it."),
        act("XYZ", "4.2.1", "Pay it."),
    )  # fmt: skip
    assert cited(links(index, "ABC", "1.1")) == ["ABC 4.2.1"]
    assert citing(links(index, "XYZ", "4.2.1")) == []


def test_a_rule_without_a_passage_of_its_own_is_the_one_around_it_or_its_first_part(
    index_of: Make,
) -> None:
    index = index_of(
        act("ABC", "1.1", "See Rules 4.2.1(b) and 5.1.1, and Rule 6.1.1."),
        act("ABC", "4.2.1", "Report:\n(a)\tit; and\n(b)\tthat."),
        act("ABC", "5.1.1.(1)", "Pay."), act("ABC", "5.1.1.(2)", "Pay more."),
    )  # fmt: skip
    found = links(index, "ABC", "1.1")
    assert cited(found) == ["ABC 4.2.1", "ABC 5.1.1.(1)"]
    assert [one.text for one in found.cites if one.target is None] == ["Rule 6.1.1"]
    assert citing(links(index, "ABC", "5.1.1.(1)")) == ["ABC 1.1"]


def test_a_rule_that_its_document_lacks_is_looked_for_in_those_named_before(
    index_of: Make,
) -> None:
    index = index_of(
        act("ABC", "1", "The XYZ Rulebook applies, in particular section 9(2)."),
        act("XYZ", "9.(2)", "Report it."),
    )
    assert cited(links(index, "ABC", "1")) == ["XYZ 9.(2)"]


def test_a_passage_of_many_references_is_read_once(
    index_of: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    mentions = DocumentNames.mentions
    monkeypatch.setattr(
        DocumentNames, "mentions", lambda self, text: read.append(text) or mentions(self, text)
    )
    index = index_of(
        act("ABC", "1", "Under XYZ: " + ", ".join(f"section {n}(2)" for n in range(100, 300))),
        act("XYZ", "9.(2)", "Report it."),
    )
    read.clear()
    links(index, "ABC", "1")
    assert sum(len(text) for text in read) < 100_000  # of a text of 3,000 characters


def test_a_bare_section_is_of_the_act_whose_sections_the_document_means(index_of: Make) -> None:
    index = index_of(
        act("CODE", "1", "Section 90 of XYZ is explained here."),
        act("CODE", "2", "So is section 91 of XYZ."),
        act("CODE", "3", "To contravene section 92(2), a person must deal."),
        act("XYZ", "90.", "One."), act("XYZ", "91.", "Two."), act("XYZ", "92.(2)", "Three."),
    )  # fmt: skip
    assert cited(links(index, "CODE", "3")) == ["XYZ 92.(2)"]
    assert citing(links(index, "XYZ", "92.(2)")) == ["CODE 3"]


def test_a_chapter_is_a_heading_and_no_paragraph_of_that_number(index_of: Make) -> None:
    index = index_of(
        act("ABC", "1", "As Chapter 4 requires."),
        act("ABC", "4", "the fourth stray item of a list;"),
        record("4", "Reports", id="heading", DocumentID="ABC", DocumentTitle="ABC", kind="heading"),
    )
    (one,) = links(index, "ABC", "1").cites
    assert one.target is not None
    assert one.target.id == "heading"


def test_relative_references_are_told_apart_and_this_rule_is_no_citing_of_it(
    index_of: Make,
) -> None:
    index = index_of(
        act("ABC", "1.1", "Reports"),
        act("ABC", "1.1.1.(1)", "Subject to (2) and to this Section, report."),
        act("ABC", "1.1.1.(2)", "In the case of paragraph (1), pay."),
    )
    found = links(index, "ABC", "1.1.1.(1)")
    assert cited(found) == ["ABC 1.1.1.(2)", "ABC 1.1"]
    assert {one.relative for one in found.cites} == {True}
    assert citing(found) == ["ABC 1.1.1.(2)"]
    assert citing(links(index, "ABC", "1.1")) == []


def test_an_index_of_an_older_rirag_is_read_and_says_what_it_lacks(
    index_of: Make, tmp_path: Path
) -> None:
    index_of(act("ABC", "1.1", "See Rule 1.2."), act("ABC", "1.2", "Pay."))
    change_manifest(tmp_path / "index", schema_version=1)
    with search.open(str(tmp_path / "index")) as older:
        found = links(older, "ABC", "1.1")
        notes = older.search("Who must pay?").trace.notes
    assert any("rirag reindex --index" in note for note in notes)
    assert cited(found) == ["ABC 1.2"]
    assert not found.complete


def test_an_index_of_an_older_rirag_is_not_added_to_before_it_is_brought_up_to_date(
    index_of: Make, tmp_path: Path
) -> None:
    index_of(act("ABC", "1.1", "See Rule 1.2."))
    url = str(tmp_path / "index")
    change_manifest(tmp_path / "index", schema_version=1)
    more = write_lines(tmp_path / "more.jsonl", act("ABC", "1.2", "Pay."))
    with pytest.raises(search.IndexUnavailableError, match=f"rirag reindex --index {url}"):
        indexer.ingest([more], url)
    indexer.reindex(url)
    indexer.ingest([more], url)
