"""Small PDF files, written as the bytes that they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer.blocks import Block
from indexer.readers.pdf.reader import read_body
from indexer.structuring.outline import Outline, OutlinePassage, outline

WIDTH, HEIGHT = 595, 842
"""Of a page, in points."""

FONTS = {"regular": "Helvetica", "bold": "Helvetica-Bold", "italic": "Helvetica-Oblique"}
_NAMES = {look: f"F{number}" for number, look in enumerate(FONTS)}


@dataclass(frozen=True)
class Text:
    """Words at a place; lengths are points from the upper left corner."""

    left: float
    baseline: float
    words: str
    size: float = 10
    look: str = "regular"
    turned: bool = False
    """Whether they run upwards."""

    def drawn(self) -> str:
        words = self.words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        matrix = "0 1 -1 0" if self.turned else "1 0 0 1"
        place = f"{self.left} {HEIGHT - self.baseline}"
        return f"BT /{_NAMES[self.look]} {self.size} Tf {matrix} {place} Tm ({words}) Tj ET"


@dataclass(frozen=True)
class Rule:
    """A straight line."""

    left: float
    top: float
    right: float
    bottom: float

    def drawn(self) -> str:
        return f"{self.left} {HEIGHT - self.top} m {self.right} {HEIGHT - self.bottom} l S"


@dataclass(frozen=True)
class Picture:
    """A grey picture."""

    left: float
    top: float
    width: float
    height: float

    def drawn(self) -> str:
        bottom = HEIGHT - self.top - self.height
        return f"q {self.width} 0 0 {self.height} {self.left} {bottom} cm /P Do Q"


Page = Sequence[Text | Rule | Picture]


def below(
    lines: Iterable[str],
    left: float = 72,
    top: float = 100,
    leading: float = 12,
    size: float = 10,
    look: str = "regular",
) -> list[Text]:
    """Return lines one below the other; a tab after a number goes to 36 points from the left."""
    found = []
    for at, line in enumerate(lines):
        head, tab, rest = line.partition("\t")
        baseline = top + at * leading
        found.append(Text(left, baseline, head, size, look))
        if tab:
            found.append(Text(left + 36, baseline, rest, size, look))
    return found


def grid(left: float, top: float, columns: Sequence[float], rows: int, height: float) -> list[Rule]:
    """Return the lines of a table."""
    edges = [left]
    for width in columns:
        edges.append(edges[-1] + width)
    bottom = top + rows * height
    lying = [Rule(left, top + at * height, edges[-1], top + at * height) for at in range(rows + 1)]
    return [*lying, *(Rule(edge, top, edge, bottom) for edge in edges)]


def pdf_bytes(pages: Sequence[Page], trailer: str = "") -> bytes:
    """Return a file with these pages.

    Args:
        pages: what is drawn on each.
        trailer: further entries of the trailer.
    """
    objects: list[bytes] = [b"<</Type/Catalog/Pages 2 0 R>>"]
    first = 4 + len(FONTS)
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(len(pages)))
    objects.append(f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode())
    objects.append(
        b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray"
        b"/BitsPerComponent 8/Length 1>>stream\n\x80\nendstream"
    )
    objects += [
        f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>".encode()
        for name in FONTS.values()
    ]
    fonts = "".join(f"/{name} {4 + at} 0 R" for at, name in enumerate(_NAMES.values()))
    for at, page in enumerate(pages):
        content = "\n".join(one.drawn() for one in page).encode("cp1252")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {WIDTH} {HEIGHT}]/Resources<</Font<<{fonts}>>"
            f"/XObject<</P 3 0 R>>>>/Contents {first + 2 * at + 1} 0 R>>".encode()
        )
        objects.append(b"<</Length %d>>stream\n%b\nendstream" % (len(content), content))
    return file_of(objects, trailer)


def file_of(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """Return a file with these objects, the catalogue first."""
    data = b"%PDF-1.7\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"trailer\n<</Size {count}/Root 1 0 R{trailer}>>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + f"xref\n0 {count}\n0000000000 65535 f \n{table}{end}".encode()


def write_pdf(path: Path, *pages: Page) -> Path:
    """Write a file with these pages."""
    path.write_bytes(pdf_bytes(pages))
    return path


def read_outline(path: Path, *, footnotes: bool = False) -> Outline:
    """Return what the look of a file shows."""
    body = read_body(path)
    return outline(body.blocks, body.left_out, footnotes=footnotes)


def blocks_of(folder: Path, *pages: Page) -> list[Block]:
    """Return the blocks of a document with these pages."""
    return read_body(write_pdf(folder / "rules.pdf", *pages)).blocks


def texts_of(folder: Path, *pages: Page) -> list[str]:
    """Return the texts of its blocks, each with its number."""
    return [
        f"{block.label}\t{block.text}" if block.label else block.text
        for block in blocks_of(folder, *pages)
    ]


def left_out_of(folder: Path, *pages: Page) -> list[tuple[str, str]]:
    """Return what its reader left out: reason and text."""
    body = read_body(write_pdf(folder / "rules.pdf", *pages))
    return [(one.reason, one.text) for one in body.left_out]


def passages_of(folder: Path, *pages: Page) -> list[OutlinePassage]:
    """Return the passages of a document with these pages."""
    return list(read_outline(write_pdf(folder / "rules.pdf", *pages)).passages)
