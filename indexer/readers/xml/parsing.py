"""XML as a tree, read so that no file can reach outside itself or grow in memory.

Names are looked up without their namespace.
"""

from __future__ import annotations

import re
from html.entities import html5
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.files import check_tags, unusable
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


def parse_xml(data: bytes, path: Path, *, instructions: bool = False) -> _Element:
    """Return the root of XML.

    No document type is loaded, no entity expanded, no include followed and no network reached: a
    file that declares entities or includes others is refused.

    Args:
        data: the XML.
        path: the file that holds it, for the message.
        instructions: whether processing instructions stay in the tree, as comments never do.

    Raises:
        InputError: it is not XML, or may not be read.
    """
    from lxml import etree

    check_tags(path, data)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
        huge_tree=False, remove_comments=True, remove_pis=not instructions,
    )  # fmt: skip
    try:
        root: _Element = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _broken(path, data, error) from error
    except AssertionError as error:  # lxml's answer to some documents without a root element
        raise unusable("not XML (no element); save the act again", path) from error
    if unsafe := _unsafe(data, root.getroottree()):
        raise unusable(unsafe, path)
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


def namespace(element: _Element) -> str:
    """Return the address of an element's namespace, or ""."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag[:1] == "{" else ""


def is_mixed(element: _Element) -> bool:
    """Return whether an element holds text beside its children."""
    return bool((element.text or "").strip()) or any((e.tail or "").strip() for e in element)


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
        return unusable(_ENTITIES, path)
    for limit, sentence in _LIMITS.items():
        if limit in told:
            return unusable(sentence, path, line)
    return unusable(f"not well-formed XML ({fault_of(error)}); save it again", path, line)


def fault_of(error: Exception) -> str:
    """Return what the parser says is wrong, on one line and without the place; it may quote all."""
    told = " ".join(_PLACE.sub("", str(error).partition("\n")[0]).split())
    return f"{told[:_MOST_TOLD]} …" if len(told) > _MOST_TOLD else told or "damaged"


def child(element: _Element | None, *names: str) -> _Element | None:
    """Return the first child of one of some names."""
    if element is None:
        return None
    return next((e for e in element if local_name(e) in names), None)


def first(element: _Element | None, *names: str) -> _Element | None:
    """Return the first element below of one of some names, tried in their order."""
    if element is None:
        return None
    found = (e for name in names for e in element.iter() if local_name(e) == name)
    return next(found, None)


def text_of(element: _Element | None) -> str:
    """Return all text of an element with single blanks, or ""."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def look_up(document: _Element | None, *places: str) -> str:
    """Return the text or attribute at the first of some places where there is any, else "".

    A place is elements, each anywhere below the one before it, and maybe an attribute of the last:
    `Meta/DocumentTitle`, `TEXTE@cid`, `@builddate` of the element itself.
    """
    if document is None:
        return ""
    for place in places:
        path, _, attribute = place.partition("@")
        found = [document]
        for name in filter(None, path.split("/")):
            found = [below for one in found for below in one.iter(f"{{*}}{name}")]
        values = (one.get(attribute, "").strip() if attribute else text_of(one) for one in found)
        if value := next(filter(None, values), ""):
            return value
    return ""


_SKIPPED = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)", re.DOTALL | re.IGNORECASE
)
_ELEMENT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")


def root_name(beginning: str) -> str:
    """Return the name of the first element, without its prefix; "" if there is none."""
    place = 0
    while skipped := _SKIPPED.match(beginning, place):
        place = skipped.end()
    found = _ELEMENT.match(beginning, place)
    return found.group(1) if found else ""
