"""Words that carry grammar or question form, not content."""

import re

from search.language import vocabulary
from search.text.analyzer import STOP_WORDS, words

FUNCTION_WORDS = STOP_WORDS.union(vocabulary.words("grammar.function", "en"))
"""Words that carry grammar or question form, not content: nobody searches for them alone."""

_CONTRACTED = re.compile(r"(?<=\bcan)not\b|(?<!\bca)n?['’]\w+")


def content_words(text: str) -> list[str]:
    """Return the words of a text that have content; "cannot" and "doesn't" have none."""
    return [word for word in words(_CONTRACTED.sub("", text)) if word not in FUNCTION_WORDS]
