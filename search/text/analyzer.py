"""English analysis for BM25, as Lucene's English analyzer makes it of a text in plain words.

Plain words (`search.text.plain_words`) by the Unicode word-break rule (UAX #29), lower case,
possessive removed, Lucene's 33 stop words dropped, Snowball's Porter stems. Elasticsearch and
OpenSearch make the same tokens with their filters `standard`, `lowercase`, `stop` and `snowball`
(language Porter); the stemmer of Lucene's ready-made English analyzer differs on a few endings
(-logi, -bli).
"""

from __future__ import annotations

import threading
from functools import lru_cache

import Stemmer

from search.language import vocabulary
from search.text.characters import normal_form
from search.text.plain_words import WORD, plain_word

STOP_WORDS = frozenset(vocabulary.words("grammar.stop", "en"))
"""Lucene's English stop words (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`)."""

MAX_TOKEN_LENGTH = 255
"""Longer runs are cut into pieces of this many characters, as Lucene's standard tokenizer does."""

_POSSESSIVE = ("'s", "’s")
_local = threading.local()


def words(text: str) -> list[str]:
    """Return the words of a text, lower case, in order."""
    found: list[str] = []
    # Lucene lowers each character to one character.
    for word in WORD.findall(normal_form(text).replace("İ", "i")):
        if word.isalpha():
            found.append(word.lower())
        else:
            found.extend(plain_word(word).lower().split(" "))
    return found


def tokens(text: str) -> list[str]:
    """Return the index terms of a text, in order and with repetitions."""
    kept = []
    for word in words(text):
        stem = word[:-2] if word.endswith(_POSSESSIVE) else word
        if stem in STOP_WORDS or not stem.strip("_"):
            continue
        if len(stem) <= MAX_TOKEN_LENGTH:
            kept.append(stem)
        else:
            kept += (stem[i : i + MAX_TOKEN_LENGTH] for i in range(0, len(stem), MAX_TOKEN_LENGTH))
    return [stem for stem in _stemmer().stemWords(kept) if stem]


@lru_cache(maxsize=512)
def term_set(text: str) -> frozenset[str]:
    """Return the index terms of a text, each once; those of recent texts are remembered."""
    return frozenset(tokens(text))


def _stemmer() -> Stemmer.Stemmer:
    # A stemmer keeps a scratch buffer, so threads cannot share one.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("porter")
    return stemmer
