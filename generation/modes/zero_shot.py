"""Mode `zero-shot`: a language model answers from what it knows. A baseline, never advice.

The model is shown no passage, so nothing of the answer rests on the index, and the answer says so.
"""

from __future__ import annotations

from generation.llm.calls import Ask, completion_of
from generation.mode import Request, Steps
from generation.modes.baselines import baseline_draft, baseline_prompt, check_size
from generation.text.fence import Fence


class ZeroShot:
    """One prompt with the question alone."""

    name = "zero-shot"
    needs_llm = True
    needs_hits = False

    def steps(self, request: Request) -> Steps:
        """Ask once, then mark what came as uncited."""
        fence = Fence()
        prompt = baseline_prompt(self.name, request, fence)
        check_size(prompt, request.limits_of("").context)
        reply = yield Ask("answer", prompt, code=fence.code, echo=request.question)
        return baseline_draft(completion_of(reply), self.name, fence, request.question)
