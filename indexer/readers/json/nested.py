"""JSON and YAML whose records are in objects and lists at any depth: catalogues and codes.

Such a file is turned into elements, and read as XML is that nobody has described: objects of a list
that are alike repeat with a number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.problems import Problems
from indexer.readers.columns import PROSE, mean_words, named, named_number
from indexer.readers.files import read_text, too_large, unusable
from indexer.readers.generic_xml import GenericXmlReader
from indexer.readers.json.fields import OURS
from indexer.readers.json.text import json_value
from indexer.readers.labels import RESERVED
from indexer.readers.xml.parsing import MOST_DEPTH, local_name, too_deep
from indexer.readers.xml.repeated import RepeatedTree
from indexer.structuring.acts.provisions import Act, Level, Provision

if TYPE_CHECKING:
    from lxml.etree import _Element

RECORDS = "records"
_PAIR = ("name", "value")
"""Fields of an object that is itself a field: `{"name": "label", "value": "AC-1"}`."""
_FOREIGN = "JSON or YAML, but no list of numbered records"


class RecordTree(RepeatedTree):
    """Fills an act with records: their short fields are metadata, further texts have a label."""

    def opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision with its number, its heading and the other short fields."""
        provision = super().opened(element, level)
        kind = self.kind_of(element)
        taken = {kind.number, kind.heading}
        for name, value in element.items():
            if f"@{name}" not in taken:
                provision.metadata[f"source_{name}" if name in RESERVED else name] = value
        return provision

    def block(self, element: _Element, target: Provision) -> None:
        """Add one block; a text beside the main one says what it is."""
        name = local_name(element)
        beside = element.getparent()
        if (
            not len(element)
            and not element.text
            and self.name_of(element) not in self.elements.units
        ):
            self.act.leave_out(" ".join(map(str, element.values())), "fields without a text")
            return
        siblings = beside if beside is not None and not len(element) else ()
        if not named(name, "text") and any(named(local_name(one), "text") for one in siblings):
            element.text = f"{name}: {element.text}"
        super().block(element, target)


class NestedReader(GenericXmlReader):
    """Reads `.json`, `.yaml` and `.yml` files of one document each."""

    name = "records"
    tree = RecordTree
    suffixes = frozenset({".json", ".yaml", ".yml"})

    def sniff(self, beginning: str) -> bool:
        """Return whether the text begins with an object or a list that holds lists of objects."""
        text = beginning.lstrip()
        ours = any(f'"{name}"' in text for name in OURS)
        return text[:1] in {"{", "["} and not ours and re.search(r"\[\s*\{", text) is not None

    def foreign(self, beginning: str) -> str:
        """Return a reason for settings and the like: no field is named as a number, or as text."""
        keys = {line.strip(' \t"{[-,') for line in beginning.split(":")}
        keys = {key.rpartition('"')[2].rpartition("\n")[2].strip(" -") for key in keys}
        is_named = any(map(named_number, keys)) and any(named(key, "text") for key in keys)
        return "" if is_named else _FOREIGN

    def root_of(self, path: Path, problems: Problems) -> _Element:
        """Return the records of a file as elements."""
        text = read_text(path, problems)
        is_json = text.lstrip()[:1] in {"{", "["}
        root = _root(json_value(text, path) if is_json else _yaml(text, path))
        if too_deep(root):
            problem = f"lists or records are nested more than {MOST_DEPTH} deep; this is not an act"
            raise too_large(path, problem)
        return root

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its name and dates, without provisions."""
        act = super().describe(document, path)
        act.metadata.pop("format")
        return act

    def fault_of(self, document: _Element, act: Act) -> str:
        """Return why records that were read cannot be used, or ""."""
        if not super().fault_of(document, act):
            return ""
        return "contains no list of records with numbers and texts; give such a list"


def _yaml(text: str, path: Path) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, loader):
            if isinstance(event, yaml.AliasEvent):
                raise unusable(
                    "refers to other parts of itself (`*name`), which is not read; write them out",
                    path,
                )
        return yaml.load(text, loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = getattr(error, "problem", None) or "damaged"
        mark = getattr(error, "problem_mark", None)
        raise unusable(
            f"not valid YAML ({problem}); correct the file", path, mark.line + 1 if mark else None
        ) from error


def _root(value: Any) -> _Element:
    """Return the elements of a value; short fields are attributes, texts are children."""
    from lxml import etree

    texts: dict[str, list[str]] = defaultdict(list)
    for key, one in _scalars(value):
        texts[key].append(one)
    prose = {key for key, found in texts.items() if mean_words(found) >= PROSE}
    root = etree.Element(RECORDS)
    _add(root, "record", value, prose)
    return root


def _scalars(value: Any) -> Iterator[tuple[str, str]]:
    stack = [("", value)]
    while stack:
        key, one = stack.pop()
        if isinstance(one, Mapping):
            stack += [(str(name), inner) for name, inner in one.items()]
        elif isinstance(one, list):
            stack += [(key, inner) for inner in one]
        elif isinstance(one, str):
            yield key, one


def _add(parent: _Element, key: str, value: Any, prose: set[str]) -> None:
    """Add a value below an element: objects and texts as elements, short fields as attributes."""
    if isinstance(value, list):
        for one in value:
            inner = _element(parent, key) if isinstance(one, Mapping) and not _pair(one) else parent
            _add(inner, key, one, prose)
    elif isinstance(value, Mapping):
        if pair := _pair(value):
            _field(parent, *pair, prose)
            return
        for name, inner in sorted(value.items(), key=lambda item: isinstance(item[1], list | dict)):
            apart = isinstance(inner, Mapping) and not _holds_text(parent, inner, prose)
            _add(_element(parent, str(name)) if apart else parent, str(name), inner, prose)
    elif isinstance(value, str | int | float | date) and not isinstance(value, bool):
        _field(parent, key, str(value), prose)


def _pair(value: Mapping[Any, Any]) -> tuple[str, str] | None:
    """Return the name and the value of an object that is itself a field, or None."""
    name, shown = (value.get(one) for one in _PAIR)
    return (name, shown) if isinstance(name, str) and isinstance(shown, str) else None


def _holds_text(parent: _Element, value: Mapping[Any, Any], prose: set[str]) -> bool:
    """Return whether an object holds the texts of the record around it, which has none itself."""
    own = any(isinstance(one, str) and key in prose for key, one in value.items())
    return own and not len(parent)


def _field(parent: _Element, key: str, value: str, prose: set[str]) -> None:
    value = "".join(c if c >= " " or c in "\n\t" else " " for c in value)
    value = value.encode("utf-8", "replace").decode().replace("\ufffe", "").replace("\uffff", "")
    if key in prose or "\n" in value:
        for line in filter(str.strip, value.split("\n")):
            _element(parent, key).text = line
    elif not parent.get(_named(key)):
        parent.set(_named(key), value)


def _element(parent: _Element, key: str) -> _Element:
    from lxml import etree

    return etree.SubElement(parent, _named(key))


def _named(key: str) -> str:
    plain = "".join(c if c.isalnum() or c in "_-" else "_" for c in key)
    return plain if plain[:1].isalpha() else f"_{plain}"
