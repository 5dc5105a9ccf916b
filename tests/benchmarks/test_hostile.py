"""What the benchmark of hostile files says of one file."""

from pathlib import Path

from benchmarks.hostile import read
from indexer.readers.files import MOST_BYTES


def test_a_file_that_is_read_has_its_passages_time_and_memory(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("1.1 A firm must pay.\n1.2 It must pay each year.\n")
    found = read(path)
    assert (found["passages"], found["told"]) == (2, "")
    assert float(found["peak"]) > 10
    assert 0 <= float(found["seconds"]) < 10


def test_a_refused_file_has_the_sentence_that_refuses_it(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes(b"1.1 x\n" * (MOST_BYTES // 6 + 1))
    found = read(path)
    assert (found["passages"], found["told"]) == (0, f"{path}: has more than 32 MiB; split it")
