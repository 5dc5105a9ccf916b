"""Mode `delegate`: a plan over whole regulations, juniors who read parts, one challenged answer.

The way is that of Hugo Dutka's "Answering Legal Questions with LLMs" (2024): a senior plans from
the structure alone, a master conversation delegates by function calls, and each junior sees only
its parts. What is added: several regulations, juniors at the same time, limits, quotations that are
looked up, and a challenge of every conclusion, against the failure that its author reports.
"""

from __future__ import annotations

from generation.mode import Request, Steps


class Delegate:
    """Plans, delegates, challenges, answers; every step is in the trace."""

    name = "delegate"
    needs_llm = True
    needs_hits = False

    def steps(self, request: Request) -> Steps:
        """Work on the request as `generation.delegate.work` does."""
        from generation.delegate.work import work

        return (yield from work(request))
