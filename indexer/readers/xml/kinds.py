"""The kinds of elements of a document that nobody has described: what repeats with a number.

Elements of one name are a kind. Their numbers are in an attribute or a child; values decide which,
and where several could be, what is printed and named so (`indexer/readers/columns.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indexer.readers.columns import (
    NAME_WORDS,
    folded,
    is_code,
    named,
    named_number,
    names,
    number_score,
)
from indexer.readers.xml.parsing import local_name, text_of
from indexer.structuring.labels.units import unit_line
from indexer.structuring.units.restarts import restarted
from indexer.titles import NAMES
from search.language import vocabulary

if TYPE_CHECKING:
    from lxml.etree import _Element

LONGEST_FIELD = 300
"""Characters of a number or a heading."""
_MARKS = 3
"""Elements within a number or a heading, such as a raised letter."""
_MOST_KINDS = 12
"""Values of a field that parts elements of one name into kinds."""
_SURE = 0.9
"""Score of numbers whose field has no name for them, at least."""
_AGAIN = 0.4
"""Share of the numbers of units that stand again in another part, at most."""
_LEAST, _DISTINCT = 0.3, 0.3
"""Least score of numbers, and least share of different headings and names of records."""
_BESIDE = 1.3
"""Mean elements below one parent that attributes count."""
_PRINTED = 0.6
"""What being printed adds to the score of numbers."""


@dataclass(slots=True)
class Kind:
    """Elements that are alike; their fields are children (`num`) and attributes (`@nr`)."""

    name: str
    elements: list[_Element] = field(default_factory=list)
    number: str = ""
    """The field of its numbers."""
    heading: str = ""
    word: str = ""
    """The field that says what they are called."""
    unique: bool = False
    """Whether a number names one of them in the whole document."""
    again: bool = False
    """Whether it may be numbers of a list that begin again."""

    def rule(self) -> str:
        """Return the word for a rule that the name is, `Article`; "" for other names."""
        plain = self.name.partition(" ")[0]
        known = vocabulary.spelling(plain)
        if known is None or vocabulary.units()[known.unit].kind != "rule":
            return ""
        return (known.unit if known.short else plain).capitalize()

    def find(self, *, keys: bool = True) -> None:
        """Find the fields of numbers and headings; `keys`: also keys of a database."""
        self.number, self.unique = "", False
        columns = columns_of(self.elements)
        if not _most(bool((one.tail or "").strip()) for one in self.elements):
            self._find_number(columns, keys)
        self.word = next((name for name in columns if _is_word(name, columns[name])), "")
        titled = [
            n for n in columns if n not in {self.number, self.word} and _titles(n, columns[n])
        ]
        self.heading = max(titled, key=lambda name: len(set(columns[name])), default="")

    def _find_number(self, columns: Mapping[str, Sequence[str]], keys: bool) -> None:
        parents = [str(id(one.getparent())) for one in self.elements]
        counted = len(parents) >= _BESIDE * len(set(parents))
        leaves, alone = _most(not len(one) for one in self.elements), len(parents) == 1
        best = 0.0
        for name, values in columns.items():
            score, whole = number_score(values, parents), number_score(values)
            shown = [value for value in values if value]
            child = name[0] != "@"
            units = [unit_line(one) for one in shown]
            worded = _most(one is not None for one in units)
            said = _most(one is not None and not one.text for one in units)
            printed = child or said or _most(map(_is_marked, shown))
            again = restarted((at, value) for at, value in enumerate(values) if value)
            unique = len(again) <= _AGAIN * len(shown) and whole >= _LEAST
            unique &= not all(one[-1] == ")" for one in shown) and len(shown) > 1 - alone
            known = named_number(name) if keys else named(name, "number")
            evident = printed and score > _SURE and (worded or self._begins_with(name))
            sure = known or evident
            if alone:
                sure = child and known == 1 and is_code(values[0])
            counts = printed or (not leaves and (counted or unique))
            if sure and counts and score >= _LEAST and (not child or self._opens(name)):
                score *= (1 + len(shown) / len(values)) / 2
                score += known / 2 + _PRINTED * printed
                if score > best:
                    best, self.number, self.unique = score, name, unique
                    self.again = bool(again) and not worded and not self.rule()

    def _begins_with(self, name: str) -> bool:
        head = name.partition("/")[0]
        return _most(local_name(one[0]) == head for one in self.elements if len(one))

    def _opens(self, name: str) -> bool:
        texts = [one.text for one in self.elements if field_of(one, name) is not None]
        return not _most(bool((text or "").strip()) for text in texts)


class Kinds:
    """The kinds of a document by their names."""

    def __init__(self, document: _Element, left_out: Mapping[str, str]) -> None:
        self._parting: dict[str, str] = {}
        self.of: dict[str, Kind] = {}
        for element in _walked(document, left_out):
            name = local_name(element)
            self.of.setdefault(name, Kind(name)).elements.append(element)
        for kind in list(self.of.values()):
            if kind.name.lower() not in names("tables"):
                kind.find()
                if not kind.unique:
                    self._part(kind)
        self._drop_keys()
        self._drop_repetitions()

    def name_of(self, element: _Element) -> str:
        """Return the kind of an element: its name, with the value that parts such elements."""
        name = local_name(element)
        parting = self._parting.get(name)
        return f"{name} {value_of(element, parting)}".strip() if parting else name

    def around(self, kind: Kind) -> frozenset[str]:
        """Return the kinds that the first element of a kind is in."""
        return frozenset(map(self.name_of, kind.elements[0].iterancestors()))

    def _part(self, kind: Kind) -> None:
        """Part elements of one name by a field with few values, if some are units then."""
        for name, values in columns_of(kind.elements).items():
            few = 1 < len(set(values)) <= min(_MOST_KINDS, len(values) / 2)
            if few and folded(name) in names("kind") and not any(map(str.isdigit, "".join(values))):
                self._parting[kind.name] = name
                break
        else:
            return
        parts: dict[str, Kind] = {}
        for element in kind.elements:
            name = self.name_of(element)
            parts.setdefault(name, Kind(name)).elements.append(element)
        for part in parts.values():
            part.find()
        if any(part.unique for part in parts.values()):
            self.of |= parts
        else:
            del self._parting[kind.name]

    def _drop_keys(self) -> None:
        """Leave keys of a database: below what has a printed number, and of parts of a record.

        Such as `ac-1_smt`, the statement of control AC-1; every control has one of that name.
        """
        units = {n for n, one in self.of.items() if one.unique and named(one.number, "number")}
        for kind in self.of.values():
            if kind.number and not named(kind.number, "number"):
                bare = all(value_of(one, kind.number).isdigit() for one in kind.elements)
                called = columns_of(kind.elements).get("@name", []) or [""]
                parts = len(set(called)) < _DISTINCT * len(called)
                if bare or parts or not units.isdisjoint(self.around(kind)):
                    kind.find(keys=False)

    def _drop_repetitions(self) -> None:
        """Leave numbers of what is alone in its place, and those that say a number again."""
        used = (name for one in self.of.values() for name in (one.number, one.heading))
        fields = {name.rpartition("/")[2] for name in used}
        units = {name for name, one in self.of.items() if one.unique}
        for kind in self.of.values():
            kind.unique &= not kind.again or units.isdisjoint(self.around(kind) - {kind.name})
            silent = not any(map(_says_something, kind.elements))
            if silent or (kind.name in fields and _most(map(_is_small, kind.elements))):
                kind.number, kind.heading, kind.unique = "", "", False
            parents = {one.getparent() for one in kind.elements}
            alone = not kind.unique and len(parents) == len(kind.elements)
            if alone or _most(self._says_again(one, kind.number) for one in kind.elements):
                kind.number, kind.unique = "", False

    def _says_again(self, element: _Element, number: str) -> bool:
        own = value_of(element, number) if number else ""
        around = ((one, self.of.get(self.name_of(one))) for one in element.iterancestors())
        fields = ((one, kind.number) for one, kind in around if kind and kind.number)
        return bool(own) and any(value_of(one, name) == own for one, name in fields)


def value_of(element: _Element, name: str) -> str:
    """Return the value of a field of an element, or ""."""
    if name[:1] == "@":
        found = (v for a, v in element.items() if a.rpartition("}")[2] == name[1:])
        return " ".join(next(found, "").split())
    return text_of(field_of(element, name))


def field_of(element: _Element, name: str) -> _Element | None:
    """Return the child that is a field, or the one in a head: `head/no`."""
    found: _Element | None = element
    for part in name.split("/"):
        below = () if found is None else found
        found = next((one for one in below if local_name(one) == part), None)
    return found


def fields_of(element: _Element, head: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fields of an element, their values cut; of children of one name the first."""
    for attribute, value in element.items() if not head else ():
        yield f"@{attribute.rpartition('}')[2]}", " ".join(value[: LONGEST_FIELD + 1].split())
    seen = set()
    for child in element:
        name, inner = local_name(child), sum(1 for _ in child.iterdescendants())
        if not name or name in seen or inner > _MARKS * (1 if head else 2):
            continue
        seen.add(name)
        if inner <= _MARKS:
            yield head + name, text_of(child)[: LONGEST_FIELD + 1]
        once = all(one is child or local_name(one) != name for one in element)
        if len(child) and once and not head and not (child.text or "").strip():
            yield from fields_of(child, f"{name}/")


def columns_of(elements: Sequence[_Element]) -> dict[str, list[str]]:
    """Return the values of each field, "" where an element has none."""
    columns: dict[str, list[str]] = defaultdict(lambda: [""] * len(elements))
    for at, element in enumerate(elements):
        for name, value in fields_of(element):
            columns[name][at] = value
    return columns


def _walked(element: _Element, left_out: Mapping[str, str]) -> Iterator[_Element]:
    name = local_name(element)
    if name and name not in left_out:
        yield element
        for child in element if name.lower() not in names("rows") else ():
            yield from _walked(child, left_out)


def _most(found: Iterator[bool] | map[bool]) -> bool:
    counts = Counter(found)
    return counts[True] > counts[False]


def _is_word(name: str, values: Sequence[str]) -> bool:
    """Return whether a child holds nothing but the word before the numbers: `Regulation`."""
    return name[0] != "@" and len({*values}) == 1 and vocabulary.unit_of(values[0]) is not None


def _titles(name: str, values: Sequence[str]) -> bool:
    """Return whether a field holds headings."""
    called = named(name, "heading") or not NAMES.isdisjoint(
        word.casefold() for word in NAME_WORDS.findall(name)
    )
    words = not all(map(is_code, filter(None, values)))
    return bool(called) and words and len(set(values)) >= _DISTINCT * len(values)


def _is_marked(value: str) -> bool:
    """Return whether a number is as it is printed: `(a)`, `1.`, `§ 5`."""
    return is_code(value) and not (value[0] + value[-1]).isalnum()


def _says_something(element: _Element) -> bool:
    """Return whether an element has a text; short fields of records, made of JSON, are texts."""
    return element.sourceline is None or bool(text_of(element))


def _is_small(element: _Element) -> bool:
    return sum(1 for _ in element.iterdescendants()) <= _MARKS
