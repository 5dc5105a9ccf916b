"""What an act is called: its CELEX number, its date, and a title short enough to cite."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from itertools import islice
from pathlib import Path

from indexer.structuring.acts.provisions import Act
from search.language import vocabulary
from search.provisions.act_numbers import KINDS, UNION
from search.provisions.documents.titles import GENRES, STOP_WORDS
from search.provisions.jurisdictions import EU
from search.records import JURISDICTION

MOST_READ = 400
"""Texts of an act in which its short title is looked for."""
_NUMBERED_TITLE = re.compile(
    rf"(?P<number>{vocabulary.forms('documents.series', 'en')}\s*(?:no\.? ?)?\d[\d./–-]*)"
    r"(?:\s*—.*)?",
    re.IGNORECASE,
)
"""`PUBLIC LAW 104–191—AUG. 21, 1996`, `SENATE BILL 21-190`, `SUBSIDIARY LEGISLATION 423.19`."""
_CALLED = (
    rf"(?:this (?:act|bill|{vocabulary.pattern(vocabulary.units(), 'en', short=False)}(?: [\d.]+)?)"
    r" (?:(?:is|are|may be|shall be)(?: known(?: and(?: may be)?)?)?(?: cited)? as|may be called)"
    r"|the (?:short )?title of th(?:is|ese) [\w. ]{1,20}? is)"
)
_QUOTED = r"(?:''|[\"“‘])(?P<quoted>[^\"“”‘’]{5,120}?)(?:''|[\"”’])"
_TITLE_WORD = r"(?:[A-Z][\w’'-]*|of|in|and|the|for|on)"
_PLAIN = rf"(?-i:(?P<plain>{_TITLE_WORD}(?: {_TITLE_WORD}){{1,14}}))"
_NAMING = re.compile(rf"\b{_CALLED} (?:the )?(?:{_QUOTED}|{_PLAIN})", re.IGNORECASE)

_KIND = rf"(?:{KINDS}|Recommendation|Guideline|Opinion)"
_TYPE = re.compile(
    rf"(?:{_KIND}\s+(?={_KIND}\b))?"
    rf"(?P<numbered>.{{0,80}}?{_KIND}\b(?:\s+[^\W\d]+)?(?:\s+{UNION})?(?:\s+N[or]?\.?[°ºo]?\.?)?"
    r"\s+\d+/\d+(?:/\w+)?)",
    re.IGNORECASE,
)
"""Behind the name of a series, such as `REGULATIONS` of the Official Journal."""
_BRACKETED = re.compile(r"\(([^()]{3,120})\)")
_OWN_KIND = re.compile(rf"Act\b|Code\b|Law\b|{KINDS}", re.IGNORECASE)
_OF_AREA = re.compile(r"\b(?:EEA|EWR|EEE|SEE|EER)\b")
"""In `(Text with EEA relevance)`, in several languages."""
_MOST_LINES = 3
"""Below its first line, of a title that is broken over several."""
_CELEX = re.compile(r"\b([0-9CE]\d{4}[A-Z]{1,2}\d{3,4}(?:\(\d{2}\))?)(?:-(\d{8}))?\b")
_NUMBERED = re.compile(
    r"\b(Regulation|Directive|Decision)(?:\s+\([A-Z, ]{2,12}\))?(?:\s+No)?\s+(\d{2,5})/(\d{1,5})\b",
    re.IGNORECASE,
)
_LETTERS = {"regulation": "R", "directive": "L", "decision": "D"}
"""Letter of each kind of act in CELEX numbers."""

_SMALL = frozenset({"of", "the", "and", "on", "for"})
_COMPACT_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})")
_PRINTED_DATE = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")


def eu_act(path: Path, official: str, celex: str, version: str, language: str) -> Act:
    """Return an EU act with its names and dates, still without provisions.

    Args:
        path: of the file, which names an act without a CELEX number.
        official: its title as in `official_title`.
        celex: its number as published, such as `32013R0575`; "" if it is not known.
        version: ISO date of the consolidated version; "" for an act as published.
        language: ISO 639-1 code, or "".
    """
    metadata = {
        JURISDICTION: EU, "language": language, "celex": celex, "version": version,
        "official_title": official,
    }  # fmt: skip
    return Act(
        document_id(celex, version) if celex else path.stem,
        short_title(official),
        {name: value for name, value in metadata.items() if value},
    )


def official_title(printed: str) -> str:
    """Return a printed title on one line, its capitals as in a sentence."""
    return _readable(printed)


def short_title(official: str, below: Iterable[str] = ()) -> str:
    """Return a title to cite an act by: its own short one, then its kind and number.

    The Artificial Intelligence Act has its short title in brackets at the end of the long one and
    is `Artificial Intelligence Act (Regulation (EU) 2024/1689)`; most acts have none.

    Args:
        official: the long title, or the first line of one that is broken over several.
        below: the lines behind it.
    """
    official = " ".join(official.split())
    found = _TYPE.match(official)
    if not found:
        return official
    numbered = _readable(found["numbered"])
    for line in (official[found.end() :], *islice(below, _MOST_LINES)):
        names = [one for one in _BRACKETED.findall(line) if _OWN_KIND.search(one)]
        short = [" ".join(one.split()) for one in names if not _OF_AREA.search(one)]
        if short:
            return f"{short[-1][0].upper()}{short[-1][1:]} ({numbered})"
    return numbered


def celex_number(text: str) -> tuple[str, str] | None:
    """Return (CELEX number, ISO date of the consolidated version or "") found in a text."""
    found = _CELEX.search(text)
    return (found.group(1), iso_date(found.group(2) or "")) if found else None


def celex_of_title(official: str) -> str:
    """Return the CELEX number that a title tells: `Regulation (EU) No 575/2013`; else "".

    Since 2015 the year comes first, and before that it stood last for regulations only.
    """
    found = _NUMBERED.search(official)
    if not found:
        return ""
    word, first, second = found.groups()
    regulation = word.lower() == "regulation"
    year_first = (len(first) == 4 and "No" not in found.group()) or not regulation
    year, number = (first, second) if year_first else (second, first)
    if len(year) == 2:
        year = f"19{year}"
    return f"3{year}{_LETTERS[word.lower()]}{int(number):04d}" if len(year) == 4 else ""


def document_id(celex: str, version: str = "") -> str:
    """Return the name of an act or of one of its consolidated versions, as EUR-Lex writes it.

    `32013R0575` in its version of 2023-06-28 is `02013R0575-20230628`.
    """
    return f"0{celex[1:]}-{version.replace('-', '')}" if version else celex


def iso_date(text: str) -> str:
    """Return the ISO form of `20230628`, `28.06.2023` or `2023-06-28`; "" for anything else."""
    compact = _COMPACT_DATE.fullmatch(text.replace("-", "").strip())
    printed = None if compact else _PRINTED_DATE.search(text)
    try:
        if compact:
            return date(*map(int, compact.groups())).isoformat()
        if printed:
            day, month, year = map(int, printed.groups())
            return date(year, month, day).isoformat()
    except ValueError:
        return ""
    return ""


def _readable(title: str) -> str:
    """Return a title in capitals as other texts print it: `Commission Delegated Regulation`."""
    return " ".join(_readable_word(word) for word in title.split())


def _readable_word(word: str) -> str:
    if not (word.isalpha() and word.isupper()):
        return word
    if word.lower() in _SMALL:
        return word.lower()
    return word.capitalize() if len(word) > 3 else word


def own_title(title: str, texts: Iterable[str]) -> str:
    """Return the short title followed by the number, or the title itself if it is not a number.

    Args:
        title: as the publisher has it.
        texts: of the act, in order.
    """
    numbered = _NUMBERED_TITLE.fullmatch(title.strip())
    if numbered is None:
        return title
    read = [" ".join(text.split()) for text in islice(texts, MOST_READ)]
    called = [found["quoted"] or found["plain"] for found in map(_NAMING.search, read) if found]
    words = _kinds(read[0]) if read and read[0].isupper() else [""]
    headed = read[:1] if words[-1] in GENRES and words[0] not in STOP_WORDS else []
    for name in (one.strip(" .,") for one in (*called, *headed)):
        if not GENRES.isdisjoint(_kinds(name)):
            return f"{_in_title_case(name)} ({_in_title_case(numbered['number'])})"
    return title


def _kinds(name: str) -> list[str]:
    """Return the words of a name, in lower case and of one: `regulation` for `Regulations`."""
    return [word.removesuffix("s") for word in name.casefold().split()]


def _in_title_case(name: str) -> str:
    if not name.isupper():
        return name
    return " ".join(
        word if word in STOP_WORDS else word.capitalize() for word in name.casefold().split()
    )
