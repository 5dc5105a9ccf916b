r"""EU acts as `lex-articles` JSON: one record an article or annex, its text as Markdown.

Its blocks are parted by blank lines: `**1.** …` is a numbered paragraph, `(a) …` a point, `| … |` a
row of a table. Lists below the first level run on in the line of their clause, with or without a
blank before each item, so that their items have to be found by their labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from indexer.problems import Problems
from indexer.readers.files import read_text, unusable
from indexer.readers.json.text import json_value, type_name
from indexer.readers.labels import control_fault
from indexer.structuring.acts.eu_titles import document_id
from indexer.structuring.acts.open_lists import ListLabels
from indexer.structuring.acts.provisions import Act, Provision
from indexer.structuring.acts.reader import ActReader
from indexer.structuring.labels.eu_numbers import (
    annex_number,
    article_number,
    division_number,
    item_number,
)
from indexer.tables import table_text
from search.errors import InputError
from search.provisions.jurisdictions import EU
from search.records import JURISDICTION

POINT = re.compile(r"(\(-?(?:\d{1,4}[a-z]{0,2}|[ivxlc]{1,7}|[a-z]{1,3})\)|—)\s+", re.IGNORECASE)
"""What an item of a list begins with."""

NEAR = 80
"""Characters before a label that are looked at to tell an item from a reference."""

_PARAGRAPH = re.compile(
    r"(?:\*\*\s?(-?\d{1,3}[a-z]{0,3}\.)\s?\*\*|(-?\d{1,3}[a-z]{0,3}\.)(?=\s))\s*"
)
_INNER = re.compile(r"\((?:\d{1,4}[a-z]{0,2}|[ivxlc]{1,7}|[a-z]{1,3})\)\s(?=[^\s,;.)])")
_WORD_END = re.compile(r"(?:\d/\d+|(?<![^\W\d])[^\W\d]{3,})$")
"""What an item may end with where a full stop was forgotten: a word, or the number of an act."""
_GLUED = re.compile(r"(?<=[a-z)][a-z)][.;:])(?=[A-Z])")
"""Where the record joins two paragraphs without a blank."""

_STRONG_END = re.compile(r"[:;.,]$")
_WEAK_END = re.compile(r"(?:[;:]|[;,]\s(?:and|or)|^(?:and|or))$")
_AMENDMENT = re.compile(r"[►▼]\s?[ABCM]\d{0,3}(?![a-z])|◄|[—–]{5,}")
_DELETED = re.compile(r"[—–]{5,}")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1(?![\w*])|\*\*")
"""Emphasis of Markdown; a single star between words is a multiplication."""
_TABLE_ROW = re.compile(r"\|.*\|")
_TABLE_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")


class LexText:
    """Fills one article or annex with what its Markdown holds."""

    def __init__(self, act: Act, provision: Provision, in_annex: bool) -> None:
        self._act = act
        self._base = self._current = provision
        self._annex = in_annex
        self._labels = ListLabels()
        self._before = ""

    def build(self, markdown: str) -> None:
        """Add all blocks of the text."""
        blocks = [self._unmarked(block) for block in self._blocks(markdown)]
        for index, block in enumerate(blocks):
            if isinstance(block, list):
                self._table(block)
            elif block == self._base.number:
                self._act.leave_out(block, "the number, repeated")
            elif block:
                self._block(block, blocks[index + 1 :])

    def _blocks(self, markdown: str) -> Iterator[str | list[list[str]]]:
        """Yield the blocks of a text: tables as rows of cells, all others as one line.

        Each row of a table that holds a list is a block.
        """
        for block in re.split(r"\n\s*\n", markdown):
            lines = [line.strip() for line in block.strip().split("\n") if line.strip()]
            if not lines or not all(_TABLE_ROW.fullmatch(line) for line in lines):
                yield " ".join(lines)
                continue
            cells = [line for line in lines if not _TABLE_RULE.fullmatch(line)]
            table = [line.strip("|").split("|") for line in cells]
            rows = list_rows(table)
            for label, text, again in rows:
                if again:
                    self._act.leave_out(again, "a list, repeated")
                yield f"{label} {text}".strip()
            if not rows:
                yield table

    def _table(self, rows: list[list[str]]) -> None:
        if text := table_text([self._clean(cell) for cell in row] for row in rows):
            self._current.parts.append(text)

    def _block(self, block: str, later: list[str | list[list[str]]]) -> None:
        if found := _PARAGRAPH.match(block):
            label = found.group(1) or found.group(2)
            self._current = Provision("paragraph", item_number(label, self._annex), label=label)
            self._base.parts.append(self._current)
            self._labels.clear()
            self._before = ""
            block = block[found.end() :]
        elif not POINT.match(block):
            self._labels.close_until(_labels_of(later))
        self._items(block)

    def _items(self, block: str) -> None:
        last: tuple[Provision, Provision, list[str]] | None = None
        for label, raw in list(self._split(block)):
            texts = [text for piece in _GLUED.split(raw) if (text := self._clean(piece))]
            if not label:
                (self._labels.innermost or self._current).parts += texts
            else:
                number = "" if label == "—" else item_number(label, self._annex)
                item = Provision("point", number, parts=[*texts[:1]], label=label)
                parent = self._labels.place(item, self._current, self._before.endswith(":"))
                _settle(last, parent)
                parent.parts.append(item)
                last = item, parent, texts[1:]
            self._before = texts[-1] if texts else self._before
        _settle(last, None)

    def _split(self, block: str) -> Iterator[tuple[str, str]]:
        """Yield (label, text) of the items of a block; what comes before them has no label."""
        trial = ListLabels()
        trial.copy(self._labels)
        label, start = "", 0
        if found := POINT.match(block):
            label, start = found.group(1), found.end()
            below = self._before.endswith(":")
            trial.place(Provision("point", label=label), Provision("point"), below)
        for found in _INNER.finditer(block, start):
            inner = found.group().strip()
            near = block[max(start, found.start() - NEAR) : found.start()]
            if where := _begins_item(block, found.start(), near, inner, trial):
                yield label, block[start : found.start()]
                label, start = inner, found.end()
                trial.place(Provision("point", label=label), Provision("point"), where == "below")
        yield label, block[start:]

    def _unmarked(self, block: str | list[list[str]]) -> str | list[list[str]]:
        """Return a block without the mark of an amendment that it begins with."""
        while isinstance(block, str) and (found := _AMENDMENT.match(block)):
            self._act.leave_out(found.group(), "a mark of an amendment")
            block = block[found.end() :].lstrip()
        return block

    def _clean(self, text: str) -> str:
        for mark in _AMENDMENT.findall(text):
            self._act.leave_out(mark, "a mark of an amendment")
        text = _AMENDMENT.sub(" ", text)
        return " ".join(_EMPHASIS.sub(lambda m: m.group(2) or " ", text).split())


def _settle(last: tuple[Provision, Provision, list[str]] | None, following: object) -> None:
    """Put the further paragraphs of an item where they belong.

    Where the list continues, or goes deeper, they are the item's own; after the last item of a list
    they close the clause that the list is in.
    """
    if last is not None:
        item, parent, texts = last
        (item if following is item or following is parent else parent).parts += texts


def _labels_of(blocks: list[str | list[list[str]]]) -> list[str]:
    labels = []
    for block in blocks:
        if isinstance(block, list):
            continue
        if _PARAGRAPH.match(block):
            break
        if found := POINT.match(block):
            labels.append(found.group(1))
    return labels


def _begins_item(block: str, place: int, before: str, label: str, trial: ListLabels) -> str:
    """Return whether a label in a line begins an item: "below" the one before, or "beside" it.

    Returns "" where it is a reference, as in "points (a) and (b)".
    """
    bare = re.sub(r"\*+", "", _AMENDMENT.sub("", before)).rstrip()
    glued = not block[place - 1 : place].isspace() or _AMENDMENT.search(before[-12:]) is not None
    if bare.endswith(":") and trial.opens(label):
        return "below"
    if glued and _STRONG_END.search(bare):
        gaps = _DELETED.search(before) is not None
        if trial.continues(label) or (gaps and trial.continues(label, gaps=True)):
            return "beside"
        return "below" if trial.opens(label) and bare[-1:] != "." else ""
    if glued and _may_end(bare):
        return "beside" if trial.continues(label) else ""
    if _WEAK_END.search(bare) or re.search(r"[;,]\s?(?:and|or)$", bare):
        return "beside" if trial.continues(label) else ""
    return ""


def _may_end(text: str) -> bool:
    """Return whether an item may end so, without a full stop, before the next one."""
    last = text[-1:]
    return bool(_WORD_END.search(text)) or not (last.isalnum() or last in {"", ")"})


def list_rows(table: Sequence[Sequence[str]]) -> list[tuple[str, str, str]]:
    """Return label, text and repeated list of the items of a table; none where it is not a list.

    The end of a text is a list, repeated, if the rows that follow say every word of it.

    Args:
        table: its rows, each with the texts of its cells.
    """
    rows = [[" ".join(cell.split()) for cell in row] for row in table]
    if not all(len(row) == 2 and POINT.fullmatch(f"{row[0]} ") for row in rows):
        return []
    found = []
    for place, (label, text) in enumerate(rows, start=1):
        later = [label + text for label, text in rows[place:]]
        start = end = text.find(later[0]) if later and rows[place][1] else -1
        for other in later if start >= 0 else ():
            end += len(other) if text.startswith(other, end) else 0
        start = start if start >= 0 and end == len(text) else len(text)
        found.append((label, text[:start], text[start:]))
    return found


SCHEMA = "lex-articles/"
"""How the field `schema` begins."""

_SCHEMA_FIELD = re.compile(r'\{.*?"schema"\s*:\s*"lex-articles/', re.DOTALL)
_LEX_ID = re.compile(
    r"[\w-]+:(\d{5}[a-z]{1,2}\d{4}(?:\(\d{2}\))?):(\d{4}-\d{2}-\d{2})", re.IGNORECASE
)
_ANCHOR = re.compile(r"(art|anx)_(\d+[a-z]{0,3}|[ivxlc]+)", re.IGNORECASE)
_DASH = re.compile(r"\s+[—–-]\s+")


class LexArticlesReader(ActReader):
    """Reads `.json` files of one version of one act."""

    name = "lex-articles"
    suffixes = frozenset({".json"})

    def sniff(self, beginning: str) -> bool:
        """Return whether the file is an object that names the schema."""
        return bool(_SCHEMA_FIELD.match(beginning.lstrip()))

    def foreign(self, beginning: str) -> str:
        """Return a reason for an object of another schema."""
        return (
            "" if self.sniff(beginning) or not beginning.strip() else "not an act of lex-articles"
        )

    def read_act(self, path: Path, problems: Problems) -> Act:
        """Return the tree of the act and what was left out; faulty provisions are noted.

        Raises:
            InputError: the file cannot be used.
        """
        text = read_text(path, problems)
        return _act(json_value(text, path), text, path, problems)


def _act(record: object, text: str, path: Path, problems: Problems) -> Act:
    if not isinstance(record, dict) or not str(record.get("schema")).startswith(SCHEMA):
        raise unusable(f'no object with "schema": "{SCHEMA}1"; give an act', path)
    act = _describe(record, path)
    if fault := control_fault("lex_id", act.document_id):
        raise unusable(fault, path)
    provisions = record.get("provisions")
    if not isinstance(provisions, list) or not provisions:
        problem = "has no list of provisions; give the whole record"
        raise InputError(problem, path, code="source.empty")
    divisions = _Divisions(act)
    place = 0
    for item in provisions:
        place, line = _next_line(text, item, place)
        fault = _fault(item)
        if fault:
            problems.refuse(fault, path, line or None)
            continue
        provision = _provision(item, line)
        divisions.parent(item["path"] if provision.level == "article" else []).append(provision)
        LexText(act, provision, provision.level == "annex").build(item["text_md"])
    for note in record.get("notes") or ():
        act.leave_out(str(note), "a note about the file")
    return act


def _describe(record: Mapping[str, Any], path: Path) -> Act:
    found = _LEX_ID.search(str(record.get("lex_id", "")))
    celex, version = (found.group(1).upper(), found.group(2)) if found else ("", "")
    origin = record.get("derived_from")
    source = str(origin.get("source_uri", "")) if isinstance(origin, dict) else ""
    consolidated = "CELEX:0" in source or not source
    metadata = {
        JURISDICTION: EU, "language": str(record.get("language") or ""),
        "celex": celex, "version": version, "valid_until": str(record.get("valid_to") or ""),
    }  # fmt: skip
    return Act(
        document_id(celex, version if consolidated else "") if celex else path.stem,
        _title(str(record.get("title") or "")),
        {name: value for name, value in metadata.items() if value},
    )


def _title(title: str) -> str:
    """Return `CRR (Regulation (EU) No 575/2013)` for `CRR — Regulation (EU) No 575/2013`."""
    short, *rest = _DASH.split(" ".join(title.split()), maxsplit=1)
    return f"{short} ({rest[0]})" if rest else short


def _next_line(text: str, item: object, place: int) -> tuple[int, int]:
    anchor = item.get("anchor") if isinstance(item, dict) else None
    found = text.find(f'"{anchor}"', place) if isinstance(anchor, str) else -1
    if found < 0:
        return place, 0
    return found, text.count("\n", 0, found) + 1


def _fault(item: object) -> str:
    if not isinstance(item, dict):
        return f"expected a provision in braces, found {type_name(item)}"
    for name in ("text_md", "num", "heading"):
        value = item.get(name)
        if not isinstance(value, str) and not (value is None and name != "text_md"):
            return f"{name} of a provision must be a text, found {type_name(value)}"
        if isinstance(value, str) and any("\ud800" <= one <= "\udfff" for one in value):
            return f"{name} contains half a character (a lone \\ud… escape); write the whole one"
    path = item.get("path", [])
    if not isinstance(path, list) or not all(isinstance(part, str) for part in path):
        return "path of a provision must be a list of texts"
    item["path"] = path
    if not (item.get("num") or item.get("heading") or _anchored(item)):
        return "a provision has no num, heading or anchor; add one"
    return control_fault("num of a provision", item.get("num") or "")


def _anchored(item: Mapping[str, Any]) -> str:
    """Return the number that an anchor stands for: `art_2a` is `Article 2a`; else ""."""
    found = _ANCHOR.fullmatch(str(item.get("anchor") or ""))
    if not found:
        return ""
    word, number = found.groups()
    return f"Article {number}" if word == "art" else f"Annex {number.upper()}"


def _provision(item: Mapping[str, Any], line: int) -> Provision:
    number, heading = item.get("num") or "", item.get("heading") or ""
    number = number if number or heading else _anchored(item)
    annex = annex_number(number or heading)
    if item.get("type") == "annex" or (annex and not article_number(number)):
        name, rest = annex or ("Annex", heading)
        return Provision("annex", name, rest if not number else heading, place=line)
    name, rest = article_number(number) or (" ".join((number or heading).split()), "")
    return Provision("article", name, " ".join(f"{rest} {heading}".split()), place=line)


class _Divisions:
    """The divisions that articles name by their path."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._open: list[tuple[tuple[str, ...], Provision]] = []

    def parent(self, path: list[str]) -> list[Any]:
        """Return the list that an article goes into, after opening the divisions of its path."""
        wanted = _levels(path)
        shared = 0
        for (titles, _), other in zip(self._open, wanted, strict=False):
            if titles != other:
                break
            shared += 1
        del self._open[shared:]
        for titles in wanted[shared:]:
            number, _, heading = division_number(titles[0]) or ("", 0, titles[0])
            division = Provision("division", number, " ".join(filter(None, (heading, *titles[1:]))))
            self._inner().append(division)
            self._open.append((titles, division))
        return self._inner()

    def _inner(self) -> list[Any]:
        return self._open[-1][1].parts if self._open else self._act.provisions


def _levels(path: list[str]) -> list[tuple[str, ...]]:
    """Return the titles of each division of a path; one without a number is the heading before."""
    levels: list[tuple[str, ...]] = []
    for title in path:
        if levels and not division_number(title):
            levels[-1] = (*levels[-1], title)
        else:
            levels.append((title,))
    return levels
