"""Splits legal prose into sentences, where abbreviations and rule numbers are full of stops."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset({
    "e.g", "i.e", "eg", "ie", "etc", "cf", "viz", "vs", "v", "no", "nos", "art", "arts", "para",
    "paras", "s", "ss", "sec", "secs", "reg", "regs", "sch", "sched", "ch", "chap", "p", "pp",
    "ed", "vol", "fig", "mr", "mrs", "ms", "dr", "prof", "st", "ltd", "inc", "corp", "co", "plc",
    "u.s", "u.k", "u.a.e", "ibid", "al", "approx", "incl", "excl", "ver", "rev", "resp",
})  # fmt: skip
"""Words after which a stop does not end a sentence, lower case and without the last stop."""

_ENDS_ANYWAY = frozenset({"etc", "al", "ltd", "inc", "corp", "co", "plc", "u.s", "u.k", "u.a.e"})
"""Abbreviations that often are the last word: a sentence ends there if a capital follows."""

_STOP = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]*[A-Z0-9])")
_LAST_WORD = re.compile(r"[\"'“‘(\[]*(\S*)$")
_NUMBERING = re.compile(r"(?:\(?[A-Za-z0-9]{1,4}\)?\.?)+")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of one paragraph, each stripped; joined by blanks they are the text.

    A stop ends a sentence when white space and a capital or a digit follow, unless it belongs to
    an abbreviation (`e.g.`, `No. 5`), to an initial (`J. Smith`), or to the number that opens the
    sentence (`3.5.8. An Authorised Person …`).
    """
    sentences, start = [], 0
    for stop in _STOP.finditer(text):
        if _ends(text[start : stop.start()], text[stop.end() :], stop[0]):
            sentences.append(text[start : stop.end()].strip())
            start = stop.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _ends(before: str, after: str, stop: str) -> bool:
    if stop[0] != ".":
        return True
    if _NUMBERING.fullmatch(before.strip()) and not before.strip().isalpha():
        return False
    found = _LAST_WORD.search(before)
    word = found[1].lower() if found else ""
    following = after.lstrip()[:1]
    if word in _ABBREVIATIONS:
        return word in _ENDS_ANYWAY and following.isupper()
    if len(word) == 1 and word.isalpha():
        return False
    # "is 5. 7 days": a digit after a stop opens a sentence only when the stop ends a word.
    return not following.isdigit() or not word[-1:].isdigit()
