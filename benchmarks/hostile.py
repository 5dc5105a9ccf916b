"""How huge and hostile files are read: python -m benchmarks.hostile [FILE…].

Without files it makes some, of 36 bytes to 50 MiB. Each is read in a process of its own that has
three minutes. Prints a row a file: its size, the seconds of processor time, the most memory of the
process, the passages, and the sentence that refuses the file where one does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.memory_use import memory_use
from benchmarks.reader_job import processor_time
from indexer.problems import Problems
from indexer.readers.detect import reader_for
from search.errors import InputError

SECONDS = 180
"""That reading one file may take on a busy machine."""

_MIB = 1 << 20
_PAGE = "<html><body><h1>1 Fees</h1>"
_SECTIONS = "".join(
    f"{n}. Title\n(1) A firm must pay fee {n}.\n(2) It may not.\n" for n in range(99)
)
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_LOOKS = {
    "text-30.txt": ("", _SECTIONS, 30 * _MIB // len(_SECTIONS), ""),
    "text-50.txt": ("", _SECTIONS, 50 * _MIB // len(_SECTIONS), ""),
    "one-line.txt": ("1.1 ", "word ", 6 * _MIB, ""),
    "same-number.txt": ("", "1.1\tSome text of a rule\n", 600_000, ""),
    "digits.txt": ("1.1 x\n", "1.", 2 * _MIB, ""),
    "spaces.txt": ("1.1 x\n", " ", 8 * _MIB, "\n1.2 y\n"),
    "hashes.md": ("# a\n", "#", 4 * _MIB, ""),
    "stars.md": ("# a\n**", "*", 2 * _MIB, ""),
    "links.md": ("# a\n", "[x](", 500_000, "![" * 500_000),
    "table.md": ("# a\n", "| a | b |\n", 300_000, ""),
    "quotes.md": ("# a\n", ">", _MIB, " x\n" + "- " * _MIB),
    "pages.html": (_PAGE, "<h2>1.1 A</h2><p>A firm must pay.</p>", 200_000, ""),
    "rows.html": (f"{_PAGE}<table>", "<tr><td>1.1</td><td>x</td></tr>", 300_000, ""),
    "cells.html": (f"{_PAGE}<table><tr>", "<td>1.1</td>", 490_000, ""),
    "list.html": (f"{_PAGE}<ol>", "<li>x", 100_000, ""),
    "deep.html": ("<html><body>", "<div>", 200_000, ""),
    "spans.html": (f"{_PAGE}<p>1.1 ", "<span>x</span>", 1_000_000, ""),
    "any.xml": ("<a>", "<p>Article 1</p><p>text</p>", 200_000, "</a>"),
    "deep.json": ("", "[", 500_000, ""),
    "rows.csv": ("number,text\n", "1,x\n", 500_000, ""),
    "headers.eml": ("MIME-Version: 1.0\nSubject: ", "=?utf-8?q?x?= ", 200_000, "\n\n1.1 x\n"),
    "binary.rtf": ("{\\rtf1 \\bin2000000000 1.1\\tab x", "\\par", 1, "}"),
    "long.rtf": ("{\\rtf1 ", "1.1\\tab Some text of a rule\\par\n", 600_000, "}"),
}
"""Name → what a file begins with, what comes again, how often, and the end."""


def main() -> None:
    """Print a row for each file."""
    if sys.argv[1:2] == ["--read"]:
        print(json.dumps(read(Path(sys.argv[2]))))
        return
    with TemporaryDirectory() as folder:
        for path in map(Path, sys.argv[1:]) if sys.argv[1:] else _made(Path(folder)):
            print(f"{path.name[:24]:24} {path.stat().st_size >> 10:6} kB  {_row(path)}", flush=True)


def _made(folder: Path) -> Iterator[Path]:
    """Yield each file as it is made; it lasts until the next."""
    for name, (begin, again, times, end) in _LOOKS.items():
        path = folder / name
        with path.open("w", encoding="utf-8") as file:
            file.write(begin)
            file.writelines(repeat(again, times))
            file.write(end)
        yield path
        path.unlink()
    path = folder / "numbers.txt"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{n}. x\n" for n in range(500_000))
    yield path
    paragraph = "<w:p><w:r><w:t>1.1 Text of a rule</w:t></w:r></w:p>"
    for name, body, times in (("bomb.docx", " ", 200 * _MIB), ("many.docx", paragraph, 200_000)):
        path = folder / name
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package,
            package.open("word/document.xml", "w") as file,
        ):
            file.write(f'<w:document xmlns:w="{_WORD}"><w:body>'.encode())
            for _ in range(times * len(body) // _MIB + 1):
                file.write((body * (_MIB // len(body))).encode())
            file.write(b"</w:body></w:document>")
        yield path


def _row(path: Path) -> str:
    command = [sys.executable, "-m", "benchmarks.hostile", "--read", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"stopped after {SECONDS} s"
    if done.returncode:
        return f"FAILED: {done.stderr.strip().splitlines()[-1]}"
    read = json.loads(done.stdout)
    told = read["told"].replace(f"{path}: ", "")[:90]
    return f"{read['seconds']:5.1f} s {read['peak']:5.0f} MiB {read['passages']:7} passages  {told}"


def read(path: Path) -> dict[str, float | str]:
    problems, passages = Problems(), 0
    started = processor_time()
    try:
        passages = sum(1 for _ in reader_for(path).read(path, path.name, problems))
        told = problems.told()
    except InputError as error:
        told = [str(error)]
    return {
        "seconds": processor_time() - started,
        "peak": memory_use().peak,
        "passages": passages,
        "told": told[0] if told else "",
    }


if __name__ == "__main__":
    main()
