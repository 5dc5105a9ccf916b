"""Very long passages become parts that keep number and words."""

from __future__ import annotations

import json

import pytest

from indexer.load.splitting import LONG_WORDS, PART_WORDS, is_continuation, split_long
from indexer.review.structure import structure
from search.records import Passage

SENTENCES = [f"Duty {n} requires a firm to keep record {n} for {n} years." for n in range(1, 201)]
LINES = [f"({n}) the firm must keep record {n} of its business." for n in range(1, 201)]
ROWS = [
    f"Term {n}\tMeans the thing that rule {n} calls so, with all that it needs." for n in range(90)
]


def passage(text: str, **more: object) -> Passage:
    return Passage("id-1", "A", "1.2", text, **more)  # type: ignore[arg-type]


def words(passages: list[Passage]) -> list[str]:
    return " ".join(one.text for one in passages).split()


def test_a_passage_that_is_not_very_long_stays_as_it_is():
    one = passage("word " * LONG_WORDS)
    assert split_long(one) == [one]


@pytest.mark.parametrize("text", [" ".join(SENTENCES), "\n".join(LINES), "word " * 2_500])
def test_the_parts_hold_every_word_once_and_in_order(text):
    parts = split_long(passage(text))
    assert len(parts) > 1
    assert words(parts) == text.split()
    assert max(len(part.text.split()) for part in parts) <= PART_WORDS


def test_sentences_and_list_items_stay_whole():
    for text, end in ((" ".join(SENTENCES), "years."), ("\n".join(LINES), "business.")):
        assert all(part.text.endswith(end) for part in split_long(passage(text)))


def test_every_part_has_the_number_and_says_which_it_is():
    first, *others = split_long(passage(" ".join(SENTENCES), metadata={"topic": "Records"}))
    assert first.id == "id-1"
    assert not is_continuation(first)
    assert all(is_continuation(other) for other in others)
    count = len(others) + 1
    assert [one.part for one in (first, *others)] == [
        f"{n} of {count}" for n in range(1, count + 1)
    ]
    assert {(one.passage_id, one.metadata["topic"]) for one in others} == {("1.2", "Records")}
    assert len({one.id for one in (first, *others)}) == count


def test_parts_have_the_same_ids_every_time():
    ids = [one.id for one in split_long(passage(" ".join(SENTENCES)))]
    assert ids == [one.id for one in split_long(passage(" ".join(SENTENCES)))]


def test_a_table_that_is_cut_is_fenced_in_every_part():
    rows = "\n".join(f"Item {n}\tlimit {n}\tnote {n}" for n in range(400))
    parts = split_long(
        passage(f"The limits are:\n\\Table Start\n{rows}\n\\Table End\nNothing else.")
    )
    assert len(parts) > 2
    for part in parts:
        assert part.text.count("\\Table Start") == part.text.count("\\Table End") == 1
    assert parts[1].text.startswith("\\Table Start\n")
    assert parts[-1].text.endswith("\\Table End\nNothing else.")


def test_a_glossary_becomes_a_part_a_definition():
    table = "\n".join(["Terms", "\\Table Start", "Term\tDefinition", *ROWS, "\\Table End"])
    first, *definitions = split_long(passage(table, kind="table"))
    assert (first.kind, first.text) == ("table", "Terms\nTerm\tDefinition")
    assert [one.text for one in definitions] == ROWS
    assert {one.kind for one in definitions} == {"definition"}


def test_a_definition_of_several_lines_stays_one():
    rows = [*ROWS[:40], "Client\tMeans:\n(a) a person; or\n(b) another one.", *ROWS[40:]]
    table = "\n".join(["\\Table Start", "Term\tDefinition", *rows, "\\Table End"])
    assert "Client\tMeans:\n(a) a person; or\n(b) another one." in [
        one.text for one in split_long(passage(table))
    ]


def test_a_load_cuts_documents_and_does_not_take_the_parts_for_repeated_numbers(tmp_path, ingest):
    text = "\n".join(["Rules", "1.1 " + " ".join(SENTENCES), "1.2 A firm must pay."])
    (tmp_path / "rules.txt").write_text(text)
    report = ingest(tmp_path / "rules.txt")
    parts = report.passages - 1
    assert parts > 1
    assert report.repeated == ()
    assert [one.message for one in report.warnings] == [
        f"1.1 is very long: it was split into {parts} parts"
    ]


def test_what_a_reader_understood_is_shown_whole(tmp_path):
    (tmp_path / "rules.txt").write_text("\n".join(["Rules", "1.1 " + " ".join(SENTENCES)]))
    (document,) = structure(tmp_path / "rules.txt").documents
    assert len(document.passages) == 1
    assert [one.kind for one in document.warnings] == ["long"]


def test_records_that_people_numbered_stay_whole(tmp_path, ingest):
    record = {"ID": "1", "DocumentID": "A", "PassageID": "1", "Passage": " ".join(SENTENCES)}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    assert ingest(tmp_path / "a.jsonl").passages == 1
