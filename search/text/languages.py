"""The language of a text, by its words of grammar; above all, whether it is English."""

from __future__ import annotations

from search.language import vocabulary
from search.text.analyzer import FUNCTION_WORDS, STEMMED, words
from search.text.characters import LAST_LATIN, LETTERS

_ELSEWHERE = vocabulary.words("grammar.elsewhere", "en")
_AT_TIMES_ELSEWHERE = vocabulary.words("grammar.elsewhere_at_times", "en")

ENGLISH_WORDS = FUNCTION_WORDS.difference(_ELSEWHERE)
SURE_WORDS = ENGLISH_WORDS.difference(_AT_TIMES_ELSEWHERE)

FEWEST_WORDS = 12
"""Fewer words do not tell that a text is not English: a list item may have no word of grammar."""

LEAST_FOREIGN = 0.1
"""Share of words with a letter that English lacks from which a text without words of English
grammar is not English. Of 15,300 English questions none has so many, for all its names."""

LEAST_ENGLISH = 0.05
"""Share of words that only English has for grammar: of 10,600 passages of English acts with
`FEWEST_WORDS` words 2 % have less (tables and formulas), of German ones all."""

LEAST_GRAMMAR = 0.3
"""Share of stop words in a text of their language: laws have .42 or more, others .22 at most."""


def english(text: str) -> bool | None:
    """Return whether a text is English; None: it is too short to tell."""
    found = [word for word in words(text) if word.isalpha()]
    long = len(found) >= FEWEST_WORDS
    known = ENGLISH_WORDS if long else SURE_WORDS
    grammar = sum(word in known for word in found)
    if grammar and grammar >= LEAST_ENGLISH * len(found):
        return True
    letters = "".join(filter(str.isalpha, text))
    other_script = sum(letter > LAST_LATIN for letter in letters) * 2 > len(letters)
    return False if long or other_script else None


def language(text: str) -> str:
    """Return the code of a text's language, if it is one of the `STEMMED`; empty: another one."""
    found = [word for word in words(text) if word.isalpha()]
    grammar = {code: sum(word in stop for word in found) for code, stop in STEMMED.items()}
    best = max(grammar, key=grammar.__getitem__)
    return best if found and grammar[best] >= LEAST_GRAMMAR * len(found) else ""


def foreign_letters(text: str) -> bool:
    """Return whether many words of a text have a letter that English lacks: ă, é, ż."""
    found = [word for word in LETTERS.findall(text) if not word.isupper()]
    return sum(not word.isascii() for word in found) >= max(1, LEAST_FOREIGN * len(found))
