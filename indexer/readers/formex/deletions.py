"""Text that a consolidated Formex file still carries although an amending act deleted it.

Between the instructions `CLG.MDFO … ACTION="DELETED"` and the `CLG.MDFC` that it names is what
is no longer law; EUR-Lex prints a dash instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.readers.xml.parsing import detach

if TYPE_CHECKING:
    from lxml.etree import _Element, _ProcessingInstruction

    from indexer.acts.provisions import Act

_ATTRIBUTE = re.compile(r'([\w.]+)="([^"]*)"')


def drop_deleted(root: _Element, act: Act) -> None:
    """Take deleted text out of a tree, and note it in the act with the act that deleted it.

    The instructions are gone afterwards.
    """
    from lxml import etree

    open_deletions: dict[str, str] = {}
    gone: list[_Element] = []
    texts: list[tuple[str, str]] = []
    began: dict[_Element, bool] = {}
    for event, node in etree.iterwalk(root, events=("start", "end", "pi")):
        if event == "start":
            began[node] = bool(open_deletions)
            if open_deletions and node.text:
                texts.append((node.text, next(iter(open_deletions.values()))))
                node.text = None
            continue
        if event == "pi":
            _follow(node, open_deletions)
        elif began.pop(node) and open_deletions:
            gone.append(node)
        if open_deletions and node.tail:
            texts.append((node.tail, next(iter(open_deletions.values()))))
            node.tail = None
    for by in dict.fromkeys(by for _, by in texts):
        act.leave_out(" ".join(t for t, b in texts if b == by), f"deleted by {by}")
    for node in gone:
        detach(node)
    etree.strip_tags(root, etree.ProcessingInstruction)


def _follow(node: _ProcessingInstruction, open_deletions: dict[str, str]) -> None:
    attributes = dict(_ATTRIBUTE.findall(node.text or ""))
    if node.target == "CLG.MDFO" and attributes.get("ACTION") == "DELETED":
        end = attributes.get("IDREF", "")
        if end:
            open_deletions[end] = attributes.get("ACTIVE.DOC", "an amending act")
    elif node.target == "CLG.MDFC":
        open_deletions.pop(attributes.get("ID", ""), None)
