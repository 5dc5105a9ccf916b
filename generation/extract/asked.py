"""Distinguish what kind of thing a question asks for, by its wording (`asked.toml`)."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal

from search.provisions.jurisdictions import states_in

AskedKind = Literal[
    "time", "date", "money", "percent", "number", "actor", "yes-no", "definition", "list",
    "consequence", "example", "form", "action",
]  # fmt: skip

_SENTENCE = re.compile(r"[^.?!]+[?]")
_KINDS: dict[AskedKind, dict[str, list[str]]]
_KINDS, _OTHERS = (
    tomllib.loads(Path(__file__).with_name("asked.toml").read_text("utf-8"))[part]
    for part in ("kinds", "others")
)


@lru_cache(maxsize=64)
def _wording(kind: str, form: str) -> re.Pattern[str]:
    ways = _OTHERS[kind] if kind in _OTHERS else _KINDS[kind][form]  # type: ignore[index]
    return re.compile("|".join(ways), re.IGNORECASE)


def asked_kinds(question: str) -> frozenset[AskedKind]:
    """Return the kinds of thing that a question asks for; several where it asks for several."""
    asked = {kind for kind in _KINDS if _wording(kind, "asks").search(question)}
    sentences = [one.strip() for one in _SENTENCE.findall(question)]
    if any(_wording("yes-no", "").match(one) for one in sentences):
        asked.add("yes-no")
    return frozenset(asked)


def kinds_asked_outright(question: str) -> frozenset[AskedKind]:
    """Return the kinds of thing that a question asks for, without those that it only mentions."""
    return frozenset(
        kind
        for kind in asked_kinds(question)
        if "outright" not in _KINDS.get(kind, ()) or _wording(kind, "outright").search(question)
    )


def compares(question: str) -> bool:
    """Return whether a question sets what one document says beside another."""
    if _wording("compares", "").search(question):
        return True
    return bool(_wording("compares states", "").search(question)) and len(states_in(question)) > 1
