"""What both retrievers read of a passage: its text, and its context where that helps.

The shipped encoder, its profile and its learned ranking were fitted to the bare passages of some
rulebooks. There title and headings cost more than they bring; on all others they help
(docs/training.md). By the titles in the fitted model a document is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from search.provisions.context import context_of, in_context
from search.ranking.learned.fitted_for import title_hash
from search.ranking.profile_file import DEFAULT_PROFILE, load_profile
from search.records import Passage


@dataclass(frozen=True, slots=True)
class Contexts:
    """What both retrievers read before the text of a passage."""

    bare: frozenset[str] = frozenset()
    """`title_hash` of the documents that are read without context."""

    def context(self, passage: Passage) -> str:
        """Return the context of a passage; empty where it is read without one."""
        known = self.bare and title_hash(passage.document_title) in self.bare
        return "" if known else context_of(passage)

    def text(self, passage: Passage) -> str:
        """Return what the retrievers read of a passage; empty where it has no text."""
        return in_context(passage, self.context(passage))


IN_CONTEXT = Contexts()
"""Reads every passage in its context."""


@cache
def contexts_of(encoder_revision: str) -> Contexts:
    """Return what is read with an encoder, by the models that were fitted for it."""
    from search.ranking.learned.learned_fusion import load_learned_fusion  # brings numpy

    learned = load_profile(DEFAULT_PROFILE, encoder_revision).learned
    if not learned:
        return IN_CONTEXT
    return Contexts(frozenset(load_learned_fusion(learned).fitted_for.documents))
