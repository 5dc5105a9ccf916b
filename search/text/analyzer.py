"""English analysis for BM25, as Lucene's English analyzer makes it.

Words by the Unicode word-break rule (UAX #29), lower case, possessive removed, Lucene's 33 stop
words dropped, Snowball's Porter stems. Elasticsearch and OpenSearch make the same tokens with their
filters `standard`, `lowercase`, `stop` and `snowball` (language Porter); the stemmer of Lucene's
ready-made English analyzer differs on a few endings (-logi, -bli).
"""

from __future__ import annotations

import re
import threading
import unicodedata

import Stemmer

STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
})  # fmt: skip
"""Lucene's English stop words (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`)."""

MAX_TOKEN_LENGTH = 255
"""Longer runs are cut into pieces of this many characters, as Lucene's standard tokenizer does."""

_KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_IDEOGRAPH = r"\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Accents and vowel signs that are characters of their own belong to the word they stand in.
_MARKS = "".join(chr(c) for c in range(0x300, 0xFE30) if unicodedata.category(chr(c))[0] == "M")
# Fractions, superscripts and numbers in circles are neither letters nor digits to UAX #29.
_SIGNS = "".join(chr(c) for c in range(0x80, 0x3300) if unicodedata.category(chr(c)) == "No")
_LETTER = rf"[^\W{_IDEOGRAPH}{_KATAKANA}{_SIGNS}]"
_CHARACTERS = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"
# Inside a word UAX #29 keeps ' . : · between letters, and . , ; ' between digits.
WORD = re.compile(
    rf"[{_IDEOGRAPH}]|[{_KATAKANA}]+|{_CHARACTERS}"
    rf"(?:(?:(?<=[^\W\d_])['‘’＇.:·](?=[^\W\d_])|(?<=\d)[.,;'‘’＇](?=\d)){_CHARACTERS})*"
)
"""One word."""
_POSSESSIVE = ("'s", "’s", "＇s")
_local = threading.local()


def words(text: str) -> list[str]:
    """Return the words of a text, lower case, in order."""
    # Lucene lowers each character to one character.
    return [word.lower() for word in WORD.findall(text.replace("İ", "i"))]


def tokens(text: str) -> list[str]:
    """Return the index terms of a text, in order and with repetitions."""
    kept = []
    for word in words(text):
        stem = word[:-2] if word.endswith(_POSSESSIVE) else word
        if stem.strip("_") and stem not in STOP_WORDS:
            kept.extend(_pieces(stem))
    return [stem for stem in _stemmer().stemWords(kept) if stem]


def _pieces(word: str) -> list[str]:
    if len(word) <= MAX_TOKEN_LENGTH:
        return [word]
    return [word[i : i + MAX_TOKEN_LENGTH] for i in range(0, len(word), MAX_TOKEN_LENGTH)]


def _stemmer() -> Stemmer.Stemmer:
    # A stemmer keeps a scratch buffer, so threads cannot share one.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("porter")
    return stemmer
