"""RePASs of answers, and beside it that of answers which it should not like.

The measure rewards words that are in the passages, whoever wrote them: an answer made without
passages comes close to one made with them (Deußer et al., 2026), and copying is rewarded most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rirag.evaluation.answers.items import Item
from rirag.evaluation.answers.repass.arithmetic import Scores, mean_of
from rirag.evaluation.answers.repass.measure import RePASs
from rirag.progress import Progress

ANSWERS = "these answers"
COPIED = "the passages copied"
REPEATED = "the question repeated"
CLOSED_BOOK = "answers without passages"

Lines = Mapping[str, Mapping[str, Scores]]
"""Line → question → figures."""


def repass_lines(
    items: Sequence[Item],
    repass: RePASs,
    closed_book: Mapping[str, str] | None = None,
    progress: Progress = lambda: None,
) -> Lines:
    """Return the figures of the answers, and of the lines to hold them against.

    Args:
        items: the answers; empty ones are left out, refusals are answers like others, as in the
            reference.
        repass: the measure.
        closed_book: question → an answer made without passages; None: there are none, and the
            question itself is the answer that knows nothing.
        progress: called after each answer.
    """
    blind = REPEATED if closed_book is None else CLOSED_BOOK
    found: dict[str, dict[str, Scores]] = {ANSWERS: {}, blind: {}, COPIED: {}}
    for item in items:
        passages = list(item.record.kept.values())
        others = closed_book.get(item.key, "") if closed_book is not None else item.record.question
        answers = (item.record.text, others, " ".join(passages))
        for line, answer in zip(found, answers, strict=True):
            scores = repass.of(passages, answer) if passages else None
            if scores is not None:
                found[line][item.key] = scores
        progress()
    return {line: scores for line, scores in found.items() if scores}


def to_lines(title: str, lines: Lines) -> list[str]:
    """Return a table to read."""
    width = max(map(len, lines), default=0)
    head = f"{title}\n{'':{width}}       Es       Cs      OCs  composite  answers"
    rows = []
    for line, scores in lines.items():
        mean = mean_of(list(scores.values()))
        rows.append(
            f"{line:{width}}  {mean.entailment:.5f}  {mean.contradiction:.5f}  "
            f"{mean.coverage:.5f}    {mean.composite:.5f}  {len(scores):7,}"
        )
    return [head, *rows]


def to_json(title: str, lines: Lines) -> dict[str, object]:
    """Return plain JSON values."""
    return {
        "name": title,
        "lines": {line: _mean_json(scores) for line, scores in lines.items()},
    }


def _mean_json(scores: Mapping[str, Scores]) -> dict[str, float]:
    mean = mean_of(list(scores.values()))
    return {
        "Es": mean.entailment, "Cs": mean.contradiction, "OCs": mean.coverage,
        "composite": mean.composite, "answers": len(scores),
    }  # fmt: skip
