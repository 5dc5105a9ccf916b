"""`rirag documents`: what an index holds, read and deleted."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from cli_support import Run, run, run_in_terminal
from sample import DOCUMENTS, PASSAGES, change_manifest

import search
from search.engines import locate


@pytest.fixture
def copy(rulebook: Path, tmp_path: Path) -> Path:
    """An index that may be changed."""
    return shutil.copytree(rulebook, tmp_path / "copy")


def held(index: Path) -> list[str]:
    with search.open(str(index)) as opened:
        return [document.document_id for document in opened.documents()]


def test_documents_are_listed_with_size_and_title(rulebook: Path, tmp_path: Path) -> None:
    shown = run("documents", "list", "--index", rulebook, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert [line.split()[0] for line in lines] == list(DOCUMENTS)
    assert lines[1].split(maxsplit=2)[2] == "passages  Conduct Rulebook (COND)"
    assert sum(int(line.split()[1]) for line in lines) == PASSAGES


def test_the_list_as_json_holds_id_title_size_and_metadata(rirag: Run, rulebook: Path) -> None:
    documents = rirag("documents", "list", "--json", "--index", rulebook).json
    assert [one["document_id"] for one in documents] == list(DOCUMENTS)
    assert sum(one["passages"] for one in documents) == PASSAGES
    for document in documents:
        assert {"document_id", "title", "passages", "metadata"} <= document.keys()
    assert documents[1]["title"] == "Conduct Rulebook (COND)"
    assert documents[1]["metadata"]["version"] == "2.1"


@pytest.mark.parametrize("name", ["COND", "cond", "Conduct Rulebook (COND)", "Conduct Rulebook"])
def test_a_document_is_shown_by_any_of_its_names(rirag: Run, rulebook: Path, name: str) -> None:
    shown = rirag("documents", "show", name, "--index", rulebook)
    assert shown.code == 0
    assert shown.out.startswith("Conduct Rulebook (COND)\n\n1  INTRODUCTION\n\n1.1  Application\n")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("6.2.2", "6.2.2"),
        ("3.2.1(2)", "3.2.1.(2)"),
        ("3.2.1.(2)", "3.2.1.(2)"),
    ],
)
def test_a_passage_is_shown_by_its_number_in_any_form(
    rirag: Run, rulebook: Path, number: str, shown: str
) -> None:
    data = rirag("documents", "show", "COND", number, "--json", "--index", rulebook).json
    assert data["document_id"] == "COND"
    assert [one["passage_id"] for one in data["passages"]] == [shown]


def test_a_number_within_a_passage_shows_the_one_around_it(rirag: Run, rulebook: Path) -> None:
    shown = rirag("documents", "show", "COND", "6.2.4(b)", "--index", rulebook)
    assert shown.code == 0
    assert "\n6.2.4  " in shown.out
    assert shown.err == "note: 6.2.4(b) has no passage of its own; this passage contains it\n"
    assert rirag("documents", "show", "COND", "Rule 6.2.4", "--index", rulebook).out == shown.out


def test_a_document_as_json_holds_its_passages_in_order(rirag: Run, rulebook: Path) -> None:
    data = rirag("documents", "show", "GLOS", "--json", "--index", rulebook).json
    listed = rirag("documents", "list", "--json", "--index", rulebook).json[2]
    assert {**listed, "passages": len(data["passages"])} == listed
    assert data["passages"][0]["passage_id"] == "1"
    assert data["passages"][1]["breadcrumb"][0].startswith("1 ")


def test_a_passage_is_shown_with_what_it_is_linked_with(rirag: Run, rulebook: Path) -> None:
    shown = rirag("documents", "show", "COND", "2.2.2", "--index", rulebook)
    assert (shown.code, shown.err) == (0, "")
    assert "\ncites (4)\n  Rule 2.1.1 → Conduct Rulebook (COND) 2.1.1  " in shown.out
    assert "\ncited by (1)\n  Glossary (GLOS) 2.1.7  Client Agreement means" in shown.out
    assert "\n  Client Money → Glossary (GLOS) 2.1.9  Client Money means" in shown.out


def test_the_links_of_a_passage_as_json(rirag: Run, rulebook: Path) -> None:
    data = rirag("documents", "show", "COND", "2.2.2", "--json", "--index", rulebook).json
    links = data["passages"][0]["links"]
    assert links["complete"] is True
    first = links["cites"][0]
    assert (first["text"], first["relative"], first["outside"]) == ("Rule 2.1.1", False, None)
    assert (first["target"]["document_id"], first["target"]["passage_id"]) == ("COND", "2.1.1")
    assert links["cited_by"][0]["passage_id"] == "2.1.7"
    assert {"term", "text", "target"} == links["terms"][0].keys()


def test_a_whole_document_is_shown_without_links(rirag: Run, rulebook: Path) -> None:
    data = rirag("documents", "show", "GLOS", "--json", "--index", rulebook).json
    assert all("links" not in one for one in data["passages"])


def test_an_index_of_an_older_rirag_is_shown_with_a_note(rirag: Run, copy: Path) -> None:
    change_manifest(copy, schema_version=1)
    shown = rirag("documents", "show", "COND", "2.2.2", "--index", copy)
    assert shown.code == 0
    assert shown.err.startswith("note: the index was made by an older rirag")
    assert f"rirag reindex --index {copy}" in shown.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([""], "no document is named ''; list them with: rirag documents list"),
        (["COND", ""], "Conduct Rulebook (COND) has no passage ''; see all with"),
        (["COND", "..."], "Conduct Rulebook (COND) has no passage '...'; see all with"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_not_there_is_told(
    rirag: Run, rulebook: Path, arguments: list[str], sentence: str
) -> None:
    refused = rirag("documents", "show", *arguments, "--index", rulebook).refused(2)
    assert refused.startswith(sentence)
    assert refused.endswith(f" --index {rulebook}")


def test_documents_are_deleted_and_the_rest_stays(rirag: Run, copy: Path) -> None:
    shown = rirag("documents", "delete", "cond", "GLOS", "--yes", "--index", copy)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("COND  Conduct Rulebook (COND), ")
    assert shown.out.endswith(" passages of 2 documents.\n")
    assert held(copy) == ["AMLR", "GOVN"]
    hits = rirag("search", "COND 6.2.2", "--json", "--index", copy).json["hits"]
    assert {hit["document_id"] for hit in hits} == {"AMLR", "GOVN"}


@pytest.mark.parametrize(("typed", "left"), [("y\n", 3), ("n\n", 4), ("\n", 4), ("\x04", 4)])
def test_deleting_is_asked_first(copy: Path, tmp_path: Path, typed: str, left: int) -> None:
    shown = run_in_terminal("documents", "delete", "COND", "--index", copy, cwd=tmp_path,
                            typed=typed)  # fmt: skip
    assert "Delete? [y/N]: " in shown.out
    assert len(held(copy)) == left
    assert (shown.code == 0) == (left == 3)
    assert "Traceback" not in shown.out


def test_a_title_that_two_documents_have_deletes_none(rirag: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        head = f"---\ndocument_id: {name}\ntitle: Capital Rules\n---\n"
        (tmp_path / f"{name}.txt").write_text(f"{head}1.1 A firm holds capital.\n")
    assert rirag("ingest", "a.txt", "b.txt").code == 0
    refused = rirag("documents", "delete", "Capital Rules", "--yes")
    assert "may mean several documents: a (Capital Rules), b (" in refused.refused(2)
    assert [one["document_id"] for one in rirag("documents", "list", "--json").json] == ["a", "b"]


def test_the_list_says_what_is_not_in_force(rirag: Run, tmp_path: Path) -> None:
    text = "---\ntitle: Lamp Rules\nstatus: repealed\n---\n1.1 A keeper lights lamps.\n"
    (tmp_path / "a.txt").write_text(text)
    assert rirag("ingest", "a.txt").code == 0
    listed = rirag("documents", "list").out
    assert listed == "a       1 passage   Lamp Rules (not in force: past (status repealed))\n"


@pytest.mark.parametrize("name", ["COND-2019", "all but COND", "COND 2019", "cond draft"])
def test_more_than_the_name_of_a_document_deletes_none(rirag: Run, copy: Path, name: str) -> None:
    before = rirag("documents", "list", "--index", copy).out
    assert "no document" in rirag("documents", "delete", name, "--yes", "--index", copy).refused(2)
    assert rirag("documents", "list", "--index", copy).out == before


def test_one_unknown_document_deletes_none(rirag: Run, copy: Path) -> None:
    refused = rirag("documents", "delete", "COND", "MIFID", "--yes", "--index", copy)
    assert "no document is named 'MIFID'" in refused.refused(2)
    assert held(copy) == list(DOCUMENTS)


def test_deleting_all_documents_leaves_an_empty_index(rirag: Run, copy: Path) -> None:
    shown = rirag("documents", "delete", *DOCUMENTS, "--yes", "--index", copy)
    assert shown.out.endswith("now holds 0 passages of 0 documents.\n")
    assert rirag("documents", "list", "--json", "--index", copy).json == []
    assert rirag("documents", "list", "--index", copy).out == ""
    assert rirag("search", "fees", "--index", copy).out == "no hits\n"
    assert "Insufficient evidence" in rirag("ask", "fees", "--index", copy).out


def test_nothing_is_deleted_while_another_process_loads(rirag: Run, copy: Path) -> None:
    with search.open(str(copy)) as index:
        encoder = index.describe().encoder
    with locate(str(copy)).load(str(copy), encoder):
        refused = rirag("documents", "delete", "COND", "--yes", "--index", copy)
    assert (refused.code, f"process {os.getpid()} is loading" in refused.err) == (4, True)
    assert held(copy) == list(DOCUMENTS)


@pytest.mark.parametrize("command", [["list"], ["show", "COND"], ["delete", "COND", "--yes"]])
def test_a_missing_index_is_told_and_not_made(
    rirag: Run, tmp_path: Path, command: list[str]
) -> None:
    sentence = rirag("documents", *command, "--index", "nope").refused(3)
    assert sentence.startswith("the index nope does not exist; make it with: rirag ingest")
    assert not (tmp_path / "nope").exists()


def test_documents_are_joined_as_versions_of_a_work(rirag: Run, copy: Path, tmp_path: Path) -> None:
    text = (
        "---\ntitle: Lamp Act\nvalid_from: {}\n---\n# Lamp Act\n\n## Section 1\n\nLamps burn {}.\n"
    )
    for day, end in (("2020-01-01", "bright"), ("2022-07-01", "low")):
        (tmp_path / f"act-{day[:4]}.md").write_text(text.format(day, end))
        assert rirag("ingest", f"act-{day[:4]}.md", "--index", copy).code == 0
    merge = ("documents", "merge", "act-2020", "act-2022", "--into", "lamp-act", "--index", copy)
    planned = rirag(*merge, "--dry-run")
    assert "act-2020 would become version 2020-01-01 of lamp-act (day: source)." in planned.out
    assert "lamp-act" not in held(copy)
    assert "lamp-act 2022-07-01: 0 rules added, 1 changed" in rirag(*merge).out
    assert held(copy)[-1] == "lamp-act"
    assert rirag("documents", "merge", "nope", "--into", "lamp-act", "--index", copy).refused(2)
