"""What models are fitted on, and so where they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from search.models.encoders.protocol import Encoder
from search.ranking.learned.fitted_for import FittedFor


@dataclass(frozen=True, slots=True)
class Origin:
    """The index that was asked, and with what."""

    encoder: Encoder
    reranker: str = ""
    """Name of the reranker that read the best candidates; empty: none did."""
    documents: Collection[str] = ()
    """`title_hash` of each document of the index."""

    def fitted_for(self, depth: int, words: Iterable[int]) -> FittedFor:
        """Return what a model says of where it holds.

        Args:
            depth: candidates of each retriever.
            words: length of each question it was fitted on, at least one.
        """
        lengths = list(words)
        return FittedFor(
            encoder=self.encoder.name.rsplit("/", 1)[-1],
            encoder_revision=self.encoder.revision,
            reranker=self.reranker,
            least_words=min(lengths),
            most_words=max(lengths),
            depth=depth,
            documents=tuple(sorted(self.documents)),
        )
