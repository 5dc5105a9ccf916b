"""The context of mode `advisor`: passages by weight, C = Σ wᵢ·Pᵢ (`generation.advisor.shares`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generation.advisor.shares import cut_to, shares_of, weights_of
from generation.llm.protocol import Limits, estimate_tokens
from generation.prompts.passages import (
    TOKENS_BETWEEN,
    Context,
    Frame,
    left_out,
    passage_name,
    too_small,
)
from generation.records import AnswerWarning
from generation.text.labels import citation_label
from search.records import Hit

SMALLEST_SHARE = 40
"""Tokens, two lines: of less than this nobody can tell what a rule says. A longer passage with a
smaller share is left out, and its share goes to the others."""


@dataclass(frozen=True, slots=True)
class WeightedContext(Context):
    """A prompt whose passages have weights."""

    weights: tuple[float, ...] = ()
    """Of the passages, in their order; above 0, adding up to 1."""


def weigh_passages(hits: Sequence[Hit], frame: Frame) -> WeightedContext:
    """Return the prompt with hits in the order of their weights, each within its share.

    A passage longer than its share is cut at the end of a sentence. What was cut or left out is
    told in warnings.

    Raises:
        LLMError: not even one passage fits.
    """
    weighed = sorted(zip(weights_of(hits), hits, strict=True), key=lambda one: -one[0])
    kept = [hit for weight, hit in weighed if weight > 0]
    room = frame.room()
    while kept:
        texts = _texts(kept, frame, room)
        if all(texts):
            return _context(kept, texts, weighed, frame)
        kept = kept[:-1]
    first = weighed[0][1]
    least = estimate_tokens(_block(first, 1, 1.0, "", frame)) + SMALLEST_SHARE
    raise too_small(first, frame.limits, frame.limits.context - room + least)


def shares_text(context: WeightedContext) -> str:
    """Return the weights for a person: `[1] 0.42, [2] 0.31`."""
    numbered = enumerate(context.weights, start=1)
    return ", ".join(f"[{number}] {weight:.2f}" for number, weight in numbered)


def _texts(hits: Sequence[Hit], frame: Frame, room: int) -> list[str]:
    weights = weights_of(hits)
    spent = sum(
        estimate_tokens(_block(hit, number, weight, "", frame)) + TOKENS_BETWEEN
        for number, (hit, weight) in enumerate(zip(hits, weights, strict=True), start=1)
    )
    texts = [frame.fence.inside(hit.bearing) for hit in hits]
    needs = [estimate_tokens(text) for text in texts]
    shares = shares_of(weights, needs, room - spent)
    return [
        cut_to(text, share) if share >= min(need, SMALLEST_SHARE) else ""
        for text, share, need in zip(texts, shares, needs, strict=True)
    ]


def _block(hit: Hit, number: int, weight: float, text: str, frame: Frame) -> str:
    name = f"weight {weight:.2f}; {passage_name(hit.passage)}"
    return frame.fence.passage(number, name, text)


def _context(
    kept: Sequence[Hit], texts: Sequence[str], all_: Sequence[tuple[float, Hit]], frame: Frame
) -> WeightedContext:
    weights = weights_of(kept)
    blocks = [
        _block(hit, number, weight, text, frame)
        for number, (hit, weight, text) in enumerate(zip(kept, weights, texts, strict=True), 1)
    ]
    missing = [hit for _, hit in all_ if hit not in kept]
    pairs = zip(kept, texts, strict=True)
    cut = [hit for hit, text in pairs if text != frame.fence.inside(hit.bearing)]
    warnings = (*_shortened(cut, frame.limits), *left_out(missing, frame.limits))
    passages = tuple(hit.passage for hit in kept)
    prompt = frame.prompt(blocks)
    return WeightedContext(prompt, passages, warnings, frame.fence.code, tuple(weights))


def _shortened(hits: Sequence[Hit], limits: Limits) -> tuple[AnswerWarning, ...]:
    if not hits:
        return ()
    named = ", ".join(citation_label(hit.passage) for hit in hits)
    message = (
        "Only the beginning of some passages fits their share of the model's context "
        f"of {limits.context} tokens: {named}."
    )
    return (AnswerWarning("left-out", message),)
