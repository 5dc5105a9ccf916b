"""`rirag encode`, and a load that takes its vectors."""

from __future__ import annotations

from pathlib import Path

from cli_support import Run
from sample import record, write_lines


def test_shards_are_encoded_and_loaded(rirag: Run, tmp_path: Path) -> None:
    rules = (record(str(n), f"A firm must keep record {n}.") for n in range(9))
    source = write_lines(tmp_path / "a.jsonl", *rules)
    parts = [rirag("encode", source, "--output", "v", "--shard", f"{n}/2").out for n in (1, 2)]
    assert "Read 9 passages" in parts[0]
    report = rirag("ingest", source, "--vectors", "v", "--json").json
    assert (report["encoded"], report["reused"], report["index"]["passages"]) == (0, 9, 9)


def test_a_file_that_is_refused_ends_with_an_error(rirag: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_lines(tmp_path / "in" / "a.jsonl", record("1", "A firm must report."))
    (tmp_path / "in" / "b.docx").write_bytes(b"PK no archive")
    shown = rirag("encode", "in", "--output", "v", "--json")
    assert (shown.code, shown.json["encoded"]) == (2, 1)
    assert "all else was encoded" in shown.err


def test_vectors_that_are_not_there_are_refused(rirag: Run, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record("1", "A firm must report."))
    assert "rirag encode" in rirag("ingest", source, "--vectors", "nowhere").refused(2)
    assert not (tmp_path / "rirag-index").exists()
