"""XML as a tree, read so that no file can reach outside itself or grow in memory."""

from __future__ import annotations

import re
from html.entities import html5
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.problems import Problems
from indexer.readers.files import read_bytes, too_many_tags
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element, _ElementTree

MOST_DEPTH = 100
"""Deepest nesting of elements: the EU acts at hand have 19. Readers walk trees recursively."""

_ENTITY = re.compile(rb"<!ENTITY\b", re.IGNORECASE)
_MOST_TOLD = 160
"""Characters of what the parser says: it quotes the file."""
_PLACE = re.compile(r",? ?\(?(?:<string>, )?line \d+.*$")
_ENTITIES = "declares entities of its own, which rirag does not expand; save it without them"
_DEEP = f"elements are nested more than {MOST_DEPTH} deep; this is not an act"
_LIMITS = {
    "Excessive depth": _DEEP,
    "Text node too long": "one text has more than ten million characters; this is not an act",
}
"""What the parser says of a limit → what is said to people."""

_INCLUDE = "{http://www.w3.org/2001/XInclude}include"


def read_xml(path: Path, problems: Problems, *, instructions: bool = False) -> _Element | None:
    """Return the root of an XML file, or None after noting why it cannot be used.

    No document type is loaded, no entity expanded, no include followed and no network reached: a
    file that declares entities or includes others is refused.
    """
    data = read_bytes(path, problems)
    if data is None:
        return None
    try:
        return parse_xml(data, path, instructions=instructions)
    except InputError as error:
        problems.add(error)
        return None


def parse_xml(data: bytes, path: Path, *, instructions: bool = False) -> _Element:
    """Return the root of XML within the same bounds.

    Args:
        data: the XML.
        path: the file that holds it, for the message.
        instructions: whether processing instructions stay in the tree, as comments never do.

    Raises:
        InputError: it is not XML, or may not be read.
    """
    from lxml import etree

    if fault := too_many_tags(path, data):
        raise fault
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
        huge_tree=False, remove_comments=True, remove_pis=not instructions,
    )  # fmt: skip
    try:
        root: _Element = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _broken(path, data, error) from error
    except AssertionError as error:  # lxml's answer to some documents without a root element
        raise InputError(
            "not XML (no element); save the act again", path, code="source.invalid"
        ) from error
    if unsafe := _unsafe(data, root.getroottree()):
        raise InputError(unsafe, path, code="source.invalid")
    for entity in root.iter(etree.Entity):  # declared in a document type that is not loaded
        entity.tail = html5.get(f"{entity.name};", entity.text) + (entity.tail or "")
    etree.strip_tags(root, etree.Entity)
    return root


def too_deep(root: _Element) -> bool:
    """Return whether elements are nested deeper than readers can walk; takes no recursion."""
    depth = 0
    stack = [iter(root)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            continue
        stack.append(iter(child))
        depth = max(depth, len(stack))
        if depth > MOST_DEPTH:
            return True
    return False


def local_name(element: _Element) -> str:
    """Return the name of an element without its namespace; "" for comments and instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def detach(element: _Element) -> None:
    """Take an element out of its parent; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    element.tail = None
    parent.remove(element)


def _unsafe(data: bytes, tree: _ElementTree) -> str:
    """Return why a well-formed document is refused all the same, or ""."""
    if tree.docinfo.doctype and _declares_entities(data):
        return _ENTITIES
    root = tree.getroot()
    if next(root.iter(_INCLUDE), None) is not None:
        return "includes other files, which rirag does not follow; save it as one file"
    if too_deep(root):
        return _DEEP
    return ""


def _declares_entities(data: bytes) -> bool:
    """Return whether an entity is declared, in one byte a character or in two."""
    return bool(_ENTITY.search(data) or _ENTITY.search(data.replace(b"\0", b"")))


def _broken(path: Path, data: bytes, error: Exception) -> InputError:
    line = getattr(error, "lineno", None)
    told = str(error)
    if _declares_entities(data):
        return InputError(_ENTITIES, path, code="source.invalid")
    for limit, sentence in _LIMITS.items():
        if limit in told:
            return InputError(sentence, path, line, code="source.invalid")
    return InputError(
        f"not well-formed XML ({fault_of(error)}); save it again",
        path,
        line,
        code="source.invalid",
    )


def fault_of(error: Exception) -> str:
    """Return what the parser says is wrong, on one line and without the place; it may quote all."""
    told = " ".join(_PLACE.sub("", str(error).partition("\n")[0]).split())
    return f"{told[:_MOST_TOLD]} …" if len(told) > _MOST_TOLD else told or "damaged"
