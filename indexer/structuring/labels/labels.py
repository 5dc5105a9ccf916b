r"""Labels of paragraphs: what they say (`1.2.3`, `(a)`, `Part 1`), and what comes after what.

A label is either the automatic number of a block or typed at the beginning of its text.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Literal

from indexer.structuring.labels.line_labels import AMOUNT, CITED, SIGNED, markdown_heading
from indexer.structuring.labels.order import LATIN, follows
from indexer.structuring.labels.units import unit_line
from search.language import vocabulary
from search.provisions.numbering import (
    COUNTED_WORDS,
    NUMBER_WORDS,
    ORDINALS,
    container_kind,
    container_rank,
)

Shape = Literal["division", "dotted", "integer", "letter", "bracket", "bullet"]
"""`Part 1`; `1.2.3` and `A1.2`; `1.`, `1)` and `1`; `a.`, `B)` and `iv.`; `(a)`, `(1)`; `•`."""

GROUPS = vocabulary.units_of("attachment", "division") | {"section", "article"}
"""What divides a document into parts."""

_FOREIGN = vocabulary.printed(
    word
    for code in vocabulary.languages()
    if code != "en"
    for word in vocabulary.words_for(vocabulary.units_of("division") | {"section"}, code)
    if word.isalpha() and word not in vocabulary.words_for(vocabulary.units(), "en")
)
_WORD = vocabulary.printed([*vocabulary.words_for(GROUPS), "app"])
_SUFFIX = rf"(?:[A-Z]{{1,2}}|(?!st|nd|rd|th)[a-z]{{1,2}}|\s?(?:{'|'.join(LATIN)}))"
_ORDINAL = rf"(?:\d+{_SUFFIX}?|[IVXLC]+|[A-Z])"
_COUNTED = vocabulary.printed(ORDINALS)
_ATTACHED = vocabulary.printed(COUNTED_WORDS)
_CARDINAL = vocabulary.printed(NUMBER_WORDS)
_NAMED = (
    rf"(?:{_WORD})(?:[\s-]?{_ORDINAL}|\s?\(\d{{1,3}}[A-Z]?\)|\s(?:{_CARDINAL}))"
    rf"|(?:{_COUNTED})\s(?:{_ATTACHED})"
    rf"|(?:{_FOREIGN})\s(?:\d{{1,3}}[a-z]?|[IVXLC]+)|\d{{1,3}}\.?\s(?:{_FOREIGN})(?=\s?[:.–—]|\s*$)"
)
_DIVISION = rf"(?P<division>{_NAMED})(?P<colon>\s?[:.])?(?![\w(.])"
_PART = r"\d{1,6}[A-Z]{0,2}"
_END = r"(?:\.?(?![\w.])|\.(?=[A-Z][a-z]))"
"""A dot may have lost the blank behind it: `2.1.Scope`."""
_BEFORE = r"(?:[A-Z]?\.?|[IVX]{2,5}\.)"
_DOTTED = rf"(?P<dotted>{_BEFORE}{_PART}(?:\.{_PART}){{1,11}}|[A-Z]\.\d{{1,3}}){_END}"
_SIGNED = rf"(?P<signed>{SIGNED})\.?(?![\w.])"
_BRACKET = r"\((?P<bracket>\d{1,3}[A-Z]{0,2}|[a-z]{1,5}|[A-Z]{1,5})\)"
_INTEGER = r"(?P<integer>\d{1,3}[A-Z]{0,2})(?P<integer_mark>[.)]|(?=\s)|$)"
_LETTER = r"(?P<letter>[A-Z]{1,2}|[a-z]{1,2}|[ivxlc]{2,5}|[IVXLC]{2,5})(?P<letter_mark>[.)])"
_LABEL = re.compile(
    rf"{_DIVISION}|{_SIGNED}|{_DOTTED}|{_BRACKET}|(?:{_INTEGER}|{_LETTER})(?![\w(])|(?P<bullet>[•▪–—-](?=\s|$))"
)
_TITLE_WORDS = 16
"""Words of a division's title at most."""
_SENTENCE_WORDS = 5
"""Words from which a text with a full stop is a sentence, not a title (`Contraventions, etc.`)."""
_STOPS = ".;:,"
_NEXT_BRACKET = re.compile(rf"{_BRACKET}(?=[\s(])")
_SUBSECTION = re.compile(r"[—–-]\(")
_OF_PART = re.compile(
    rf"to (?:{vocabulary.printed(vocabulary.words_for(['part', 'subpart']))}|§)\s?[\w.-]+\s?[–—-]"
)
"""How the title of an American appendix continues: `Appendix A to Part 225—Capital Guidelines`."""
DATED = re.compile(rf"{vocabulary.any_of('months')}\s(?:1[5-9]|20)\d\d(?!\d)", re.IGNORECASE)
"""What follows the day of a date: `18. Dezember 1998`."""
_HYPHENATED = re.compile(r"(?<=\d)[-–](?=\d)")
"""Rule 2-1 is written 2.1 by those who cite it."""
_IN_FULL = re.compile(r"[A-Z]?\d+(?:\.\d+)*[A-Z]?\s?(?:\(\w{1,5}\))*(?P<own>\(\w{1,5}\))")
"""An automatic `1.1(a)` says where it is; its own part is the last."""
_WORDED = re.compile(
    r"(?P<label>(?P<word>[^\W\d_]+\.?|§)[\s-]?"
    rf"(?P<number>\d{{1,4}}(?:\.\d{{1,3}})*(?:[A-Za-z]{{0,2}}|\s?(?:[a-z]|{'|'.join(LATIN)}))))\.?"
)
"""An automatic `Rule 5`, `Art. 5`, `§ 5`, `Section 1.01` or `HC-1.1`, whatever the word."""
_BULLET = re.compile(r"^[-*+]\s+")
_BOLD = re.compile(r"^(\*\*|__)(\S.*?)\1")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff]")


@dataclass(frozen=True, slots=True)
class Label:
    """A label as it was found."""

    text: str
    """As written: `1.2.3`, `(a)`, `Part 1`."""
    shape: Shape
    word: str = ""
    """The division's word in lower case: `part`."""

    @property
    def core(self) -> str:
        """The number alone: `3` of `(3)`, `a` of `a.`, `1` of `Part 1` and of `FIRST SCHEDULE`."""
        if self.word and self.text[:1].isdigit():
            return self.text.split()[0].rstrip(".")  # 3. Kapitel
        if self.word and not self.text.lower().startswith(self.word):
            return ORDINALS[self.text.split(" ", 1)[0].lower()]
        number = self.text[len(self.word) :].strip("§().:- \t")
        return NUMBER_WORDS.get(number.lower(), number) if self.word else number

    @property
    def unit(self) -> str:
        """The unit that a division is: `app` for `Appendix 2`."""
        return vocabulary.unit_of(self.word) or ""

    @property
    def rank(self) -> int:
        """How far inside a division is; 0 for the outermost."""
        return container_rank(self.unit)

    @property
    def attached(self) -> bool:
        """Whether it is a schedule or the like, with a numbering of its own."""
        return container_kind(self.unit) == "attachment"

    @property
    def signed(self) -> bool:
        """Whether it is a section of a code of many parts and names its own: `§ 240.10b-5`."""
        return self.text.startswith("§")

    @property
    def capital(self) -> bool:
        """Whether it is a capital letter, as chapters may have: `A.`."""
        return self.shape == "letter" and self.core.isupper()

    @property
    def look(self) -> str:
        """The label without its value, so that `(a)` and `(b)` look alike."""
        if self.shape == "division":
            return self.word
        if self.shape == "dotted":
            return f"dotted{self.text.strip('.').count('.')}"
        core = self.core
        if self.shape == "bullet":
            return "bullet"
        kind = "1" if core[0].isdigit() else "a" if core.islower() else "A"
        return self.text.replace(core, kind, 1).rstrip(".")

    @property
    def first(self) -> bool:
        """Whether it begins a list: `0`, `1`, `a`, `A`, `i` or `I`, or a bullet."""
        return self.shape == "bullet" or self.core in ("0", "1", "a", "A", "i", "I")

    def follows(self, other: Label) -> bool:
        """Return whether this label comes right after another of the same list.

        Letters and Roman numerals are read as what makes them follow. A suffix counts: `12A`
        follows `12`, and `13` follows `12A`.
        """
        if self.look != other.look or self.shape == "bullet":
            return self.shape == other.shape == "bullet"
        return follows(self.core, other.core)

    def comes_after(self, other: Label) -> bool:
        """Return whether this label is later in the same list, maybe after a gap."""
        return self.look == other.look and follows(self.core, other.core, sys.maxsize)


def parse_label(text: str, heading: bool = False) -> tuple[Label, str] | None:
    """Return the label at the beginning of a text and what follows it, or None.

    A label is followed by a tab, spaces or nothing, or by a dash and another (`2.—(1)`). Before
    spaces only marked ones count: `(a) each Firm` and `1. Fees`, but not `3 Firms` nor `a firm`.

    Args:
        text: the text of a paragraph.
        heading: whether it is set as a heading, in which `3 Firms` counts too.
    """
    visible = _INVISIBLE.sub("", text).lstrip()
    found = _LABEL.match(visible)
    if not found:
        return None
    after = visible[found.end() :]
    if found["integer"] and _SUBSECTION.match(after):
        return _label(found), after[1:]
    rest = after.lstrip()
    if after and not after[0].isspace() and not _may_follow(found, after):
        return None
    label = _label(found)
    if label.shape == "integer" and DATED.match(rest):
        return None
    tabbed = "\t" in after[: len(after) - len(rest)]
    if rest and not tabbed and not _stands_before_spaces(label, rest, heading):
        return None
    return label, rest


def _may_follow(found: re.Match[str], after: str) -> bool:
    """Return whether a label may end without a blank: `Part 1–Fees`, `(a)(1) Fees`."""
    if found["dotted"]:
        return found.group()[-1] == "."
    if found["bracket"]:
        return _NEXT_BRACKET.match(after) is not None
    return bool(found["division"]) and after[0] in "–-—:"


def line_label(line: str) -> tuple[str, str] | None:
    """Return the number that a line of a text opens with and what follows it, or None.

    Marks of Markdown are no part of it; labels of lists such as `(a)`, and bullets, are none.
    """
    visible = line.strip()
    title = markdown_heading(visible)
    if title is None:
        visible = _BOLD.sub(r"\2", _BULLET.sub("", visible, count=1), count=1)
    found = parse_label(visible if title is None else title, title is not None)
    if found is not None and found[0].shape in {"division", "dotted", "integer"}:
        return found[0].text, found[1]
    unit = unit_line(visible if title is None else title)
    return None if unit is None else (unit.number, unit.text)


def is_cited(above: str) -> bool:
    """Return whether the number of a line is what the line above cites: `as required by section`.

    The title of a chapter or a schedule may end so too, and cites nothing: `Transitional rules`.
    """
    if not CITED.search(above.rstrip()) or markdown_heading(above) is not None:
        return False
    found = line_label(above)
    return found is None or found[0][0].isdigit()


def automatic_label(text: str) -> Label | None:
    """Return the label that an automatic number is, or None for one that is not a label."""
    visible = _INVISIBLE.sub("", text.replace("\xa0", " ")).strip()
    if not visible:
        return None
    visible = _HYPHENATED.sub(".", visible).rstrip("–—-: ") or visible
    found = _LABEL.fullmatch(visible)
    if found:
        return _label(found)
    if re.fullmatch(r"\d{1,3}[A-Z]{0,2}", visible):
        return Label(visible, "integer")
    if inner := _IN_FULL.fullmatch(visible):
        return Label(inner["own"], "bracket")
    if worded := _WORDED.fullmatch(visible):
        shape: Shape = "dotted" if "." in worded["number"] else "integer"
        return Label(worded["label"], shape, worded["word"].lower())
    return None


def _label(found: re.Match[str]) -> Label:
    if found["signed"]:
        return Label(f"§ {found['signed'].lstrip('§').strip()}", "dotted")
    shapes: tuple[Shape, ...] = ("division", "dotted", "bracket", "integer", "letter", "bullet")
    shape = next(shape for shape in shapes if found[shape])
    if shape == "division":
        text = " ".join(found["division"].split())
        named = re.search(rf"\b(?:{_WORD}|{_FOREIGN})(?![a-z])", text)
        return Label(text, shape, named.group().lower() if named else "")
    return Label(found.group().strip(), shape)


def _stands_before_spaces(label: Label, rest: str, heading: bool) -> bool:
    if label.shape in ("bracket", "bullet"):
        return True
    if label.shape == "integer" and label.text[-1] not in ".)":
        # `15 October 2020` in bold is a date.
        first = rest.split(maxsplit=1)[0].lower()
        return heading and rest[0].isupper() and first not in vocabulary.months("en")
    if label.shape == "division":
        # `Part 4 of these Regulations` is a reference; `Part 4 Fees` is a heading.
        words = len(rest.split())
        if _OF_PART.match(rest) and label.word in COUNTED_WORDS:
            return words <= _TITLE_WORDS
        if rest[0].islower() or rest[-1] in ";," or words > _TITLE_WORDS:
            return False
        return rest[-1] != "." or words < _SENTENCE_WORDS
    named = heading and label.shape == "dotted" and rest[-1] not in _STOPS
    marked = label.text[-1] in ".)"
    return (
        named
        or rest.lstrip("*_")[:1].isupper()
        or rest[0] in "“\"'‘([/`…"
        or bool(marked and AMOUNT.match(rest))
    )
