"""From the name of a part to the passages of one document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generation.delegate.part_index import WORDLESS, PartIndex, heading_of
from generation.delegate.part_names import DIVISIONS, PartName, Path, part_names
from search.language import vocabulary
from search.records import Passage

MOST_NAMED = 6
"""Candidates that a message lists: enough to choose from, few enough to be read."""

_HEADING_START = re.compile(r"(?<=[\w)])\s*[:(“\"‘'–—-]+\s*|(?<=[\w)])\s+(?=[A-Z])")
_EMPTY = re.compile(r"\s?\(\W*\)")
_ACT = "|".join(vocabulary.languages()["en"].acts)
_WHOLE = re.compile(
    r"\W*(?:the\s+)?(?:entire|whole|full|complete|all(?:\s+of)?)?\W*(?:the\s+)?"
    rf"(?:{_ACT}|text|document)?\W*",
    re.IGNORECASE,
)


def read_parts(index: PartIndex, text: str) -> Iterator[list[Passage] | str]:
    """Yield the passages of each part that a text names, or why there are none."""
    if exact := index.named(text):
        yield _one(index, exact, text)
        return
    names = part_names(_without_headings(index, text))
    if not names:
        if _WHOLE.fullmatch(text) and index.passages:
            yield list(index.passages)
        return
    for one in names:
        yield from _resolved(index, one)


def _resolved(index: PartIndex, name: PartName) -> Iterator[list[Passage] | str]:
    first = _at(index, name.path)
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
            yield between or f"{_written(name.until)} comes before {_written(name.path)}."


def _inside_a_division(index: PartIndex, name: PartName) -> list[list[Passage] | str]:
    """Return the parts of "Chapter III, Article 8": the article alone where it is inside."""
    outer = tuple(level for level in name.path if level.unit in DIVISIONS)
    inner = name.path[len(outer) :]
    if not outer or not inner:
        return []
    until = None if name.until is None else name.until[len(outer) :] or None
    found = list(_resolved(index, PartName(inner, until)))
    division = _at(index, outer)
    if isinstance(division, str) or isinstance(found[0], str):
        return found
    if index.encloses(division, found[0][0]):
        return found
    return [index.whole(division), *found]


def _at(index: PartIndex, path: Path) -> Passage | str:
    found = index.at(path)
    if found and len({passage.passage_id for passage in found}) == 1:
        return found[0]
    if found:
        listed = "; ".join(_label(passage) for passage in found[:MOST_NAMED])
        return f"{_written(path)} may mean several parts: {listed}. Name it in full."
    return _missing(index, path)


def _missing(index: PartIndex, path: Path) -> str:
    outer = index.at(path[:-1]) if len(path) > 1 else []
    if outer:
        below = [one for one in index.whole(outer[0])[1:] if one.parent == outer[0].id]
        listed = f" It has {below[0].passage_id} to {below[-1].passage_id}." if below else ""
        return f"there is no {_written(path)} in {outer[0].passage_id}.{listed}"
    unit = path[0].unit
    alike = [one for one in index.passages if one.passage_id.lower().startswith(f"{unit} ")]
    roots = [one for one in alike if one.depth == 1] if unit else []
    listed = f" It has {roots[0].passage_id} to {roots[-1].passage_id}." if roots else ""
    return f"there is no {_written(path)}.{listed}"


def _one(index: PartIndex, found: Sequence[Passage], text: str) -> list[Passage] | str:
    if len({passage.passage_id for passage in found}) == 1:
        return index.whole(found[0])
    listed = "; ".join(_label(passage) for passage in found[:MOST_NAMED])
    return f"{text.strip()!r} may mean several parts: {listed}. Name it by its number."


def _label(passage: Passage) -> str:
    heading = heading_of(passage)
    return f"{passage.passage_id} ({heading})" if heading else passage.passage_id


def _written(path: Path) -> str:
    head, *inner = path
    brackets = "".join(
        f"({level.value})" if level.unit in WORDLESS else f", {level.unit} {level.value}"
        for level in inner
    )
    number = head.value.upper() if head.unit in ("annex", "chapter", "title") else head.value
    return f"{head.unit.capitalize()} {number}{brackets}".strip()


def _without_headings(index: PartIndex, text: str) -> str:
    """Return a name without headings that it repeats: "Article 7: Amendments to Annex III"."""
    for start in reversed([match.end() for match in _HEADING_START.finditer(text)]):
        rest = text[start:]
        folded = " ".join(re.findall(r"[^\W_]+", rest.casefold()))
        for heading in index.headings():
            if len(heading) > 4 and folded.startswith(heading):
                words = re.compile(r"[\W_]*".join(map(re.escape, heading.split())), re.IGNORECASE)
                text = text[:start] + words.sub(" ", rest, count=1)
                break
    return _EMPTY.sub("", text)
