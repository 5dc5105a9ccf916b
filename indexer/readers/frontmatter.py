"""The front matter of a text file: `key: value` lines between two lines `---`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from indexer.problems import Problems
from indexer.readers.labels import control_fault, reserved_fault
from search.errors import InputError
from search.records import MetadataValue

FENCE = "---"
DOCUMENT_ID, TITLE = "document_id", "title"
_NAMES = {
    "document_id": DOCUMENT_ID, "documentid": DOCUMENT_ID,
    "title": TITLE, "document_title": TITLE, "documenttitle": TITLE,
}  # fmt: skip
SAVED_CONTENT = "Markdown Content:"
MOST_SAVED_LINES = 30
_SAVED = re.compile(r"([A-Z][A-Za-z ]{1,30}):\s+(\S.*)")
_NO_KEY = "write front matter lines as 'key: value'"
_ITEM = re.compile(
    r"""\s*(?:(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^']|'')*)')\s*|(?P<plain>[^,]*))(?:,|\Z)"""
)
"""One item of a list and the comma after it; within quotation marks a comma parts nothing."""
_ESCAPED = re.compile(r"""\\(["\\])""")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a file says of itself, and the text after it."""

    body: str
    first_line: int = 1
    """1-based line of the file at which the body begins."""
    document_id: str = ""
    title: str = ""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)


def split_front_matter(text: str, path: Path, problems: Problems) -> FrontMatter | None:
    """Part a file into front matter and body; None after noting the lines that cannot be used.

    A value in square brackets (`topic: [banking, "funds, open"]`) is a list of texts, as in YAML.
    """
    lines = text.split("\n")
    if lines[0].strip() != FENCE:
        return _saved_page(lines) or FrontMatter(text)
    end = next((i for i, line in enumerate(lines[1:], start=1) if line.strip() == FENCE), None)
    if end is None:
        problems.add(
            InputError(
                "the front matter has no closing line '---'; add it", path, 1, code="source.invalid"
            )
        )
        return None
    given: dict[str, str] = {}
    before = len(problems)
    for number, line in enumerate(lines[1:end], start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        name = _NAMES.get(key.lower(), key)
        if fault := _fault(name, value, given) if colon and key else _NO_KEY:
            problems.add(InputError(fault, path, number, code="source.invalid"))
        given[name] = value
    if len(problems) > before:
        return None
    document_id, title = (_unquoted(given.pop(name, "")).strip() for name in (DOCUMENT_ID, TITLE))
    metadata = {name: _value(value) for name, value in given.items() if value}
    return FrontMatter("\n".join(lines[end + 1 :]), end + 2, document_id, title, metadata)


def _saved_page(lines: Sequence[str]) -> FrontMatter | None:
    """Return what is above a page that a program saved as Markdown; None for other texts.

    These are lines such as `Title: Guideline on …` and `URL Source: https://…` up to a line `---`
    or `Markdown Content:`.
    """
    given: dict[str, str] = {}
    for place, line in enumerate(lines[:MOST_SAVED_LINES]):
        if line.strip() in (FENCE, SAVED_CONTENT):
            title = given.pop(TITLE, "")
            kept = {name: value for name, value in given.items() if not _fault(name, value, {})}
            body = "\n".join(lines[place + 1 :])
            return FrontMatter(body, place + 2, "", title, kept) if title else None
        found = _SAVED.fullmatch(line.strip())
        if found:
            given[found[1].lower().replace(" ", "_")] = found[2]
        elif line.strip():
            return None
    return None


def _fault(name: str, value: str, given: Mapping[str, str]) -> str:
    """Return what is wrong with a line of front matter, or ""."""
    if name in given:
        return f"the front matter has {name!r} twice; keep one"
    if name == "kind":
        return "a passage's kind follows from its number and text; rename the field 'kind'"
    if name == DOCUMENT_ID:
        return control_fault(name, value)
    return reserved_fault(name)


def _value(text: str) -> MetadataValue:
    if text.startswith("[") and text.endswith("]"):
        return tuple(item for item in _items(text[1:-1]) if item)
    return _unquoted(text)


def _items(text: str) -> Iterator[str]:
    """Yield the items between the brackets of a list, without their quotation marks."""
    for found in _ITEM.finditer(text):
        if found["plain"] is not None:
            yield found["plain"].strip()
        elif found["double"] is not None:
            yield _ESCAPED.sub(r"\1", found["double"])
        else:
            yield found["single"].replace("''", "'")


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
