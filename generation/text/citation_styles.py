"""The ways in which models write citations, and how text of others is kept from looking like one.

Prompts ask for `[1]`. Models also write `[1, 3-5]`, `[^1]`, `【1†source】`, `[Passage 2]`,
`(passages 1 and 3)` and raised numbers; all of them become `[1]`. What is read as a citation in a
reply is taken from passages and questions before they go into a prompt, by the same patterns: a
model that copies such a number out of a passage cites nothing.
"""

from __future__ import annotations

import re

from search.language import vocabulary

MARKER = re.compile(r"\[(\d{1,6})\]")
"""A citation as it is written in the end; a longer number is none."""

LONGEST_RANGE = 50
"""`[1-3]` is written out; a longer range than this is not a citation (a span of years, say)."""

_ITEM = r"\d{1,4}(?:\s?[-–—]\s?\d{1,4})?"
_AND = r"\s{0,3}(?:[,;&]\s{0,3}(?:and\s)?|\sand\s)\s{0,3}"
_LIST = rf"{_ITEM}(?:{_AND}{_ITEM})*"
_WORD = (
    r"(?:passages?|sources?|src|refs?\.?|references?|docs?\.?|documents?|citations?|cit\.?|ids?|nos?\.?"
    r"|nr\.?|numbers?|contexts?|excerpts?|extracts?|snippets?|results?|quellen?|fuentes?)"
    r"(?:\s?[:#=_]\s{0,3}|\s{1,3}|(?=\d))"
)
_WORDED_LIST = (
    rf"(?:(?:{_WORD}){{1,2}}|(?-i:[SPp](?=\d))|\^|#)?{_ITEM}(?:{_AND}(?:{_WORD})?{_ITEM})*"
)
_PINPOINT = r"\s?[,:;|]\s?(?=[^\W\d_]|§)[^\]\[\n]{1,60}"
"""What some models add: `[1, p. 3]`, `[2: COBS 3.4]`."""
_BRACKETED = re.compile(
    rf"[\[【［]{{1,2}}\s{{0,3}}[*\"“]{{0,2}}(?P<inner>(?P<list>{_WORDED_LIST})"
    rf"(?:\s{{0,3}}†[^\]】\n]{{0,40}}|{_PINPOINT})?)\.?[*\"”]{{0,2}}\s{{0,3}}"
    r"[\]】］]{1,2}(?:\((?:https?:|#|mailto:)[^()\s]{0,500}\))?",
    re.IGNORECASE,
)
"""Also with a link behind it, as in `[1](https://…)`: the link is not ours and goes."""
_IN_WORDS = re.compile(
    rf"\((?:see\s+)?(?:passages?|sources?|citations?)\s?[:#]?\s{{0,3}}(?P<list>{_LIST})\)",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\([\[\]])")
_SUPERSCRIPT = re.compile(
    rf"[<‹](?P<tag>sup|cite|ref)[>›]\s{{0,3}}\[?(?P<list>{_LIST})\]?\s{{0,3}}[<‹]/(?P=tag)[>›]",
    re.IGNORECASE,
)
_SAID = re.compile(rf"\bpassages?\s(?:numbers?\s)?(?P<list>{_LIST})\b", re.IGNORECASE)
_LATEX = re.compile(rf"\\cite[pt]?\{{(?P<list>{_LIST})\}}")
_ROUND = re.compile(
    rf"(?<=[a-z”\"’%]) ?\((?P<list>{_LIST})\)(?=[.;,]?(?:\s|$))"
    rf"|(?<=[.”\"]) ?\((?P<behind>{_LIST})\)(?=\s|$)"
)
_NO_CITATION = re.compile(
    rf"\b(?:{vocabulary.pattern(vocabulary.units(), 'en')}|steps?|of|in|under|to|and|or|by|with|see"
    r"|per)$",
    re.IGNORECASE,
)
"""Words behind which `(1)` is a number of a law."""
_ANY_NUMBER = re.compile(r"[\[【［](\s*\d[\d\s,;&–—-]*)[\]】］]")
_RAISED = re.compile(
    r"(?:(?<=[a-z]{3})|(?<=[a-z]{3} )|(?<=[.,;:)”\"’]))"
    r"(?P<list>[⁰¹²³⁴-⁹]{1,2}(?:[,˒⁻][⁰¹²³⁴-⁹]{1,2})*)"
)
"""Behind a word or a stop only: `m²` is not a citation."""
_FOOTNOTE = re.compile(r"^\[\^\d{1,4}\] ?:[^\n]*\n?", re.MULTILINE)
"""Also where `without_markup` has parted the colon from it."""
_JOINER = re.compile(
    r"(?<=[\[\]【】\d])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?=[\[\]【】\d])"
)
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻", "0123456789,-")


def unified(text: str) -> str:
    """Return a text in which every citation by number is written as `[1]`, `[1][2]`."""
    text = _JOINER.sub("", _without_footnotes(_ESCAPED.sub(r"\1", text)))
    text = _RAISED.sub(lambda found: _markers(found["list"].translate(_LOWERED), found[0]), text)
    for style in (_SUPERSCRIPT, _LATEX, _BRACKETED, _IN_WORDS):
        text = style.sub(lambda found: _markers(found["list"], found[0]), text)
    return text


def with_round_brackets(text: str, most: int, read: str) -> str:
    """Return a unified text that cites nothing with `(1)` at the ends of sentences as citations.

    Args:
        text: a reply.
        most: the highest number that can be cited.
        read: what the model was given; a number that is there behind the same word was copied,
            and cites nothing.
    """
    if MARKER.search(text):
        return text

    def marked(found: re.Match[str]) -> str:
        numbers = found["list"] or found["behind"]
        before = text[: found.start()]
        highest = max(map(int, re.findall(r"\d+", numbers)))
        if highest > most or _NO_CITATION.search(before) or _copied(before, numbers, read):
            return found[0]
        return f" {_markers(numbers, numbers)}"

    return _ROUND.sub(marked, text)


def _copied(before: str, numbers: str, read: str) -> bool:
    word = re.search(r"(\w+)\W*$", before)
    behind = rf"{re.escape(word[1])}\W{{0,4}}" if word else ""
    return re.search(rf"{behind}\({re.escape(numbers)}\)", read) is not None


def with_passages_in_words(text: str, most: int) -> str:
    """Return a text in which `passage 1`, said in a sentence, is `[1]`.

    Args:
        text: a unified text.
        most: the highest number that can be cited; other numbers are left.
    """

    def marked(found: re.Match[str]) -> str:
        marks = _markers(found["list"], found[0])
        return marks if all(1 <= number <= most for number in cited_numbers(marks)) else found[0]

    return _SAID.sub(marked, text)


def cited_numbers(text: str) -> list[int]:
    """Return the numbers cited in a unified text, in order of first use."""
    return list(dict.fromkeys(int(number) for number in MARKER.findall(text)))


def defused(text: str) -> str:
    """Return a text of others in which no number can be copied as a citation.

    Brackets become round, `passage 2` becomes `passage no. 2`, and raised numbers are lowered.
    """
    text = re.sub(r"[⁰¹²³⁴-⁹]+", lambda found: "^" + found[0].translate(_LOWERED), text)
    text = _SUPERSCRIPT.sub(r"^\g<list>", _JOINER.sub("", text))
    text = _LATEX.sub(r"(\g<list>)", text)
    text = _BRACKETED.sub(lambda found: f"({found['inner']})", text)
    text = _ANY_NUMBER.sub(r"(\1)", text)
    text = _IN_WORDS.sub(lambda found: f"(passage no. {found['list']})", text)
    return _SAID.sub(lambda found: f"passage no. {found['list']}", text)


def _without_footnotes(text: str) -> str:
    """Return a text without its footnotes, or as it is where it has nothing else."""
    left = _FOOTNOTE.sub("", text)
    return left if left.strip() else text


def _markers(numbers: str, otherwise: str) -> str:
    """Return `[1][3]` for `1, 3`; what stood there before if a range is none of citations."""
    found: list[int] = []
    for item in re.findall(_ITEM, numbers):
        first, *rest = (int(part) for part in re.findall(r"\d+", item))
        last = rest[0] if rest else first
        if not first <= last <= first + LONGEST_RANGE:
            return otherwise
        found += range(first, last + 1)
    return "".join(f"[{number}]" for number in dict.fromkeys(found))
