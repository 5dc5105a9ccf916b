"""How acts are loaded in versions, compared, and searched as on a day: benchmarks.versions [DATA].

The acts of DATA (`versions`, with `expected.json`) are loaded as a user would, a folder each; where
a file has no day, the work is named. Prints, a row an act, versions with the right day and where it
came from, changes told against those expected, changes told between two formats of one version,
questions whose day's wording is among ten hits, with nothing of another day, and encodings; then,
over all acts in one index, questions whose first ten on a day are in the order of an index of that
day's texts, and what the day costs. Besides those of the acts, questions are pieces of passages.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import indexer
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from benchmarks.stale_answers import DATA, scorer
from benchmarks.versions_measured import crr, days, history
from search import Index, as_of
from search import open as open_index
from search.law_in_time import today

DAYS = (today(), "2025-01-01", "2012-06-01")
PIECES = 100
"""Pieces of passages that are asked for beside the questions."""


def main() -> None:
    """Load, compare and search all acts, and print what is right."""
    arguments = parser(__doc__)
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--crr", type=Path, default=DATA.parent / "eu" / "crr")
    arguments.add_argument("--commits", type=positive, default=500)
    options = arguments.parse_args()
    score = scorer(options.data / "score.py")
    total: Counter[str] = Counter()
    acts = json.loads((options.data / "expected.json").read_text(encoding="utf-8"))
    for act in acts:
        with tempfile.TemporaryDirectory() as place:
            found = of_act(act, options.data / act["act"], Path(place), score)
        total += found
        row = ", ".join(f"{count} {what}" for what, count in found.items())
        print(f"{act['act']:16} {row}", flush=True)
    wanted = {"versions right": "versions", "questions right": "questions"}
    figures = [
        Figure(name, total[name], f"of {total[of]}", total[of], higher_is_better=True)
        for name, of in wanted.items()
    ]
    for name, of in (("precision", "changes told"), ("recall", "changes expected")):
        share = total["changes right"] / max(1, total[of])
        figures.append(Figure(f"changes: {name}", share, "", 1, higher_is_better=True))
    name = "changes between formats"
    figures.append(Figure(name, total[name], "", 0))
    figures.append(Figure("encodings a version", total["encodings"] / total["versions"]))
    for measured in (crr(options.crr), days(options.crr), history(options.commits)):
        for figure in measured:
            print(figure.line(0), flush=True)
            figures.append(figure)
    for day in DAYS:
        with tempfile.TemporaryDirectory() as place:
            same, cost = as_alone(acts, options.data, day, Path(place))
        figures.append(Figure(f"ten of {day} as alone", same, "", 0.98, higher_is_better=True))
        figures.append(Figure(f"search of {day}, over one of all days", cost, "times", 1.2))
    report("versions", figures, options.json)


def of_act(act: dict[str, Any], folder: Path, place: Path, score: ModuleType) -> Counter[str]:
    """Load an act, and return how much of what is expected of it is right."""
    undated = any(one["valid_from"] is None for one in act["versions"])
    loaded = indexer.ingest(folder, place / "act", work=act["work_id"] if undated else "")
    index = open_index(place / "act")
    documents = [one.document_id for one in index.documents()]
    found = Counter(encodings=loaded.encoded, versions=len(act["versions"]))
    for name in documents:
        held = {one.version.version_id: one.version for one in index.versions(name)}
        for one in act["versions"]:
            version = held.get(one["version_id"])
            right = version is not None and version.valid_from == one["valid_from"]
            found["versions right"] += right
            if version is not None and right:
                found[f"by {version.date_source}"] += 1
        if set(held) >= {one["version_id"] for one in act["versions"]}:
            found += compared(index, name, act, score)
    found += answered(index, act)
    for one in act["versions"]:
        if len(one["files"]) > 1:
            found["changes between formats"] += between_formats(folder, one["files"], place)
    return found


def compared(index: Index, name: str, act: dict[str, Any], score: ModuleType) -> Counter[str]:
    """Return how many changes between neighbouring versions were told, and told right."""
    found: Counter[str] = Counter()
    for one in act["transitions"]:
        changes = index.compare(name, one["from"], one["to"]).to_json()["changes"]
        want = {
            score.plain(each["number"]): (each["change"], score.plain(each.get("old_number", "")))
            for each in one["changes"]
        }
        either = {*map(score.plain, one.get("either_way", ()))}
        told = score.told(changes, {*want} | either)
        told = {unit: what for unit, what in told.items() if unit not in either}
        found["changes expected"] += len(want)
        found["changes told"] += len(told)
        found["changes right"] += sum(told.get(unit) == what for unit, what in want.items())
    return found


def answered(index: Index, act: dict[str, Any]) -> Counter[str]:
    """Return how many questions find the wording of their day, and nothing of another day."""
    found: Counter[str] = Counter()
    for question in act["questions"]:
        for case in question["cases"]:
            hits = index.search(question["question"], as_of=case["as_of"])
            texts = [" ".join(hit.text.split()) for hit in hits]
            wanted = all(
                any(words in one for one in texts) for words in case.get("must_contain", ())
            )
            other = any(words in one for one in texts for words in case["must_not_contain"])
            found["questions"] += 1
            found["questions right"] += wanted and not other
    return found


def as_alone(acts: list[dict[str, Any]], data: Path, day: str, place: Path) -> tuple[float, float]:
    """Return the share of questions with the same ten hits, and how many times longer a search
    takes.
    """
    for act in acts:
        undated = any(one["valid_from"] is None for one in act["versions"])
        work = act["work_id"] if undated else ""
        indexer.ingest(data / act["act"], place / "all", work=work)
        held = [one for one in act["versions"] if (one["valid_from"] or day) < day]
        if held:
            newest = max(held, key=lambda one: one["valid_from"] or "")
            file = data / act["act"] / newest["files"][0]
            indexer.ingest(file, place / "alone", work=act["work_id"])
    whole, alone = (open_index(place / name) for name in ("all", "alone"))
    asked = [one["question"] for act in acts for one in act["questions"]] + pieces(alone, day)
    same = sum(ten(whole, one, day) == ten(alone, one, day) for one in asked)
    return same / len(asked), median_seconds(whole, asked, day) / median_seconds(
        whole, asked, "all"
    )


def pieces(index: Index, day: str) -> list[str]:
    """Return words that follow one another in the passages of a day."""
    draw = random.Random(7)
    with as_of(day):
        texts = [words for one in index.passages() if len(words := one.text.split()) >= 12]
    drawn = [(draw.choice(texts), draw.choice((3, 5, 8, 12))) for _ in range(PIECES)]
    starts = [draw.randint(0, len(words) - count) for words, count in drawn]
    return [
        " ".join(words[start : start + count])
        for (words, count), start in zip(drawn, starts, strict=True)
    ]


def ten(index: Index, question: str, day: str) -> list[tuple[str, str, str]]:
    """Return document, number and text of the first ten hits, in their order."""
    hits = index.search(question, as_of=day)
    return [(one.document_id, one.passage_id, " ".join(one.text.split())) for one in hits]


def median_seconds(index: Index, questions: list[str], day: str) -> float:
    """Return how long the median search takes, by the clock of the process."""
    took = []
    for question in questions * 2:
        started = time.process_time()
        index.search(question, as_of=day)
        took.append(time.process_time() - started)
    return statistics.median(took[len(questions) :])


def between_formats(folder: Path, files: list[str], place: Path) -> int:
    """Return how many changes are told between two files of one version."""
    url = place / Path(files[0]).stem
    for name in files:
        indexer.ingest(folder / name, url, version=Path(name).suffix[1:])
    index = open_index(url)
    (document,) = index.documents()
    old, new = (Path(name).suffix[1:] for name in files)
    return len(index.compare(document.document_id, old, new).changes)


if __name__ == "__main__":
    start(main)
