"""PDF files that cannot be used: one clear sentence each, and no harm done."""

from __future__ import annotations

import zlib
from collections import Counter
from pathlib import Path

import pytest
from docx_samples import paragraph, write_docx
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pdf_samples import Picture, Text, below, file_of, grid, pdf_bytes, read_outline, write_pdf
from refusals import refusal_of

import indexer
from indexer.problems import NOTHING_LOADED, Problems
from indexer.readers.pdf.body import body_of
from indexer.readers.pdf.drawn import process
from indexer.readers.pdf.drawn.pages import Box, Page, Word
from indexer.readers.pdf.drawn.process import read_pages
from indexer.readers.pdf.layout import lay_out
from indexer.readers.pdf.reader import PdfReader
from search.errors import InputError, installing

RULES = below(["1\tSCOPE", "1.1\tAll firms that take", "\tdeposits.", "1.2\tFees are due."])
SAMPLE = pdf_bytes(
    [
        [Text(72, 40, "RULES"), *RULES, *grid(72, 300, (100, 100), 2, 20), Text(80, 312, "Fee")],
        [Text(72, 40, "RULES"), *below(["2\tFEES", "2.1\tThey are high."]), Text(300, 800, "2")],
    ]
)
KEY = "41" * 32
PASSWORD = f"/Encrypt<</Filter/Standard/V 1/R 2/Length 40/P -4/O<{KEY}>/U<{KEY}>>>/ID[<00><00>]"


def refusal(path: Path) -> str:
    return refusal_of(read_outline, path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"1.1\tA Firm must report.\n", "not a PDF despite its suffix; correct"),
        (b"%PDF-1.7\nand then nothing", "the file is damaged or truncated"),
        (pdf_bytes([RULES], PASSWORD), "is protected by a password"),
        (pdf_bytes([RULES], "/Encrypt<</Filter/Adobe.PubSec/V 4>>"), "is encrypted in a way"),
        (pdf_bytes([]), "the file is damaged or truncated"),
        (pdf_bytes([[Picture(0, 0, 595, 842)]] * 2), "contains no text, only images of pages"),
        (pdf_bytes([[]]), "contains no text; give a PDF that has some"),
    ],
)
def test_files_that_hold_no_readable_text_are_refused(tmp_path, content, problem):
    path = tmp_path / "rules.pdf"
    path.write_bytes(content)
    assert refusal(path).startswith(problem)


def test_a_word_document_with_the_suffix_of_a_pdf_is_refused(tmp_path):
    path = write_docx(tmp_path / "rules.pdf", paragraph("1.\tSCOPE"))
    assert refusal(path).startswith("not a PDF despite its suffix; correct")


def test_a_scan_with_a_stamp_on_each_page_is_a_scan(tmp_path):
    stamped = [Picture(0, 0, 595, 842), Text(72, 820, "Scanned by a scanner")]
    path = write_pdf(tmp_path / "rules.pdf", *[stamped] * 4)
    assert refusal(path).startswith("contains no text, only images of pages")


def test_a_document_of_which_most_pages_are_pictures_is_a_scan(tmp_path):
    path = write_pdf(tmp_path / "rules.pdf", RULES, *[[Picture(0, 0, 595, 842)]] * 3)
    assert refusal(path).startswith("contains no text, only images of pages")


def test_a_bomb_is_refused_within_the_memory_that_is_set(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "MEMORY_BYTES", 200 * 2**20)
    packer = zlib.compressobj(1)
    bomb = b"".join(packer.compress(b"(x) Tj\n" * 2**17) for _ in range(250)) + packer.flush()
    path = tmp_path / "rules.pdf"
    path.write_bytes(with_content(b"<</Filter/FlateDecode/Length %d>>" % len(bomb), bomb))
    assert path.stat().st_size < 2**21 * 2
    assert refusal(path).startswith("page 1 cannot be read")


def test_a_page_that_takes_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "PAGE_S", 1.0)
    content = b"BT /F0 10 Tf " + b"(x) Tj " * 3_000_000 + b"ET"
    path = tmp_path / "rules.pdf"
    path.write_bytes(with_content(b"<</Length %d>>" % len(content), content))
    assert "takes too long to" in refusal(path)


def with_content(entries: bytes, content: bytes) -> bytes:
    """Return a file of one page whose content is a stream with these entries and bytes."""
    return file_of(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
            b"/Resources<</Font<</F0<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
            entries + b"stream\n" + content + b"\nendstream",
        ]
    )


@pytest.mark.parametrize(
    ("limit", "value", "problem"),
    [
        ("FILE_BYTES", 100, "has more than 0 MiB"),
        ("PAGES", 1, "has more than"),
        ("WORDS", 5, "has more than 5,000,000 words"),
    ],
)
def test_documents_beyond_the_limits_are_refused(tmp_path, monkeypatch, limit, value, problem):
    monkeypatch.setattr(process, limit, value)
    path = tmp_path / "rules.pdf"
    path.write_bytes(SAMPLE)
    assert refusal(path).startswith(problem)


def test_a_document_without_numbers_and_headings_is_refused(tmp_path):
    path = write_pdf(tmp_path / "rules.pdf", below(["Only prose here, and no number."]))
    problems = Problems()
    assert list(PdfReader().read(path, path.name, problems)) == []
    with pytest.raises(InputError, match="contains no number and no heading"):
        problems.raise_if_any()


def test_every_bad_document_is_named(tmp_path):
    write_pdf(tmp_path / "good.pdf", RULES)
    (tmp_path / "cut.pdf").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "empty.pdf").write_bytes(b"")
    with pytest.raises(InputError) as refused:
        list(indexer.read(tmp_path))
    *lines, last = str(refused.value).split("\n")
    assert [Path(line.split(": ")[0]).name for line in lines] == ["cut.pdf", "empty.pdf"]
    assert last == NOTHING_LOADED


def test_the_process_that_reads_ends_when_nobody_reads_on(tmp_path):
    path = tmp_path / "rules.pdf"
    path.write_bytes(SAMPLE)
    pages = read_pages(path)
    assert next(pages).number == 1
    pages.close()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_mutated_file_is_read_or_refused(tmp_path, data):
    mutated = bytearray(SAMPLE)
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(mutated) - 1))
        kind = data.draw(st.sampled_from(("change", "cut", "repeat", "number")))
        if kind == "change":
            mutated[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del mutated[at : at + data.draw(st.integers(1, 60))]
        elif kind == "repeat":
            mutated[at:at] = mutated[at : at + 40] * data.draw(st.integers(1, 20))
        else:
            mutated[at:at] = str(data.draw(st.integers(-(2**40), 2**40))).encode()
    path = tmp_path / "rules.pdf"
    path.write_bytes(mutated)
    try:
        read_outline(path)
    except InputError as error:
        assert "\n" not in str(error)


PLACES = st.floats(-50, 900, allow_nan=False).map(lambda value: round(value, 1))
WORDS = st.sampled_from(
    (
        "1.1",
        "(a)",
        "1",
        "Part",
        "2",
        "firm",
        "finan-",
        "cial",
        "Guidance",
        "....",
        "12",
        "•",
        "\ufffd",
    )
)


@st.composite
def words(draw: st.DrawFn) -> Word:
    left, baseline, size = (
        draw(PLACES),
        draw(PLACES),
        draw(st.sampled_from((-4.0, 0.0, 6.0, 10.0, 16.0))),
    )
    flags = [draw(st.booleans()) for _ in range(3)]
    text = draw(WORDS)
    return Word(text, left, baseline - size, left + 30, baseline, baseline, size, *flags)


LABEL_AND_MARK = [
    Word("(a)", 72.0, 100.0, 84.0, 110.0, 110.0, 10.0, False, False, False),
    Word("2", 120.0, 100.0, 124.0, 105.0, 105.0, 6.0, False, False, False),
]


TABLE_ON_TITLE_PAGE = (
    [Word("1.1", 0.0, 4.0, 30.0, 0.0, 0.0, -4.0, False, False, False)] * 5
    + [
        Word("1.1", 0.0, 5.0, 30.0, 1.0, 1.0, -4.0, False, False, False),
        Word("Part", 0.0, 7.0, 30.0, 3.0, 3.0, -4.0, True, False, False),
    ],
    [
        Box(0.0, 0.0, 0.0, 1.0), Box(0.0, 0.0, 13.0, 0.0), Box(0.0, 6.0, 12.0, 0.0),
        Box(6.0, 0.0, 0.0, 0.0), Box(16.0, 0.0, 0.0, 2.0),
    ],
)  # fmt: skip


@settings(max_examples=200)
@example([TABLE_ON_TITLE_PAGE, ([], [])])
@example([(LABEL_AND_MARK, [Box(72.0, 111.0, 124.0, 112.0)])])
@given(
    st.lists(
        st.tuples(
            st.lists(words(), max_size=60),
            st.lists(st.builds(Box, PLACES, PLACES, PLACES, PLACES), max_size=12),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_whatever_stands_on_pages_is_in_a_block_or_left_out(drawn):
    pages = [
        Page(number, 595.0, 842.0, tuple(found), (), tuple(rules), ())
        for number, (found, rules) in enumerate(drawn, start=1)
    ]
    body = body_of([lay_out(page) for page in pages])
    read = [f"{block.label} {block.text}" for block in body.blocks]
    read += [left.text for left in body.left_out]
    expected = Counter(c for page in pages for word in page.words for c in word.text if c.isalnum())
    assert Counter(c for text in read for c in text if c.isalnum()) == expected
    assert len(body.pages) >= max((block.place for block in body.blocks), default=0)


def test_scans_are_recognised_where_the_extra_is_installed_and_else_say_how(tmp_path, monkeypatch):
    pytest.importorskip("rapidocr")
    pdfium = pytest.importorskip("pypdfium2")
    words = below(
        ["1. Keepers hold oil in their lamps at night.", "2. Keepers sleep at day."], size=12
    )
    drawn = pdfium.PdfDocument(write_pdf(tmp_path / "rules.pdf", words))
    scan = tmp_path / "scan.pdf"
    drawn[0].render(scale=2).to_pil().save(scan, resolution=144)
    drawn.close()
    found = read_outline(scan).passages
    assert [(one.number, one.text) for one in found] == [
        ("1.", "Keepers hold oil in their lamps at night."),
        ("2.", "Keepers sleep at day."),
    ]
    monkeypatch.setattr("indexer.readers.pdf.reader.can_recognise", lambda: False)
    assert refusal(scan).endswith(installing("ocr"))
