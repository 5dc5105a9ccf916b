"""The generated blocks of a Markdown page: found, compared with what they should be, replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Maker = Callable[[str, str], str | None]
"""Takes what stands after the colon and the block's own text; returns what the block should be,
or None where it stays as it is."""

TOLERANCE = 0.03
"""By so much may a number with a decimal point differ: the encoder rounds in another way on
another processor, and scores move with it."""

_BLOCK = re.compile(
    r"^<!-- (?P<kind>[a-z]+)(?P<exit> \(exit \d+\))?: (?P<what>[^\n]+?) -->\n"
    r"(?:(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<fenced>.*?)^(?P=fence)$"
    r"|(?P<plain>.*?)^<!-- end -->$)",
    re.MULTILINE | re.DOTALL,
)
_TIME = re.compile(
    r"\b\d+\.\d+(?= (?:s|ms)\b)"
    r'|(?<="(?:seconds)": )[\d.e-]+'
    r"|(?<=milliseconds\": \{)[^}]*"
)
_NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]|\.\d)")


def rewritten(page: str, makers: Mapping[str, Maker]) -> tuple[str, list[tuple[int, str]]]:
    """Return a page with its blocks made anew, and (line, name) of each that was stale.

    A block that differs only in times, or in scores by no more than `TOLERANCE`, stays.
    """
    changed: list[tuple[int, str]] = []

    def block(found: re.Match[str]) -> str:
        old = found["fenced"] if found["fence"] else found["plain"]
        kind, what = found["kind"], found["what"] + (found["exit"] or "")
        made = makers[kind](what, old)
        if made is None or alike(old, made):
            return found.group()
        changed.append((page.count("\n", 0, found.start()) + 1, f"{kind}: {what}"))
        opening = found.group().partition("\n")[0]
        if found["fence"]:
            return f"{opening}\n{found['fence']}{found['language']}\n{made}{found['fence']}"
        return f"{opening}\n{made}<!-- end -->"

    return _BLOCK.sub(block, page), changed


def alike(old: str, new: str) -> bool:
    """Tell whether two outputs are the same but for times and the last digits of scores."""
    old, new = _TIME.sub("0", old), _TIME.sub("0", new)
    if _NUMBER.sub("0", old) != _NUMBER.sub("0", new):
        return False
    pairs = zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True)
    return all(abs(float(one) - float(other)) <= TOLERANCE for one, other in pairs)
