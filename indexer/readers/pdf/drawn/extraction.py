"""Takes the words, lines and pictures out of a PDF, or recognises the letters on pages that are
pictures; runs as a program in a process of its own.

The library that opens PDFs is native code, and a hostile file may make it crash, take any amount of
memory or never end. So it runs apart, with its limits set from outside, and imports nothing of
rirag: it starts in a tenth of a second. It prints one JSON object a line: `{"pages": N}` or
`{"error": WHY}` first, then one for each page (see `indexer.readers.pdf.drawn.pages`). With numbers
of pages it prints `{"ready": true}` first, then what is recognised on each of them: that needs the
extra `ocr` (RapidOCR, whose models come with it).
"""

from __future__ import annotations

import ctypes
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium

ERRORS = {4: "password", 5: "security"}
"""What the library's error codes tell; the rest is damage."""

MOST_SEGMENTS = 20_000
"""Pieces of drawn paths that are looked at on one page: a table of 2,000 cells has fewer."""

MOST_OBJECTS = 100_000
"""Objects of one page that are looked at for lines and pictures."""

DEEPEST = 5
"""Groups of objects inside each other that are followed."""

THIN = 3.0
"""Points that a drawn line is thick at most."""

BOLD_WEIGHT = 600
_BOLD_FLAG, _ITALIC_FLAG = 1 << 18, 1 << 6
_BOLD_NAMES = ("bold", "black", "heavy", "demi")
_ITALIC_NAMES = ("italic", "oblique")
_STROKED_TOO = 2
_BREAKS = frozenset({0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x3000, *range(0x2000, 0x200B)})
_HYPHEN = 0x02
"""What the library returns for a hyphen at the end of a line."""

RESOLUTION = 150
"""Dots per inch at which pages are drawn: letters of 8 points are 16 dots high."""

MOST_PIXELS = 40_000_000
"""Of a drawn page; a larger one is drawn smaller."""

LEAST_SCORE = 0.5
"""Confidence from which a line of text counts."""

JITTER = 0.17
"""Part by which heights of lines in one size differ, as letters with and without tails do."""

_POINTS = 72
_HEIGHT = 0.75
"""Part of a line's box that is the size of its font."""
_DESCENT = 0.22
"""Part of a line's box below its letters."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


def main() -> None:
    """Print the pages of the file that is named, or what is recognised on those that are named."""
    path, most, *numbers = sys.argv[1:]
    _limit(int(most))
    if numbers:
        _recognise(path, map(int, numbers))
    else:
        _extract(path)


def _extract(path: str) -> None:
    data = Path(path).read_bytes()
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        _say({"error": ERRORS.get(pdfium.FPDF_GetLastError(), "damaged")})
        return
    count = pdfium.FPDF_GetPageCount(document)
    _say({"pages": count})
    for index in range(count):
        page = pdfium.FPDF_LoadPage(document, index)
        _say(page_record(page) if page else {"damaged": True})
        if page:
            pdfium.FPDF_ClosePage(page)


def _limit(most: int) -> None:
    """Bound the memory of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (OSError, ValueError):
        return


def _say(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def page_record(page: Any) -> dict[str, Any]:
    """Return what is on a page, turned so that most of its text runs from left to right."""
    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    pieces = list(_pieces(page, Looks()))
    turns = Counter[int]()
    for piece in pieces:
        turns[piece["turn"]] += len(piece["text"])
    turn = turns.most_common(1)[0][0] if turns else 0
    frame = (box.left, box.bottom, box.right, box.top)
    width, height, _, _ = _rounded(box.right - box.left, box.top - box.bottom, 0.0, 0.0)
    rules, images = _drawings(page)
    return {
        "size": (width, height) if turn % 2 == 0 else (height, width),
        "words": [
            (p["text"], *_turned(p["box"], turn, frame), _baseline(p["origin"], turn, frame),
             p["size"], p["bold"], p["italic"], p["spaced"])
            for p in pieces
            if p["turn"] == turn
        ],
        "turned": [p["text"] for p in pieces if p["turn"] != turn],
        "rules": [_turned(rule, turn, frame) for rule in rules],
        "images": [_turned(image, turn, frame) for image in images],
    }  # fmt: skip


def _turned(box: Box, turn: int, frame: Box) -> Box:
    """Return left, top, right, bottom, in points from the upper left corner of the turned page."""
    left, bottom, right, top = box
    if turn == 1:
        return _rounded(bottom - frame[1], left - frame[0], top - frame[1], right - frame[0])
    if turn == 2:
        return _rounded(frame[2] - right, bottom - frame[1], frame[2] - left, top - frame[1])
    if turn == 3:
        return _rounded(frame[3] - top, frame[2] - right, frame[3] - bottom, frame[2] - left)
    return _rounded(left - frame[0], frame[3] - top, right - frame[0], frame[3] - bottom)


def _baseline(origin: tuple[float, float], turn: int, frame: Box) -> float:
    return _turned((*origin, *origin), turn, frame)[1]


def _rounded(*values: float) -> Box:
    left, top, right, bottom = (
        round(value, 2) if math.isfinite(value) else 0.0 for value in values
    )
    return left, top, right, bottom


class Looks:
    """Whether the fonts of one page are bold or italic, looked up once for each."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[bool, bool]] = {}

    def of(self, text_object: Any) -> tuple[bool, bool]:
        """Return whether the text of an object is bold, and whether it is italic."""
        font = pdfium.FPDFTextObj_GetFont(text_object)
        if not font:
            return False, False
        key = ctypes.cast(font, ctypes.c_void_p).value or 0
        if key not in self._known:
            name = ctypes.create_string_buffer(256)
            pdfium.FPDFFont_GetBaseFontName(font, name, len(name))
            lower = name.value.decode("latin-1").lower()
            flags = max(pdfium.FPDFFont_GetFlags(font), 0)
            weight = pdfium.FPDFFont_GetWeight(font)
            bold = bool(flags & _BOLD_FLAG) or weight >= BOLD_WEIGHT
            self._known[key] = (
                bold or any(word in lower for word in _BOLD_NAMES),
                bool(flags & _ITALIC_FLAG) or any(word in lower for word in _ITALIC_NAMES),
            )
        bold, italic = self._known[key]
        return bold or pdfium.FPDFTextObj_GetTextRenderMode(text_object) == _STROKED_TOO, italic


def _pieces(page: Any, looks: Looks) -> Iterator[dict[str, Any]]:
    """Yield the words of a page, in pieces where the look changes within one."""
    text = pdfium.FPDFText_LoadPage(page)
    if not text:
        return
    spaced = True
    piece: dict[str, Any] | None = None
    for index, code, style in _characters(text, looks):
        if piece and (style is None or style != piece["style"]):
            yield _ended(text, piece)
            piece = None
        if style is None:
            spaced = True
            continue
        if piece is None:
            piece = {**style, "style": style, "text": [], "first": index, "spaced": spaced}
            spaced = False
        piece["text"].append(_character(code))
        piece["last"] = index
    if piece:
        yield _ended(text, piece)
    pdfium.FPDFText_ClosePage(text)


def _characters(text: Any, looks: Looks) -> Iterator[tuple[int, int, dict[str, Any] | None]]:
    """Yield index, code and style of each character; None as the style of spaces."""
    now: int | None = None
    style: dict[str, Any] | None = None
    for index in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if code in _BREAKS:
            yield index, code, None
            continue
        found = pdfium.FPDFText_GetTextObject(text, index)
        address = ctypes.cast(found, ctypes.c_void_p).value if found else None
        if found and address != now:
            now, style = address, _style(text, index, found, looks)
        if style:
            yield index, code, style


def _style(text: Any, index: int, found: Any, looks: Looks) -> dict[str, Any]:
    """Return what the characters of one text object share."""
    matrix, size = pdfium.FS_MATRIX(), ctypes.c_float()
    pdfium.FPDFText_GetMatrix(text, index, matrix)
    pdfium.FPDFTextObj_GetFontSize(found, size)
    bold, italic = looks.of(found)
    scaled = abs(size.value) * math.hypot(matrix.c, matrix.d)
    angle = math.atan2(matrix.b, matrix.a) if math.isfinite(matrix.a + matrix.b) else 0.0
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, index, x, y)
    turn = round(angle / (math.pi / 2)) % 4
    return {
        "turn": turn,
        "size": round(scaled, 1) if math.isfinite(scaled) else 0.0,
        "bold": bold,
        "italic": italic,
        "line": round(y.value if turn % 2 == 0 else x.value, 1),
    }


def _ended(text: Any, piece: dict[str, Any]) -> dict[str, Any]:
    """Return a piece with its text as one, and its place."""
    first, last = pdfium.FS_RECTF(), pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text, piece["first"], first)
    pdfium.FPDFText_GetLooseCharBox(text, piece["last"], last)
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, piece["first"], x, y)
    joined = "".join(piece["text"]).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    piece["text"] = joined
    piece["origin"] = (x.value, y.value)
    piece["box"] = (
        min(first.left, last.left), min(first.bottom, last.bottom),
        max(first.right, last.right), max(first.top, last.top),
    )  # fmt: skip
    return piece


def _character(code: int) -> str:
    if code == _HYPHEN:
        return "-"
    if code < 0x20 or code in (0xFFFE, 0xFFFF) or 0x7F <= code < 0xA0 or code > 0x10FFFF:
        return "\ufffd"
    return chr(code)


def _drawings(page: Any) -> tuple[list[Box], list[Box]]:
    rules: list[Box] = []
    images: list[Box] = []
    left = MOST_SEGMENTS
    for found, matrix in _objects(page, MOST_OBJECTS):
        kind = pdfium.FPDFPageObj_GetType(found)
        if kind == pdfium.FPDF_PAGEOBJ_PATH and left > 0:
            left -= pdfium.FPDFPath_CountSegments(found)
            if left > 0:
                rules += _rules(found, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            edges = [ctypes.c_float() for _ in range(4)]
            if pdfium.FPDFPageObj_GetBounds(found, *edges):
                x0, y0, x1, y1 = (edge.value for edge in edges)
                corners = [_moved(point, matrix) for point in ((x0, y0), (x1, y1))]
                images.append(_around(corners))
    return rules, images


def _objects(page: Any, most: int) -> Iterator[tuple[Any, list[Any]]]:
    """Yield the objects of a page with the matrices of the groups that they are in."""
    waiting: list[tuple[Any, list[Any]]] = [
        (pdfium.FPDFPage_GetObject(page, index), [])
        for index in reversed(range(min(pdfium.FPDFPage_CountObjects(page), most)))
    ]
    seen = len(waiting)
    while waiting:
        found, matrices = waiting.pop()
        if pdfium.FPDFPageObj_GetType(found) != pdfium.FPDF_PAGEOBJ_FORM:
            yield found, matrices
        elif len(matrices) < DEEPEST:
            count = min(pdfium.FPDFFormObj_CountObjects(found), most - seen)
            inner = [_matrix(found), *matrices]
            waiting += [(pdfium.FPDFFormObj_GetObject(found, at), inner) for at in range(count)]
            seen += max(count, 0)


def _matrix(found: Any) -> Any:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(found, matrix)
    return matrix


def _moved(point: tuple[float, float], matrices: list[Any]) -> tuple[float, float]:
    x, y = point
    for m in matrices:
        x, y = m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f
    return x, y


def _rules(path: Any, matrices: list[Any]) -> list[Box]:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    if not (fill.value or stroke.value):
        return []
    found: list[Box] = []
    for points in _subpaths(path, [_matrix(path), *matrices]):
        left, bottom, right, top = box = _around(points)
        if min(right - left, top - bottom) <= THIN:
            found.append(box)
        elif stroke.value:
            sides = zip(points, [*points[1:], points[0]], strict=True)
            found += [
                side
                for side in map(_around, sides)
                if min(side[2] - side[0], side[3] - side[1]) <= THIN
            ]
    return [box for box in found if max(box[2] - box[0], box[3] - box[1]) > THIN]


def _subpaths(path: Any, matrices: list[Any]) -> Iterator[list[tuple[float, float]]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float]] = []
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and points:
            yield points
            points = []
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            points.append(_moved((x.value, y.value), matrices))
    if points:
        yield points


def _around(points: Any) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _recognise(path: str, numbers: Iterable[int]) -> None:
    import logging

    import pypdfium2
    from rapidocr import RapidOCR

    logging.disable(logging.CRITICAL)
    engine = RapidOCR()
    document = pypdfium2.PdfDocument(path)
    _say({"ready": True})
    for number in numbers:
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(RESOLUTION / _POINTS, (MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
        found = engine(page.render(scale=scale).to_numpy())
        words = list(_recognised(found, scale)) if found.boxes is not None else []
        size = (float(width), float(height))
        _say({"size": size, "words": words, "turned": [], "rules": [], "images": []})


def _recognised(found: Any, scale: float) -> Iterator[tuple[Any, ...]]:
    """Yield the words of recognised lines, each line shared out by letters."""
    from statistics import median

    lines = [
        (_edges(box, scale), text)
        for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        if score >= LEAST_SCORE and text.strip()
    ]
    usual = median([bottom - top for (_, top, _, bottom), _ in lines]) if lines else 0.0
    for (left, top, right, bottom), text in lines:
        height = bottom - top
        same = abs(height - usual) <= JITTER * usual
        size = round(_HEIGHT * (usual if same else height))
        baseline = round(bottom - _DESCENT * height, 1)
        letter = (right - left) / len(text)
        at = 0
        for word in text.split(" "):
            start, end = left + at * letter, left + (at + len(word)) * letter
            if word:
                yield (word, round(start, 2), round(top, 2), round(end, 2), round(bottom, 2),
                       baseline, float(size), False, False, True)  # fmt: skip
            at += len(word) + 1


def _edges(box: Any, scale: float) -> tuple[float, float, float, float]:
    across, down = [float(p[0]) / scale for p in box], [float(p[1]) / scale for p in box]
    return min(across), min(down), max(across), max(down)


if __name__ == "__main__":
    main()
