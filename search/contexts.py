"""What both retrievers read of a passage: its text, and its context where that helps.

The shipped encoder, its profile and its learned ranking were fitted to the bare passages of some
rulebooks. There title and headings cost more than they bring; on all others they help
(docs/training.md). By the titles in the fitted model a document is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from search.provisions.context import context_of, in_context
from search.ranking.learned.fitted_for import title_hash
from search.ranking.profile_file import DEFAULT_PROFILE, load_profile
from search.records import Passage
from search.text.analyzer import tokens
from search.text.languages import english
from search.text.word_parts import word_parts

PASSAGES_READ = 200
"""Passages at the beginning of a document that tell its language."""

LEAST_FOREIGN = 0.15
"""Share of the passages of a document in two languages that are not English, at least. Lists and
formulas look like another language: in an English act up to 11 in 100 passages do."""


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


def terms_of(passages: Sequence[Passage], contexts: Contexts) -> Iterator[tuple[str, ...]]:
    """Yield the index terms of the passages of one document, parts of foreign words among them."""
    foreign = foreign_share(passages)
    for passage in passages:
        text = contexts.text(passage)
        parts = word_parts(text) if is_foreign(text, foreign) else ()
        yield (*tokens(text), *parts)


def foreign_share(passages: Iterable[Passage]) -> float:
    """Return the share of the passages that are not English, of those that tell."""
    judged = [
        known for one in islice(passages, PASSAGES_READ) if (known := english(one.text)) is not None
    ]
    return judged.count(False) / len(judged) if judged else 0.0


def is_foreign(text: str, share: float) -> bool:
    """Return whether a passage is not English.

    Args:
        text: of the passage.
        share: of the passages of its document that are not English.
    """
    if share < LEAST_FOREIGN:
        return False
    return share >= 0.5 if (known := english(text)) is None else not known
