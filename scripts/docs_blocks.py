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


_OPENING = re.compile(r"^<!-- (?:run|write|file|help|table)\b", re.MULTILINE)
_BLOCK = re.compile(
    r"^<!-- (?:(?P<kind>run|write|file|help)(?P<exit> \(exit \d+\))?: (?P<what>[^\n]+?) -->\n"
    r"(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<fenced>.*?)^(?P=fence)$"
    r"|table: (?P<table>[^\n]+?) -->\n(?P<plain>(?:(?!<!--)[^\n]*\n)*)<!-- end -->$)",
    re.MULTILINE | re.DOTALL,
)
_TIME = re.compile(
    r"\b\d+\.\d+(?= (?:s|ms)\b)"
    r'|(?<="(?:seconds)": )[\d.e-]+'
    r"|(?<=milliseconds\": \{)[^}]*"
)
_NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]|\.\d)")


class PageError(Exception):
    """A page asks for something that cannot be made."""


def rewritten(page: str, makers: Mapping[str, Maker]) -> tuple[str, list[tuple[int, str]]]:
    """Return a page with its blocks made anew, and (line, name) of each that was stale.

    A block that differs only in times, or in scores by no more than `TOLERANCE`, stays.

    Raises:
        PageError: a block is not complete, or of a kind or name that `makers` do not know.
    """
    changed: list[tuple[int, str]] = []

    def block(found: re.Match[str]) -> str:
        kind = found["kind"] or "table"
        what = found["table"] or found["what"] + (found["exit"] or "")
        old = found["plain"] if found["table"] else found["fenced"]
        line = page.count("\n", 0, found.start()) + 1
        try:
            made = makers[kind](what, old)
        except KeyError as error:
            raise PageError(f"line {line}: there is no {kind} {what}") from error
        if made is None or alike(old, made):
            return found.group()
        changed.append((line, f"{kind}: {what}"))
        start = found.start("plain" if found["table"] else "fenced") - found.start()
        return found.group()[:start] + made + found.group()[start + len(old) :]

    made_anew = _BLOCK.sub(block, page)
    if len(_OPENING.findall(page)) != len(_BLOCK.findall(page)):
        raise PageError("a block has no fence right below its comment, or no end")
    return made_anew, changed


def alike(old: str, new: str) -> bool:
    """Return whether two outputs are the same but for times and the last digits of scores."""
    old, new = _TIME.sub("0", old), _TIME.sub("0", new)
    if _NUMBER.sub("0", old) != _NUMBER.sub("0", new):
        return False
    pairs = zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True)
    return all(abs(float(one) - float(other)) <= TOLERANCE for one, other in pairs)
