"""Mode `advisor`: advice under common law or civil law, from weighted passages (BDD-FinLegal).

The five guidelines of its section 3.4.1 are in `generation/prompts/advisor-common-law-system.txt`
and `advisor-civil-law-system.txt`; the context is that of equation 4 (`generation.advisor.shares`);
each regime has a prompt, and a model where one has its role (`common-law`, `civil-law`).
"""

from __future__ import annotations

from dataclasses import replace

from generation.advisor.context import shares_text, weigh_passages
from generation.advisor.regime import judge_regime
from generation.advisor.shares import weighed_by, weights_of
from generation.llm.calls import completion_of
from generation.mode import Request, Steps
from generation.prompts.passages import Frame
from generation.records import Decision
from generation.replies.drafts import draft_of
from generation.text.fence import Fence


class Advisor:
    """One prompt for the regime, with passages by weight; one cited answer."""

    name = "advisor"
    needs_llm = True
    needs_hits = True

    def steps(self, request: Request) -> Steps:
        """Judge the regime, ask its model once, then check what came."""
        judged = judge_regime(
            request.question,
            [hit.passage for hit in request.hits],
            weights_of(request.hits),
            request.context.regime,
        )
        frame = Frame(
            f"advisor-{judged.role}",
            request.question,
            request.limits_of(judged.role),
            Fence(),
            request.settings.prompts,
            user="advisor",
        )
        context = weigh_passages(request.hits, frame)
        reply = completion_of((yield context.ask(judged.role)))
        own = judged.role in request.role_limits
        decisions = (
            Decision("regime", judged.regime, judged.reason),
            Decision("model", reply.model, f"that of {judged.regime}" if own else "for any regime"),
            Decision("weights", shares_text(context), f"by {weighed_by(request.hits)}"),
        )
        return replace(draft_of(reply, context, request.hits), decisions=decisions)
