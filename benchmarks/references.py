"""How well references between passages are found: python -m benchmarks.references INDEX EDGES.csv.

INDEX holds the documents, EDGES is `cross_references.csv` of XRefRAG: one row a reference that
people found in a passage, with the passage that it means. Half of the citing passages, by a hash of
their ID, are for developing and half for reporting. A row without a target (`Outsource`) is no
edge, nor is one whose target the index does not hold. References such as "this Rule" and
"paragraph (2)" are left out of the count, because the file has none of them.
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import search
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.reference_verdicts import Verdict, read_verdicts
from search.errors import InputError
from search.lookup.links import Citation, LinkFinder
from search.records import Passage

LEAST_PRECISION = 90.0
LEAST_RECALL = 80.0
HALVES = ("develop", "report")
COLUMNS = {"SourceID", "ReferenceText", "TargetID", "TargetPassageID"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An edge that only one side has."""

    source_id: str
    target_id: str
    source: str
    target: str
    """Citations of both passages."""
    text: str
    """The words of the reference."""
    side: str
    """`found` or `gold`: who has the edge."""
    kind: str
    """Why, as far as it was read; else `not read`."""
    right: str
    """`found`, `gold` or `unknown`: who is right."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was counted over one half."""

    passages: int
    agreed: int
    only_gold: int
    only_found: int
    beside: int
    """Rows that are no edge: no target, or one that the index does not hold."""
    disagreements: tuple[Disagreement, ...]


def main() -> None:
    """Compare, and print the figures with the kinds of disagreement."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("edges", type=Path)
    arguments.add_argument("--half", choices=HALVES, default="report")
    arguments.add_argument("--list", action="store_true", help="print every disagreement")
    options = arguments.parse_args()
    rows = [row for row in read_edges(options.edges) if half_of(row["SourceID"]) == options.half]
    with search.open(options.index, reranker=None) as index:
        compared = compare(index, rows, read_verdicts())
    for one in compared.disagreements if options.list else ():
        print(f"{one.side:5}  {one.kind:28}  {one.source} → {one.target}  “{one.text}”")
        print(f"       {one.source_id} {one.target_id}")
    print_kinds(compared.disagreements)
    details = [asdict(one) for one in compared.disagreements]
    report(f"references, half to {options.half}", figures(compared), options.json, edges=details)


def read_edges(path: Path) -> list[dict[str, str]]:
    """Read the rows of the file.

    Raises:
        InputError: it cannot be read, or is another file.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path) from error
    if not rows or COLUMNS - rows[0].keys():
        raise InputError(f"has not the columns {', '.join(sorted(COLUMNS))}", path)
    return rows


def half_of(source_id: str) -> str:
    """Return which half a citing passage belongs to."""
    return HALVES[int(hashlib.sha256(source_id.encode()).hexdigest(), 16) % 2]


def compare(
    index: search.Index, rows: list[dict[str, str]], verdicts: dict[tuple[str, str], Verdict]
) -> Comparison:
    """Compare the edges of the file with those that are found."""
    passages = {passage.id: passage for passage in index.passages()}
    finder = LinkFinder(index.pipeline.engine, index.pipeline.names)
    gold = {(r["SourceID"], r["TargetID"]): r for r in rows if r["TargetID"] in passages}
    lost = [r for r in rows if r["TargetID"] and r["TargetID"] not in passages]
    found: dict[tuple[str, str], Citation] = {}
    for source_id in dict.fromkeys(row["SourceID"] for row in rows):
        for target_id, citation in _cited(finder, passages[source_id]):
            if not _stands_for_lost(passages[target_id], source_id, lost):
                found.setdefault((source_id, target_id), citation)
    texts = {edge: citation.text for edge, citation in found.items()}
    named = {edge: row["ReferenceText"] for edge, row in gold.items()}
    wrong = [
        *(_told(e, "found", texts[e], passages, verdicts) for e in found.keys() - gold),
        *(_told(e, "gold", named[e], passages, verdicts) for e in gold.keys() - found),
    ]
    return Comparison(
        passages=len({row["SourceID"] for row in rows}),
        agreed=len(gold.keys() & found.keys()),
        only_gold=len(gold.keys() - found.keys()),
        only_found=len(found.keys() - gold.keys()),
        beside=sum(row["TargetID"] not in passages for row in rows),
        disagreements=tuple(sorted(wrong, key=lambda one: (one.side, one.kind, one.source))),
    )


def _cited(finder: LinkFinder, passage: Passage) -> Iterator[tuple[str, Citation]]:
    for citation in finder.cites(passage):
        if citation.target is not None and not citation.relative:
            yield citation.target.id, citation


def _stands_for_lost(target: Passage, source_id: str, lost: Iterable[dict[str, str]]) -> bool:
    """Return whether a target is the first part of one that the file has and the corpus lost."""
    return any(
        row["SourceID"] == source_id
        and target.passage_id.startswith(f"{row['TargetPassageID'].strip()}.")
        for row in lost
    )


def _told(
    edge: tuple[str, str],
    side: str,
    text: str,
    passages: dict[str, Passage],
    verdicts: dict[tuple[str, str], Verdict],
) -> Disagreement:
    verdict = verdicts.get(edge, Verdict("not read", "unknown"))
    source, target = passages[edge[0]].citation(), passages[edge[1]].citation()
    return Disagreement(*edge, source, target, text.strip(), side, verdict.kind, verdict.right)


def print_kinds(disagreements: Iterable[Disagreement]) -> None:
    """Print how often each kind of disagreement occurs, and who is right."""
    counts = Counter((one.side, one.kind, one.right) for one in disagreements)
    for (side, kind, right), count in sorted(counts.items(), key=lambda item: -item[1]):
        only = "the file" if side == "gold" else "found"
        print(f"  only {only:9} {count:4}  {kind:58} right: {right}")


def figures(compared: Comparison) -> list[Figure]:
    """Return precision and recall, by the file alone and by what is right where they differ."""
    agreed, only_found, only_gold = compared.agreed, compared.only_found, compared.only_gold
    told = Counter((one.side, one.right) for one in compared.disagreements)
    true = agreed + told["found", "found"]
    missed = only_gold - told["gold", "found"]
    unread = told["found", "unknown"] + told["gold", "unknown"]
    recall = Figure(
        "recall by the file", _share(agreed, only_gold), "%", LEAST_RECALL, higher_is_better=True
    )
    read = (
        Figure(
            "precision, disagreements read", _share(true, agreed + only_found - true), "%",
            LEAST_PRECISION, higher_is_better=True,
        ),
        Figure("recall, disagreements read", _share(true, missed), "%"),
    )  # fmt: skip
    return [
        Figure("citing passages", compared.passages),
        Figure("edges of the file", agreed + only_gold),
        Figure("rows without a target to find", compared.beside),
        Figure("precision by the file", _share(agreed, only_found), "%"),
        recall,
        Figure("disagreements not read", unread),
        *(() if unread else read),
    ]


def _share(right: int, wrong: int) -> float:
    return 100 * right / max(1, right + wrong)


if __name__ == "__main__":
    start(main)
