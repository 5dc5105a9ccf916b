"""Notes on amendments among the lines of an act: where its text is from, and what is to come."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from indexer.structuring.acts.provisions import Act
from indexer.structuring.labels.numbers import line_number
from indexer.structuring.labels.units import is_title
from indexer.structuring.pages.line import Line, plain
from search.language import vocabulary

AMENDED = "a note on amendments and sources"
NOT_IN_FORCE = "not yet in force"

_YEAR = re.compile(r"\(?(?:1[89]|20)\d\d,?")
_CHAPTER = re.compile(r"\(?(?:cc?|chs?|No)\.")
_UNIT = vocabulary.pattern(
    ["schedule", "part", "paragraph", "clause", "subsection", "chapter"], "en"
)
_CITED = re.compile(
    r"\(?(?:\d[\w./–-]*|[A-Z]{1,2}\d*|[a-z]{1,2})[),.;]*"
    rf"|(?:(?i:{_UNIT})|Sp|Sess|No|not|in|force|no|effect|see|and|-|–)[.,;]*"
)
"""A word of `2016, c. 6, Sched. 1, s. 1 (4); 2020, c. 5, s. 2 - not in force.`"""
_SENTENCE_END = re.compile(r"(?!(?:[A-Z]\.){2}).*[.;)”\"’]")
"""The word before such a note; initials are part of a name: `R.S.C. 1985, c. C-46`."""
_TO_COME = re.compile(
    r"\W*notes?\b.{0,40}\bon (?:a (?:day|date) to be|the day|[A-Z]\w+ \d).{0,200}"
    r"\b(?:amended|repealed|revoked)\b",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"\bfollowing\b[^.:]{0,60}:?(?:\s*\(|\W*$)")
_SEE = re.compile(r"\(see:? ([^()]*(?:\([^()]*\)[^()]*)*)\)?\W*$", re.IGNORECASE)
_LABEL = re.compile(r"\((?:[a-z]+)[\d.]*\)")


def law_in_force(lines: Sequence[Line], act: Act) -> list[Line]:
    """Return the lines of the law as it is; notes on amendments are left out of the act.

    A note such as `Note: On a day to be named by proclamation, the Act is amended by adding the
    following section: (See: 2020, c. 5, s. 3)` is left out with the provisions that it announces,
    which are those that the same amendment is the source of.
    """
    texts = [plain(line.text) for line in lines]
    sources = [history(text) for text in texts]
    coming = set(_to_come(texts, sources))
    found: list[Line] = []
    for at, (line, text, source) in enumerate(zip(lines, texts, sources, strict=True)):
        after = at + 1 < len(lines) and sources[at + 1] and sources[at + 1] == texts[at + 1]
        if at in coming:
            act.leave_out(text, NOT_IN_FORCE)
        elif after and not source and is_title(text) and text.rstrip(")") != text:
            act.leave_out(text, AMENDED)
        elif source:
            act.leave_out(source, AMENDED)
            if source != text:
                found.append(replace(line, text=text[: -len(source)].strip()))
        else:
            found.append(line)
    return found


def history(text: str) -> str:
    """Return the end of a text that names the acts it is from, or "".

    Takes time linear in the text.
    """
    words = text.split(" ")
    start = len(words)
    while start and _CITED.fullmatch(words[start - 1]):
        start -= 1
    for at in range(start, len(words) - 2):
        begins = at == 0 or _SENTENCE_END.fullmatch(words[at - 1]) is not None
        if (
            begins
            and _YEAR.fullmatch(words[at])
            and any(map(_CHAPTER.match, words[at + 1 : at + 6]))
        ):
            return " ".join(words[at:])
    return ""


def _to_come(texts: Sequence[str], sources: Sequence[str]) -> Iterator[int]:
    for at, text in enumerate(texts):
        if not text[:6].strip("[( ").lower().startswith("note") or not _TO_COME.match(text):
            continue
        see = _SEE.search(text)
        if _FOLLOWING.search(text) is None:
            yield at
        elif see and (end := _last_inserted(at, see[1], texts, sources)):
            yield from range(at, end + 1)


def _last_inserted(at: int, amendment: str, texts: Sequence[str], sources: Sequence[str]) -> int:
    """Return the last line that a note announces; 0 where that is not known."""
    wanted, last = amendment.rstrip(" .)"), 0
    for place in range(at + 1, len(texts)):
        if sources[place] and not sources[place].startswith(wanted):
            break
        if sources[place] and sources[place] != texts[place]:
            last = place
    if last or at + 2 >= len(texts):
        return last
    # A clause within a list has no source of its own: it ends where the next one begins.
    inserted, behind = (_LABEL.match(texts[place]) for place in (at + 1, at + 2))
    return at + 1 if inserted and behind and line_number(texts[at + 1]) else 0
