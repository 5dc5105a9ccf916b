"""What people are asked: answers in random order, systems hidden, some of them spoiled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from importlib.resources import files
from random import Random
from typing import Any

from rirag.inputs.answer_records import AnswerRecord, passages_of
from rirag_workbench.evaluation.judge.spoiling import parties_in, spoil
from rirag_workbench.refusals import unusable
from search.records import Passage

CRITERIA: Mapping[str, str] = {
    "accuracy": "Is the answer right, for the person and the regime in the question?",
    "citations": "Does it cite every rule that matters, and do those rules support it?",
    "coherence": "Is the answer direct, readable, and free of irrelevant content?",
}
"""The three scores of BDD-FinLegal, equation 6."""

LOWEST, HIGHEST = 1, 4

RELEVANCE = ("relevant", "relevant but not an answer", "irrelevant")
"""How a passage bears on its question, as ObliQA's experts said it."""


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage beside an answer."""

    number: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FormItem:
    """One answer to be scored; it does not say which system gave it."""

    item: str
    question: str
    answer: str
    passages: tuple[ShownPassage, ...]


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """What is hidden from raters."""

    system: str
    question_id: str
    planted: str | None = None
    """How the answer was spoiled; None: it was not."""


@dataclass(frozen=True, slots=True)
class Study:
    """A form and its key."""

    study: str
    """Names the form in files of ratings: a hash of all that it shows."""
    items: tuple[FormItem, ...]
    key: Mapping[str, KeyEntry]
    seed: int

    def form_json(self) -> dict[str, Any]:
        """Return what raters get."""
        return {"study": self.study, "items": [asdict(one) for one in self.items]}

    def key_json(self) -> dict[str, Any]:
        """Return what is kept back until the ratings are in."""
        return {
            "study": self.study, "seed": self.seed,
            "items": {item: asdict(entry) for item, entry in self.key.items()},
        }  # fmt: skip


def make_study(
    answers: Mapping[str, Sequence[AnswerRecord]], questions: int, planted: float, seed: int
) -> Study:
    """Draw questions that every system answers, and lay their answers out.

    Args:
        planted: share of spoiled answers among all, 0 to 1.
    """
    random = Random(seed)  # noqa: S311 - a draw, not a secret
    by_system = {
        system: {
            one.question_id or one.question: one
            for one in records
            if one.text.strip() and not one.claims_nothing
        }
        for system, records in answers.items()
    }
    common = set.intersection(*(set(one) for one in by_system.values())) - {""}
    if not common:
        raise unusable("evaluation.invalid/no-common-answer")
    nameless = next((key for key in sorted(common) if not _asked(key, by_system)), None)
    if nameless is not None:
        raise unusable("evaluation.invalid/no-question", nameless=nameless)
    chosen = random.sample(sorted(common), min(questions, len(common)))
    shown = [
        (by_system[system][question], KeyEntry(system, question))
        for question in chosen
        for system in by_system
    ]
    spare = [
        (one, KeyEntry(system, question))
        for question in sorted(common - set(chosen))
        for system, records in by_system.items()
        for one in (records[question],)
    ]
    shown += _planted(shown, spare, planted, random)
    random.shuffle(shown)
    entries = {f"a{place:03}": pair for place, pair in enumerate(shown, 1)}
    items = tuple(_item(name, record) for name, (record, _) in entries.items())
    digest = hashlib.sha256(json.dumps([asdict(one) for one in items]).encode()).hexdigest()
    key = {name: entry for name, (_, entry) in entries.items()}
    return Study(digest[:12], items, key, seed)


def _asked(key: str, by_system: Mapping[str, Mapping[str, AnswerRecord]]) -> bool:
    """Return whether every system's answer contains the text of its question."""
    return all(answers[key].question.strip() for answers in by_system.values())


def _planted(
    shown: Sequence[tuple[AnswerRecord, KeyEntry]],
    spare: Sequence[tuple[AnswerRecord, KeyEntry]],
    share: float,
    random: Random,
) -> list[tuple[AnswerRecord, KeyEntry]]:
    """Return spoiled answers, so many that they are a share of all.

    They answer other questions, as far as there are any: beside the same answer unspoiled, what is
    wrong would be seen without reading.
    """
    wanted = round(share * len(shown) / (1 - share)) if share < 1 else len(shown)
    parties = parties_in([record.text for record, _ in shown])
    found: list[tuple[AnswerRecord, KeyEntry]] = []
    drawn = [*random.sample(list(spare), len(spare)), *random.sample(list(shown), len(shown))]
    for record, entry in drawn:
        if len(found) == wanted:
            break
        spoiled = spoil(record.text, passages_of(record), parties, random)
        if spoiled is not None:
            made = replace(record, text=spoiled.text)
            found.append((made, replace(entry, planted=spoiled.kind)))
    return found


def _item(name: str, record: AnswerRecord) -> FormItem:
    passages = passages_of(record)
    return FormItem(
        name, record.question, record.text,
        tuple(ShownPassage(number, _name(one), one.text) for number, one in passages.items()),
    )  # fmt: skip


def _name(passage: Passage) -> str:
    return passage.citation() or passage.id


def to_html(study: Study, title: str) -> str:
    """Return the form as the text of a file.

    Everything that it shows is data in one JSON block, written into the page as text by the script:
    no answer or passage can act as HTML.
    """
    data = {
        **study.form_json(), "title": title, "criteria": CRITERIA, "relevance": RELEVANCE,
        "lowest": LOWEST, "highest": HIGHEST,
    }  # fmt: skip
    block = (
        json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    )
    folder = files("rirag_workbench.evaluation.study")
    page = (folder / "form.html").read_text(encoding="utf-8")
    script = (folder / "form.js").read_text(encoding="utf-8")
    return page.replace("$TITLE", escape(title)).replace("$SCRIPT", script).replace("$DATA", block)
