"""Analysis for BM25: plain words (`search.text.plain_words`), stop words dropped, Snowball's stems.

English is analysed as Lucene's English analyzer does it: words by the Unicode word-break rule
(UAX #29), lower case, possessive removed, 33 stop words, Porter stems. Elasticsearch and OpenSearch
make the same tokens with their filters `standard`, `lowercase`, `stop` and `snowball` (language
Porter); the stemmer of Lucene's ready-made English analyzer differs on a few endings (-logi, -bli).
In `STEMMED` languages elided words go (`l'`, `qu'`), and stems lose their accents and get a mark
(`search.text.word_parts`) with which no engine changes them.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from textwrap import wrap

import Stemmer

from search.language import vocabulary
from search.text.characters import LAST_LATIN, normal_form, without_accents
from search.text.plain_words import WORD, plain_word
from search.text.word_parts import MARK

STOP_WORDS = frozenset(vocabulary.words("grammar.stop", "en"))
"""Lucene's English stop words (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`)."""
FUNCTION_WORDS = STOP_WORDS.union(vocabulary.words("grammar.function", "en"))
"""English words that carry grammar or question form: nobody searches for them alone."""
STEMMED = {
    code: frozenset(vocabulary.words("stemming.stop", code))
    for code in vocabulary.words("stemming.languages", vocabulary.COMMON)
}
"""Languages beside English whose words are stemmed → their stop words."""

MAX_TOKEN_LENGTH = 255
"""Longer runs are cut into pieces of this many characters, as Lucene's standard tokenizer does."""

_POSSESSIVE = ("'s", "’s")
_CONTRACTED = re.compile(r"(?<=\bcan)not\b|(?<!\bca)n?['’]\w+")
_ELIDED = frozenset(vocabulary.words("stemming.elided"))
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
        if stem not in STOP_WORDS and stem.strip("_"):
            kept += [stem] if len(stem) <= MAX_TOKEN_LENGTH else wrap(stem, MAX_TOKEN_LENGTH)
    return [stem for stem in _stemmer("porter").stemWords(kept) if stem]


def stems(text: str, language: str) -> list[str]:
    """Return the index terms of a text in one of the `STEMMED` languages, in order.

    Words in other scripts than Latin are left out, for engines may part the mark from them.
    """
    kept = [word for word in map(_whole, words(text)) if word not in STEMMED[language]]
    found = (without_accents(stem) for stem in _stemmer(language).stemWords(kept) if stem)
    ends = MARK + MARK
    return [stem[: MAX_TOKEN_LENGTH // 2] + ends for stem in found if max(stem) <= LAST_LATIN]


def content_words(text: str) -> list[str]:
    """Return the words of an English text that have content; "cannot" and "doesn't" have none."""
    return [word for word in words(_CONTRACTED.sub("", text)) if word not in FUNCTION_WORDS]


@lru_cache(maxsize=512)
def term_set(text: str) -> frozenset[str]:
    """Return the index terms of a text, each once; those of recent texts are remembered."""
    return frozenset(tokens(text))


def _whole(word: str) -> str:
    """Return a word without an elided one before it: `employeur` of `l'employeur`."""
    before, _, after = word.replace("’", "'").partition("'")
    return after if after and before in _ELIDED else word


def _stemmer(name: str) -> Stemmer.Stemmer:
    # A stemmer keeps a scratch buffer, so threads cannot share one.
    stemmers: dict[str, Stemmer.Stemmer] = _local.__dict__
    if name not in stemmers:
        stemmers[name] = Stemmer.Stemmer(name)
    return stemmers[name]


GRAMMAR = term_set(" ".join(FUNCTION_WORDS))
"""Index terms of the words of English grammar."""
