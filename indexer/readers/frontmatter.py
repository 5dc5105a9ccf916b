"""The front matter of a text file: `key: value` lines between two lines `---`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from indexer.problems import Problems
from search.errors import InputError
from search.records import MetadataValue

FENCE = "---"
_DOCUMENT_ID_KEYS = frozenset({"document_id", "documentid"})
_TITLE_KEYS = frozenset({"title", "document_title", "documenttitle"})


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
    """Part a file into front matter and body; None after noting a line that cannot be read.

    A value in square brackets (`topic: [banking, insurance]`) is a list of texts.
    """
    lines = text.split("\n")
    if lines[0].strip() != FENCE:
        return FrontMatter(text)
    end = next((i for i, line in enumerate(lines[1:], start=1) if line.strip() == FENCE), None)
    if end is None:
        problems.add(InputError("the front matter has no closing line '---'; add it", path, 1))
        return None
    document_id = title = ""
    metadata: dict[str, MetadataValue] = {}
    for number, line in enumerate(lines[1:end], start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not key:
            problems.add(InputError("write front matter lines as 'key: value'", path, number))
            return None
        if key.lower() in _DOCUMENT_ID_KEYS:
            document_id = _unquoted(value)
        elif key.lower() in _TITLE_KEYS:
            title = _unquoted(value)
        elif value:
            metadata[key] = _value(value)
    body = "\n".join(lines[end + 1 :])
    return FrontMatter(body, end + 2, document_id, title, metadata)


def _value(text: str) -> MetadataValue:
    if text.startswith("[") and text.endswith("]"):
        items = (_unquoted(item.strip()) for item in text[1:-1].split(","))
        return tuple(item for item in items if item)
    return _unquoted(text)


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
