"""The whole way of mode `delegate`: plan, work, challenge, answer."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace

from generation.delegate.challenge import challenge_all, challenges_text
from generation.delegate.desk import Desk
from generation.delegate.master import Master
from generation.delegate.plan import make_plan
from generation.insufficient import refusal
from generation.llm.calls import Asked, Replied
from generation.llm.protocol import Completion
from generation.mode import Draft, Request, Steps
from generation.records import AnswerWarning
from generation.replies.drafts import cleaned
from generation.replies.trailing_refusal import without_closing
from generation.text.citation_styles import MARKER, cited_numbers
from generation.verify.checks.citations import check_citations, citations_in
from search.errors import LLMError


def draft_of_answer(desk: Desk, done: Completion) -> Draft:
    """Return the draft of an answer: its citations counted from 1 in the order of their use."""
    text, warnings = cleaned(done, desk.fence.code)
    text, contradicted = without_closing(text)
    return _draft(desk, text, [*warnings, *contradicted])


def unfinished(desk: Desk, reason: str) -> Draft:
    """Return what was found before the work ended, in the juniors' words, and why it ended."""
    desk.remark(f"The work is incomplete: {reason}")
    pieces = [
        f"**{one.title}**: {one.conclusion}\n\n{one.text}".strip()
        for one in desk.findings
        if one.is_done
    ]
    head = f"This answer is incomplete ({reason.rstrip('.')}). Findings so far:"
    warning = AnswerWarning("unfinished", "Findings of single tasks, not combined into an answer.")
    return _draft(desk, "\n\n".join([head, *pieces]), [warning])


def nothing_found(desk: Desk) -> Draft:
    """Return the answer where there was no plan, or where no task brought a report.

    The evidence was not judged: the model could not do its work.
    """
    because = desk.remarks[-1] if desk.remarks else "No task produced a report."
    reason = f"the language model could not work on it. {because}"
    draft = refusal(reason, "failure", desk.request.hits)
    return replace(draft, warnings=tuple(_remarks(desk)), report=desk.legal_trace())


def _draft(desk: Desk, text: str, warnings: list[AnswerWarning]) -> Draft:
    shown = desk.shelf.shown()
    numbered = {
        number: place
        for place, number in enumerate(
            (n for n in cited_numbers(text) if 1 <= n <= len(shown)), start=1
        )
    }
    # A number of no passage is above all that were shown, so it meets none of the new ones.
    text = MARKER.sub(lambda mark: f"[{numbered.get(int(mark[1]), int(mark[1]))}]", text)
    passages = {place: shown[number - 1] for number, place in numbered.items()}
    warnings = [*warnings, *_remarks(desk), *check_citations(text, passages)]
    return Draft(text, citations_in(text, passages), tuple(warnings), report=desk.legal_trace())


def _remarks(desk: Desk) -> Iterable[AnswerWarning]:
    return (AnswerWarning("unfinished", remark) for remark in desk.remarks)


def work(request: Request) -> Steps:
    """Work until there is an answer; what was found is kept where the work breaks off."""
    desk = Desk.of(request)
    try:
        yield from make_plan(desk)
        if not desk.plan:
            return nothing_found(desk)
        master = Master(desk)
        answer = yield from master.work()
        if not any(finding.is_done for finding in desk.findings):
            return nothing_found(desk)
        answer = yield from _challenged(desk, master, answer)
    except LLMError as error:
        if not any(finding.is_done for finding in desk.findings):
            raise
        return unfinished(desk, str(error))
    return draft_of_answer(desk, answer)


def _challenged(
    desk: Desk, master: Master, answer: Completion
) -> Generator[Asked, Replied, Completion]:
    """Return the answer as it is after the challenge; one that cannot be made is remarked."""
    if not desk.request.settings.delegate.challenge:
        return answer
    try:
        doubtful = yield from challenge_all(desk, answer.text)
        if not doubtful:
            return answer
        return (yield from master.revise(answer.text, challenges_text(desk, doubtful)))
    except LLMError as error:
        desk.remark(f"Not every conclusion of the answer was challenged: {error}")
        return answer
