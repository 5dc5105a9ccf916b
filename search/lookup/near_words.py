"""Find the word that a misspelled one of a question stands for, among those of the passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from string import ascii_lowercase

from search.caches import LastUsed
from search.engines.protocol import Engine, RetrievalRequest
from search.lookup.abbreviations import KnownWord, is_known
from search.lookup.question import Question
from search.text.analyzer import tokens
from search.text.characters import LETTERS
from search.text.languages import english
from search.trace import NearWord

SHORTEST = 8
"""Letters of a word that is looked up: shorter ones are near to other words, `minting` to `mining`.
"""
_READ = 8
"""Passages that are read for the words near to one."""


def near_words(
    engine: Engine,
    question: Question,
    known: LastUsed[KnownWord, bool],
    pieces: Callable[[str], int],
) -> tuple[NearWord, ...]:
    """Return the words of a question that no passage has, each with the nearest one that some have.

    Names, and words of other languages than English, are left alone.

    Args:
        engine: of the index.
        question: with its filters.
        known: whether passages have a word, as far as the engine was asked before; added to.
        pieces: returns into how many an encoder cuts a word. It knows a word that is whole.
    """
    if english(question.text) is False:
        return ()
    found = []
    for place, word in enumerate(dict.fromkeys(LETTERS.findall(question.text))):
        plain = word.isascii() and (word.islower() or (not place and word.istitle()))
        if len(word) < SHORTEST or not plain or pieces(word) == 1:
            continue
        if not is_known(engine, question, word, known):
            near = _nearest(engine, question, word.lower())
            found += [NearWord(word, near)] if near else []
    return tuple(found)


def _nearest(engine: Engine, question: Question, word: str) -> str:
    """Return the word one edit away that the best passages with such words have most often."""
    forms = frozenset(_edits(word)) - {word}
    terms = tuple(dict.fromkeys(term for form in sorted(forms) for term in tokens(form)))
    request = RetrievalRequest(terms, depth=_READ, filters=question.filters)
    keys = engine.run(request).lexical.keys.tolist()
    texts = [passage.text.lower() for passage in engine.passages(keys)] if keys else []
    words = Counter(one for text in texts for one in LETTERS.findall(text) if one in forms)
    return words.most_common(1)[0][0] if words else ""


def _edits(word: str) -> Iterator[str]:
    """Yield a word with a letter less or more, two in the other order, or s for z and z for s.

    Any letter for any other would make another word: `lesser` of `lessor`. So would another first
    letter, which few mistype: `taking` of `staking`.
    """
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (before + letter + after for letter in ascii_lowercase)
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[0] + after[2:]
            if after[0] in "sz":
                yield before + ("z" if after[0] == "s" else "s") + after[1:]
