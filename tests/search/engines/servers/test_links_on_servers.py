"""References between passages on a server: the same as in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import run_here
from sample import ingest_rulebook, record, write_lines
from server_processes import on

import indexer
import search
from search.json_form import to_json


def all_links(url: str) -> list[str]:
    with search.open(url) as index:
        return [json.dumps(to_json(one)) for one in index.links(index.passages())]


def test_the_links_of_the_rulebook_are_those_of_a_folder(
    server_rulebook: str, tmp_path: Path
) -> None:
    folder = str(ingest_rulebook(tmp_path / "folder"))
    assert all_links(server_rulebook) == all_links(folder)


@on("opensearch")
def test_a_document_that_is_loaded_later_is_cited(index_url: str, tmp_path: Path) -> None:
    for document, text in (("ABC", "See XYZ Rule 1.1."), ("XYZ", "Report it.")):
        one = record("1.1", text, id=document, DocumentID=document, DocumentTitle=document)
        indexer.ingest([write_lines(tmp_path / f"{document}.jsonl", one)], index_url)
    shown = run_here("documents", "show", "XYZ", "1.1", "--index", index_url, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert "cited by (1)\n  ABC 1.1  See XYZ Rule 1.1." in shown.out


@pytest.mark.parametrize("term", ["Licensed Firm", "Client Money"])
@on("opensearch")
def test_defined_terms_are_found(index_url: str, tmp_path: Path, term: str) -> None:
    glossary = record(
        "1", f"{term} means this.", id="g", DocumentID="GLO", DocumentTitle="Glossary"
    )
    used = record("1", f"Pay the {term}.", id="u", DocumentID="ABC", DocumentTitle="ABC")
    indexer.ingest([write_lines(tmp_path / "source.jsonl", glossary, used)], index_url)
    with search.open(index_url) as index:
        (found,) = index.links([index.passage("u")])
    assert [(one.term, one.passage.id) for one in found.terms] == [(term, "g")]


def test_the_definition_that_is_asked_for_comes_first(server_rulebook: str) -> None:
    with search.open(server_rulebook, reranker=None) as index:
        first, second = index.search("What is Client Money?", 2).hits
    assert (first.document_id, first.passage_id, first.score) == ("GLOS", "2.1.9", 1.0)
    assert first.definition.startswith("Client Money means")
    assert second.definition == ""
