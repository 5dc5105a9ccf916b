"""What is said of stored answers when their law has a new version: benchmarks.stale_answers [DATA].

Every rule of each version of the acts in DATA (`versions`, with `expected.json`) is cited, then the
next version is loaded as the same document. Prints, a row a transition: rules that are said to
differ and do not, units that differ and of which nothing is said, and units that moved and are said
to have moved, to be changed, or to be removed. Units to which only new paragraphs were added are no
misses, and numbers that a file has twice are counted apart; headings and footnotes are no rules.
"""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import indexer
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.random_encoder import RandomEncoder
from indexer.load.in_force import with_status
from indexer.review.structure import structure
from search import open as open_index
from search.law_in_time import in_force
from search.provisions.changes import RuleChange, Rules
from search.records import Passage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "versions"


def main() -> None:
    """Load the versions one after the other and print what is said of each transition."""
    arguments = parser(__doc__)
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    options = arguments.parse_args()
    score = scorer(options.data / "score.py")
    total: Counter[str] = Counter()
    expected = json.loads((options.data / "expected.json").read_text(encoding="utf-8"))
    for act in expected:
        for name, transition, old, new in transitions(act, options.data / act["act"]):
            rules = Rules(new)
            said = [(one, found) for one in old if (found := rules.change_of(one))]
            counts = judged(transition, said, doubled(old) | doubled(new), score)
            total.update(counts)
            row = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
            print(f"{act['act']:16} {name:24} {row}", flush=True)
    targets = {"false": 0, "missed": 0, "moved, said to be removed": 0}
    figures = [Figure(what, total[what], "", targets.get(what)) for what in sorted(total)]
    report("stale answers", figures, options.json)


def scorer(path: Path) -> ModuleType:
    """Return the module that reads expected numbers."""
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def transitions(
    act: Mapping[str, Any], folder: Path
) -> Iterator[tuple[str, Mapping[str, Any], list[Passage], list[Passage]]]:
    """Yield each transition with the passages before and after; formats of a day are one too."""
    files = {one["version_id"]: one["files"] for one in act["versions"]}
    for one in act["transitions"]:
        old, new = files[one["from"]][0], files[one["to"]][0]
        yield f"{one['from']} {one['to']}", one, *loaded(act["act"], folder / old, folder / new)
    for first, *others in files.values():
        for other in others:
            both = loaded(act["act"], folder / first, folder / other)
            yield f"{first} {Path(other).suffix}", {"changes": []}, *both


def loaded(act: str, old: Path, new: Path) -> tuple[list[Passage], list[Passage]]:
    """Return what searches find of a document before and after its file is replaced."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in (old, new):
            rows = [
                {"ID": f"{path.name}-{at}", "DocumentID": act, "PassageID": one.passage_id,
                 "Passage": one.text, "kind": one.kind}
                for at, one in enumerate(in_force(with_status(structure(path).passages())))
            ]  # fmt: skip
            source = Path(folder, "act.jsonl")
            source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
            indexer.ingest(source, Path(folder, "index"), encoder=RandomEncoder())
            with open_index(Path(folder, "index"), encoder=RandomEncoder(), reranker=None) as index:
                found.append(index.passages())
    return found[0], found[1]


def doubled(passages: Sequence[Passage]) -> set[str]:
    """Return the numbers that several passages have."""
    counts = Counter(one.passage_id for one in passages if one.kind != "footnote")
    return {number for number, count in counts.items() if count > 1}


def judged(
    transition: Mapping[str, Any],
    said: Sequence[tuple[Passage, RuleChange]],
    twice: set[str],
    score: ModuleType,
) -> Counter[str]:
    """Count what is right and wrong; print what is wrong."""
    differing = [one for one in transition["changes"] if one["change"] != "added"]
    wanted = {score.plain(one.get("old_number", one["number"])): one for one in differing}
    either = {score.plain(one) for one in transition.get("either_way") or ()}
    apart = {score.plain(one) for one in twice}
    units = set(wanted) | either
    alarms: dict[str, list[RuleChange]] = {unit: [] for unit in wanted}
    counts: Counter[str] = Counter()
    for passage, found in said:
        unit = score.unit_of(passage.passage_id, units)
        if unit in wanted:
            alarms[unit].append(found)
            counts["right"] += 1
        elif unit not in either and is_rule(passage):
            counts["of a number twice there" if unit in apart else "false"] += 1
            print(f"  {passage.passage_id} is said to be {found.change} {found.number}")
    for unit, ours in alarms.items():
        if wanted[unit]["change"] == "moved":
            told = {one.change for one in ours}
            how = next((one for one in ("moved", "changed", "removed") if one in told), "")
            counts[f"moved, said to be {how}" if how else "missed"] += 1
        elif not ours and wanted[unit].get("deleted") != []:
            counts["of a number twice there" if unit in apart else "missed"] += 1
            print(f"  {wanted[unit]['number']} is not said to be {wanted[unit]['change']}")
    return counts


def is_rule(passage: Passage) -> bool:
    """Return whether a passage is neither a heading nor a note."""
    numbered = any(map(str.isdigit, passage.passage_id))
    return numbered and passage.kind not in ("heading", "footnote")


if __name__ == "__main__":
    start(main)
