"""The front matter of a text file: YAML between two lines `---`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from yaml import BaseLoader, MappingNode, MarkedYAMLError, Node, ScalarNode, YAMLError, compose

from indexer.blocks import LeftOut
from indexer.problems import Problems
from indexer.readers.files import unusable
from indexer.readers.labels import MOST_NESTED, control_fault, reserved_fault
from indexer.structuring.acts.provisions import WORK
from search.records import MetadataValue

FENCE = "---"
CLOSING = (FENCE, "...")
DOCUMENT_ID, TITLE = "document_id", "title"
_NAMES = {
    "document_id": DOCUMENT_ID, "documentid": DOCUMENT_ID,
    "title": TITLE, "document_title": TITLE, "documenttitle": TITLE,
}  # fmt: skip
SAVED_CONTENT = "Markdown Content:"
MOST_SAVED_LINES = 30
_SAVED = re.compile(r"([A-Z][A-Za-z ]{1,30}):\s+(\S.*)")
MOST_CHARACTERS = 65_536
"""Characters of front matter at most: reading 64 KiB of nested brackets takes 2 s (measured)."""
_FIELD = re.compile(r"^(\w[^:\n]*):[ \t]+(\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
"""A field and its value, which may continue in indented lines."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a file says of itself, and the text after it."""

    body: str
    first_line: int = 1
    """1-based line of the file at which the body begins."""
    document_id: str = ""
    title: str = ""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)


def split_front_matter(text: str, path: Path, source: str, problems: Problems) -> FrontMatter:
    """Part a file into front matter and body.

    What is not YAML is text, and fields that no passage can have are left out; both are noted.

    Raises:
        InputError: the ID of the document cannot be used.
    """
    lines = text.split("\n")
    if lines[0].strip() != FENCE:
        return _saved_page(lines) or FrontMatter(text)
    ends = [i for i, line in enumerate(lines[1:], start=1) if line.rstrip() in CLOSING]
    end = next(iter(ends), 0)
    try:
        if end:
            fields = _fields("\n".join(lines[1:end]))
        else:
            end = next((i for i, line in enumerate(lines) if not line.strip()), 0)
            fields = _unclosed(lines[1:end])
            problems.guesses.append(f"{source}: the front matter was read up to its empty line.")
    except (YAMLError, RecursionError) as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f" in line {mark.line + 2}" if mark else ""
        problems.guesses.append(
            f"{source}: the front matter was read as text, because it is not YAML "
            f"({problem or 'damaged'}{line})."
        )
        return FrontMatter("\n".join("" if at in (0, end) else one for at, one in enumerate(lines)))
    given: dict[str, str | tuple[str, ...]] = {}
    for written_name, key, node in _flat(fields, set()):
        name, place = _NAMES.get(written_name.lower(), written_name), key.start_mark.line + 2
        value = _value(node)
        fault = _fault(name, str(value), given)
        if fault and name == DOCUMENT_ID and name not in given:
            raise unusable(fault, path, place)
        if fault or value is None:
            written = node.start_mark.buffer[node.start_mark.pointer : node.end_mark.pointer]
            reason = fault or f"nested values of {name!r} in the front matter"
            problems.leave_out(source, [LeftOut(written, reason, place)])
        elif value != "":
            given[name] = value
    own = (given.pop(name, "") for name in (DOCUMENT_ID, TITLE))
    document_id, title = (one if isinstance(one, str) else ", ".join(one) for one in own)
    metadata = {**given, WORK: document_id} if document_id else given
    return FrontMatter("\n".join(lines[end + 1 :]), end + 2, document_id, title, metadata)


def _fields(block: str) -> Sequence[tuple[ScalarNode, Node]]:
    """Return the fields of front matter with their values as written."""
    if len(block) > MOST_CHARACTERS:
        raise MarkedYAMLError(problem=f"it has more than {MOST_CHARACTERS:,} characters")
    try:
        root = compose(block, BaseLoader)
    except YAMLError as error:
        try:
            root = compose(_FIELD.sub(_quoted, block), BaseLoader)
        except YAMLError:
            raise error from None
    if root is None:
        return []
    if not isinstance(root, MappingNode):
        raise MarkedYAMLError(problem="it has no fields")
    return [(key, node) for key, node in root.value if isinstance(key, ScalarNode) and key.value]


def _unclosed(lines: Sequence[str]) -> Sequence[tuple[Node, Node]]:
    """Return the fields above the first empty line where they name the document."""
    with suppress(YAMLError):
        fields = _fields("\n".join(lines))
        if any(key.value.lower() in _NAMES for key, _ in fields):
            return fields
    raise MarkedYAMLError(problem="the closing line '---' is missing")


def _flat(
    fields: Sequence[tuple[Node, Node]], seen: set[int], above: str = "", depth: int = 0
) -> Iterator[tuple[str, Node, Node]]:
    """Yield name, place and value of each field; `to` below `valid` is `valid_to`.

    A mapping that several fields name by an alias is read once: they could name it a million times.
    """
    for key, node in fields:
        name = f"{above}{key.value}"
        if isinstance(node, MappingNode) and depth < MOST_NESTED and id(node) not in seen:
            seen.add(id(node))
            yield from _flat(node.value, seen, f"{name}_", depth + 1)
        elif isinstance(key, ScalarNode):
            yield name, key, node


def _quoted(found: re.Match[str]) -> str:
    """Return a field, its value quoted where only YAML minds it: `title: Rules: Part 1`."""
    try:
        compose(found[0], BaseLoader)
    except YAMLError:
        value = " ".join(found[2].split()).replace("'", "''")
        return f"{found[1]}: '{value}'" + "\n" * found[0].count("\n")
    return found[0]


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


def _fault(name: str, value: str, given: Mapping[str, object]) -> str:
    if name in given:
        return f"the front matter has {name!r} twice; keep one"
    if name == "kind":
        return "a passage's kind follows from its number and text; rename the field 'kind'"
    if name == DOCUMENT_ID:
        return control_fault(name, value)
    return reserved_fault(name)


def _value(node: Node) -> str | tuple[str, ...] | None:
    """Return a value of front matter, the texts of a list one by one; None for a nested one."""
    if isinstance(node, ScalarNode):
        return " ".join(node.value.split())
    if isinstance(node, MappingNode) or not all(isinstance(one, ScalarNode) for one in node.value):
        return None
    return tuple(item for one in node.value if (item := " ".join(one.value.split())))
