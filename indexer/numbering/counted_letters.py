"""Letters that the numbers of a text begin with: `A1`, `A1.1`, then `B1`, `B1.1`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from string import ascii_uppercase

_NUMBER = re.compile(r"(?:#{1,6}\s+)?(?:\*\*)?([A-Z])(?:\d{1,3})?\.(\d{1,3})(?![\w])")
_FEWEST = 2
"""Numbers with a point; one alone may be a reference."""


def counted_letters(lines: Sequence[str], fenced: Collection[int]) -> str:
    """Return the letters from A on that numbers of a text begin with in turn, or "" for none.

    Args:
        lines: of the text.
        fenced: 0-based places of lines inside a fence.
    """
    read = (_NUMBER.match(line.strip()) for at, line in enumerate(lines) if at not in fenced)
    numbers = [found for found in read if found]
    begun = dict.fromkeys(found[1] for found in numbers if int(found[2]) <= 1)
    pairs = takewhile(lambda two: two[0] == two[1], zip(begun, ascii_uppercase, strict=False))
    letters = "".join(letter for letter, _ in pairs)
    return letters if sum(found[1] in letters for found in numbers) >= _FEWEST else ""
