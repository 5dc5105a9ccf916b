"""The numbers of EU acts: from how a source prints them to how a lawyer cites them.

`Article 92(1)(a)`, `Annex III.1(a)`, `Part Three.Title II.Chapter 1`, `Recital 12`. All readers of
EU formats make their numbers here, so that the same act has the same ones in each of them, and
`search.provisions.numbering` finds them by what people write.
"""

from __future__ import annotations

import re

from search.language import vocabulary
from search.provisions.numbering import container_rank

_GROUPS = vocabulary.units_of("division") | {"section", "subsection"}
_DIVISION = re.compile(
    rf"({'|'.join(vocabulary.words_for(_GROUPS))})\s+"
    r"([\w-]{1,12}(?:(?<=\d)\.\d{1,2})?(?:\s[A-Z](?=\s|$))?)(?=[^\w-]|$)\s*",
    re.IGNORECASE,
)
_WORD = vocabulary.pattern(["article"], "en", plural=False)
_ARTICLE = re.compile(rf"{_WORD}\s+(\d+[a-z]{{0,3}}|sole|[IVXL]+)\b\.?", re.IGNORECASE)
_SOLE_ARTICLE = re.compile(rf"sole\s+{_WORD}", re.IGNORECASE)
_ANNEX_OF = {
    language: re.compile(
        rf"({'|'.join(vocabulary.words_for(vocabulary.units_of('attachment'), language))})\b\s*"
        r"(\d{1,3}[a-z]{0,2}|[IVXLC]+[a-z]{0,2}|[A-Z])?(?!\w)",
        re.IGNORECASE,
    )
    for language in ("en", "")
}
"""Titles of annexes in a language; "": in any."""
_SECTION = re.compile(
    rf"({'|'.join(vocabulary.words_for(_GROUPS))}|Module|Table)\s+"
    r"(\d{1,3}[a-z]?|[IVXLC]+|[A-Z])\b"
    r"\s*[.:—–-]?\s*", re.IGNORECASE,
)  # fmt: skip
INNERMOST = container_rank("subsection")
"""The rank of a division without a number."""

_DASHES = re.compile(r"[—–―−•·-]+")
_LABEL = re.compile(r"-?[0-9A-Za-z]{1,7}(?:\.\d{1,3})?")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,5}[a-z]?")
_BARE_LABEL = re.compile(
    r"(\(\s?-?[0-9A-Za-z]{1,6}\s?\)|-?\d{1,3}[a-z]{0,3}(?:[.)]|(?=\s))|[a-zA-Z][.)]|"
    r"\d{1,3}(?:\.\d{1,3}){1,5}[a-z]?\.?(?=\s)|[ivx]{1,5}[.)])\s+"
)


def division_number(text: str) -> tuple[str, int, str] | None:
    """Return (number, rank, heading) of a division's title, or None.

    `TITLE II` gives `("Title II", 3, "")`; ranks are those of the vocabulary.
    """
    found = _DIVISION.match(text.strip())
    if not found:
        return None
    word, number = found.groups()
    spelt = number if number.isupper() and _roman(number) else number.lower()
    if number.replace(" ", "").isalpha() and not _roman(number) and len(number) > 1:
        spelt = " ".join(part.capitalize() for part in number.split())
    elif len(number) == 1 and number.isalpha():
        spelt = number.upper()
    heading = text.strip()[found.end() :].lstrip("—–-:. ").strip()
    return f"{_capitals(word)} {spelt}", container_rank(vocabulary.unit_of(word) or ""), heading


def article_number(text: str) -> tuple[str, str] | None:
    """Return (number, what follows it) of an article's title: `Article 129b`; else None."""
    text = text.strip()
    if sole := _SOLE_ARTICLE.match(text):
        return "Sole Article", text[sole.end() :].strip()
    if found := _ARTICLE.match(text):
        number = found.group(1)
        number = number if number.isupper() else number.lower()
        return f"Article {number}", text[found.end() :].strip()
    return None


def annex_number(text: str, language: str = "en") -> tuple[str, str] | None:
    """Return (number, heading) of an annex's title: `Annex III`, `Annex`; else None.

    Args:
        text: of the title.
        language: "en"; or "" for any.
    """
    text = text.strip()
    found = _ANNEX_OF[language].match(text)
    if not found:
        return None
    word, number = found.groups()
    number = (number or "").rstrip()
    heading = text[found.end() :].lstrip("—–-:. ").strip()
    return f"{word.capitalize()} {number}".strip(), heading


def section_number(text: str) -> tuple[str, str, str]:
    """Return (number, label, heading) of a heading within an annex.

    `Section A. List` gives `(".Section A", "Section A", "List")`, `1. Introduction` gives
    `(".1", "1.", "Introduction")`, and a heading without a number gives two empty texts.
    """
    text = text.strip()
    if found := _SECTION.match(text):
        word, number = found.groups()
        return f".{word.capitalize()} {number}", f"{word} {number}", text[found.end() :].strip()
    label, rest = split_label(text)
    if label:
        return item_number(label, in_annex=True), label, rest
    return "", "", text


def split_label(text: str) -> tuple[str, str]:
    """Part a line into its label and the rest: `1.   Text`, `(a) Text`; no label gives ""."""
    found = _BARE_LABEL.match(text.lstrip() + " ")
    if not found:
        return "", text
    return found.group(1).strip(), text.lstrip()[found.end() :].strip()


def is_label(text: str) -> bool:
    """Return whether a text is nothing but the label of a list item: `(a)`, `1.`, `—`."""
    text = text.strip()
    return bool(text) and (is_dash(text) or (len(text) <= 12 and not split_label(text)[1]
                                             and bool(split_label(text)[0])))  # fmt: skip


def is_dash(label: str) -> bool:
    """Return whether a label is a dash or a bullet, which numbers nothing."""
    return bool(_DASHES.fullmatch(label.strip()))


def item_number(label: str, in_annex: bool = False) -> str:
    """Return a label as it follows the number of what encloses the item.

    `(a)` and `a)` give `(a)`; `1.` gives `(1)` in an article, as lawyers cite paragraphs, and `.1`
    in an annex; `2.1.` gives `.2.1`. A dash gives an empty text.
    """
    label = "".join(label.split())
    if dotted := _DOTTED.match(label):
        return f".{dotted.group()}"
    if _DOTTED.fullmatch(label.strip("()")) and label[:1] == "(":
        return label
    found = _LABEL.search(label)
    if not found or is_dash(label):
        return ""
    number = found.group()
    if number[-1].isalpha() and number[0].isdigit():
        number = number.lower()
    bracketed = label.rstrip(".").endswith(")")
    return f".{number}" if in_annex and not bracketed else f"({number})"


def _capitals(word: str) -> str:
    return "-".join(part.capitalize() for part in word.split("-"))


def _roman(text: str) -> bool:
    return bool(re.fullmatch(r"[IVXLC]+", text, re.IGNORECASE))
