"""The tree of a document whose elements nobody has described: told by what repeats with a number.

Elements of one name are a kind. A kind whose numbers are unique is units; one whose numbers begin
again is their paragraphs and items; one that only groups others is divisions. Numbers are in an
attribute, a child or at the beginning of the text; where several could be, names decide.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indexer.acts.eu_numbers import is_dash
from indexer.acts.provisions import Act, Level, Provision
from indexer.numbering.units.lines import unit_line
from indexer.readers.columns import (
    NAME_WORDS,
    PROSE,
    folded,
    is_code,
    mean_words,
    named,
    named_number,
    names,
    natural,
    number_score,
)
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.finding import text_of
from indexer.readers.xml.parsing import detach, local_name
from indexer.readers.xml.text import ActText
from indexer.readers.xml.tree import ITEM_WORD, ElementTree
from indexer.titles import NAMES
from search.provisions import vocabulary
from search.text.characters import compatible

if TYPE_CHECKING:
    from lxml.etree import _Element

_LONGEST_FIELD = 300
"""Characters of an element that may be a number or a heading."""
_CUT = _LONGEST_FIELD + 1
_MARKS = 3
"""Elements within one that may be a number or a heading, such as a raised letter."""
_MOST_KINDS = 12
"""Values of a field that parts elements of one name into kinds."""
_BESIDE = 1.3
"""Mean elements of a kind below one parent, from which it repeats."""
_UNIQUE = 0.9
_AGAIN = 0.5
"""Share of different numbers of articles, which may begin again in a part."""
_LEAST = 0.3
_MANY = 20
_DISTINCT = 0.3
_PRINTED = 0.6
"""What being printed adds to the score of a field that may be the number."""


@dataclass(slots=True)
class Kind:
    """Elements that are alike."""

    name: str
    elements: list[_Element] = field(default_factory=list)
    number: str = ""
    """The field of its numbers: `num`, `@nr`; empty: it has none."""
    heading: str = ""
    word: str = ""
    """The field that says what they are called."""
    unique: bool = False
    """Whether a number names one of them in the whole document."""


class Kinds:
    """The kinds of a document."""

    def __init__(self, document: _Element, left_out: Mapping[str, str]) -> None:
        self._parting: dict[str, str] = {}
        self.of: dict[str, Kind] = {}
        for element in _walked(document, left_out):
            name = local_name(element)
            self.of.setdefault(name, Kind(name)).elements.append(element)
        for kind in list(self.of.values()):
            _find_number(kind)
            if not kind.unique and (parting := _parting_field(kind.elements)):
                self._part(kind, parting)
        self._drop_keys()

    def _part(self, kind: Kind, parting: str) -> None:
        """Part elements of one name by a field, if some of them are units then."""
        self._parting[kind.name] = parting
        parts: dict[str, Kind] = {}
        for element in kind.elements:
            name = self.name_of(element)
            parts.setdefault(name, Kind(name)).elements.append(element)
        for part in parts.values():
            _find_number(part)
        if any(part.unique for part in parts.values()):
            self.of |= parts
        else:
            del self._parting[kind.name]

    def name_of(self, element: _Element) -> str:
        """Return the kind of an element: its name, with the field that parts such elements."""
        name = local_name(element)
        parting = self._parting.get(name)
        return f"{name} {value_of(element, parting)}".strip() if parting else name

    def _drop_keys(self) -> None:
        """Leave keys of a database: below what has a printed number, and of parts of a record.

        Such as `ac-1_smt`, the statement of control AC-1; every control has one of that name.
        """
        units = {n for n, one in self.of.items() if one.unique and named(one.number, "number")}
        for kind in self.of.values():
            if not kind.number or named(kind.number, "number"):
                continue
            bare = all(value_of(one, kind.number).isdigit() for one in kind.elements)
            called = _columns(kind.elements).get("@name", []) or [""]
            above = (self.name_of(one) for e in kind.elements[:1] for one in e.iterancestors())
            if bare or len(set(called)) < _DISTINCT * len(called) or not units.isdisjoint(above):
                _find_number(kind, keys=False)
        for kind in self.of.values():
            below = [one for one in kind.elements if self._says_again(one, kind.number)]
            parents = {one.getparent() for one in kind.elements}
            alone = not kind.unique and len(parents) == len(kind.elements)
            if alone or 2 * len(below) > len(kind.elements):
                kind.number, kind.unique = "", False

    def _says_again(self, element: _Element, number: str) -> bool:
        """Return whether the number of an element is that of one around it."""
        own = number and value_of(element, number)
        kinds = ((one, self.of.get(self.name_of(one))) for one in element.iterancestors())
        return bool(own) and any(
            kind and kind.number and value_of(one, kind.number) == own for one, kind in kinds
        )


def value_of(element: _Element, name: str) -> str:
    """Return the value of a field of an element, or ""."""
    if name.startswith("@"):
        found = (v for a, v in element.items() if a.rpartition("}")[2] == name[1:])
        return " ".join(next(found, "").split())
    child = next((one for one in element if local_name(one) == name), None)
    return text_of(child)


def _walked(element: _Element, left_out: Mapping[str, str]) -> Iterator[_Element]:
    name = local_name(element)
    if name and name not in left_out:
        yield element
        for child in element if name.lower() not in names("rows") else ():
            yield from _walked(child, left_out)


def fields_of(element: _Element) -> Iterator[tuple[str, str]]:
    """Yield the attributes and children of an element, cut; of children of one name the first."""
    for attribute, value in element.items():
        yield f"@{attribute.rpartition('}')[2]}", " ".join(value[:_CUT].split())
    seen = set()
    for child in element:
        name = local_name(child)
        if name and name not in seen and sum(1 for _ in child.iterdescendants()) <= _MARKS:
            seen.add(name)
            yield name, text_of(child)[:_CUT]


def _columns(elements: Sequence[_Element]) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = defaultdict(lambda: [""] * len(elements))
    for at, element in enumerate(elements):
        for name, value in fields_of(element):
            columns[name][at] = value
    return columns


def _parting_field(elements: Sequence[_Element]) -> str:
    """Return the field whose few values part elements of one name, or ""."""
    for name, values in _columns(elements).items():
        distinct = set(values)
        few = 1 < len(distinct) <= min(_MOST_KINDS, len(values) / 2)
        if few and folded(name) in names("kind") and not any(map(_has_digit, distinct)):
            return name
    return ""


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _find_number(kind: Kind, *, keys: bool = True) -> None:
    """Find the field of the numbers of a kind, and that of its headings.

    Args:
        kind: it gets what is found.
        keys: whether it may be the key of a database.
    """
    kind.number, kind.unique = "", False
    columns = _columns(kind.elements)
    parents = [str(id(one.getparent())) for one in kind.elements]
    repeats = len(parents) >= _BESIDE * len(set(parents))
    leaves = 2 * sum(not len(one) for one in kind.elements) > len(kind.elements)
    if 2 * sum(bool((one.tail or "").strip()) for one in kind.elements) > len(kind.elements):
        return
    best = 0.0
    for name, values in columns.items():
        alone, beside = number_score(values), number_score(values, parents)
        shown = [value for value in values if value]
        printed = not name.startswith("@") or 2 * sum(map(_is_marked, shown)) > len(shown)
        worded = 2 * sum(unit_line(one) is not None for one in shown) > len(shown)
        unique = alone >= (_AGAIN if worded or _rule(kind.name) else _UNIQUE) * beside
        unique &= not all(one[-1] == ")" for one in shown) and len(shown) > (len(values) > 1)
        known = named_number(name) if keys else named(name, "number")
        told = printed and beside > _UNIQUE and (worded or _comes_first(kind, name))
        if not (known or told) or (name[0] != "@" and not _opens(kind, name)):
            continue
        if beside < _LEAST or not (printed or (not leaves and (repeats or unique))):
            continue
        single = (
            known < 1 or name.startswith("@") or not is_code(values[0]) or shown[0] == kind.name
        )
        if len(kind.elements) == 1 and single:
            continue
        score = beside * (1 + len(shown) / len(values)) / 2 + known / 2 + _PRINTED * printed
        if score > best:
            best, kind.number, kind.unique = score, name, unique
    kind.word = next((name for name, values in columns.items() if _is_word(name, values)), "")
    titled = [
        name for name, values in columns.items()
        if name not in {kind.number, kind.word} and _titles(name)
        and len(set(values)) >= _DISTINCT * len(values) and not all(map(is_code, filter(None, values)))
    ]  # fmt: skip
    kind.heading = max(titled, key=lambda name: len(set(columns[name])), default="")


def _is_word(name: str, values: Sequence[str]) -> bool:
    """Return whether a child holds nothing but the word before the numbers: `Regulation`."""
    distinct = {*values}
    return name[0] != "@" and len(distinct) == 1 and vocabulary.unit_of(values[0]) is not None


def _titles(name: str) -> bool:
    return bool(named(name, "heading")) or any(
        word.casefold() in NAMES for word in NAME_WORDS.findall(name)
    )


def _is_marked(value: str) -> bool:
    """Return whether a number is as it is printed: `(a)`, `1.`, `§ 5`."""
    return is_code(value) and not (value[0] + value[-1]).isalnum()


def _opens(kind: Kind, name: str) -> bool:
    """Return whether no text is before a child in its elements."""
    texts = [one.text for one in kind.elements if one.find(f"{{*}}{name}") is not None]
    return 2 * sum(bool((text or "").strip()) for text in texts) <= len(texts)


def _comes_first(kind: Kind, name: str) -> bool:
    """Return whether a child is the first of the elements that have it."""
    firsts = Counter(local_name(one[0]) for one in kind.elements if len(one))
    return 2 * firsts[name] > firsts.total()


class _Text(ActText):
    """Takes texts out of elements of any namespace."""

    def reason(self, element: _Element, name: str) -> str:
        """Return why an element is not text of the act, or ""."""
        return self._elements.left_out.get(local_name(element) or name, "")


class RepeatedTree(ElementTree):
    """Fills an act by the kinds of a document."""

    texts = _Text

    def __init__(self, act: Act, kinds: Kinds, left_out: Mapping[str, str]) -> None:
        self._kinds = kinds
        for one in filter(_is_repeated, kinds.of.values()):
            for element in one.elements:
                act.leave_out(text_of(element), "a text that many provisions repeat")
                detach(element)
        numbered = {name: one for name, one in kinds.of.items() if one.number}
        units = {name: _word(one) for name, one in numbered.items() if one.unique}
        above = {
            kinds.name_of(element)
            for name in numbered
            for one in kinds.of[name].elements
            for element in one.iterancestors()
        }
        grouping = {
            name for name, one in kinds.of.items()
            if name in above and name not in units and (one.heading or one.number)
        }  # fmt: skip
        inner = {name for name in numbered if name not in units and name not in grouping}
        nested = {name for name in grouping if name in numbered and _is_below(kinds, name, units)}
        rows = names("rows")
        cells = {
            local_name(cell)
            for name, one in kinds.of.items() if name.partition(" ")[0].lower() in rows
            for row in one.elements for cell in row
        }  # fmt: skip
        tables = {
            local_name(next(e for e in row.iterancestors() if local_name(e) not in names("row_groups")))
            for name, one in kinds.of.items() if name.partition(" ")[0].lower() in rows
            for row in one.elements if row.getparent() is not None
        }  # fmt: skip
        super().__init__(act, Elements(
            divisions=dict.fromkeys(grouping - nested, ""),
            units=units,
            items=dict.fromkeys(inner | nested),
            notes=frozenset(n for n in kinds.of if n.partition(" ")[0].lower() in names("notes")),
            tables=frozenset(tables),
            rows=frozenset(n for n in kinds.of if n.lower() in rows),
            cells=frozenset(cells),
            captions=frozenset(),
            texts=frozenset(),
            left_out=left_out,
            labelled_texts=not inner | nested,
        ))  # fmt: skip

    def name_of(self, element: _Element) -> str:
        """Return the kind of an element."""
        return self._kinds.name_of(element)

    def kind_of(self, element: _Element) -> Kind | None:
        """Return the kind of an element, None for one that is left out."""
        return self._kinds.of.get(self.name_of(element))

    def block(self, element: _Element, target: Provision) -> None:
        """Add one block; units may hold units."""
        name = self.name_of(element)
        if name in self.elements.units:
            self._unit(element, target)
        elif name in self.elements.divisions:
            self._division(element, name, target)
        else:
            super().block(element, target)

    def opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision with the number and the heading of its kind taken out."""
        provision = Provision(level, place=element.sourceline or 0)
        kind = self.kind_of(element)
        if kind is None:
            return provision
        fields = filter(None, (kind.word, kind.number))
        provision.label = " ".join(filter(None, [_take(element, name) for name in fields]))
        shown = unit_line(provision.label)
        rest = [shown.text] if shown and _is_heading(shown.text) else []
        provision.label = shown.number if shown and rest else provision.label
        rest += [_take(element, kind.heading)] if kind.heading else []
        provision.heading = " ".join(filter(None, rest))
        if kind.number.startswith("@"):
            _print_number(element, provision)
        return provision

    def label_of(self, element: _Element) -> str:
        """Return the number of an element."""
        kind = self.kind_of(element)
        return value_of(element, kind.number) if kind and kind.number else ""

    def number_unit(self, unit: Provision, element: _Element) -> None:
        """Number a unit as it is printed."""
        shown = unit_line(unit.label)
        unit.number = shown.number if shown and not shown.text else unit.label.strip(" .:—–-")
        if unit.number[:1].isdigit() and self.word_of(element):
            unit.number = f"{self.word_of(element)} {unit.number}"

    def place_item(self, item: Provision, level: Level | None, holder: Provision) -> None:
        """Decide what an item is; its number may begin with that of what encloses it."""
        own, around = _letters(item.number), _letters(holder.number)
        if around and own.startswith(around):
            label = item.label.strip(" .:()")[len(holder.number.strip("()")) :].strip(" .:()")
            item.number = f"({label})" if label else ""
        super().place_item(item, level, holder)

    def number_of_item(self, element: _Element, label: str) -> str:
        """Return the number of an item; a label of words stays as it is."""
        number = super().number_of_item(element, label)
        bare = compatible(label).strip(" .:—–-()[]§")
        if is_dash(label) or (number and _letters(number) == _letters(ITEM_WORD.sub("", bare))):
            return number
        return f".{bare}" if " " in bare else f"({bare})" if bare else ""


def _is_repeated(kind: Kind) -> bool:
    """Return whether elements say again what is above them, such as the titles of divisions."""
    if len(kind.elements) < _MANY or any(map(_is_within_line, kind.elements)) or kind.number:
        return False
    texts = [text for text in map(text_of, kind.elements) if text]
    return 2 * len(set(texts)) < len(texts) and mean_words(texts) >= PROSE


def _is_within_line(element: _Element) -> bool:
    """Return whether an element holds others, or is in a line of text."""
    around = element.getparent()
    texts = (element.tail, None if around is None else around.text)
    return bool(len(element)) or any((one or "").strip() for one in texts)


def _word(kind: Kind) -> str:
    """Return the word before numbers that only an attribute has: `Article`."""
    return _rule(kind.name) if kind.number.startswith("@") else ""


def _rule(name: str) -> str:
    """Return the word for a rule that the name of a kind is, or ""."""
    plain = name.partition(" ")[0]
    known = vocabulary.spelling(plain)
    if known is None or vocabulary.units()[known.unit].kind != "rule":
        return ""
    return (known.unit if known.short else plain).capitalize()


def _is_heading(text: str) -> bool:
    """Return whether what follows a number is a heading: no letter or `bis` of the number."""
    word = text.partition(" ")[0].strip(".,:;-")
    return word[:1].isupper() and len(word) > len("bis") - 1


def _letters(text: str) -> str:
    """Return the letters and digits of ASCII in a text, in lower case."""
    return "".join(c for c in text.lower() if c.isascii() and c.isalnum())


def _is_below(kinds: Kinds, name: str, units: Mapping[str, str]) -> bool:
    """Return whether elements of a kind are within units."""
    first = kinds.of[name].elements[0]
    return any(kinds.name_of(above) in units for above in first.iterancestors())


def _take(element: _Element, name: str) -> str:
    """Return the value of a field and take it out of its element; "" for one that is a text."""
    value = value_of(element, name)
    if len(value) > _LONGEST_FIELD:
        return ""
    if not name.startswith("@"):
        for child in element:
            if local_name(child) == name:
                detach(child)
                break
    return value


def _print_number(element: _Element, provision: Provision) -> None:
    """Take the number as it is printed before a heading or text: `§ 5` where a field has 5."""
    leaf = element
    while not (leaf.text or "").strip() and len(leaf):
        leaf = leaf[0]
    text = provision.heading or leaf.text or ""
    shown = unit_line(text)
    if shown is None or (provision.label and _digits(shown.number) != _digits(provision.label)):
        return
    provision.label = shown.number
    if provision.heading:
        provision.heading = shown.text
    else:
        leaf.text = shown.text


def _digits(number: str) -> list[int]:
    return [part for part, _ in natural(number) if part >= 0]
