"""Plain text whose numbers are relative, as an Act has them: `5A. Duties`, `(1)`, `(a)`.

Such a text is numbered as a Word file is, whose numbers only their place tells (`indexer.outline`);
its lines have no look, so that a title is told by what stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from indexer.blocks import Block
from indexer.numbered import Numbered, heading, markdown_heading, parse_line
from indexer.outline.labelled import labelled
from indexer.outline.labels import Label, parse_label
from search.numbering import container_kind, segments

_CITED = re.compile(
    r"(?:\b(?:sections?|subsections?|paragraphs?|articles?|rules?|regulations?|clauses?|points?)"
    r"|[\d)]\s(?:and|or|to))\Z",
    re.IGNORECASE,
)
"""A line that ends so goes on with a number that it cites."""
_TITLE_WORDS = 6
"""A line of more words is no title: `Prescribed regulations` is one, and cites nothing."""
_OPEN_ENDS = ("—", "–", "-")


def is_relative(lines: Iterable[str]) -> bool:
    """Tell whether numbers such as `5.` are the longest of a text that has lists below them."""
    numbered = lists = False
    for line in lines:
        opening = parse_line(line)
        if markdown_heading(line) or (opening and _is_full(opening)):
            return False
        labels = labelled(Block(line)).labels
        numbered = numbered or bool(opening and opening.bare and opening.style != ")")
        numbered = numbered or len(labels) > 1
        lists = lists or (bool(labels) and labels[-1].shape == "bracket")
    return numbered and lists


def text_blocks(lines: Sequence[str], fenced: frozenset[int]) -> list[Block]:
    """Return the paragraphs of a text; the place of each is the number of its first line.

    A fenced table or figure belongs to the line before it, and so does a line that a sentence goes
    on with. What is a title is set bold.

    Args:
        lines: the text.
        fenced: 0-based places of lines inside a fence, its end among them.
    """
    found: list[tuple[int, list[str]]] = []
    above = ""
    for place, line in enumerate(map(str.strip, lines), start=1):
        if found and (place - 1 in fenced or _goes_on(above, line)):
            found[-1][1].append(line)
        elif line:
            found.append((place, [line]))
        above = line
    return _with_titles([Block("\n".join(some), place=place) for place, some in found])


def _with_titles(blocks: Sequence[Block]) -> list[Block]:
    found: list[Block] = []
    before: Label | None = None
    for block, below in zip_longest(blocks, blocks[1:]):
        following = below.text if below else ""
        title = _title(block.text, before, following)
        before = title if title and title.shape == "integer" else before
        found.append(replace(block, bold=bool(title) or _stands_above(block.text, following)))
    return found


def _stands_above(text: str, following: str) -> bool:
    """Tell whether a line without a number is the heading of the numbered one below it."""
    below = _label(following)
    numbered = below is not None and below.shape == "integer"
    return numbered and _label(text) is None and text[0].isupper() and bool(heading(text))


def _goes_on(above: str, line: str) -> bool:
    """Tell whether a line goes on with the sentence of the line right above it."""
    if not above or not line:
        return False
    if _label(line) is None:
        return line[0].islower()
    label, rest = parse_label(above) or (None, above)
    sentence = (label and label.shape == "bracket") or len(rest.split()) > _TITLE_WORDS
    return bool(sentence and _CITED.search(above))


def _title(text: str, before: Label | None, following: str) -> Label | None:
    """Return the label before a title, or None where a text begins with none, or is a sentence.

    Args:
        text: of the paragraph.
        before: the last number before a title.
        following: the next paragraph: of a list that goes on below a number, the first tells that
            it has a title; of a list of such numbers, the next tells that it has none.
    """
    found = parse_label(text, heading=True)
    if not found:
        return None
    label, rest = found
    if label.shape == "division":
        return label if not rest or heading(rest) else None
    if label.shape != "integer" or not _is_title(rest):
        return None
    below = _label(following)
    if below is not None and below.shape == "bracket":
        return label if below.first else None
    if label.text == label.core:  # `4 Duty to pay`, or `4 lenders` in a sentence
        return label if before is not None and label.follows(before) else None
    return label if below is None or below.shape == "division" else None


def _is_title(text: str) -> bool:
    sentence = "\n" in text or text.endswith(_OPEN_ENDS) or _label(text) is not None
    return bool(heading(text)) and not sentence


def _label(text: str) -> Label | None:
    found = parse_label(text)
    return found[0] if found else None


def _is_full(opening: Numbered) -> bool:
    """Tell whether a number says where it stands, or what it is: `1.2`, `Article 5`, `**5.**`.

    `Section 5(1)` is a reference.
    """
    parts = segments(opening.number)
    if len(parts) > 1:
        return container_kind(parts[0]) != "unit"
    return opening.bold or (not opening.bare and container_kind(parts[0]) == "unit")
