"""Modes of one prompt and one reply: `rag`, and the baselines `zero-shot` and `few-shot`.

In `rag` a compliance assistant writes a single answer from all passages (RIRAG, section 5.2). The
baselines show the model no passage, so nothing of the answer rests on the index, and it says so.
The examples of `few-shot` come with the question (`AnswerContext.examples`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from generation.llm.calls import Ask, Asked, Replied, completion_of
from generation.llm.protocol import Prompt, prompt_tokens_estimate
from generation.mode import Draft, Request, Steps
from generation.prompts.examples import Example, nearest_examples, shown_examples
from generation.prompts.passages import fit_passages, prompt_of
from generation.records import AnswerWarning, Decision
from generation.replies.drafts import cleaned, draft_of
from generation.replies.question_echo import without_echo
from generation.replies.trailing_refusal import without_closing
from generation.text.fence import Fence
from generation.verify.checks.citations import check_citations
from search.errors import InputError, LLMError


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


Answering = Generator[Asked, Replied, tuple[Draft, int]]
"""Answers with the number of examples shown."""

EXAMPLES = 5
"""As many as Licari et al. show, the nearest last: what is next to the question weighs most."""


class ZeroShot:
    """One prompt with the question alone."""

    name = "zero-shot"
    needs_llm = True
    needs_hits = False

    def steps(self, request: Request) -> Steps:
        """Ask once, then mark what came as uncited."""
        draft, _ = yield from self._answered(request, ())
        return draft

    def _answered(self, request: Request, examples: Sequence[Example]) -> Answering:
        """Ask once with as many examples as fit, at least one if there are any."""
        fence, context, count = Fence(), request.limits_of("").context, len(examples)
        prompt = self._prompt(request, fence, examples)
        while (needed := prompt_tokens_estimate(prompt) + prompt.max_tokens) > context:
            if count <= 1:
                raise LLMError(
                    f"The model's context of {context} tokens is too small for this prompt "
                    f"(about {needed} tokens with instructions and reply); use a model or "
                    "server with a larger context, or shorten the question."
                )
            count -= 1
            prompt = self._prompt(request, fence, examples[:count])
        asked = Ask("answer", prompt, code=fence.code, echo=request.question)
        text, warnings = cleaned(completion_of((yield asked)), fence.code)
        text, contradicted = without_closing(without_echo(text, request.question))
        message = (
            f"Mode {self.name} gives the model no passages: the answer cites nothing and is "
            "not based on the index."
        )
        unmapped = [one for one in check_citations(text, ()) if one.kind == "unmapped"]
        warnings += [*contradicted, AnswerWarning("uncited", message), *unmapped]
        return Draft(text, (), tuple(warnings)), count

    def _prompt(self, request: Request, fence: Fence, examples: Sequence[Example]) -> Prompt:
        shown = {"examples": shown_examples(reversed(examples), fence)} if examples else {}
        return prompt_of(
            self.name, fence, request.settings.prompts, request.limits_of(""),
            question=fence.question(request.question), **shown,
        )  # fmt: skip


class FewShot(ZeroShot):
    """One prompt with the nearest answered questions and the question."""

    name = "few-shot"

    def steps(self, request: Request) -> Steps:
        """Choose examples, ask once, then mark what came as uncited."""
        nearest = nearest_examples(request.question, request.context.examples, EXAMPLES)
        if not nearest:
            raise InputError(
                "Mode few-shot needs answered questions as examples, other than the "
                "question itself; give a file of them, or use mode zero-shot, which "
                "needs none.",
                code="mode.needs-examples",
            )
        draft, shown = yield from self._answered(request, nearest)
        number = f"{shown} of {len(nearest)}" if shown < len(nearest) else str(shown)
        reason = "the most similar answered questions, as many as fit the model's context"
        return replace(draft, decisions=(Decision("examples", number, reason),))
