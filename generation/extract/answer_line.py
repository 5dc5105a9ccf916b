"""The answer in a line: at most 25 words of the best unit around what is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.extract.asked import AskedKind, asked_kinds
from generation.extract.duties import duty_of
from generation.text.obligations import kind_of
from generation.text.statements.exceptions import takes_back
from generation.text.statements.headings import has_verb
from generation.text.statements.markers import find_marker
from generation.text.subject import subject
from generation.text.values import MONEY, PERCENT, TIME
from search.text.analyzer import tokens
from search.text.stop_words import FUNCTION_WORDS

MOST_WORDS = 25

FEWEST_WORDS_OF_ACT = 3
"""Words that a duty alone in a line has behind its `must`: `must, on request` says nothing."""

_BORDER = re.compile(
    r"(?<=[,;:—–])\s+|(?<=[\w)]\.)\s+(?=[A-ZÀ-Ý][a-zà-ÿ]+\s|\(\w{1,3}\)\s)|\s+(?=\()"
    r"|\s+(?=(?:unless|except|provided|where|if|within|for a period|"
    r"at least|no later|not later|by the|sofern|wenn|binnen)\b)"
)
_VALUES: dict[AskedKind, re.Pattern[str]] = {
    "time": TIME,
    "date": TIME,
    "money": MONEY,
    "percent": PERCENT,
}
_OPENS = re.compile(
    r"\W*(?:if|where|when|given|for the purposes?|depending|subject to|in (?:the event|case)|"
    r"unless|without prejudice|notwithstanding|pursuant to|wenn|soweit|sofern)\b",
    re.IGNORECASE,
)
"""How a clause begins that says nothing without the next one."""

_OPENS_NEXT = re.compile(
    rf"[;,]\s+(?:and|or|but|und|oder|aber)\s+(?:{_OPENS.pattern})[^;,]*,?$", re.IGNORECASE
)
"""The case at the end of a text which only what follows decides: `…; and if he dies`."""

_IN_ANY_EVENT = re.compile(
    r"\b(?:and|but) in (?:any|all|every) (?:events?|cases?),?$", re.IGNORECASE
)

_GOES_ON = re.compile(r"[;,]?\s+(?:and|or|und|oder)$|[;,]$")

_NEEDS_MORE = FUNCTION_WORDS | {
    "even", "as", "including", "include", "includes", "except", "unless", "provided", "whether",
    "sofern", "wenn", "und", "oder", "der", "die", "das",
}  # fmt: skip
"""Words that nothing ends with."""


def answer_line(question: str, text: str) -> str:
    """Return the stretch of a text of at most `MOST_WORDS` words that answers best.

    It begins and ends at a border of clauses; a text that short is its own line. Empty where one
    clause is longer, which is not cut, where an exception answers, which means nothing alone, and
    where another clause has a value that answers as well.
    """
    marker = find_marker(text)
    text = _GOES_ON.sub("", text[marker.end :] if marker else text)
    if len(text.split()) <= MOST_WORDS:
        return text
    clauses = _BORDER.split(text)
    asked, about = asked_kinds(question), subject(question)
    wanted = [pattern for kind, pattern in _VALUES.items() if kind in asked]
    windows = [
        (start, end)
        for start in range(len(clauses))
        for end in range(start + 1, len(clauses) + 1)
        if _words(clauses[start:end]) <= MOST_WORDS
        and not _is_open(clauses[start:end])
        and not any(clause.endswith(".") for clause in clauses[start : end - 1])
    ]

    def worth(window: tuple[int, int]) -> tuple[int, int, bool, int]:
        said = " ".join(clauses[slice(*window)])
        values = [found[0] for pattern in wanted for found in pattern.finditer(said)]
        has = 2 if any(re.search(r"\d", value) for value in values) else int(bool(values))
        return has, len(about & {*tokens(said)}), window[0] == 0, _words(clauses[slice(*window)])

    # A clause from within a sentence says something where it has the value that was asked for.
    opens = {0, *(end for end, clause in enumerate(clauses, 1) if clause.endswith("."))}
    fit = [
        window
        for window in windows
        if worth(window)[0] or (window[0] in opens and _says(clauses[slice(*window)], text))
    ]
    best = max(fit, key=worth, default=(0, 0))
    beside = [one for one in fit if one[0] >= best[1] or one[1] <= best[0]]
    if any(worth(one)[0] and worth(one)[:2] == worth(best)[:2] for one in beside):
        return ""  # which of several values is asked for is not known
    line = _between(text, clauses, *best) if fit else ""
    marker = find_marker(line)
    is_exception = takes_back(line[marker.end :] if marker else line)
    return "" if best[0] in opens and is_exception else line


def _says(clauses: Sequence[str], text: str) -> bool:
    """Return whether the first clauses of a text say something: no case or condition alone.

    Those of a duty or permission say it only with their `must` or `may`.
    """
    said = " ".join(clauses)
    if kind_of(text) != "other" and kind_of(said) == "other":
        return False
    duty = duty_of(said)
    if duty.duty and len(duty.act.split()) < FEWEST_WORDS_OF_ACT:
        return False
    if _OPENS.match(clauses[0]):
        return has_verb(" ".join(clauses[1:]))
    return has_verb(" ".join(clauses)) or not has_verb(text)


def _is_open(clauses: Sequence[str]) -> bool:
    """Return whether some clauses break off: behind a word that needs another, with a case that a
    next clause decides, or in brackets.
    """
    said = " ".join(clauses)
    if _OPENS_NEXT.search(said) or _IN_ANY_EVENT.search(said):
        return True
    last = said.rstrip(" ,;:—–").rsplit(" ", 1)[-1].lower()
    return last in _NEEDS_MORE or said.count("(") != said.count(")")


def _words(clauses: Sequence[str]) -> int:
    return sum(len(clause.split()) for clause in clauses)


def _between(text: str, clauses: Sequence[str], start: int, end: int) -> str:
    """Return the words of some clauses as the text has them."""
    at = 0
    for clause in clauses[:start]:
        at = text.index(clause, at) + len(clause)
    first = text.index(clauses[start], at)
    at = first
    for clause in clauses[start:end]:
        at = text.index(clause, at) + len(clause)
    return text[first:at].strip(" ,;:—–")
