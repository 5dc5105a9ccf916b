"""Words that carry grammar or question form, not content."""

import re

from search.text.analyzer import STOP_WORDS, words

_GRAMMAR = """
about above after against all also am among any been before being below between both can could did
do does done during each either else every from further given had has have having he her here his
how however i its itself just kind kinds may me might more most must my neither nor now off once one
only other our out over own per shall she should since so some specific than them those through thus
too type types under until up upon us very via was we were what when where whether which while who
whom whose why within without would yes you your
"""
FUNCTION_WORDS = STOP_WORDS | set(_GRAMMAR.split())
"""Words that carry grammar or question form, not content: nobody searches for them alone."""

_CONTRACTED = re.compile(r"(?<=\bcan)not\b|(?<!\bca)n?['’]\w+")


def content_words(text: str) -> list[str]:
    """Return the words of a text that have content; "cannot" and "doesn't" have none."""
    return [word for word in words(_CONTRACTED.sub("", text)) if word not in FUNCTION_WORDS]
