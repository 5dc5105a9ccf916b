"""Refuse patterns of the product that Python 3.11.0 to 3.11.4 misread, when `re` compiles them.

Those versions match possessive quantifiers wrongly (python/cpython#106052); `(?>…)` around the
greedy form is right in all. Imported before the product, so that every pattern is seen as it is
compiled, however it was put together.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

PRODUCT = tuple(
    str(Path(__file__).resolve().parent.parent / package) + "/"
    for package in ("indexer", "search", "generation", "rirag")
)
parse = re._parser.parse  # type: ignore[attr-defined]


def checked_parse(*arguments: Any, **named: Any) -> Any:
    """Parse a pattern; fail where the product uses a possessive quantifier."""
    found = parse(*arguments, **named)
    if "POSSESSIVE_REPEAT" in repr(found):
        frame = sys._getframe(1)
        while frame.f_back and Path(frame.f_code.co_filename).parent == Path(re.__file__).parent:
            frame = frame.f_back
        file = frame.f_code.co_filename
        assert not file.startswith(PRODUCT), (
            f"{file}:{frame.f_lineno}: Python 3.11.0 to 3.11.4 misread possessive quantifiers "
            f"(`*+`, `++`, `?+`, `{{n}}+`); write (?>…) around the greedy form"
        )
    return found


re._parser.parse = checked_parse  # type: ignore[attr-defined]
