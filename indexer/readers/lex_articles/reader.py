"""EU acts as `lex-articles` JSON: one record an article or annex, its text as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indexer.acts.eu_numbers import annex_number, article_number, division_number
from indexer.acts.eu_titles import document_id
from indexer.acts.provisions import Act, Provision
from indexer.acts.reader import ActReader
from indexer.problems import Problems
from indexer.readers.files import read_text
from indexer.readers.json.text import limit_fault, make_decoder, type_name
from indexer.readers.labels import control_fault
from indexer.readers.lex_articles.text import LexText
from search.errors import InputError
from search.provisions.jurisdictions import EU
from search.records import JURISDICTION

SCHEMA = "lex-articles/"
"""How the field `schema` begins."""

_SCHEMA_FIELD = re.compile(r'\{.*?"schema"\s*:\s*"lex-articles/', re.DOTALL)
_LEX_ID = re.compile(
    r"[\w-]+:(\d{5}[a-z]{1,2}\d{4}(?:\(\d{2}\))?):(\d{4}-\d{2}-\d{2})", re.IGNORECASE
)
_CONSOLIDATED = re.compile(r"CELEX:0")
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
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

    def read_act(self, path: Path, problems: Problems) -> Act | None:
        """Return the tree of the act and what was left out, or None after noting why not."""
        text = read_text(path, problems)
        if text is None:
            return None
        before = len(problems)
        record = _parse(text, path, problems)
        act = None if record is None else _act(record, text, path, problems)
        return None if act is None or len(problems) > before else act


def _parse(text: str, path: Path, problems: Problems) -> dict[str, Any] | None:
    try:
        record = make_decoder().decode(text)
    except json.JSONDecodeError as error:
        problems.add(
            InputError(
                f"not valid JSON ({error.msg}); correct the file",
                path,
                error.lineno,
                code="source.invalid",
            )
        )
    except (ValueError, RecursionError) as error:
        problems.add(
            InputError(
                f"JSON that cannot be used ({limit_fault(error)})", path, code="source.invalid"
            )
        )
    else:
        schema = record.get("schema") if isinstance(record, dict) else None
        if isinstance(schema, str) and schema.startswith(SCHEMA):
            return dict(record)
        problems.add(
            InputError(
                f'no object with "schema": "{SCHEMA}1"; give an act', path, code="source.invalid"
            )
        )
    return None


def _act(record: Mapping[str, Any], text: str, path: Path, problems: Problems) -> Act | None:
    act = _describe(record, path)
    if fault := control_fault("lex_id", act.document_id):
        problems.add(InputError(fault, path, code="source.invalid"))
        return None
    provisions = record.get("provisions")
    if not isinstance(provisions, list) or not provisions:
        problems.add(
            InputError(
                "has no list of provisions; give the whole record", path, code="source.empty"
            )
        )
        return None
    divisions = _Divisions(act)
    place = 0
    for item in provisions:
        place, line = _next_line(text, item, place)
        fault = _fault(item)
        if fault:
            problems.add(InputError(fault, path, line or None, code="source.invalid"))
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
    consolidated = bool(_CONSOLIDATED.search(source)) or not source
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
    """Return the offset at which a record is, and its 1-based line."""
    anchor = item.get("anchor") if isinstance(item, dict) else None
    found = text.find(f'"{anchor}"', place) if isinstance(anchor, str) else -1
    if found < 0:
        return place, 0
    return found, text.count("\n", 0, found) + 1


def _fault(item: object) -> str:
    """Return why a record is not a provision, or ""."""
    if not isinstance(item, dict):
        return f"expected a provision in braces, found {type_name(item)}"
    for name in ("text_md", "num", "heading"):
        value = item.get(name)
        if not isinstance(value, str) and not (value is None and name != "text_md"):
            return f"{name} of a provision must be a text, found {type_name(value)}"
        if isinstance(value, str) and _HALF_CHARACTER.search(value):
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
