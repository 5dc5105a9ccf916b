"""Damaged files of every format: read, or refused in one sentence; never a crash.

RIRAG_MUTATIONS is the number of mutations of each file, RIRAG_MUTATED a folder of more files.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from docx_samples import paragraph, write_docx

from indexer.problems import Problems
from indexer.readers.detect import reader_for
from search.errors import InputError

SAMPLES = Path(__file__).parent / "samples"
COUNT = int(os.environ.get("RIRAG_MUTATIONS", "3"))
SECONDS = 60.0
TEXT = "Title: Act\n\nArticle 1\n\n1. Lamps burn.\n\n2. Oil burns.\n\nArticle 2\n\n(a) Wax.\n"
HOSTILE = (
    b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;&b;", b"<" * 3_000, b"\xff\xfe", b"\0" * 64, b"[" * 999,
    b"</p></div></table>", b"\n---\n", b"1.1.1.1.1\t", b"(((((", "Ā\u2028\u202e".encode("utf-16"),
)  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a file that something happened to: cut off, bits turned, blocks moved or put in."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(found) + 1), chance.randint(1, max(2, len(found) // 4))
        match chance.randrange(6):
            case 0:
                del found[at:]
            case 1:
                for _ in range(chance.randint(1, 40)):
                    if found:
                        found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
            case 2:
                block = found[at : at + size]
                del found[at : at + size]
                place = chance.randrange(len(found) + 1)
                found[place:place] = block
            case 3:
                found[at:at] = found[at : at + size] * chance.randint(1, 4)
            case 4:
                found[at:at] = chance.choice(HOSTILE)
            case _:
                found = bytearray(found.decode("latin-1").encode("utf-16"))[: 4 * len(data)]
    return bytes(found)


def check(path: Path) -> None:
    """Read a file; it gives passages, or says in a sentence a problem why not."""
    problems = Problems()
    started = time.process_time()
    try:
        passages = list(reader_for(path).read(path, path.name, problems))
    except InputError as error:
        passages, told = [], [str(error)]
    else:
        told = problems.told()
    assert time.process_time() - started < SECONDS
    assert passages or told
    assert all("\n" not in one and len(one) < 2_000 for one in told)


def files(folder: Path) -> list[Path]:
    """Return a file of each format."""
    write_docx(folder / "act.docx", paragraph("1.1 Lamps burn.") + paragraph("1.2 Oil burns."))
    (folder / "act.md").write_text(TEXT)
    (folder / "act.json").write_text('[{"article": "1", "text": "Lamps burn."}]')
    (folder / "act.csv").write_text("number,text\n1,Lamps burn.\n2,Oil burns.\n")
    (folder / "act.eml").write_text(f"MIME-Version: 1.0\nSubject: Act\n\n{TEXT}")
    (folder / "act.rtf").write_text(r"{\rtf1\ansi 1.1\tab Lamps.\par 1.2\tab Oil.\par}")
    return [*SAMPLES.rglob("*.*ml"), *folder.iterdir()]


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_damaged_file_is_read_or_refused_in_one_sentence(tmp_path, seed, monkeypatch):
    monkeypatch.setenv("PATH", "")  # without LibreOffice, which takes seconds for each file
    chance = random.Random(seed)
    more = os.environ.get("RIRAG_MUTATED", "")
    originals = [one for one in sorted(Path(more).iterdir()) if one.is_file()] if more else []
    for original in originals or sorted(files(tmp_path)):
        suffix = original.suffix
        if chance.random() < 0.1:
            suffix = chance.choice([".txt", ".html", ".xml", ".docx", ".pdf", ".json", ".odt"])
        damaged = tmp_path / f"damaged{suffix}"
        damaged.write_bytes(mutated(original.read_bytes(), chance))
        try:
            check(damaged)
        except BaseException as error:
            error.add_note(f"{original} with seed {seed}")
            raise
