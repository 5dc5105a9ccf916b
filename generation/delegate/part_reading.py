"""From the name of a part to the passages of one document: "Annex III, points 1 to 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generation.delegate.part_index import PartIndex, heading_of
from search.language import vocabulary
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.gaps import is_range
from search.provisions.grammar.references import INNER_UNITS, Reference, assemble, runs
from search.provisions.grammar.words import read_words, tidy
from search.provisions.numbering import container_rank
from search.records import Passage

MOST_NAMED = 6
"""Candidates that a message lists: enough to choose from, few enough to be read."""

_NO_DOCUMENTS = DocumentNames([])
_GOES_ON = re.compile(r"[,;:&]|\b(?:and|or)\b")
"""After other words, such as those of a heading, only this leads to a further part."""
_HEADING_START = re.compile(r"(?<=[\w)])\s*[:(“\"‘'–—-]+\s*|(?<=[\w)])\s+(?=[A-Z])")
_EMPTY = re.compile(r"\s?\(\W*\)")
_THE = rf"(?:{vocabulary.any_of('levels.the', 'en')}\s+)?"
_DOCUMENT = rf"{vocabulary.kinds_of_law()}|{vocabulary.any_of('parts.documents', 'en')}"
_WHOLE = re.compile(
    rf"\W*{_THE}{vocabulary.any_of('parts.whole', 'en')}?\W*{_THE}(?:{_DOCUMENT})?\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PartName:
    """A part, or all that lies from one part to another."""

    part: Reference
    until: Reference | None = None
    """The last part of a range; None: there is no range."""

    def division(self) -> tuple[str, ...]:
        """Return the division that is named, from the outside; empty where another part is."""
        part = self.part
        if self.until is None and part.unit == "section" and len(part.number) == 1:
            return (*part.containers, f"section {part.number[0].removeprefix('section ')}")
        return part.containers if self.until is None and not part.number else ()


def part_names(name: str) -> list[PartName]:
    """Return the parts that a name lists, in its order."""
    text = tidy(name)
    found: list[PartName] = []
    last, around = Reference(), tuple[str, ...]()
    for one, is_end in _references(text):
        gap = text[last.end : one.start]
        if is_end:
            containers = (*around, *(one.containers or last.containers))
            end = replace(one, unit=one.unit or last.unit, containers=containers)
            found[-1] = PartName(found[-1].part, end)
        elif not last or _GOES_ON.search(gap) or not re.search(r"\w", gap):
            around = ()
            if last and not one.containers and last.unit != one.unit and gap in {", ", " ", ": "}:
                around = found[-1].division()  # "Chapter III, Section 2, Articles 8 to 15"
            if around:
                del found[-1]
            found.append(PartName(replace(one, containers=(*around, *one.containers))))
        else:
            continue
        last = one
    return found


def _references(text: str) -> Iterator[tuple[Reference, bool]]:
    for run in runs(text, list(read_words(text, _NO_DOCUMENTS))):
        last = Reference()
        for one in assemble(text, run).references:
            if one.number or one.containers:
                yield one, bool(last) and is_range(text[last.end : one.start])
                last = one


def read_parts(index: PartIndex, text: str) -> Iterator[list[Passage] | str]:
    """Yield the passages of each part that a text names, or why there are none."""
    if exact := index.named(text):
        one = _only(exact, repr(text.strip()), "by its number")
        yield one if isinstance(one, str) else index.whole(one)
        return
    names = part_names(_without_headings(index, text))
    if not names:
        if _WHOLE.fullmatch(text) and index.passages:
            yield list(index.passages)
        return
    for name in names:
        yield from _resolved(index, name)


def _resolved(index: PartIndex, name: PartName) -> Iterator[list[Passage] | str]:
    first = _at(index, name.part)
    if isinstance(first, str):
        inner = _inside_a_division(index, name)
        yield from inner or (first,)
    elif name.until is None:
        yield index.whole(first)
    else:
        last = _at(index, name.until)
        if isinstance(last, str):
            yield last
        else:
            between = index.between(first, last)
            yield between or f"{_written(name.until)} comes before {_written(name.part)}."


def _inside_a_division(index: PartIndex, name: PartName) -> list[list[Passage] | str]:
    """Return the parts of "Chapter III, Article 8": the article alone where it is inside."""
    outer = Reference(containers=name.part.containers)
    is_inner = name.part.core < 2 and name.part.unit in {"", *INNER_UNITS}
    if not (outer and name.part.number) or is_inner or name.part.unit == "section":
        return []
    until = name.until and replace(name.until, containers=())
    found = list(_resolved(index, PartName(replace(name.part, containers=()), until)))
    division = _at(index, outer)
    if isinstance(division, str) or isinstance(found[0], str):
        return found
    if index.encloses(division, found[0][0]):
        return found
    return [index.whole(division), *found]


def _at(index: PartIndex, part: Reference) -> Passage | str:
    found = index.at(part)
    return _only(found, _written(part), "in full") if found else _missing(index, part)


def _only(found: Sequence[Passage], name: str, how: str) -> Passage | str:
    """Return what a name means; where that may be several parts, how to name one of them."""
    if len({passage.passage_id for passage in found}) == 1:
        return found[0]
    listed = "; ".join(_label(passage) for passage in found[:MOST_NAMED])
    return f"{name} may mean several parts: {listed}. Name it {how}."


def _missing(index: PartIndex, part: Reference) -> str:
    if outer := index.at(_around(part)):
        below = [one for one in index.whole(outer[0])[1:] if one.parent == outer[0].id]
        listed = f" It has {below[0].passage_id} to {below[-1].passage_id}." if below else ""
        return f"there is no {_written(part)} in {outer[0].passage_id}.{listed}"
    unit = next(iter(part.containers), part.unit).partition(" ")[0]
    alike = [one for one in index.passages if one.passage_id.lower().startswith(f"{unit} ")]
    roots = [one for one in alike if one.depth == 1] if unit else []
    listed = f" It has {roots[0].passage_id} to {roots[-1].passage_id}." if roots else ""
    return f"there is no {_written(part)}.{listed}"


def _around(part: Reference) -> Reference:
    if len(part.number) > 1:
        return replace(part, number=part.number[:-1])
    if part.number:
        return Reference(containers=part.containers)
    return replace(part, containers=tuple(sorted(part.containers, key=container_rank))[:-1])


def _label(passage: Passage) -> str:
    heading = heading_of(passage)
    return f"{passage.passage_id} ({heading})" if heading else passage.passage_id


def _written(part: Reference) -> str:
    outer = [one.partition(" ") for one in sorted(part.containers, key=container_rank)]
    named = [f"{kind}{blank}{number.upper()}" for kind, blank, number in outer]
    first, *rest = (*part.number[: part.core], "")
    inner = "".join(f"({one})" for one in part.number[part.core :])
    number = ".".join((first.removeprefix(f"{part.unit} "), *filter(None, rest)))
    text = ", ".join(filter(None, (*named, f"{part.unit} {number}{inner}".strip())))
    return text[:1].upper() + text[1:]


def _without_headings(index: PartIndex, text: str) -> str:
    """Return a name without headings that it repeats: "Article 7: Amendments to Annex III"."""
    for start in reversed([match.end() for match in _HEADING_START.finditer(text)]):
        rest = text[start:]
        folded = " ".join(re.findall(r"[^\W_]+", rest.casefold()))
        for heading in index.headings:
            if len(heading) > 4 and folded.startswith(heading):
                words = re.compile(r"[\W_]*".join(map(re.escape, heading.split())), re.IGNORECASE)
                text = text[:start] + words.sub(" ", rest, count=1)
                break
    return _EMPTY.sub("", text)
