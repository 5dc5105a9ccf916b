"""How a passage is named in an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from generation.text.sanitize import as_shown, one_line
from search.provisions.documents.titles import document_code
from search.records import Passage, cited_as

_VERSION = re.compile(r"\s*[(_ ]VER[0-9. _-]+\)?$|[_ ]\d{6}$", re.IGNORECASE)
"""What file names of consolidated texts end in: a version, or a date in six digits."""
_COUNTED = re.compile(r"(\d+)\)")

_NUMBER_BEFORE = re.compile(r"^[\W\d]*\d[\w.()-]*[.)\s]+")
_WORD = re.compile(r"[^\W\d_]{3}")

LONGEST_HEADING = 80
"""Characters of a breadcrumb heading that are shown."""


def document_label(passage: Passage) -> str:
    """Return the name people give a document: `COBS` for a title like `COBS_VER15.150823`.

    Of a title that is a version and no more, the DocumentID is left.
    """
    title = _title(passage)
    return document_code(title) or _VERSION.sub("", title).strip() or _line(passage.document_id)


def distinct_labels(passages: Iterable[Passage]) -> dict[str, str]:
    """Return what the documents of some passages are called, by their DocumentID.

    Two that people call by one name, such as two versions of a rulebook, are called by their whole
    titles; where these are the same too, by their DocumentIDs besides.
    """
    unnamed = {passage.document_id: passage for passage in passages}
    labels: dict[str, str] = {}
    for called in (document_label, _title):
        names = {key: called(passage) for key, passage in unnamed.items()}
        shared = Counter(names.values())
        labels |= {key: name for key, name in names.items() if shared[name] == 1}
        unnamed = {key: passage for key, passage in unnamed.items() if key not in labels}
    return labels | {key: f"{_title(passage)} ({_line(key)})" for key, passage in unnamed.items()}


def number_label(passage_id: str) -> str:
    """Return a number as it reads in a sentence: `paragraph 47` for `47)`, no stop at the end."""
    number = _line(passage_id)
    counted = _COUNTED.fullmatch(number)
    return f"paragraph {counted[1]}" if counted else number.rstrip(".")


def citation_label(passage: Passage, document: str | None = None) -> str:
    """Return document and number, such as `COBS 3.5.8.(b)`."""
    called = document_label(passage) if document is None else document
    return cited_as(called, number_label(passage.passage_id))


def heading_label(passage: Passage) -> str:
    """Return the innermost heading above a passage that has a word; empty without any.

    Its number is left out: the passage's own says it.
    """
    for crumb in reversed(passage.breadcrumb):
        words = _NUMBER_BEFORE.sub("", _line(crumb).replace("*", "")).strip(" .:–—-")
        says_more = words != _title(passage) and not passage.passage_id.startswith(words)
        if _WORD.search(words) and says_more:
            return _shortened(words)
    return ""


def _title(passage: Passage) -> str:
    return _line(passage.document_title) or _line(passage.document_id)


def _shortened(heading: str) -> str:
    if len(heading) <= LONGEST_HEADING:
        return heading
    return heading[:LONGEST_HEADING].rsplit(" ", 1)[0] + " …"


@lru_cache(maxsize=4096)  # titles, headings and numbers, which come again and again
def _line(text: str) -> str:
    return one_line(as_shown(text))
