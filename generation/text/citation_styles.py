"""The ways in which models write citations, and how text of others is kept from looking like one.

Prompts ask for `[1]`. Models also write `[1, 3-5]`, `[^1]`, `【1†source】`, `[Passage 2]`,
`(passages 1 and 3)` and raised numbers; all of them become `[1]`. What is read as a citation in a
reply is taken from passages and questions before they go into a prompt, by the same patterns: a
model that copies such a number out of a passage cites nothing.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from search.language import vocabulary

MARKER = re.compile(r"\[(\d{1,6})\]")
"""A citation as it is written in the end; a longer number is none."""

LONGEST_RANGE = 50
"""`[1-3]` is written out; a longer range than this is not a citation (a span of years, say)."""

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_PARTS = {**_TABLE["parts"], "UNITS": vocabulary.pattern(vocabulary.units(), "en")}


def _spelt_out(style: str) -> str:
    while any(part in style for part in _PARTS):
        for part, pattern in _PARTS.items():
            style = style.replace(part, pattern)
    return style


_STYLES = {name: re.compile(_spelt_out(style)) for name, style in _TABLE["styles"].items()}
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻", "0123456789,-")


def unified(text: str) -> str:
    """Return a text in which every citation by number is written as `[1]`, `[1][2]`."""
    text = _STYLES["joiner"].sub("", _without_footnotes(_STYLES["escaped"].sub(r"\1", text)))
    text = _STYLES["raised"].sub(
        lambda found: _markers(found["list"].translate(_LOWERED), found[0]), text
    )
    for style in ("superscript", "latex", "bracketed", "in_words"):
        text = _STYLES[style].sub(lambda found: _markers(found["list"], found[0]), text)
    return text


def with_round_brackets(text: str, most: int, read: str) -> str:
    """Return a unified text that cites nothing with `(1)` at the ends of sentences as citations.

    A number above `most`, or one that the model has `read` behind the same word, cites nothing: it
    was copied.
    """
    if MARKER.search(text):
        return text

    def marked(found: re.Match[str]) -> str:
        numbers = found["list"] or found["behind"]
        before = text[: found.start()]
        highest = max(map(int, re.findall(r"\d+", numbers)))
        if (
            highest > most
            or _STYLES["no_citation"].search(before)
            or _copied(before, numbers, read)
        ):
            return found[0]
        return f" {_markers(numbers, numbers)}"

    return _STYLES["round"].sub(marked, text)


def _copied(before: str, numbers: str, read: str) -> bool:
    word = re.search(r"(\w+)\W*$", before)
    behind = rf"{re.escape(word[1])}\W{{0,4}}" if word else ""
    return re.search(rf"{behind}\({re.escape(numbers)}\)", read) is not None


def with_passages_in_words(text: str, most: int) -> str:
    """Return a text in which `passage 1`, said in a sentence, is `[1]`.

    Numbers above `most`, the highest that can be cited, are left.
    """

    def marked(found: re.Match[str]) -> str:
        marks = _markers(found["list"], found[0])
        return marks if all(1 <= number <= most for number in cited_numbers(marks)) else found[0]

    return _STYLES["said"].sub(marked, text)


def cited_numbers(text: str) -> list[int]:
    """Return the numbers cited in a unified text, in order of first use."""
    return list(dict.fromkeys(int(number) for number in MARKER.findall(text)))


def defused(text: str) -> str:
    """Return a text of others in which no number can be copied as a citation.

    Brackets become round, `passage 2` becomes `passage no. 2`, and raised numbers are lowered.
    """
    text = re.sub(f"{_PARTS['RAISED']}+", lambda found: "^" + found[0].translate(_LOWERED), text)
    text = _STYLES["superscript"].sub(r"^\g<list>", _STYLES["joiner"].sub("", text))
    text = _STYLES["latex"].sub(r"(\g<list>)", text)
    text = _STYLES["bracketed"].sub(lambda found: f"({found['inner']})", text)
    text = _STYLES["any_number"].sub(r"(\1)", text)
    text = _STYLES["in_words"].sub(lambda found: f"(passage no. {found['list']})", text)
    return _STYLES["said"].sub(lambda found: f"passage no. {found['list']}", text)


def _without_footnotes(text: str) -> str:
    left = _STYLES["footnote"].sub("", text)
    return left if left.strip() else text


def _markers(numbers: str, otherwise: str) -> str:
    found: list[int] = []
    for item in re.findall(_PARTS["ITEM"], numbers):
        first, *rest = (int(part) for part in re.findall(r"\d+", item))
        last = rest[0] if rest else first
        if not first <= last <= first + LONGEST_RANGE:
            return otherwise
        found += range(first, last + 1)
    return "".join(f"[{number}]" for number in dict.fromkeys(found))
