"""Characters that Word keeps as elements: tabs, breaks, hyphens, and signs of symbol fonts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.docx.markup import attribute

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SYMBOL_FONT = {
    0xA3: "≤", 0xB3: "≥", 0xB4: "×", 0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xB1: "±", 0xD6: "√",
    0xE5: "∑", 0x53: "Σ", 0x44: "Δ", 0x61: "α", 0x62: "β", 0x67: "γ", 0x64: "δ", 0x6C: "λ",
    0x6D: "μ", 0x70: "π", 0x72: "ρ", 0x73: "σ", 0x2D: "−", 0xB0: "°", 0xA5: "∞", 0xB7: "•",
    0xDE: "⇒", 0xAE: "→", 0xAC: "←",
}  # fmt: skip
_WINGDINGS = {0xFC: "✓", 0xFB: "✗", 0xA8: "□", 0xFE: "☑", 0xFD: "☒", 0xE0: "→", 0xA7: "▪"}
_SYMBOLS = {"symbol": _SYMBOL_FONT, "wingdings": _WINGDINGS}


def character(element: Element, kind: str) -> str:
    """Return the text that an element of a run stands for; "" for one that stands for none."""
    if kind in ("tab", "ptab"):
        return "\t"
    if kind in ("br", "cr"):
        return "\n"
    if kind == "noBreakHyphen":
        return "-"
    if kind == "sym":
        font = (attribute(element, "font") or "").lower()
        try:
            code = int(attribute(element, "char") or "", 16)
        except ValueError:
            return ""
        plain = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
        table = next((found for word, found in _SYMBOLS.items() if word in font), {})
        return table.get(plain) or (chr(plain) if 0x20 <= plain < 0xD800 else "•")
    return ""
