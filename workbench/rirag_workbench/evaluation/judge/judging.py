"""Judging a file of answers, and the judge itself by answers that are known to be good or bad."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from generation.llm.protocol import LLM
from generation.text.fence import Fence
from generation.text.sentences import split_sentences
from rirag.inputs.answer_records import AnswerRecord
from rirag.inputs.json_records import read_records
from rirag.progress import Progress
from rirag_workbench.evaluation.cache import Cache, key_of
from rirag_workbench.evaluation.judge.rubric import CRITERIA, Case, Grades, fingerprint, prompt_for
from rirag_workbench.evaluation.judge.spoiling import Spoiled, parties_in, spoil
from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table, counted, to_text
from search.errors import LLMError
from search.json_form import Record
from search.records import Passage

LASTING = frozenset(
    f"llm.{what}"
    for what in ("unreachable", "key", "unknown-model", "quota", "wrong-url", "no-api")
)
"""Codes of failures that the next request would meet too."""

Ask = Callable[[Case], Grades]
"""Judges an answer.

Raises:
    LLMError: there is no usable reply.
"""


@dataclass(frozen=True, slots=True)
class Judged(Record):
    """What a judge said of a set of answers."""

    grades: Mapping[str, Grades]
    """question → grades of its answer."""
    sensitivity: Proportion
    """Official answers, given as answers, that it calls good."""
    specificity: Proportion
    """Spoiled official answers that it calls bad."""
    by_kind: Mapping[str, Proportion]
    """How an answer was spoiled → how many of them it calls bad."""
    failed: int = 0
    """Answers without a usable reply; they count in no figure."""
    refused: int = 0
    """Answers that claim nothing; they are not judged."""
    without_reference: int = 0

    @property
    def good(self) -> Proportion:
        """Answers that it calls good."""
        return Proportion(sum(one.is_good for one in self.grades.values()), len(self.grades))

    @property
    def corrected(self) -> Corrected | None:
        """The share of good answers, corrected for the judge's errors; None: not defined."""
        return corrected(self.good, self.specificity, self.sensitivity)

    def means(self) -> dict[str, float]:
        """Return the mean of each criterion, 1 to 4."""
        given = self.grades.values()
        return {name: fmean(getattr(one, name) for one in given) for name in CRITERIA if given}

    json_form = (
        "judged failed refused without_reference criteria=means good=good.share corrected judge "
        "per_question=grades"
    )

    @property
    def judged(self) -> int:
        """How many answers got grades."""
        return len(self.grades)

    @property
    def judge(self) -> dict[str, Any]:
        """How good the judge is."""
        found = {"sensitivity": self.sensitivity, "specificity": self.specificity}
        return {
            **{name: one.to_json() | {"share": one.share} for name, one in found.items()},
            "by_kind": self.by_kind,
        }


def asking(llm: LLM, model: str, examples: int, cache: Cache) -> Ask:
    """Return what asks a language model, or the cache where it was asked before."""

    fence = Fence()

    def ask(case: Case) -> Grades:
        key = key_of(model, fingerprint(), tuple(asdict(case).values()), examples)
        return Grades(**cache.reply(key, llm, prompt_for(case, examples, fence)))

    return ask


def judge_answers(
    answers: Sequence[AnswerRecord],
    references: Mapping[str, str],
    ask: Ask,
    planted: float,
    seed: int,
    progress: Progress = lambda: None,
) -> Judged:
    """Judge answers against the official ones.

    Beside them, a share of the official answers is judged as if they were answers, once as they
    are and once made wrong in one known way: that is how good the judge is.

    Args:
        planted: spoiled answers for each answer, 0 to 1.
    """
    usable = [one for one in answers if (one.question_id or "") in references]
    if not usable:
        raise unusable("evaluation.invalid/no-official")
    claims = [one for one in usable if not one.claims_nothing and one.text.strip()]
    failures: list[LLMError] = []

    def tried(case: Case) -> Grades | None:
        try:
            return ask(case)
        except LLMError as error:
            if error.code in LASTING:
                raise
            failures.append(error)
            return None

    grades = {}
    for one in claims:
        key = one.question_id or ""
        found = tried(Case(one.question, references[key], one.text))
        if found is not None:
            grades[key] = found
        progress()
    if claims and not grades:
        raise failures[-1]
    sensitivity, by_kind = _known(claims, references, tried, planted, seed)
    return Judged(
        grades, sensitivity,
        Proportion(sum(o.yes for o in by_kind.values()), sum(o.of for o in by_kind.values())),
        by_kind, len(failures), len(usable) - len(claims), len(answers) - len(usable),
    )  # fmt: skip


def _known(
    answers: Sequence[AnswerRecord], references: Mapping[str, str],
    ask: Callable[[Case], Grades | None], planted: float, seed: int,
) -> tuple[Proportion, dict[str, Proportion]]:  # fmt: skip
    """Judge official answers, and spoiled ones: how many good ones pass, how many bad ones fail."""
    random = Random(seed)  # noqa: S311 - a draw, not a secret
    chosen = random.sample(list(answers), round(planted * len(answers)))
    parties = parties_in([*references.values(), *(one.text for one in answers)])
    passed: list[bool] = []
    caught: dict[str, list[bool]] = {}
    for one in chosen:
        official = references[one.question_id or ""]
        found = ask(Case(one.question, official, official))
        if found is not None:
            passed.append(found.is_good)
        wrong = _wrong(official, parties, random)
        found = None if wrong is None else ask(Case(one.question, official, wrong.text))
        if wrong is not None and found is not None:
            caught.setdefault(wrong.kind, []).append(not found.is_good)
    by_kind = {kind: Proportion(sum(ones), len(ones)) for kind, ones in sorted(caught.items())}
    return Proportion(sum(passed), len(passed)), by_kind


def _wrong(official: str, parties: Sequence[str], random: Random) -> Spoiled | None:
    """Return an official answer made wrong; each of its sentences rests on the whole of it."""
    sentences = [
        part for line in official.splitlines() if line.strip() for part in split_sentences(line)
    ]
    marked = " ".join(f"{part.rstrip(' .')} [1]." for part in sentences)
    whole = Passage(id="official", document_id="", passage_id="", text=official)
    made = spoil(marked, {1: whole}, parties, random)
    return None if made is None else replace(made, text=made.text.replace(" [1]", ""))


def to_table(found: Judged) -> str:
    """Return lines to read."""
    fixed = found.corrected
    table = Table(
        "according to the judge",
        ("share", "of"),
        [
            ("answers called good", found.good.share, found.good.of),
            ("official answers called good", found.sensitivity.share, found.sensitivity.of),
            ("corrupted ones called bad", found.specificity.share, found.specificity.of),
            *((f"  corrupted {kind}", one.share, one.of) for kind, one in found.by_kind.items()),
        ],
    )
    lines = [
        "corrected for the judge's errors: not defined, because the judge is no better than chance"
        if fixed is None
        else f"corrected for the judge's errors: {fixed.share:.3f} (95 % {fixed.low:.3f} to "
        f"{fixed.high:.3f})"
    ]
    grades = Table(
        f"{found.judged:,} answers judged",
        ("mean of 4",),
        [(name, f"{mean:.2f}") for name, mean in found.means().items()],
    )
    counts = {
        "replies without a grade": found.failed,
        "refusals not judged": found.refused,
        "answers without an official answer": found.without_reference,
    }
    return to_text([grades, table], after=lines, notes=counted(counts))


Z = 1.959964
"""Of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Proportion(Record):
    """How many of some."""

    yes: int
    of: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None of nothing."""
        return self.yes / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected share of good answers."""

    share: float
    low: float
    high: float


def corrected(
    judged_good: Proportion, specificity: Proportion, sensitivity: Proportion
) -> Corrected | None:
    """Return the share of answers that are good.

    Returns:
        None where the judge was not measured, or is no better than a coin.
    """
    p, q0, q1 = judged_good.share, specificity.share, sensitivity.share
    if p is None or q0 is None or q1 is None or q0 + q1 <= 1:
        return None
    gain = q0 + q1 - 1
    share = min(1.0, max(0.0, (p + q0 - 1) / gain))
    variance = (
        _variance(judged_good)
        + (1 - share) ** 2 * _variance(specificity)
        + share**2 * _variance(sensitivity)
    ) / gain**2
    margin = Z * math.sqrt(variance)
    return Corrected(share, max(0.0, share - margin), min(1.0, share + margin))


def _variance(one: Proportion) -> float:
    """Return the variance of a share, after Agresti and Coull: none of few is not never."""
    count = one.of + 2
    share = (one.yes + 1) / count
    return share * (1 - share) / count


_IDS, _ANSWERS = ("question_id", "QuestionID", "qa_id"), ("answer", "Answer", "reference")


def read_references(path: Path) -> dict[str, str]:
    """Return question → official answer."""
    found: dict[str, str] = {}

    def keep(record: Any, _line: int) -> None:
        fields = record if isinstance(record, dict) else {}
        key = next((str(fields[name]) for name in _IDS if fields.get(name)), None)
        answer = next((fields[name] for name in _ANSWERS if fields.get(name)), None)
        if key is None or not isinstance(answer, str) or not answer.strip():
            raise ValueError("an official answer needs question_id and answer.")
        if key in found:
            raise ValueError(f"question {key!r} already has an official answer.")
        found[key] = answer

    read_records(path, keep)
    return found
