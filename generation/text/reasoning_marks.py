"""The marks by which models part reasoning, answer and turns (`reasoning_marks.toml`).

Servers are to take them out of a reply, and many do not.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

LONGEST = 48
"""Characters of the longest mark; what is longer and not complete is text."""

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_TAG = _TABLE.pop("tag")
_KINDS = {kind: "|".join(marks).replace("TAG", _TAG) for kind, marks in _TABLE.items()}

CHAT_MARK = re.compile(
    "|".join(_KINDS[kind] for kind in ("chat", "opens", "closes")), re.IGNORECASE
)
"""A mark of a chat template, or around reasoning: a server may read it wherever it is."""

MARK = re.compile(
    "|".join(f"(?P<{kind}>{marks})" for kind, marks in _KINDS.items() if kind != "chat"),
    re.IGNORECASE,
)
"""Its groups are the kinds of the table."""

_BEGUN = re.compile(
    rf"(?:<[|｜/]?[\w▁:/]{{0,{LONGEST}}}(?:[|｜]|\s[\w=\"' ]{{0,20}})?"
    r"|&(?:l|lt|lt;/?[\w:]{0,24}(?:&(?:g|gt)?)?)?|\[/?[A-Za-z]{0,10}|◁/?\w{0,10})\Z"
)


def begun_at(text: str) -> int:
    """Return where a mark may have begun that is not complete; the text's length if nowhere."""
    found = _BEGUN.search(text, max(0, len(text) - LONGEST))
    return found.start() if found else len(text)
