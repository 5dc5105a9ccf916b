"""The whole way of mode `delegate`: plan, work, challenge, answer."""

from __future__ import annotations

from collections.abc import Generator

from generation.delegate.challenge import challenge_all, challenges_text
from generation.delegate.desk import Desk
from generation.delegate.final import draft_of_answer, nothing_found, unfinished
from generation.delegate.master import Master
from generation.delegate.plan import make_plan
from generation.llm.calls import Asked, Replied
from generation.llm.protocol import Completion
from generation.mode import Request, Steps
from search.errors import LLMError


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
