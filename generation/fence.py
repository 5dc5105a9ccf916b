"""Fences around text of others: what stands inside is data, and cannot pass for anything else."""

from __future__ import annotations

import re
import secrets

from generation.terminal import printable

_BRACKETED_NUMBER = re.compile(
    r"[\[【](\s*(?:passages?\s+)?\d(?:[\d\s,;&–—-]|and)*)[\]】]", re.IGNORECASE
)


class Fence:
    """The marks of one request: a text cannot close the fence, for it cannot guess the code."""

    def __init__(self, code: str | None = None) -> None:
        self.code = code or secrets.token_hex(6)
        """48 random bits, new for every request."""

    def passage(self, number: int, name: str, text: str) -> str:
        """Return a numbered passage between its marks."""
        label = f"passage {number} ({_defused(' '.join(name.split()))})"
        return self._between(label, f"passage {number}", text)

    def question(self, text: str) -> str:
        """Return the question between its marks."""
        return self._between("question", "question", text)

    def _between(self, opening: str, closing: str, text: str) -> str:
        inner = _defused(text).strip()
        return f"<<{self.code} begin {opening}>>\n{inner}\n<<{self.code} end {closing}>>"


def _defused(text: str) -> str:
    """Return a text whose own `[7]` cannot be copied into an answer as a citation.

    Such numbers get round brackets; control and invisible characters go.
    """
    return _BRACKETED_NUMBER.sub(r"(\1)", printable(text))
