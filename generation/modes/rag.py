"""Mode `rag`: a language model integrates the obligations of the passages into one answer.

The role follows RIRAG, section 5.2: a compliance assistant that writes a single answer from all
passages. The wording is in `generation/prompts/rag-system.txt` and `rag-user.txt`.
"""

from __future__ import annotations

from generation.llm.calls import completion_of
from generation.mode import Request, Steps
from generation.prompts.passages import fit_passages
from generation.replies.drafts import draft_of


class Rag:
    """One prompt with all passages, one cited answer."""

    name = "rag"
    needs_llm = True
    needs_hits = True

    def steps(self, request: Request) -> Steps:
        """Ask once, then check what came."""
        limits, texts = request.limits_of(""), request.settings.prompts
        context = fit_passages(request.question, request.hits, limits, texts=texts)
        reply = yield context.ask()
        return draft_of(completion_of(reply), context, request.hits)
