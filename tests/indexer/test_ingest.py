"""What a run gives to the engine, and what it tells its user."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.ingesting import ingest_into
from indexer.load import spool as spooled
from indexer.load.documents import document_hash
from indexer.load.sources import Sources
from indexer.load.titles import Titles
from indexer.problems import NOTHING_LOADED
from search.contexts import IN_CONTEXT, Contexts, contexts_of
from search.errors import InputError
from search.provisions.numbering import lookup_keys
from search.ranking.learned.fitted_for import title_hash
from search.ranking.profile_file import load_profile
from search.records import Passage
from search.text.analyzer import tokens


def record(number: int, text: str, document: object = 1, **more: object) -> dict[str, object]:
    own = {"ID": f"{document}-{number}", "DocumentID": document, "PassageID": f"1.{number}"}
    return own | {"Passage": text} | more


def write(path: Path, *records: object) -> Path:
    path.write_text(json.dumps(records))
    return path


def test_a_record_holds_tokens_numbers_and_the_hash_of_its_vector(tmp_path, ingest, index):
    ingest(write(tmp_path / "1.json", record(1, "Firms must keep records.")))
    (found,) = index.records()
    assert found.tokens == tuple(tokens("Firms must keep records."))
    assert found.numbers == lookup_keys("1.1")
    assert found.vector_hash in index.vectors


def test_title_and_headings_are_searched_and_encoded_and_not_shown(
    tmp_path, ingest, index, encoder
):
    headed = record(1, "Firms report.", DocumentTitle="Fee Rules", breadcrumb=["4 Late payment"])
    ingest(write(tmp_path / "1.json", headed))
    (found,) = index.records()
    assert found.tokens == ("fee", "rule", "late", "payment", "firm", "report")
    assert found.tokens == tuple(tokens("Fee Rules > Late payment Firms report."))
    assert encoder.texts == ["Fee Rules > Late payment\nFirms report."]
    assert found.passage.text == "Firms report."


def test_documents_that_the_fitted_models_know_are_read_without_context():
    known = Passage("1", "A", "1", "Firms report.", "Fee Rules", breadcrumb=("4 Late payment",))
    contexts = Contexts(frozenset({title_hash("Fee Rules")}))
    other = replace(known, document_title="Other Rules")
    assert contexts.text(known) == "Firms report."
    assert contexts.text(other) == "Other Rules > Late payment\nFirms report."
    assert document_hash([known], contexts) != document_hash([known])


def test_the_shipped_encoder_knows_what_its_models_were_fitted_on():
    shipped = load_profile("regulation-minilm-l6")
    assert title_hash("COBS_VER15.150823") in contexts_of(shipped.encoder_revision).bare
    assert contexts_of("another") == IN_CONTEXT


def test_empty_passages_are_kept_without_tokens_and_vector(tmp_path, ingest, index, encoder):
    report = ingest(write(tmp_path / "1.json", record(1, ""), record(2, " \n"), record(3, "A.")))
    assert report.empty == 2
    assert [(r.tokens, r.vector_hash) for r in index.records()[:2]] == [((), ""), ((), "")]
    assert encoder.texts == ["A."]


def test_equal_texts_are_encoded_once(tmp_path, ingest, encoder):
    report = ingest(write(tmp_path / "1.json", record(1, "Same."), record(2, "Same.")))
    assert encoder.texts == ["Same."]
    assert (report.encoded, report.reused) == (1, 0)


def test_an_unchanged_document_is_left_alone(tmp_path, ingest, index, encoder):
    path = write(tmp_path / "1.json", record(1, "A."), record(2, "B."))
    first = ingest(path)
    encoder.texts.clear()
    again = ingest(path)
    assert (first.added, again.added, again.unchanged) == (("1",), (), ("1",))
    assert encoder.texts == []
    assert index.commits == 1
    assert again.index.passages == 2


def test_a_changed_document_encodes_only_what_is_new(tmp_path, ingest, index, encoder):
    path = tmp_path / "1.json"
    ingest(write(path, record(1, "A."), record(2, "B.")))
    encoder.texts.clear()
    report = ingest(write(path, record(1, "A."), record(2, "C.")))
    assert report.changed == ("1",)
    assert encoder.texts == ["C."]
    assert (report.encoded, report.reused) == (1, 2)  # with the old wording of 2
    assert [passage.text for passage in index.passages()] == ["A.", "B.", "C."]


def test_a_new_title_is_a_change(tmp_path, ingest):
    path = write(tmp_path / "1.json", record(1, "A."))
    ingest(path)
    (tmp_path / "titles.json").write_text('{"1": "Rules"}')
    assert ingest(path).changed == ("1",)


def test_moving_a_folder_changes_nothing(tmp_path, ingest):
    folder = tmp_path / "here"
    folder.mkdir()
    write(folder / "1.json", record(1, "A."))
    ingest(folder)
    assert ingest(folder.rename(tmp_path / "there")).unchanged == ("1",)


def test_documents_that_are_not_named_stay(tmp_path, ingest, index):
    ingest(write(tmp_path / "1.json", record(1, "A.")))
    ingest(write(tmp_path / "2.json", record(1, "B.", document=2)))
    assert list(index.loaded) == ["1", "2"]


def test_a_document_in_two_sources_is_merged_in_order(tmp_path, ingest, index):
    one = write(tmp_path / "1.json", record(1, "A."), record(9, "X.", document=2))
    two = write(tmp_path / "2.json", record(2, "B.", title="ignored"))
    report = ingest(one, two)
    assert report.added == ("1", "2")
    merged = [(p.order, p.text) for p in index.passages() if p.document_id == "1"]
    assert merged == [(0, "A."), (1, "B.")]


def test_two_text_files_are_not_one_document(tmp_path, ingest, index):
    for year in ("2024", "2025"):
        (tmp_path / year).mkdir()
        (tmp_path / year / "rules.txt").write_text(f"1.1\tRules of {year}.\n1.2\tMore.\n")
    with pytest.raises(InputError) as refused:
        ingest(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path}/2025/rules.txt: this file and {tmp_path}/2024/rules.txt both "
        "contain document 'rules', so both were left out; remove or rename one of them, or, in "
        "a text file, set another document_id in the front matter"
    )
    assert index.loaded == {}


@pytest.mark.parametrize("records_first", [True, False])
def test_a_text_and_records_are_not_one_document(tmp_path, ingest, index, records_first):
    text, good = tmp_path / "COND.txt", tmp_path / "good.txt"
    text.write_text("1.1\tA.\n")
    good.write_text("1.1\tC.\n")
    records = write(tmp_path / "COND.json", *(record(at, "B.", "COND") for at in (2, 3)))
    first, second = (records, text) if records_first else (text, records)
    with pytest.raises(InputError) as refused:
        ingest(first, second, good)
    assert str(refused.value).split("\n") == [
        (
            f"{second}: this file and {first} both contain document 'COND', so both were "
            "left out; remove or rename one of them, or, in a text file, set another document_id "
            "in the front matter"
        ),
        NOTHING_LOADED,
    ]
    assert index.loaded == {}


def test_records_beside_two_texts_of_their_document_are_named_too(tmp_path, ingest):
    records = write(tmp_path / "m.json", record(1, "A.", "COND"))
    texts = [tmp_path / name / "COND.txt" for name in ("one", "two")]
    for path in texts:
        path.parent.mkdir()
        path.write_text("1.1\tB.\n")
    with pytest.raises(InputError) as refused:
        ingest(records, *texts)
    for path, told in zip(texts, str(refused.value).split("\n"), strict=True):
        assert told.startswith(f"{path}: this file and {records} both contain document 'COND'")


def test_a_run_that_reads_no_passage_is_refused(index, encoder):
    with pytest.raises(InputError, match="the sources contain no passage"):
        ingest_into(index, "memory", Sources((), ()), Titles(), encoder)


@pytest.mark.parametrize(
    ("name", "text", "loaded", "refused"),
    [
        ("2.json", '[{"ID": "x"}, %s]', {"1", "2"}, "{path}:1: the record has no DocumentID"),
        ("2.jsonl", '%s\n{"ID": "x", "Pass\n', {"1", "2"}, "{path}:2: not valid JSON at column"),
        ("2.jsonl", '%s\n{"ID": "x"}\n%s', {"1", "2"}, "{path}:2: the record has no DocumentID"),
        ("2.json", '[%s, {"ID": "x", "Pass', {"1"}, "{path}:1: not valid JSON"),
        ("2.json", '{"ID": ', {"1"}, "{path}: not a JSON list"),
        ("2.json", "", {"1"}, "{path}: "),
    ],
)
def test_a_bad_record_and_a_broken_file_are_refused_alone(
    tmp_path, ingest, index, name, text, loaded, refused
):
    good, path = write(tmp_path / "1.json", record(1, "A.")), tmp_path / name
    path.write_text(text.replace("%s", json.dumps(record(1, "B.", document=2))))
    report = ingest(good, path)
    assert set(index.loaded) == loaded
    assert report.refused[0].startswith(refused.format(path=path))
    with pytest.raises(InputError, match=NOTHING_LOADED):
        ingest(good, path, strict=True)


def test_a_document_with_a_part_in_a_broken_file_is_left_out_and_named(tmp_path, ingest, index):
    files = [
        write(tmp_path / "1.json", record(1, "A.", document=2), record(1, "A.", document=3)),
        tmp_path / "2.json",
        write(tmp_path / "3.json", record(3, "C.", document=2)),
    ]
    files[1].write_text(f"[{json.dumps(record(2, 'B.', document=2))}, ")
    first, second = ingest(*files).refused
    assert first.startswith(f"{files[1]}:1: not valid JSON")
    assert second == (
        "1.json: a part of document '2' is in a file that was left out, so that the whole "
        "document was left out"
    )
    assert set(index.loaded) == {"3"}


def test_the_same_passage_twice_is_skipped_and_reported(tmp_path, ingest, index):
    report = ingest(write(tmp_path / "1.json", record(1, "A."), record(1, "A.")))
    assert [place.source for place in report.duplicates] == ["1.json:1"]
    assert len(index.passages()) == report.passages == 1


@pytest.mark.parametrize(
    ("other", "what"),
    [({"Passage": "B."}, "text"), ({"PassageID": "9"}, "number"), ({"DocumentID": 2}, "number")],
)
def test_one_id_for_two_passages_is_refused_with_both_places(tmp_path, ingest, index, other, what):
    one = write(tmp_path / "1.json", record(1, "A."))
    two = write(tmp_path / "2.json", record(1, "A.") | other)
    more = write(tmp_path / "3.json", record(1, "A.", document=3))
    assert ingest(one, two, more).refused[0] == (
        f"{two}:1: the ID 1-1 names another {what} at 1.json:1; "
        "give one of the two passages another ID"
    )
    assert set(index.loaded) == ({"1", "3"} if "DocumentID" in other else {"3"})


def test_strict_says_that_nothing_was_loaded_where_else_the_good_files_are(tmp_path, ingest, index):
    good = write(tmp_path / "1.json", record(1, "A."))
    path = tmp_path / "2.docx"
    path.write_text("no Word file")
    with pytest.raises(InputError, match=NOTHING_LOADED):
        ingest(good, path, strict=True)
    assert index.loaded == {}
    (problem,) = ingest(good, path).refused
    assert NOTHING_LOADED not in problem


def test_repeated_numbers_are_kept_and_reported(tmp_path, ingest, index):
    twin = record(1, "B.") | {"ID": "twin"}
    report = ingest(write(tmp_path / "1.json", record(1, "A."), twin))
    assert [place.id for place in report.repeated] == ["twin"]
    assert len(index.passages()) == 2


def test_a_passage_of_24_000_words_is_loaded_whole_and_its_cut_reported(tmp_path, ingest, index):
    text = "the record " * 24_000
    report = ingest(write(tmp_path / "1.json", record(1, "A."), record(2, text)))
    assert [place.passage_id for place in report.truncated] == ["1.2"]
    assert index.passages()[1].text == text
    assert len(index.records()[1].tokens) == 24_000


def test_a_crash_loses_at_most_one_batch(tmp_path, ingest, index, encoder, monkeypatch):
    monkeypatch.setattr(spooled, "WINDOW", 6)
    monkeypatch.setattr(spooled, "BATCH", 2)
    path = write(tmp_path / "1.json", *(record(n, f"Rule {n}.") for n in range(10)))
    encoder.fails_after = 4
    with pytest.raises(KeyboardInterrupt):
        ingest(path)
    assert (len(index.vectors), index.loaded) == (4, {})
    encoder.fails_after = None
    encoder.texts.clear()
    report = ingest(path)
    assert (report.encoded, report.reused) == (6, 4)
    assert len(encoder.texts) == 6


def test_a_window_is_encoded_from_short_to_long(tmp_path, ingest, encoder):
    texts = ["a " * length for length in (5, 1, 9, 3)]
    ingest(write(tmp_path / "1.json", *(record(n, text) for n, text in enumerate(texts))))
    assert encoder.texts == sorted(texts, key=len)


def test_progress_is_told_for_each_stage(tmp_path, ingest):
    told: list[tuple[str, int, int]] = []
    path = write(tmp_path / "1.json", record(1, "A."))
    ingest(path, progress=lambda *step: told.append(step))
    stages = ["read", "arrange", "encode", "load"]
    assert told == [(stage, 1, 1) for stage in stages]


def test_the_report_is_json_and_readable(tmp_path, ingest):
    (tmp_path / "logo.png").write_text("x")
    write(tmp_path / "1.json", record(1, "A."), record(1, "A."), record(2, ""))
    report = ingest(tmp_path)
    assert json.loads(json.dumps(report.to_json()))["added"] == ["1"]
    lines = report.summary().split("\n")
    assert lines[0].startswith("Read 2 passages of 1 document in ")
    assert lines[1] == "Encoded 1 text, reused 0."
    assert lines[2] == "1 passage without text: found by number only."
    assert lines[3].startswith("1 passage given twice with the same ID, the second left out: 1 1.1")
    assert lines[4] == f"Skipped {tmp_path}/logo.png: not a format that rirag reads."
    assert lines[5] == "memory now holds 2 passages of 1 document."
