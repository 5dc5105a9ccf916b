"""The running text of Formex elements: quotation marks, numbers, formulae and footnotes in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

OPERATORS = {
    "EQ": "=", "NE": "≠", "LT": "<", "GT": ">", "LE": "≤", "GE": "≥", "AP": "≈", "AB": "≡",
    "PLUS": "+", "MINUS": "–", "MULT": "×", "DIV": "÷", "DIVIDE": "/", "POINT": "·", "MAXI": "max",
    "MINI": "min", "INTEGRAL": "∫", "SUM": "∑", "PROD": "∏",
}  # fmt: skip
"""Values of TYPE of the empty elements OP.CMP and OP.MATH (Formex 4 schema) → the sign."""

QUOTES = frozenset({"QUOT.START", "QUOT.END"})

INLINE = frozenset({
    "ACCENT", "ADDRESS.S", "BAR", "BR", "CIT.BIB", "DATE", "DEGREE", "DIVIDEND", "DIVISOR", "EXP",
    "EXPONENT", "EXPR", "FMT.VALUE", "FORMULA", "FORMULA.S", "FRACTION", "FT", "FUNCTION", "HT",
    "IE", "IND", "INCL.ELEMENT", "KEYWORD", "LINK", "MARGIN", "NO.DOC.C", "NOTE", "OP.CMP",
    "OP.MATH", "OVER", "OVERLINE", "QUOT.END", "QUOT.START", "REF.DOC", "REF.DOC.ECR", "REF.DOC.OJ",
    "REF.DOC.SE", "REF.ECR.DOC", "REF.NP.ECR", "ROOT", "SUM", "TERM.S", "UNDER", "VECTOR",
})  # fmt: skip
"""Elements of Formex 4 that are in a line of text."""

NoteSink = Callable[["_Element"], None]
"""Called with each footnote of a text, in its order."""


def running_text(element: _Element, note: NoteSink) -> str:
    """Return the text of an inline element, without its tail, blanks not yet joined."""
    name = local_name(element)
    if name == "NOTE":
        note(element)
        return ""
    if name in QUOTES:
        return _character(element.get("CODE", ""))
    if name in {"OP.CMP", "OP.MATH"}:
        return f" {OPERATORS.get(element.get('TYPE', ''), '?')} "
    return _dressed(name, element.get("TYPE", ""), inner_text(element, note)) if name else ""


def _dressed(name: str, kind: str, text: str) -> str:
    """Return the text of an element with the signs that stand for its look."""
    signs = {
        "DIVIDEND": f"({text.strip()})",
        "DIVISOR": f" / ({text.strip()})",
        "BR": "\n",
        ("FT", "NUMBER"): grouped(text),
        ("HT", "SUP"): raised(text),
        ("EXPR", "BRACKET"): f" ({text.strip()})",
    }
    return signs.get((name, kind), signs.get(name, text))


def inner_text(element: _Element, note: NoteSink) -> str:
    """Return the text inside an element, all of it taken as inline."""
    pieces = [element.text or ""]
    for child in element:
        pieces += [running_text(child, note), child.tail or ""]
    return "".join(pieces)


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
