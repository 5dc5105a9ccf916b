"""How the readers of EU formats agree on the same act: python -m benchmarks.eu_readers.

Formex is the publisher's own structure, so the numbers of the other formats are held against it:
of articles, of paragraphs and of points, each a multiset. Formats hold different parts of an act
(the JSON has no annexes), so a format is compared on the parts that it has.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from indexer.problems import Problems
from indexer.readers.formex import FormexReader
from indexer.readers.html.reader import HtmlReader
from indexer.readers.lex_articles import LexArticlesReader
from indexer.structuring.acts.passages import passages_of
from indexer.structuring.acts.provisions import Act
from search.errors import InputError
from search.records import Passage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ACTS = ("lcr-da/2022-07-08", "ai-act/2026-07-27")
"""Acts that are there in all three formats."""

FORMATS = {
    "formex": (".fmx4.xml", FormexReader()),
    "html": (".html", HtmlReader()),
    "lex-articles": (".json", LexArticlesReader()),
}
AGREEMENT = 0.99
"""Least F1 of the numbers, each format against Formex."""

PAGES_A_SECOND = 200.0
WORDS_A_PAGE = 311
"""As in `benchmarks.readers`."""

NAMED = 8
_WORD = re.compile(r"\w+")
_LEVELS = (
    ("articles", re.compile(r"Article \w+|Sole Article")),
    ("paragraphs", re.compile(r"(?:Article \w+|Annex \w+(?:\.Section \w+)?)(?:\(\d\w*\)|\.\d\w*)")),
    ("points", re.compile(r"(?:Article|Annex) .+\)")),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One file as its reader understood it."""

    act: Act
    passages: list[Passage]
    seconds: float
    """Processor time."""

    @property
    def pages(self) -> float:
        """Its length in pages of `WORDS_A_PAGE` words."""
        return sum(len(p.text.split()) for p in self.passages) / WORDS_A_PAGE


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far one format agrees with Formex on one level of one act."""

    act: str
    format: str
    granularity: str
    level: str
    common: int
    formex: int
    other: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def f1(self) -> float:
        """F1 of the numbers; 1 where neither has any."""
        both = self.formex + self.other
        return 2 * self.common / both if both else 1.0


def main() -> None:
    """Read every act in every format and print where they differ."""
    arguments = parser(__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="the folder with the acts")
    options = arguments.parse_args()
    outcomes: list[Agreement] = []
    texts: dict[str, list[bool]] = {}
    readings: dict[str, list[Reading]] = {}
    for act in ACTS:
        read = {name: reading(options.data / "eu" / act, name) for name in FORMATS}
        for name, one in read.items():
            readings.setdefault(name, []).append(one)
        for granularity in ("point", "clause"):
            parts = {name: of(one.act, granularity) for name, one in read.items()}
            for name in ("html", "lex-articles"):
                outcomes += compare(act, name, granularity, parts["formex"], parts[name])
                same = same_texts(parts["formex"], parts[name])
                texts.setdefault(name, []).extend(same if granularity == "point" else [])
    print(table(outcomes))
    report("EU readers", figures(outcomes, texts, readings), options.json)


def reading(stem: Path, name: str) -> Reading:
    """Read one act in one format."""
    suffix, reader = FORMATS[name]
    path = stem.parent / f"{stem.name}{suffix}"
    if not path.is_file():
        raise InputError("no such act; name the folder with --data", path)
    problems = Problems()
    started = time.process_time()
    act = reader.read_act(path, problems)
    passages = of(act, "clause")
    seconds = time.process_time() - started
    problems.raise_if_any()
    return Reading(act, passages, seconds)


def of(act: Act, granularity: Any) -> list[Passage]:
    """Return the passages of an act."""
    return list(passages_of(act, granularity, "act"))


def compare(
    act: str, name: str, granularity: str, formex: list[Passage], other: list[Passage]
) -> list[Agreement]:
    """Compare the numbers of both, level by level; annexes count where both have them."""
    annexes = any(p.passage_id.startswith("Annex") for p in other)
    found = []
    for level, _ in _LEVELS:
        wanted, given = (
            Counter(
                p.passage_id
                for p in passages
                if _level(p.passage_id) == level and (annexes or p.passage_id[:5] != "Annex")
            )
            for passages in (formex, other)
        )
        common = (wanted & given).total()
        missing, extra = tuple((wanted - given).elements()), tuple((given - wanted).elements())
        found.append(
            Agreement(act, name, granularity, level, common, wanted.total(), given.total(),
                      missing, extra)
        )  # fmt: skip
    return found


def _level(number: str) -> str:
    return next((level for level, pattern in _LEVELS if pattern.fullmatch(number)), "other")


def same_texts(formex: list[Passage], other: list[Passage]) -> list[bool]:
    """Tell for each passage that both have whether its words are the same."""
    texts: dict[str, list[list[str]]] = {}
    for passage in formex:
        texts.setdefault(passage.passage_id, []).append(_WORD.findall(passage.text))
    return [
        _WORD.findall(passage.text) in texts[passage.passage_id]
        for passage in other
        if passage.passage_id in texts and passage.kind != "heading"
    ]


def table(outcomes: list[Agreement]) -> str:
    """Return a line for each comparison, and what differs."""
    lines = [f"{'act':<18} {'format':<13} {'passages':<9} {'level':<11} Formex  other     F1"]
    for one in outcomes:
        lines.append(
            f"{one.act:<18} {one.format:<13} {one.granularity:<9} {one.level:<11} "
            f"{one.formex:>6} {one.other:>6} {one.f1:6.4f}"
        )
        for what, numbers in (("missing", one.missing), ("extra", one.extra)):
            if numbers:
                more = f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
                lines.append(f"  {what}: {', '.join(numbers[:NAMED])}{more}")
    return "\n".join(lines)


def figures(
    outcomes: list[Agreement],
    texts: dict[str, list[bool]],
    readings: dict[str, list[Reading]],
) -> list[Figure]:
    """Return the figures with their targets."""
    found = []
    for name in ("html", "lex-articles"):
        mine = [one for one in outcomes if one.format == name]
        both = sum(one.formex + one.other for one in mine)
        f1 = 2 * sum(one.common for one in mine) / both
        found.append(Figure(f"{name}: F1 of numbers", f1, "", AGREEMENT, True))
        same = texts[name]
        found.append(Figure(f"{name}: passages with the same words", sum(same) / len(same)))
    for name, read in readings.items():
        pages = sum(one.pages for one in read)
        seconds = sum(one.seconds for one in read)
        found.append(Figure(f"{name}: speed", pages / seconds, "pages/s", PAGES_A_SECOND, True))
    return found


if __name__ == "__main__":
    start(main)
