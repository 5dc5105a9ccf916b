"""The running text of Formex elements: quotation marks, numbers and formulae in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.text import ActText

if TYPE_CHECKING:
    from lxml.etree import _Element

OPERATORS = {
    "EQ": "=", "NE": "≠", "LT": "<", "GT": ">", "LE": "≤", "GE": "≥", "AP": "≈", "AB": "≡",
    "PLUS": "+", "MINUS": "–", "MULT": "×", "DIV": "÷", "DIVIDE": "/", "POINT": "·", "MAXI": "max",
    "MINI": "min", "INTEGRAL": "∫", "SUM": "∑", "PROD": "∏",
}  # fmt: skip
"""Values of TYPE of the empty elements OP.CMP and OP.MATH (Formex 4 schema) → the sign."""


class FormexText(ActText):
    """Takes texts out of elements of Formex; signs stand for the look of what is in a line."""

    def read(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element, without its tail; `notes` receives footnotes."""
        name, kind = local_name(element), element.get("TYPE", "")
        if name in {"QUOT.START", "QUOT.END"}:
            return _character(element.get("CODE", ""))
        if name in {"OP.CMP", "OP.MATH"}:
            return f" {OPERATORS.get(kind, '?')} "
        text = super().read(element, notes)
        signs = {
            "DIVIDEND": f"({text.strip()})",
            "DIVISOR": f" / ({text.strip()})",
            ("FT", "NUMBER"): grouped(text),
            ("HT", "SUP"): raised(text),
            ("EXPR", "BRACKET"): f" ({text.strip()})",
        }
        return signs.get((name, kind), signs.get(name, text))

    def is_line(self, piece: _Element) -> bool:  # noqa: ARG002 - the format's blocks are known
        """Return no: two elements of a kind may be within one word."""
        return False


def grouped(number: str) -> str:
    """Return a number as EU acts print it: groups of three from five digits on."""
    digits = number.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) < 5:
        return number
    head = len(digits) % 3 or 3
    groups = [digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))]
    return " ".join(groups)


def raised(text: str) -> str:
    """Return superscript text so that ten to the power of 25 does not read 1025."""
    return f"^{text.strip()}" if text.strip()[:1].isalnum() else text


def _character(code: str) -> str:
    """Return the character of a hexadecimal code, or nothing for one that is none."""
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
