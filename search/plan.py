"""The plan of a search: what it will do, printable and storable before it is done."""

from __future__ import annotations

from dataclasses import dataclass

from search.json_form import Record
from search.ranking.profiles import Fusion
from search.records import Filters

_FUSIONS = {
    "convex": "weighted sum of per-query min-max scores",
    "rrf": "reciprocal rank fusion",
}


@dataclass(frozen=True, slots=True)
class Plan(Record):
    """How a question will be searched."""

    question: str
    words: int
    tokens: tuple[str, ...]
    profile: str
    profile_source: str
    profile_encoder: str
    """Encoder that the profile was fitted for; empty: any."""
    fusion: Fusion
    alpha: float
    """Weight of the lexical retriever: after `words` chose it from the profile, and after the
    search as `alpha_covered` left it."""
    document_weight: float
    heading_weight: float
    depth: int
    encoder: str
    """Of the index."""
    index: str
    generation: str
    filters: Filters
    alpha_covered: float = 0.0
    """BM25 score a term that the best passage must reach for all of `alpha`."""
    question_encoder: str = ""
    """What encodes the question instead; empty: the encoder of the index."""
    formulations: tuple[str, ...] = ()
    """What is searched beside the question: other words for it."""
    reranker: str | None = None
    rerank_count: int = 0
    """Most candidates that the reranker reads."""
    rerank_weight: float = 0.0

    json_form = "* filters=filters.fields"

    def describe(self) -> str:
        """Return the plan as lines that a person can read."""
        lines = [
            f"question    {self.words} words, terms: {' '.join(self.tokens) or '(none)'}",
            f"index       {self.index}, generation {self.generation}",
            f"profile     {self.profile}{self._fitted_for()}",
            (
                f"retrievers  lexical {self.alpha:.2f}, dense {1 - self.alpha:.2f} "
                f"({self.question_encoder or self.encoder}), {self.depth} candidates each"
            ),
            f"fusion      {_FUSIONS[self.fusion]}, document weight {self.document_weight:.2f}, "
            f"heading weight {self.heading_weight:.2f}",
            f"rerank      {self._rerank()}",
        ]
        lines += [f"beside it   {text}" for text in self.formulations]
        lines += [
            f"filter      {name} = {' or '.join(values)}"
            for name, values in self.filters.fields.items()
        ]
        return "\n".join(lines)

    def _fitted_for(self) -> str:
        return f", fitted for {self.profile_encoder}" if self.profile_encoder else ""

    def _rerank(self) -> str:
        if self.reranker is None:
            return "none"
        return f"{self.reranker}, best {self.rerank_count}, weight {self.rerank_weight:.2f}"
