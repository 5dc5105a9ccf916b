"""JSON to text and back, with `orjson` where it is installed.

It writes the vector of a question 20 times and reads the answer to a question 3 times as fast as
the standard library (384 dimensions, 70 kB).
"""

from __future__ import annotations

import importlib.util
import json
from typing import Any

orjson: Any = importlib.import_module("orjson") if importlib.util.find_spec("orjson") else None
"""None without the extras; nothing is sent then, and speed does not matter."""


def to_text(value: Any) -> str:
    """Return a value as JSON, without blanks."""
    if orjson is not None:
        try:
            text: str = orjson.dumps(value).decode()
            return text
        except TypeError:
            pass  # half a character, as a terminal can bring in, is not UTF-8, but can be escaped
    return json.dumps(value, separators=(",", ":"))


def from_text(text: str | bytes) -> Any:
    """Read JSON.

    Raises:
        ValueError: it is none.
    """
    if orjson is not None:
        try:
            return orjson.loads(text)
        except ValueError:
            pass  # an escaped half of a character is read by the standard library alone
    return json.loads(text)
