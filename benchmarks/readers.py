"""How readers agree with hand-made passages: python -m benchmarks.readers FORMAT.

The hand-made passages are those of ObliQA; the originals lie beside them, but for PDFs: those are
made of the Word files (see the README of this folder) and their folder is named with --pdfs.
`text` is the form that people standardised, with every number written out; `plain` the Word file as
text, in which `(1)` is all that is left of `1.1.1.(1)`. Every document is read in a process of its
own.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.child import job
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.reader_agreement import RIGHT, Agreement, compare
from indexer.load.sources import natural_key
from search.errors import InputError

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SUFFIXES = {"docx": ".docx", "text": ".txt", "plain": ".docx", "pdf": ".pdf"}
TARGETS: dict[str, tuple[float | None, float | None]] = {
    "docx": (0.93, 0.97), "text": (0.97, 0.98), "plain": (None, None), "pdf": (0.90, 0.97),
}  # fmt: skip
"""Least mean F1 of numbers and least text agreement; None: no figure is asked."""

DEVELOPED = frozenset(
    {"1", "5", "8", "10", "12", "13", "16", "17", "18", "22", "24", "27", "32", "33", "34", "36",
     "38"}
)  # fmt: skip
"""Documents that the PDF reader was developed on: every second one and, after all were measured
once, the three that were read worst."""

PAGES_A_SECOND = {"docx": 200.0, "text": 200.0, "plain": 200.0, "pdf": 20.0}
WORDS_A_PAGE = 313
"""Words on a page of the ADGM originals (their own counts, 127,573 words on 408 pages of PRU)."""

WORST = 3
NAMED = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """One document."""

    document: str
    agreement: Agreement
    lost: tuple[str, ...]
    """Words of the source that are nowhere."""
    left_out: dict[str, int]
    """Reason → words."""
    pages: float
    seconds: float
    """Processor time."""
    peak: float
    """Most memory in MiB while it was read, above what was in use before."""


def main() -> None:
    """Read every original, print a line for each, and say where and why they differ."""
    arguments = parser(__doc__)
    arguments.add_argument("format", choices=SUFFIXES)
    arguments.add_argument("--data", type=Path, default=DATA, help="the folder with the corpus")
    arguments.add_argument("--pdfs", type=Path, metavar="FOLDER", help="the folder with the PDFs")
    arguments.add_argument("--only", nargs="+", metavar="N", help="some documents only")
    options = arguments.parse_args()
    outcomes = [measure(options.format, path, options.data) for path in originals(options)]
    print(table(outcomes))
    print(disagreements(outcomes))
    print(worst(outcomes))
    report(
        f"{options.format} reader, {len(outcomes)} documents",
        figures(options.format, outcomes),
        options.json,
        documents=[asdict(one) for one in outcomes],
    )


def originals(options: Any) -> list[Path]:
    """Return the originals of a format that have hand-made passages, in natural order."""
    folder = options.data / "adgm_originals"
    if options.format == "pdf":
        if options.pdfs is None:
            raise InputError(
                "name the folder with the PDFs with --pdfs; the README says how to make them"
            )
        folder = options.pdfs
    paths = sorted(
        folder.glob(f"*{SUFFIXES[options.format]}"), key=lambda path: natural_key(path.name)
    )
    chosen = [path for path in paths if not options.only or path.stem in options.only]
    if not chosen:
        raise InputError("no originals here; name the folder with --data", folder)
    return chosen


def measure(name: str, path: Path, data: Path) -> Outcome:
    """Read one document and hold it against its hand-made passages."""
    records = json.loads((data / "obliqa" / "documents" / f"{path.stem}.json").read_text("utf-8"))
    gold = [(record["PassageID"], record["Passage"]) for record in records]
    found = job("reader_job", name, path)
    read = [(number, text) for number, text in found["passages"]]
    return Outcome(
        document=path.stem,
        agreement=compare(gold, read),
        lost=tuple(found["lost"]),
        left_out=found["left out"],
        pages=sum(len(text.split()) for _, text in gold) / WORDS_A_PAGE,
        seconds=found["seconds"],
        peak=found["peak"] - found["peak before"],
    )


def figures(name: str, outcomes: list[Outcome]) -> list[Figure]:
    """Return the figures over all documents."""
    count = len(outcomes)
    numbers, texts = TARGETS[name]
    seconds = sum(one.seconds for one in outcomes)
    unseen = [one.agreement.f1 for one in outcomes if one.document not in DEVELOPED]
    return [
        Figure("mean F1 of numbers", sum(one.agreement.f1 for one in outcomes) / count, "",
               numbers, higher_is_better=True),
        Figure("mean text agreement", sum(one.agreement.text for one in outcomes) / count, "",
               texts, higher_is_better=True),
        *(
            [Figure("mean F1 of documents not developed on", sum(unseen) / len(unseen), "",
                    numbers, higher_is_better=True)]
            if name == "pdf" and unseen
            else []
        ),
        Figure("words lost", sum(len(one.lost) for one in outcomes), "words", 0),
        Figure("pages a second", sum(one.pages for one in outcomes) / seconds, "",
               PAGES_A_SECOND[name], higher_is_better=True),
        Figure("most memory for a document", max(one.peak for one in outcomes), "MiB"),
    ]  # fmt: skip


def table(outcomes: list[Outcome]) -> str:
    """Return a line for each document."""
    head = "document   gold   read  precision  recall     F1   text  lost  pages/s  MiB"
    lines = [
        f"{one.document:>8} {one.agreement.gold:6} {one.agreement.read:6} "
        f"{one.agreement.precision:10.3f} {one.agreement.recall:7.3f} {one.agreement.f1:6.3f} "
        f"{one.agreement.text:6.3f} {len(one.lost):5} {one.pages / one.seconds:8.0f} "
        f"{one.peak:4.0f}"
        for one in outcomes
    ]
    return "\n".join([head, *lines])


def disagreements(outcomes: list[Outcome]) -> str:
    """Return how many numbers differ for which reason, and which side is right."""
    counts: Counter[str] = Counter()
    for one in outcomes:
        counts.update(one.agreement.kinds)
    lines = [f"{count:6}  {kind:36} {RIGHT[kind]}" for kind, count in counts.most_common()]
    return "\n".join(["", "numbers that only one side has", *lines])


def worst(outcomes: list[Outcome]) -> str:
    """Return the documents read worst, with the numbers that differ."""
    lines = ["", "read worst"]
    for one in sorted(outcomes, key=lambda one: one.agreement.f1)[:WORST]:
        agreement = one.agreement
        kinds = ", ".join(f"{kind} {count}" for kind, count in agreement.kinds.items())
        lines.append(f"{one.document}: F1 {agreement.f1:.3f}; {kinds}")
        lines.append(f"    only by hand: {', '.join(agreement.missing[:NAMED])}")
        lines.append(f"    only read:    {', '.join(agreement.extra[:NAMED])}")
    return "\n".join(lines)


if __name__ == "__main__":
    start(main)
