"""Mode `few-shot`: as `zero-shot`, with answered questions as examples. A baseline too.

The examples come with the question (`AnswerContext.examples`); the nearest ones that fit are shown.
"""

from __future__ import annotations

from dataclasses import replace

from generation.llm.calls import Ask, completion_of
from generation.llm.protocol import Prompt
from generation.llm.tokens import prompt_tokens_estimate
from generation.mode import Request, Steps
from generation.modes.baselines import baseline_draft, baseline_prompt, check_size
from generation.prompts.examples import Example, nearest_examples
from generation.records import Decision
from generation.text.fence import Fence
from search.errors import InputError

EXAMPLES = 5
"""As many as Licari et al. show, the nearest last: what is next to the question weighs most."""


class FewShot:
    """One prompt with examples and the question."""

    name = "few-shot"
    needs_llm = True
    needs_hits = False

    def steps(self, request: Request) -> Steps:
        """Choose examples, ask once, then mark what came as uncited."""
        fence = Fence()
        nearest = nearest_examples(request.question, request.context.examples, EXAMPLES)
        if not nearest:
            raise InputError(
                "Mode few-shot needs answered questions as examples, other than the "
                "question itself; give a file of them, or use mode zero-shot, which "
                "needs none.",
                code="mode.needs-examples",
            )
        prompt, shown = self._fitted(nearest, request, fence)
        reply = yield Ask("answer", prompt, code=fence.code, echo=request.question)
        draft = baseline_draft(completion_of(reply), self.name, fence, request.question)
        number = f"{shown} of {len(nearest)}" if shown < len(nearest) else str(shown)
        reason = "the most similar answered questions, as many as fit the model's context"
        return replace(draft, decisions=(Decision("examples", number, reason),))

    def _fitted(
        self, examples: list[Example], request: Request, fence: Fence
    ) -> tuple[Prompt, int]:
        """Return the prompt with as many examples as fit, at least one, and how many these are."""
        context, count = request.limits_of("").context, len(examples)
        while True:
            written = _written(examples[:count], fence)
            prompt = baseline_prompt(self.name, request, fence, examples=written)
            if prompt_tokens_estimate(prompt) + prompt.max_tokens <= context:
                return prompt, count
            if count == 1:
                check_size(prompt, context)
            count -= 1


def _written(examples: list[Example], fence: Fence) -> str:
    nearest_last = reversed(examples)
    return "\n\n".join(
        fence.example(number, example.question, example.answer)
        for number, example in enumerate(nearest_last, start=1)
    )
