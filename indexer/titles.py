"""Which texts can be the title of a document: one decision for every format."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

from indexer.control import control_fields
from indexer.structuring.labels.labels import DATED

_WORDS = tomllib.loads((files(__package__) / "titles.toml").read_text(encoding="utf-8"))
NAMES = frozenset(_WORDS["names"])
"""What formats and tables call a title."""

_ANY = {name: "|".join(map(re.escape, words)) for name, words in _WORDS.items()}
_NO_TITLE = re.compile(
    rf"[(\[{{<].*[)\]}}>]|\W*(?:{_ANY['controls']})\W*(?:[>|/»].*)?"
    rf"|\W*(?:(?:{_ANY['opening']}) (?:{_ANY['behind_opening']})\b"
    r"|skip to|page \d|table of contents|contents of (?:this|the) page).*"
    rf"|\W*(?:(?:{_ANY['remarks']}|{_ANY['versions']})(?:[\W\d]+|$))+"
    r"|[\d\W]*|[a-z\d]{1,2}|[\\/](?:table|figure) (?:start|end)",
    re.IGNORECASE,
)
"""Placeholders and notes in brackets, what a page is used with, versions, marks of tables."""
_CODE = re.compile(r"(?=.*[\d/_])[!-~]+|[!-~]+\.[a-z]{2,4}")
"""One word with a figure or a mark: the code of a file, an address, the name of a file."""


def is_title(text: str) -> bool:
    """Return whether a text can name a document: no version, date, placeholder, code or mark."""
    line = " ".join(text.split())
    undated = DATED.sub("", line)
    if any(map(_NO_TITLE.fullmatch, (line, undated))) or _CODE.fullmatch(line):
        return False
    return not control_fields([line])


def first_title(candidates: Iterable[str]) -> str:
    """Return the first of some texts, the best evidence first, that can be a title; else ""."""
    return next((text for text in candidates if is_title(text)), "")
