"""Relationships: which part of a package holds the styles, the lists, the notes."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SPACES = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/",
)


def relationships_part(part: str) -> str:
    """Return the part that holds the relationships of another; "" stands for the package."""
    place = PurePosixPath(part)
    return str(place.parent / "_rels" / f"{place.name}.rels") if part else "_rels/.rels"


def relationships(root: Element | None, part: str) -> dict[str, str]:
    """Return kind → part of all relationships inside the package.

    Args:
        root: the part that holds them, or None.
        part: the part that has them, from which their paths begin.
    """
    found: dict[str, str] = {}
    folder = PurePosixPath(part).parent
    for relation in root if root is not None else ():
        kind, target = relation.get("Type") or "", relation.get("Target") or ""
        for space in _SPACES:
            if kind.startswith(space) and relation.get("TargetMode") != "External":
                found.setdefault(kind.removeprefix(space), _resolved(folder, target))
    return found


def _resolved(folder: PurePosixPath, target: str) -> str:
    """Return the path of a target that is relative to a folder, or to the package."""
    parts: list[str] = []
    for piece in (folder / target).parts:
        if piece == "..":
            parts = parts[:-1]
        elif piece not in (".", "/"):
            parts.append(piece)
    return "/".join(parts)
