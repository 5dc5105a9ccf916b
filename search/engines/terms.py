"""The index terms of passages and of questions, the same for every engine.

All words have English stems. Those that are not English have parts (`search.text.word_parts`), and
the stems of their own language where there is a stemmer (`search.text.analyzer.STEMMED`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from search.foreign import PASSAGES_READ, foreign
from search.records import LANGUAGE, Passage
from search.text.analyzer import STEMMED, stems, tokens
from search.text.languages import language
from search.text.word_parts import word_parts


def with_language(passages: Sequence[Passage]) -> Sequence[Passage]:
    """Return the passages of a document with the code of its language, if that is known."""
    code = language("\n".join(one.text for one in passages[:PASSAGES_READ]))
    if not code or any(LANGUAGE in one.metadata for one in passages):
        return passages
    return [replace(one, metadata={**one.metadata, LANGUAGE: code}) for one in passages]


def terms_of(
    passages: Sequence[Passage], read: Callable[[Passage], str]
) -> Iterator[tuple[str, ...]]:
    """Yield the index terms of the passages of one document.

    Args:
        passages: all of the document.
        read: returns what is searched of a passage.
    """
    texts = [read(passage) for passage in passages]
    for passage, text, is_foreign in zip(passages, texts, foreign(passages, texts), strict=True):
        code = str(passage.metadata.get(LANGUAGE))
        own = stems(text, code) if is_foreign and code in STEMMED else ()
        yield (*tokens(text), *own, *(word_parts(text) if is_foreign else ()))


def foreign_terms(text: str, languages: Collection[str], *, parts: bool) -> list[str]:
    """Return the index terms of a question that may not be English, beside its English ones.

    Parts of words count twice where stems of a language count beside English ones: BM25 then weighs
    words and parts as without them (docs/research/languages.md).

    Args:
        text: of the question.
        languages: codes of those in the index.
        parts: whether it is not English; otherwise parts of its words would be found elsewhere.
    """
    found = Counter[str]()
    for code in STEMMED:
        if code in languages:
            found |= Counter(stems(text, code))  # what several languages write alike counts once
    times = 2 if found else 1
    return [*found.elements(), *(word_parts(text) * times if parts else ())]
