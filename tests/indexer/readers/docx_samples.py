"""Small Word documents, written as the XML that they are."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from indexer.blocks import Block, LeftOut
from indexer.readers.docx.reader import read_blocks
from indexer.structuring.outline import Outline, OutlinePassage, outline

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_NAMES = (
    f'xmlns:w="{W}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def paragraph(
    text: str = "",
    *,
    number: tuple[int, int] | None = None,
    style: str = "",
    bold: bool = False,
    runs: str = "",
    properties: str = "",
) -> str:
    """Return a paragraph.

    Args:
        text: its text, in one run.
        number: list and level of its automatic number.
        style: its style.
        bold: whether the text is bold.
        runs: XML of further runs.
        properties: XML of further paragraph properties.
    """
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    numbered = (
        f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>'
        if number
        else ""
    )
    return f"<w:p><w:pPr>{style}{numbered}{properties}</w:pPr>{run(text, bold)}{runs}</w:p>"


def run(text: str, bold: bool = False, properties: str = "") -> str:
    """Return a run; tabs in the text become tab elements."""
    if not text:
        return ""
    pieces = "<w:tab/>".join(
        f'<w:t xml:space="preserve">{piece}</w:t>' if piece else "" for piece in text.split("\t")
    )
    look = f"<w:rPr>{'<w:b/>' if bold else ''}{properties}</w:rPr>"
    return f"<w:r>{look}{pieces}</w:r>"


def level(index: int, text: str, number_format: str = "decimal", more: str = "") -> str:
    """Return one level of a list; `more` is XML that comes before its text."""
    start = "" if "<w:start " in more else '<w:start w:val="1"/>'
    return (
        f'<w:lvl w:ilvl="{index}">{start}<w:numFmt w:val="{number_format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


ONE_LIST = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'


def numbering(levels: str, numbers: str = ONE_LIST) -> str:
    """Return `numbering.xml` with one abstract list."""
    return (
        f'<w:numbering {_NAMES}><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        f"{numbers}</w:numbering>"
    )


def styles(content: str) -> str:
    """Return `styles.xml`."""
    return f"<w:styles {_NAMES}>{content}</w:styles>"


def write_docx(path: Path, body: str, **parts: str) -> Path:
    """Write a document.

    Args:
        path: where.
        body: XML of the body's content.
        parts: XML of `styles`, `numbering`, `footnotes` and the like.
    """
    related = "".join(
        f'<Relationship Id="r{name}" Type="{_RELATED}/{name}" Target="{name}.xml"/>'
        for name in parts
    )
    content: Mapping[str, str] = {
        "_rels/.rels": (
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" '
            f'Type="{_RELATED}/officeDocument" Target="word/document.xml"/></Relationships>'
        ),
        "word/_rels/document.xml.rels": (
            f'<Relationships xmlns="{_PACKAGE}">{related}</Relationships>'
        ),
        "word/document.xml": f"<w:document {_NAMES}><w:body>{body}</w:body></w:document>",
        **{f"word/{name}.xml": xml for name, xml in parts.items()},
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, xml in content.items():
            package.writestr(name, xml)
    return path


def read_outline(path: Path, *, footnotes: bool = False) -> Outline:
    """Return what the look of a file shows."""
    return outline(*read_blocks(path), footnotes=footnotes)


def blocks_of(folder: Path, body: str, **parts: str) -> list[Block]:
    """Return the blocks of a document with this body."""
    return read_blocks(write_docx(folder / "rules.docx", body, **parts))[0]


def left_out_of(folder: Path, body: str, **parts: str) -> list[LeftOut]:
    """Return what is in no passage of a document with this body, below a first rule."""
    body = paragraph("1.\tSCOPE") + body
    return list(read_outline(write_docx(folder / "rules.docx", body, **parts)).left_out)


def passages_of(folder: Path, body: str, **parts: str) -> list[OutlinePassage]:
    """Return the passages of a document with this body."""
    return list(read_outline(write_docx(folder / "rules.docx", body, **parts)).passages)
