"""Evaluating retrieval: ask every question, or take a finished run, and measure.

Measures have the notation of ir-measures, such as `nDCG@10`.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from indexer.load.report import count
from rirag.inputs.gold import JudgedQuestions, missing_notes
from rirag.progress import Progress
from rirag_workbench.evaluation.retrieval.runs import (
    MEASURES,
    Ranking,
    Run,
    strictly_decreasing,
    trec_order,
)
from rirag_workbench.evaluation.statistics import Comparison, comparison_table
from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table, to_text
from search.answered_questions.questions import AnsweredQuestion, folded
from search.errors import InputError

Values = Mapping[str, Mapping[str, float]]
"""measure → question_id → value."""


def parse_measures(text: str) -> tuple[str, ...]:
    """Return the measures named in a text, separated by white space, each once."""
    names = tuple(dict.fromkeys(str(_parse(name)) for name in text.split()))
    if not names:
        raise unusable("measure.unknown/none", measures=MEASURES)
    return names


def deepest(measures: Sequence[str]) -> int:
    """Return how many passages of each question must be known for the measures' cut-offs.

    Args:
        measures: names in ir-measures notation; those without a cut-off, such as `AP`, are of what
            is kept anyhow.
    """
    return max((_parse(name).params.get("cutoff", 1) for name in measures), default=1)


def compute(relevant: Mapping[str, AbstractSet[str]], run: Run, measures: Sequence[str]) -> Values:
    """Compute measures for every judged question.

    Relevance is binary. A judged question that the run lacks, or for which it found nothing,
    gets 0; questions of the run without judgements are ignored.

    Args:
        run: what was retrieved; sorted here the way trec_eval sorts.
    """
    import ir_measures

    parsed = {_parse(name): name for name in measures}
    # Providers take no ID with a NUL, and some of them numbers only; they get places for IDs.
    questions = {str(place): question for place, question in enumerate(relevant)}
    qrels, ordered = {}, {}
    for place, question in questions.items():
        found = [passage for passage, _ in trec_order(run.get(question, ()))]
        places = {one: str(number) for number, one in enumerate((*found, *relevant[question]))}
        qrels[place] = {places[one]: 1 for one in relevant[question]}
        # They break ties differently: distinct scores in trec_eval's order make them agree.
        if found:
            ordered[place] = {places[one]: float(-rank) for rank, one in enumerate(found)}
    values = {name: dict.fromkeys(relevant, 0.0) for name in parsed.values()}
    for metric in ir_measures.iter_calc(list(parsed), qrels, ordered) if ordered else ():
        values[parsed[metric.measure]][questions[metric.query_id]] = float(metric.value)
    return values


def mean(values: Mapping[str, float]) -> float:
    """Return the mean over all questions, of which there must be one."""
    return math.fsum(values.values()) / len(values)


def _parse(name: str) -> Any:
    import ir_measures

    library: Any = ir_measures  # its functions have no types
    problem = f"{name!r} is not a supported measure; use names like {MEASURES}."
    try:
        measure = library.parse_measure(name)
        measure.validate_params()
        usable = library.DefaultPipeline.supports(measure)
    except (ValueError, NameError, TypeError, KeyError, AssertionError):
        raise InputError(problem, code="measure.unknown") from None
    cutoff = measure.params.get("cutoff", 1)
    relevance = measure.params.get("rel", 1)
    if not usable or not isinstance(cutoff, int) or min(cutoff, relevance) < 1:
        raise InputError(problem, code="measure.unknown")
    return measure


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds a search took, one search at a time."""

    p50: float
    p95: float
    mean: float

    @classmethod
    def of(cls, milliseconds: Sequence[float]) -> Latency:
        """Summarise at least one measured time."""
        p50, p95 = np.percentile(milliseconds, (50, 95))
        return cls(float(p50), float(p95), float(np.mean(milliseconds)))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The quality of one run over a set of judged questions."""

    values: Values
    """measure → question_id → value, for all questions and measures."""
    run: Run
    missing_gold: int = 0
    """References to relevant passages that are not in the index."""
    unanswered: int = 0
    """Questions for which nothing was found; they count as zero."""
    known: int = 0
    """Answered questions of the index that could vote."""
    own_known: int = 0
    """Asked questions that are among the answered ones; these did not vote for themselves."""
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    """question_id → search time; empty when a finished run was evaluated."""
    notes: tuple[str, ...] = ()
    """What to know of the searches, a sentence each."""

    @property
    def questions(self) -> int:
        """How many questions the means are over."""
        return len(next(iter(self.values.values())))

    @property
    def means(self) -> dict[str, float]:
        """Mean of each measure over all questions, in the order asked for."""
        return {name: mean(values) for name, values in self.values.items()}

    @property
    def latency(self) -> Latency | None:
        """Search times, if searches were made."""
        return Latency.of(list(self.milliseconds.values())) if self.milliseconds else None


def own_entries(
    asked: Mapping[str, str], known: Iterable[AnsweredQuestion]
) -> dict[str, frozenset[str]]:
    """Return asked text → IDs of the same answered questions; texts without any are left out.

    An answered question is the asked one if it has its ID, or its words in its order.
    """
    ids: set[str] = set()
    by_words: dict[str, set[str]] = {}
    for one in known:
        ids.add(one.id)
        by_words.setdefault(folded(one.text), set()).add(one.id)
    found: dict[str, set[str]] = {}
    for question_id, text in asked.items():
        same = by_words.get(folded(text), set()) | ({question_id} & ids)
        if same:
            found.setdefault(text, set()).update(same)
    return {text: frozenset(same) for text, same in found.items()}


MOST_TOLD = 5
"""Notes on single questions, such as a rule number that no document has, can be many."""


def told(notes: Mapping[str, int], searches: int) -> tuple[str, ...]:
    """Return a sentence a note, the most frequent first."""
    shown = Counter(notes).most_common(MOST_TOLD)
    noun = "search" if searches == 1 else "searches"
    sentences = [f"{said:,} of {searches:,} {noun}: {note}" for note, said in shown]
    if len(notes) > len(shown):
        sentences.append(f"and {count(len(notes) - len(shown), 'more note')} of single searches")
    return tuple(sentences)


Search = Callable[[str], Sequence[tuple[str, float]]]
"""Takes a question, returns (passage ID, score), best first, 100 or as many as there are."""


def evaluate_retrieval(
    questions: JudgedQuestions,
    search: Search,
    measures: Sequence[str],
    progress: Progress = lambda: None,
) -> Evaluation:
    """Search for each question, one after another, and measure what was found.

    The order that `search` returns is what is measured: equal scores are told apart by it.
    """
    if not questions.texts:
        raise unusable("evaluation.invalid/no-questions")
    run: dict[str, Ranking] = {}
    milliseconds: dict[str, float] = {}
    for question, text in questions.texts.items():
        started = time.perf_counter()
        found = search(text)
        milliseconds[question] = (time.perf_counter() - started) * 1000
        run[question] = strictly_decreasing(found)
        progress()
    return _evaluation(questions, run, measures, milliseconds)


def evaluate_run(questions: JudgedQuestions, run: Run, measures: Sequence[str]) -> Evaluation:
    """Measure a finished run."""
    if not any(question in run for question in questions.relevant):
        raise unusable("evaluation.invalid/other-run")
    return _evaluation(questions, run, measures, {})


def _evaluation(
    questions: JudgedQuestions, run: Run, measures: Sequence[str], milliseconds: dict[str, float]
) -> Evaluation:
    return Evaluation(
        values=compute(questions.relevant, run, measures),
        run=run,
        missing_gold=questions.missing,
        unanswered=sum(not run.get(question) for question in questions.relevant),
        milliseconds=milliseconds,
    )


def to_table(evaluation: Evaluation, comparisons: Sequence[Comparison] = ()) -> str:
    """Return a readable report: one line a measure, then what to know about the run."""
    tables = [Table("measure", ("mean",), list(evaluation.means.items()))]
    if comparisons:
        tables.append(comparison_table("compared", comparisons))
    return to_text(tables, after=_facts(evaluation), notes=evaluation.notes)


def to_json(
    evaluation: Evaluation, comparisons: Sequence[Comparison] = (), *, per_question: bool = False
) -> dict[str, Any]:
    """Return the stable JSON form, as `rirag evaluate retrieval --json` prints it.

    `per_question` adds question_id → measure → value.
    """
    form: dict[str, Any] = {
        "questions": evaluation.questions,
        "measures": evaluation.means,
        "unanswered": evaluation.unanswered,
        "missing_gold": evaluation.missing_gold,
        "answered_questions": evaluation.known,
        "own_answered_questions": evaluation.own_known,
        "milliseconds": asdict(evaluation.latency) if evaluation.latency else None,
        "notes": list(evaluation.notes),
    }
    if comparisons:
        form["comparison"] = [row.to_json() for row in comparisons]
    if per_question:
        names = list(evaluation.values)
        form["per_question"] = {
            question: {name: evaluation.values[name][question] for name in names}
            for question in evaluation.values[names[0]]
        }
    return form


def _facts(evaluation: Evaluation) -> list[str]:
    noun = "question" if evaluation.questions == 1 else "questions"
    facts = [f"{evaluation.questions:,} {noun}, all counted"]
    if evaluation.unanswered:
        verb = "counts" if evaluation.unanswered == 1 else "count"
        facts.append(f"{evaluation.unanswered} found nothing and {verb} as 0")
    facts += missing_notes(evaluation.missing_gold)
    if evaluation.known:
        noun = "answered question" if evaluation.known == 1 else "answered questions"
        facts.append(
            f"{evaluation.known:,} {noun} could vote; {evaluation.own_known:,} of the "
            "asked questions are among them and did not vote for themselves"
        )
    if evaluation.latency:
        facts.append(
            f"search time p50 {evaluation.latency.p50:.1f} ms, p95 {evaluation.latency.p95:.1f} ms"
        )
    return facts
