"""What each rule earns: python -m benchmarks.earn NAME… --set HOME=INDEX,QUESTIONS --set …

A rule of earn.toml is switched off, and every measure is printed with it and without it. NAME is a
rule (`extract.pointers`), a room (`extract`), or `--all`. A rule stays where switching it off loses
`LEAST` or more in a measure of two sets of which one was not looked at while it was written, or
lets a false quotation, number or negation through.

Measures: of a search R@10, AP@10 and RR@10; of quoted answers the share whose first quotation is of
a relevant passage, the share of the relevant passages' obligations that are quoted, words, and
refusals; of the verifier the share of corrupted statements that it finds, and of true ones that it
blames (`benchmarks.verifier`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any
from unittest import mock

from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.extractive import covered, wanted
from benchmarks.gold import with_gold
from benchmarks.verifier import SEED, cases_of
from generation import AnswerContext, IndexLibrary, answer
from generation.verify import verify
from generation.verify.checks.support import _checked
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.retrieval.run import compute
from rirag_workbench.evaluation.retrieval.run import mean as mean_of
from rirag_workbench.evaluation.statistics import spread
from search.errors import InputError
from search.records import Hit, Passage

RULES_FILE = Path(__file__).with_suffix(".toml")
PACKAGES = ("search", "indexer", "generation", "rirag")
RETRIEVAL = ("R@10", "AP@10", "RR@10")
LEAST = 0.01
"""Share of a measure that a rule must be worth."""
DEPTH = 10

STAND_INS: dict[str, Callable[..., object]] = {
    "no": lambda *_, **__: False,
    "yes": lambda *_, **__: True,
    "none": lambda *_, **__: None,
    "no text": lambda *_, **__: "",
    "nothing": lambda *_, **__: (),
    "empty": lambda *_, **__: [],
    "first": lambda first, *_: first,
    "fourth": lambda *given: given[3],
    "whole statement": _checked,
}
"""Name → what a rule does when it is off."""

Off = Mapping[str, object]
"""`module.attribute` → what takes its place."""


MOST_VERIFIED = 80
"""Relevant passages of a set whose statements are verified."""


@dataclass(frozen=True)
class Asked:
    """A set of questions with the passages that answer them, over an index."""

    name: str
    index: search.Index
    questions: Sequence[tuple[str, Sequence[Passage]]]

    def found(self) -> Sequence[Sequence[Hit]]:
        """Return the hits of each question."""
        return [self.index.search(text, k=DEPTH).hits for text, _ in self.questions]

    @cached_property
    def found_with_all_rules(self) -> Sequence[Sequence[Hit]]:
        """The hits of each question; first read while every rule is on."""
        return self.found()


def main() -> None:
    """Measure every rule that is named and print a row for each."""
    arguments = parser(__doc__)
    arguments.add_argument("names", nargs="*", metavar="NAME")
    arguments.add_argument("--all", action="store_true", help="every rule")
    arguments.add_argument("--set", action="append", required=True, type=_named_set, dest="sets",
                           metavar="NAME=INDEX,QUESTIONS")  # fmt: skip
    arguments.add_argument("--limit", type=positive, help="questions of each set, spread evenly")
    options = arguments.parse_args()
    rules = chosen(read_rules(), () if options.all else options.names)
    with ExitStack() as opened:
        sets = [
            _asked(name, opened.enter_context(search.open(index)), questions, options.limit)
            for name, index, questions in options.sets
        ]
        whole = measured(sets, {name.partition(".")[0] for name in rules})
        rows: dict[str, dict[str, float]] = {}
        for name, off in (shown := tqdm(rules.items(), unit="rule", leave=False)):
            shown.set_postfix_str(name)
            with switched_off(off):
                rows[name] = measured(sets, {name.partition(".")[0]})
    print(table(whole, rows))
    if options.json:
        options.json.write_text(_json(whole, rows), encoding="utf-8")


def read_rules() -> dict[str, Off]:
    """Return name → what is put in the place of a rule."""
    rooms = tomllib.loads(RULES_FILE.read_text("utf-8"))
    return {
        f"{room}.{name}": {
            target: STAND_INS[by] if isinstance(by, str) else by
            for target, by in rule["off"].items()
        }
        for room, rules in rooms.items()
        for name, rule in rules.items()
    }


def chosen(rules: Mapping[str, Off], names: Sequence[str]) -> dict[str, Off]:
    """Return the rules of some names or rooms; all without any."""
    unknown = [one for one in names if one not in rules and not _of_room(rules, one)]
    if unknown:
        known = ", ".join(rules)
        raise InputError(f"no rule is called {unknown[0]}; there are {known}", code="name.unknown")
    wanted_ones = set(names) or {name.partition(".")[0] for name in rules}
    return {
        name: off for name, off in rules.items() if {name, name.partition(".")[0]} & wanted_ones
    }


def _of_room(rules: Mapping[str, Off], room: str) -> bool:
    return any(name.startswith(f"{room}.") for name in rules)


@contextmanager
def switched_off(off: Off) -> Iterator[None]:
    """Put other values in the places of functions and constants, wherever they were imported."""
    with ExitStack() as changed:
        for target, by in off.items():
            module, _, attribute = target.rpartition(".")
            own = import_module(module)
            before = getattr(own, attribute)
            for other in _modules():
                if vars(other).get(attribute) is before:
                    changed.enter_context(mock.patch.object(other, attribute, by))
        yield


def _modules() -> list[Any]:
    return [
        module for name, module in list(sys.modules.items())
        if name.partition(".")[0] in PACKAGES and module is not None
    ]  # fmt: skip


def measured(sets: Sequence[Asked], rooms: set[str]) -> dict[str, float]:
    """Return `SET measure` → value, of the measures that rules of some rooms can change."""
    found: dict[str, float] = {}
    for one in sets:
        values: dict[str, float] = {}
        if rooms & {"search", "extract"}:
            hits = one.found() if rooms == {"search"} else one.found_with_all_rules
            if "search" in rooms:
                values |= _retrieval(one, hits)
            values |= _answers(one, hits)
        if "verify" in rooms:
            values |= _verdicts(one)
        found |= {f"{one.name} {name}": value for name, value in values.items()}
    return found


def _retrieval(asked: Asked, hits: Sequence[Sequence[Hit]]) -> dict[str, float]:
    relevant = {
        str(i): frozenset(p.id for p in gold) for i, (_, gold) in enumerate(asked.questions)
    }
    run = {str(i): tuple((hit.id, -float(hit.rank)) for hit in some) for i, some in enumerate(hits)}
    return {name: mean_of(values) for name, values in compute(relevant, run, RETRIEVAL).items()}


def _answers(asked: Asked, hits: Sequence[Sequence[Hit]]) -> dict[str, float]:
    context = AnswerContext(library=IndexLibrary(asked.index))
    first, quoted, words, refused = [], [], [], []
    for (text, gold), found in zip(asked.questions, hits, strict=True):
        made = answer(text, found, context=context)
        ids = {passage.id for passage in gold}
        refused.append(made.insufficient_evidence)
        words.append(len(made.text.split()))
        first.append(bool(made.citations) and made.citations[0].passage.id in ids)
        share = covered(made, wanted(gold))
        quoted += [] if share is None else [share]
    return {
        "first": mean(first), "duties": mean(quoted) if quoted else 0.0,
        "words": mean(words), "refused": mean(refused),
    }  # fmt: skip


def _verdicts(asked: Asked) -> dict[str, float]:
    gold = {passage.id: passage for _, them in asked.questions for passage in them}
    passages = spread(list(gold.values()), MOST_VERIFIED)
    corpus = asked.index.passages()
    flagged: dict[bool, list[bool]] = {True: [], False: []}
    for case in cases_of(passages, corpus, Random(SEED)):
        found = verify(case.text, {1: case.passage})
        flagged[case.kind.startswith("true")].append(bool(found.doubtful))
    return {"found": mean(flagged[False]), "blamed": mean(flagged[True])}


def table(whole: Mapping[str, float], rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return a row for each rule: what switching it off changes in each measure."""
    width = max(len(name) for name in (*rows, "with all rules"))
    lines = [
        " " * width + "  " + "  ".join(f"{name:>12}" for name in whole),
        f"{'with all rules':{width}}  " + "  ".join(f"{value:12.3f}" for value in whole.values()),
    ]
    for rule, found in rows.items():
        cells = (
            f"{found[name] - whole[name]:+12.3f}" if name in found else " " * 12 for name in whole
        )
        lines.append(f"{rule:{width}}  {'  '.join(cells)}")
    return "\n".join(lines)


def _json(whole: Mapping[str, float], rows: Mapping[str, Mapping[str, float]]) -> str:
    return json.dumps({"with all rules": whole, "without": rows}, indent=1) + "\n"


def _named_set(text: str) -> tuple[str, str, Path]:
    name, _, rest = text.partition("=")
    index, _, questions = rest.rpartition(",")
    if not (name and index and questions):
        raise argparse.ArgumentTypeError("write NAME=INDEX,QUESTIONS")
    return name, index, Path(questions)


def _asked(name: str, index: search.Index, file: Path, limit: int | None) -> Asked:
    questions = spread(read_questions(file), limit)
    pairs = with_gold(questions, {passage.id: passage for passage in index.passages()})
    return Asked(name, index, [(text, gold) for text, gold in pairs if gold])


if __name__ == "__main__":
    start(main)
