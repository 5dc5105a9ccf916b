"""RePASs of answers, and beside it that of answers which it should not like.

The measure rewards words that are in the passages, whoever wrote them: an answer made without
passages comes close to one made with them (Deußer et al., 2026), and copying is rewarded most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rirag.progress import Progress
from rirag_workbench.evaluation.answers.items import Item
from rirag_workbench.evaluation.answers.repass.arithmetic import Scores, mean_of
from rirag_workbench.evaluation.answers.repass.measure import RePASs

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
        items: the answers; as in the reference, empty ones are left out, refusals are answers like
            others, and all three figures of an answer to no passages are 0.
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
            scores = repass.of(passages, answer)
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
    found = _alone(lines)
    if found["without_passages"]:
        rows.append(
            f"note: {found['without_passages']:,} of these answers have no passages; their Es, Cs "
            "and OCs are 0"
        )
    if found["without_closed_book"]:
        rows.append(
            f"note: {found['without_closed_book']:,} of these answers have none without passages "
            "beside them; give --closed-book with answers to their questions, or add the field "
            "Question"
        )
    return [head, *rows]


def _alone(lines: Lines) -> dict[str, int]:
    """Return how many answers lack what they should be held against."""
    answers, blind = lines.get(ANSWERS, {}), lines.get(CLOSED_BOOK) or lines.get(REPEATED) or {}
    return {
        "without_passages": len(answers.keys() - lines.get(COPIED, {}).keys()),
        "without_closed_book": len(answers.keys() - blind.keys()),
    }


def to_json(title: str, lines: Lines) -> dict[str, object]:
    """Return plain JSON values."""
    return {
        "name": title,
        "lines": {line: _mean_json(scores) for line, scores in lines.items()},
        **_alone(lines),
    }


def _mean_json(scores: Mapping[str, Scores]) -> dict[str, float]:
    mean = mean_of(list(scores.values()))
    return {
        "Es": mean.entailment, "Cs": mean.contradiction, "OCs": mean.coverage,
        "composite": mean.composite, "answers": len(scores),
    }  # fmt: skip
