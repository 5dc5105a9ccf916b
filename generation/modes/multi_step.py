"""Mode `multi-step` (Licari et al.): references, ranked articles and examples, then the answer.

Explicit references come from question and background by a parser, implicit ones from the model as
JSON, further articles from a trained ranker. Their text, in the version that is read, and five
answered questions of the same topic make the prompt of the answer.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import combinations

from generation.insufficient import refusal
from generation.llm.calls import Ask, Replied, completion_of
from generation.mode import Request, Steps
from generation.multi_step.context import fit_articles, fit_examples
from generation.multi_step.references import (
    Acts,
    Chosen,
    choose_acts,
    explicit_articles,
    implicit_articles,
    ranked_articles,
    references_prompt,
    union,
)
from generation.prompts.examples import Example, Vector, cosine, rarity_in, vector_of
from generation.records import Decision
from generation.replies.drafts import draft_of
from generation.text.fence import Fence
from search.answered_questions.questions import folded
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
        frame, shown = fit_examples(request, fence, examples)
        context = fit_articles(request, frame, named, ranked)
        reply = completion_of((yield context.ask()))
        decisions = (
            Decision("act", title, acts.reason),
            Decision("explicit references", _listed(explicit), "named in question or background"),
            Decision("implicit references", _listed(implicit), noted),
            Decision("ranked articles", _listed(ranked), how),
            Decision("examples", str(shown), _why_these(len(examples), apart)),
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


EXAMPLES = 5
"""As many as Licari et al. show (section 2.3)."""

SHARE = 0.5
"""Weight of likeness to the question; the rest is weight of being different."""


def varied_examples(
    question: str, topic: str, examples: Sequence[Example], count: int = EXAMPLES
) -> tuple[list[Example], float]:
    """Return examples in the order of choice, and how heterogeneous they are.

    Without a topic, or with fewer than two examples of it, all examples are looked at. The
    question itself is never an example.
    """
    others = [one for one in examples if folded(one.question) != folded(question)]
    same = [one for one in others if topic and folded(one.topic) == folded(topic)]
    pool = same if len(same) > 1 else others
    texts = [question, *(one.question for one in pool)]
    rarity = rarity_in(texts)
    vectors = [vector_of(text, rarity) for text in texts]
    chosen = _chosen(vectors[0], vectors[1:], count)
    return [pool[place] for place in chosen], heterogeneity([vectors[p + 1] for p in chosen])


def heterogeneity(vectors: Sequence[Vector]) -> float:
    """Return one minus the mean cosine of all pairs; 1 for fewer than two vectors."""
    pairs = [cosine(one, other) for one, other in combinations(vectors, 2)]
    return 1 - sum(pairs) / len(pairs) if pairs else 1.0


def _chosen(question: Vector, pool: Sequence[Vector], count: int) -> list[int]:
    near = [cosine(question, vector) for vector in pool]
    chosen: list[int] = []
    nearest = [0.0] * len(pool)
    while len(chosen) < min(count, len(pool)):
        left = [place for place in range(len(pool)) if place not in chosen]
        best = max(left, key=lambda place: SHARE * near[place] - (1 - SHARE) * nearest[place])
        chosen.append(best)
        nearest = [
            max(before, cosine(pool[best], vector))
            for before, vector in zip(nearest, pool, strict=True)
        ]
    return chosen
