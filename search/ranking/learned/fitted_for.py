"""Where a fitted model holds: encoder, reranker, lengths of questions, depth, documents."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from pydantic import BaseModel, ConfigDict, Field

KNOWN_SHARE = 0.5
"""Share of an index's documents that a model must have been fitted on to know the index: rulebooks
are added and replaced one by one."""


class FittedFor(BaseModel):
    """Where a fitted model holds; anywhere else it stands aside."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoder: str
    """Name of the encoder."""
    encoder_revision: str
    reranker: str = ""
    """Name of the reranker whose scores it weighs; empty: it weighs none, or does not say."""
    least_words: int = Field(ge=1)
    """Length of the shortest question it was fitted on."""
    most_words: int = Field(ge=1)
    """Length of the longest."""
    depth: int = Field(ge=1)
    """Candidates of each retriever: ranks and min-max scores differ in meaning at another depth."""
    documents: tuple[str, ...] = ()
    """`title_hash` of the documents it was fitted on; none: not known."""

    least_passages: int = 0
    """Passages of the smallest index that it applies to."""

    def objection(self, encoder_revision: str, words: int, depth: int, reranker: str = "") -> str:
        """Return why the model does not hold for a question, as a sentence; empty: it does.

        Args:
            encoder_revision: of the index.
            words: length of the question.
            depth: candidates of each retriever.
            reranker: name of the one that read the best candidates; empty: none did.
        """
        if encoder_revision != self.encoder_revision:
            return (
                f"it was fitted for {self.encoder} (revision "
                f"{self.encoder_revision}), but this index has revision "
                f"{encoder_revision}"
            )
        if not self.least_words <= words <= self.most_words:
            return (
                f"it was fitted on questions of {self.least_words} to "
                f"{self.most_words} words, but this one has {words}"
            )
        if depth != self.depth:
            return f"it was fitted with {self.depth} candidates per retriever, not {depth}"
        if reranker and self.reranker and reranker != self.reranker:
            return f"it was fitted to the scores of {self.reranker}, but {reranker} is used"
        return ""

    def knows(self, documents: Collection[str]) -> bool:
        """Return whether it was fitted on most documents of an index.

        Args:
            documents: `title_hash` of each.
        """
        if not self.documents:
            return True
        known = set(self.documents).intersection(documents)
        return len(known) >= KNOWN_SHARE * len(documents)


def title_hash(title: str) -> str:
    """Return what stands for a document's title: a list of titles would tell what a team reads."""
    return hashlib.sha256(title.casefold().encode()).hexdigest()[:12]
