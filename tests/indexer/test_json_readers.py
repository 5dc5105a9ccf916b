"""ObliQA JSON and JSONL hold the same records, so they pass the same tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import indexer
from indexer.readers.json import list as jsonlist
from indexer.readers.json.list import JsonList
from search.errors import InputError

RECORD = {"ID": "a", "DocumentID": 7, "PassageID": "1.1", "Passage": "A Firm must keep records."}

Write = Callable[..., Path]


@pytest.fixture(params=["obliqa", "jsonl"])
def write(request: pytest.FixtureRequest, tmp_path: Path) -> Write:
    """Write records in one of the formats; record N then stands on line N + `first`."""

    def run(*records: Any, bom: bool = False) -> Path:
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        obliqa = request.param == "obliqa"
        text = "[\n" + ",\n".join(lines) + "\n]\n" if obliqa else "\n".join(lines) + "\n"
        path = tmp_path / ("rules.json" if obliqa else "rules.jsonl")
        path.write_text(("\ufeff" if bom else "") + text, encoding="utf-8")
        return path

    return run


def line_of(path: Path, record: int) -> int:
    return record + (path.suffix == ".json")


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as refused:
        list(indexer.read(path))
    return str(refused.value)


def test_a_record_becomes_a_passage(write):
    path = write(RECORD)
    (passage,) = indexer.read(path)
    assert (passage.id, passage.document_id, passage.passage_id) == ("a", "7", "1.1")
    assert passage.text == "A Firm must keep records."
    assert passage.document_title == "Document 7"
    assert passage.source == f"{path.name}:{line_of(path, 1)}"


@pytest.mark.parametrize(
    ("document", "called"), [("7", "Document 7"), ("fee_list 2027", "fee list 2027")]
)
def test_a_document_without_a_title_is_called_by_its_name_if_it_has_one(write, document, called):
    (passage,) = indexer.read(write(RECORD | {"DocumentID": document}))
    assert passage.document_title == called


@pytest.mark.parametrize("field", ["breadcrumb", "breadcrumb_read"])
def test_a_record_may_say_what_it_stands_under(write, field):
    path = write(RECORD | {field: ["1 SCOPE", "1.1 Firms", " "], "act": "Fee Act"})
    (passage,) = indexer.read(path)
    assert passage.breadcrumb == ("1 SCOPE", "1.1 Firms")
    assert passage.document_title == "Fee Act"


def test_a_breadcrumb_that_is_no_list_is_refused(write):
    with pytest.raises(InputError, match="breadcrumb must be a list of texts, found"):
        list(indexer.read(write(RECORD | {"breadcrumb": "1 SCOPE"})))


def test_further_fields_become_metadata(write):
    more = {"topic": ["banking", "funds"], "year": 2021, "draft": False, "note": None}
    more["valid"] = {"to": "2030", "by": {"law": "B"}}
    (passage,) = indexer.read(write(RECORD | more))
    assert passage.metadata == {"topic": ("banking", "funds"), "year": 2021, "draft": False} | {
        "valid_to": "2030", "valid_by_law": "B",
    }  # fmt: skip


def test_a_record_may_name_its_title_and_kind(write):
    (passage,) = indexer.read(write(RECORD | {"DocumentTitle": "COB", "kind": "Footnote"}))
    assert (passage.document_title, passage.kind, passage.metadata) == ("COB", "footnote", {})


def test_a_byte_order_mark_is_accepted(write):
    assert len(list(indexer.read(write(RECORD, bom=True)))) == 1


def test_empty_passages_are_kept(write):
    (passage,) = indexer.read(write(RECORD | {"Passage": ""}))
    assert passage.text == ""


@pytest.mark.parametrize("field", ["ID", "DocumentID", "PassageID", "Passage"])
def test_a_missing_field_is_named_with_its_line(write, field):
    broken = {name: value for name, value in RECORD.items() if name != field}
    path = write(RECORD, broken)
    assert refusal(path) == f"{path}:{line_of(path, 2)}: the record has no {field}; add the field"


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("ID", "", "ID is empty; every record needs one"),
        ("PassageID", " ", "PassageID is empty; every record needs one"),
        ("ID", "a\nb", "ID contains a control character ('\\n'); remove it"),
        ("DocumentID", "a\tb", "DocumentID contains a control character ('\\t'); remove it"),
        ("PassageID", "1\x1b[2J", "PassageID contains a control character ('\\x1b'); remove it"),
        ("kind", "rules", "kind must be one of rule, guidance, heading, definition, table, "),
        ("kind", 1, "kind must be one of rule, guidance, heading, definition, table, "),
        ("document", "X", "the field name 'document' is reserved by rirag; rename the field"),
        ("document_id", "X", "the field name 'document_id' is reserved by rirag"),
        ("passage_id", "X", "the field name 'passage_id' is reserved by rirag"),
        ("id", "X", "the field name 'id' is reserved by rirag; rename the field"),
        ("parent", "X", "the field name 'parent' is reserved by rirag; rename the field"),
        ("part", "II", "the field name 'part' is reserved by rirag; rename the field"),
        ("number", "X", "the field name 'number' is reserved by rirag; rename the field"),
        ("DocumentID", 1.5, "DocumentID must be a text or a whole number, found a number"),
        ("PassageID", ["1"], "PassageID must be a text or a whole number, found a list"),
        ("Passage", None, "Passage must be a text, found null"),
        ("Passage", 5, "Passage must be a text, found a number"),
        ("DocumentTitle", {}, "DocumentTitle must be a text, found a record"),
        ("topic", [{"a": 1}], "topic must be a text, a number, true, false or a list of texts"),
        ("weight", float("nan"), "weight is not a finite number; remove it"),
        ("PassageID", "x" * 501, "PassageID is longer than 500 characters; put the number"),
    ],
)
def test_a_wrong_type_is_named_with_its_line(write, field, value, problem):
    path = write(RECORD | {field: value})
    assert refusal(path).startswith(f"{path}:{line_of(path, 1)}: {problem}")


def test_every_fault_of_a_record_is_told(write):
    faults = {"ID": "", "PassageID": "1\n2", "Passage": 5, "topic": [1], "number": 1}
    path = write({name: faults.get(name, 1) for name in [*faults, "kind"]})
    place = f"{path}:{line_of(path, 1)}: "
    lines = refusal(path).split("\n")
    assert all(line.startswith(place) for line in lines)
    assert [line.removeprefix(place).partition(" must")[0].partition(";")[0] for line in lines] == [
        "the record has no DocumentID",
        "ID is empty",
        "PassageID contains a control character ('\\n')",
        "Passage",
        "kind",
        "topic",
        "the field name 'number' is reserved by rirag",
    ]


def test_a_key_that_stands_twice_is_refused(write):
    path = write(RECORD)
    path.write_text(path.read_text().replace('"ID": "a"', '"ID": "a", "ID": "b"'))
    problem = "the record has 'ID' twice; keep one"
    assert refusal(path) == f"{path}:{line_of(path, 1)}: {problem}"


def test_what_is_no_record_is_refused(write):
    path = write("1.1 A Firm must keep records.")
    assert refusal(path).endswith("expected a record in braces, found a text")


def test_half_a_character_is_refused(tmp_path):
    path = tmp_path / "rules.jsonl"
    path.write_text(json.dumps(RECORD | {"Passage": "\ud800"}))
    assert "half a character" in refusal(path)


def test_all_problems_of_a_source_are_told_together(write):
    path = write(*[{"ID": str(number)} for number in range(25)])
    lines = refusal(path).split("\n")
    assert lines[0].startswith(f"{path}:{line_of(path, 1)}: ")
    assert len(lines) == 21
    assert lines[-1] == "… and 5 more."


@pytest.mark.parametrize(
    ("suffix", "content"),
    [(".json", ""), (".json", " \n"), (".json", "[]"), (".json", "[\n]\n"), (".jsonl", "")],
)
def test_an_empty_file_is_refused(tmp_path, suffix, content):
    path = tmp_path / f"rules{suffix}"
    path.write_text(content)
    assert refusal(path) == f"{path}: the file is empty; give a file that contains passages"


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_broken_utf8_is_refused_with_its_line(tmp_path, suffix):
    path = tmp_path / f"rules{suffix}"
    path.write_bytes(
        json.dumps([RECORD] if suffix == ".json" else RECORD).encode() + b"\n\n caf\xe9"
    )
    assert refusal(path) == (f"{path}:3: byte 5 of the line is not UTF-8; save the file as UTF-8")


def test_json_that_is_no_list_is_refused(tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(RECORD))
    assert refusal(path) == (f"{path}: not a JSON list of records; give a list, or --format jsonl")


def test_the_one_list_in_an_object_is_read(tmp_path):
    path = tmp_path / "act.json"
    path.write_text(f'{{"source": "a", "documents": [{json.dumps(RECORD)}], "total": 1}}')
    (passage,) = indexer.read(path)
    assert passage.text == RECORD["Passage"]
    assert [one.id for one in indexer.read(tmp_path)] == [passage.id]


@pytest.mark.parametrize(
    ("rest", "problem"),
    [(', "more": [{}]}', "several lists"), (', "more": 1', "expected '}'"), ("", "expected")],
)
def test_an_object_with_more_than_a_list_is_refused(tmp_path, rest, problem):
    path = tmp_path / "act.json"
    path.write_text(f'{{"documents": [{json.dumps(RECORD)}]{rest}')
    with pytest.raises(InputError, match=problem):
        list(indexer.read(path))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("content", [{"provisions": RECORD}, "1.1 A Firm must report.", 5])
def test_json_whose_first_line_is_no_record_is_not_called_jsonl(tmp_path, content, indent):
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(content, indent=indent))
    advice = 'give the list alone, as [{"ID": …}, {"ID": …}]'
    assert refusal(path) == f"{path}: not a JSON list of records; {advice}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[\n{"ID": "a",\n oops}]', 3),
        ('[\n{"ID": "a"}\n{"ID": "b"}]', 3),
        ('[\n{"ID": "a"},\n', 3),
        ("[\n]\nmore", 3),
    ],
)
def test_wrong_json_is_refused_with_its_line(tmp_path, text, line):
    path = tmp_path / "rules.json"
    path.write_text(text)
    assert f"{path}:{line}: not valid JSON" in refusal(path)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("[" * 100_000, "lists or records are nested too deep"),
        ("1" * 5000, "a number has more than 4,300 digits"),
    ],
)
def test_json_beyond_the_limits_is_refused_in_plain_words(tmp_path, value, problem):
    for name, text in (("rules.json", f"[{value}]"), ("rules.jsonl", f'{{"ID": {value}}}')):
        path = tmp_path / name
        path.write_text(text)
        assert refusal(path).startswith(f"{path}:1: JSON that cannot be used ({problem}); correct ")


def test_a_wrong_line_of_jsonl_does_not_hide_the_next_one(tmp_path):
    path = tmp_path / "rules.jsonl"
    path.write_text(f"{json.dumps(RECORD)}\n{{oops\n\n{{}}\n")
    first, second = refusal(path).split("\n")
    assert first.startswith(f"{path}:2: not valid JSON at column 2")
    assert second.startswith(f"{path}:4: the record has no ID")


@pytest.mark.parametrize("chunk", [1, 2, 7, 64])
def test_a_list_is_read_in_pieces_of_any_size(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(jsonlist, "CHUNK", chunk)
    records = [RECORD | {"Passage": f'] \\ " é {number}\n' * number} for number in range(9)]
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(records, indent=2))
    text = path.read_text()
    with path.open() as file:
        found = list(JsonList(file))
    assert [record for _, record in found] == records
    starts = [index for index, character in enumerate(text) if text[index : index + 4] == "{\n  "]
    assert [line for line, _ in found] == [text.count("\n", 0, s) + 1 for s in starts]


def test_a_break_within_a_list_is_told_with_its_line(tmp_path):
    records = [json.dumps(RECORD | {"ID": str(n)}) for n in range(20)]
    records[4] = '{"ID": "4" "DocumentID": "d"}'
    path = tmp_path / "rules.json"
    path.write_text("[\n" + ",\n".join(records) + "\n]\n")
    assert refusal(path).startswith(f"{path}:6: ")
