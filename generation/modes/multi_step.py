"""Mode `multi-step` (Licari et al.): references, ranked articles and examples, then the answer.

Explicit references come from question and background by a parser, implicit ones from the model as
JSON, further articles from a trained ranker. Their text, in the version that is read, and five
answered questions of the same topic make the prompt of the answer.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from generation.insufficient import refusal
from generation.llm.calls import Ask, Replied, completion_of
from generation.mode import Request, Steps
from generation.multi_step.acts import Acts, choose_acts
from generation.multi_step.context import fit_articles, fit_examples
from generation.multi_step.examples import varied_examples
from generation.multi_step.references import (
    Chosen,
    explicit_articles,
    implicit_articles,
    ranked_articles,
    references_prompt,
    union,
)
from generation.records import Decision
from generation.replies.drafts import draft_of
from generation.text.fence import Fence
from search.errors import LLMError


class MultiStep:
    """Two calls: which articles are meant, and the answer from their text."""

    name = "multi-step"
    needs_llm = True
    needs_hits = False

    def steps(self, request: Request) -> Steps:
        """Gather articles and examples, ask for the answer, then check what came."""
        fence, acts = Fence(), choose_acts(request)
        explicit = explicit_articles(request, acts)
        implicit, noted = yield from _implicit(request, acts, fence)
        acts = acts.named_by_model([one.act for one in implicit])
        ranked, how = ranked_articles(request, acts)
        named = union(explicit, implicit)
        title = acts.main.title or acts.main.document_id
        if not (named or ranked):
            reason = f"no article of {title} shares a word with this question."
            return refusal(reason, "no-passages", request.hits)
        examples, apart = varied_examples(
            request.question, request.context.topic, request.context.examples
        )
        frame = fit_examples(request, fence, examples)
        context = fit_articles(frame, named, ranked)
        reply = completion_of((yield context.ask()))
        decisions = (
            Decision("act", title, acts.reason),
            Decision("explicit references", _listed(explicit), "named in question or background"),
            Decision("implicit references", _listed(implicit), noted),
            Decision("ranked articles", _listed(ranked), how),
            Decision("examples", str(len(frame.examples)), _why_these(len(examples), apart)),
        )  # fmt: skip
        return replace(draft_of(reply, context, request.hits), decisions=decisions)


def _implicit(
    request: Request, acts: Acts, fence: Fence
) -> Generator[Ask, Replied, tuple[list[Chosen], str]]:
    """Ask for the articles that are meant; a reply that cannot be read leaves the other steps."""
    prompt = references_prompt(request, acts, request.limits_of(""), fence)
    reply = completion_of((yield Ask("references", prompt, final=False)))
    try:
        found, unknown = implicit_articles(reply.text, acts)
    except LLMError as error:
        return [], f"the reply could not be read. {error}"
    noted = "named by the model"
    return found, f"{noted}; not in the index: {', '.join(unknown)}" if unknown else noted


def _listed(articles: Sequence[Chosen]) -> str:
    return ", ".join(map(str, articles)) or "none"


def _why_these(chosen: int, apart: float) -> str:
    if not chosen:
        return "no answered questions were given"
    return f"as many of {chosen} as fit; heterogeneity {apart:.2f} (0: all alike)"
