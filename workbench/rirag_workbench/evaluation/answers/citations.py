"""Citation recall and precision, after ALCE (Gao et al., EMNLP 2023, section 3).

Recall is the share of statements that the cited passages, joined, support. Precision is the share
of citations that are needed: the statement is supported, and either the citation alone supports
it, or the others without it do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from generation.verify.checks.support import check_statement
from generation.verify.compare.statements import Spoken
from generation.verify.compare.words import folded
from rirag_workbench.evaluation.answers.said import Said
from search.models.entailment import LABELS, EntailmentModel

Supports = Callable[[Said, Spoken, Sequence[int]], bool]
"""Returns whether the passages of some citations, joined, support a statement."""


@dataclass(frozen=True, slots=True)
class CitationQuality:
    """How well the statements of one answer cite."""

    recall: float
    precision: float | None
    """None where nothing is cited."""


def citation_quality(said: Said, supports: Supports) -> CitationQuality | None:
    """Return recall and precision of an answer's citations; None where it states nothing."""
    # What an answer rightly says to be absent can cite nothing.
    checked = [one for one in said.checked if one.spoken.citations or one.verdict != "supported"]
    if not checked:
        return None
    supported = cited = needed = 0
    for one in checked:
        numbers = one.spoken.citations
        known = all(number in said.sources for number in numbers)
        joined = bool(numbers) and known and supports(said, one.spoken, numbers)
        supported += joined
        cited += len(numbers)
        if joined:
            needed += sum(_is_needed(said, one.spoken, number, supports) for number in numbers)
    return CitationQuality(supported / len(checked), needed / cited if cited else None)


def _is_needed(said: Said, spoken: Spoken, number: int, supports: Supports) -> bool:
    others = [other for other in spoken.citations if other != number]
    if not others or supports(said, spoken, (number,)):
        return True
    return not supports(said, spoken, others)


def by_words(said: Said, spoken: Spoken, numbers: Sequence[int]) -> bool:
    """Return the verdict of the verifier, which compares words."""
    sources = {number: said.sources[number] for number in numbers}
    alone = replace(spoken, citations=tuple(numbers))
    return check_statement(alone, sources, folded(said.record.question)).verdict == "supported"


def by_model(model: EntailmentModel) -> Supports:
    """Return what asks an entailment model: the passages are the premise."""

    def supports(said: Said, spoken: Spoken, numbers: Sequence[int]) -> bool:
        premise = " ".join(said.sources[number].passage.text for number in numbers)
        row = model.probabilities([(premise, spoken.claim)])[0]
        return LABELS[int(row.argmax())] == "entailment"

    return supports
