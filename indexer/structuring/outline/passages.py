"""From the tree to passages: which nodes are passages of their own, and how they read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from indexer.structuring.labels.line_labels import heading
from indexer.structuring.outline.nodes import Node

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_ANNOUNCES = re.compile(r"\bfollowing\b")
_GOING_ON = "—–-"
_COMPLETED = (".", "!", "?", "”", '"', ")", "]")


@dataclass(frozen=True, slots=True)
class OutlinePassage:
    """A passage before it belongs to a document."""

    number: str
    text: str
    place: int
    """1-based paragraph of the source at which it begins."""


def passages(root: Node) -> Iterator[OutlinePassage]:
    """Yield the passages of a document in reading order."""
    own = OwnPassages(root)
    for node in root.children:
        yield from _passages(node, own)


def _passages(node: Node, own: OwnPassages) -> Iterator[OutlinePassage]:
    # A heading that only continues is not said again where the node's own title says the same.
    title = node.introduction[:1]
    lines = [text for text in node.prefix if text in node.fresh or text not in title]
    opened: list[Node] = []
    for piece in node.content:
        if isinstance(piece, str):
            lines.append(piece)
        elif own.opens(piece):
            opened.append(piece)
        else:
            lines += _inline(piece)
    yield OutlinePassage(node.number, "\n".join(lines), node.place)
    for child in opened:
        yield from _passages(child, own)


_TITLE_LINES = 2


class OwnPassages:
    """Decides which nodes are passages of their own, and which belong to the one above.

    A list that completes an introductory clause stays with it; items that stand alone under a
    number, a heading or a whole sentence are passages of their own. Lists whose labels are bare
    (`1.`, `A.`) are part of the structure of some documents: there most of them are alone, and
    then all do.
    """

    def __init__(self, root: Node) -> None:
        self._votes: Counter[tuple[str, str]] = Counter()
        self._vote(root)

    def opens(self, node: Node) -> bool:
        """Return whether a node is a passage of its own."""
        above = node.parent
        if node.quoted or (above and above.quoted):
            return False
        if node.role != "item" or above is None or node.label is None:
            return node.role != "item"
        return node.label.shape != "bullet" and self._item_opens(node, above)

    def _item_opens(self, node: Node, above: Node) -> bool:
        if above.role == "item" and not _is_bare(node):
            complete = _is_bare(above) and stands_alone(node, above)
            return (complete or _is_paragraph(node, above)) and self.opens(above)
        if above.role == "item" and not self.opens(above):
            return False
        integer = node.label is not None and node.label.shape == "integer"
        if integer and any(child.repeats_parent for child in above.children):
            return False  # `1.` in the text of 2, above 2.1
        return stands_alone(node, above) or (_is_bare(node) and self._votes[_kind(node)] > 0)

    def _vote(self, node: Node) -> None:
        """Count the bare lists below a node: those that stand alone less those that do not."""
        seen: set[str] = set()
        for child in node.children:
            if child.label and child.label.look not in seen and _is_bare(child):
                seen.add(child.label.look)
                self._votes[_kind(child)] += 1 if stands_alone(child, node) else -1
            self._vote(child)


def _is_paragraph(node: Node, above: Node) -> bool:
    """Return whether an item is a whole sentence below a letter, as in American rules: `(a)(1)`.

    Where one of the items is less than a sentence, all stay with their clause.
    """
    if not above.introduction or not (above.label and node.label):
        return False
    bracketed = above.label.shape == node.label.shape == "bracket"
    if not (bracketed and above.label.core.islower() and node.label.core.isdigit()):
        return False
    firsts = [child.lines[0].strip() for child in above.children if child.lines]
    return all(first[:1].isupper() and first.endswith((".", ":", "—")) for first in firsts)


def stands_alone(node: Node, above: Node) -> bool:
    """Return whether an item is more than the end of a clause, by what comes before it."""
    introduction = above.introduction
    if not introduction:
        return True
    if node.titled and node.label and node.label.shape != "bracket":
        return True
    titled = len(introduction) == 1 and above.titled
    short = len(introduction) <= _TITLE_LINES
    if titled or (short and _reads_as_title(" ".join(introduction), node)):
        return True
    if len(introduction) > 1 and node.label and node.label.core.islower():
        return False
    if _is_announced(node, above, introduction[-1]):
        return False
    return introduction[-1].strip().endswith(_COMPLETED)


def _reads_as_title(line: str, item: Node) -> bool:
    """Return whether the line above a list is a title that nothing sets apart.

    It ends without any stop, and the list's first item is a sentence of its own, or a title with
    sentences below it.
    """
    above = item.parent.content if item.parent else [item]
    first = next((piece for piece in above if isinstance(piece, Node)), item)
    line, words = line.strip(), " ".join(first.lines[:1]).strip()
    titled = heading(line) and line[0].isupper() and line[-1] not in _GOING_ON
    below = next(_texts(first.content[1:]), "")
    sentences = words.endswith((".", ":")) or (below[:1].isupper() and below.endswith("."))
    return bool(titled) and words[:1].isupper() and sentences


def _texts(pieces: Iterable[str | Node]) -> Iterator[str]:
    for piece in pieces:
        yield from [piece.strip()] if isinstance(piece, str) else _texts(piece.content)


def _is_announced(node: Node, above: Node, introduction: str) -> bool:
    """Return whether a whole sentence announces a list (`the following`) as a colon would.

    Items of several sentences are paragraphs, however they are announced; and so are those whose
    letters are without a bracket (`a.`).
    """
    if node.label is None or node.label.text[-1] != ")" or not node.label.core.islower():
        return False
    if not _ANNOUNCES.search(_SENTENCE_END.split(introduction.strip())[-1]):
        return False
    items = [child.lines[0] for child in above.children if child.role == "item" and child.lines]
    return sum(len(_SENTENCE_END.split(item.strip())) for item in items) < 2 * len(items)


def _is_bare(node: Node) -> bool:
    """Return whether a label is a number or a capital letter without brackets."""
    if node.role != "item" or node.label is None or node.parent is None:
        return False
    if node.parent.role == "guidance":
        return False
    return node.label.shape in ("integer", "letter") and not node.label.core.islower()


def _kind(node: Node) -> tuple[str, str]:
    above = node.parent.label if node.parent else None
    return (node.label.look if node.label else "", above.look if above else "")


def _inline(node: Node) -> list[str]:
    label = node.label.text if node.label else node.segment
    lines: list[str] = list(node.fresh)
    rest = list(node.content)
    first = rest.pop(0) if rest else ""
    if isinstance(first, Node):
        inner = _inline(first)
        lines.append(f"{label}\t{inner[0]}")
        lines += inner[1:]
    else:
        lines.append(f"{label}\t{first}")
    for piece in rest:
        lines += [piece] if isinstance(piece, str) else _inline(piece)
    return lines
