"""Word documents that cannot be used: one clear sentence each, and no harm done."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from docx_samples import level, numbering, paragraph, read_outline, write_docx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refusals import refusal_of

import indexer
from indexer.problems import NOTHING_LOADED, Problems
from indexer.readers.docx.reader import DocxReader
from search.errors import InputError

NUMBERED = numbering(level(0, "%1.") + level(1, "%1.%2"))
BODY = paragraph("SCOPE", number=(1, 0)) + paragraph("All firms.", number=(1, 1))
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
DOCTYPE = '<!DOCTYPE x [<!ENTITY a "{}">]>'


def sample(folder: Path, name: str = "rules.docx") -> Path:
    return write_docx(folder / name, BODY, numbering=NUMBERED)


def with_part(path: Path, part: str, data: bytes) -> Path:
    """Put other bytes in place of a part."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in {**parts, part: data}.items():
            package.writestr(name, content)
    return path


def refusal(path: Path) -> str:
    return refusal_of(read_outline, path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"1.1\tA Firm must report.\n", "not a Word document despite its suffix; correct"),
        (b"PK\x03\x04 and then nothing", "the file is damaged or truncated"),
        (OLE + b"\0" * 600, "a document of Word 97 to 2003"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "is protected by a password"),
    ],
)
def test_files_that_are_no_word_documents_are_refused(tmp_path, content, problem):
    path = tmp_path / "rules.docx"
    path.write_bytes(content)
    assert refusal(path).startswith(problem)


def test_a_truncated_document_is_refused(tmp_path):
    path = sample(tmp_path)
    path.write_bytes(path.read_bytes()[:-200])
    assert refusal(path).startswith("the file is damaged or truncated")


def test_a_document_packed_in_no_way_of_word_is_refused(tmp_path):
    path = sample(tmp_path)
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    assert refusal(path).startswith("the file is damaged or truncated")


def test_a_zip_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "rules.docx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
    assert refusal(path).startswith("a ZIP file without a Word document")


def test_an_encrypted_part_is_refused(tmp_path):
    path = sample(tmp_path)
    data = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(sign)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(sign, at + 1)
    path.write_bytes(data)
    assert refusal(path).startswith("is protected by a password")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = sample(tmp_path)
    bomb = io.BytesIO()
    bomb.write(b"<w:document><w:body>")
    bomb.write(b" " * 40_000_000)
    with_part(path, "word/document.xml", bomb.getvalue())
    assert path.stat().st_size < 100_000
    assert "unpacks to far more than a document can hold" in refusal(path)


@pytest.mark.parametrize("part", ["word/document.xml", "word/numbering.xml", "_rels/.rels"])
def test_a_document_type_is_refused_in_every_part(tmp_path, part):
    path = sample(tmp_path)
    with zipfile.ZipFile(path) as package:
        content = package.read(part).decode()
    with_part(path, part, (DOCTYPE.format("x") + content).encode())
    assert "has a document type declaration, which Word never writes;" in refusal(path)


def test_entities_are_not_expanded_and_no_file_is_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("swordfish")
    laughs = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10 if i else "ha"}">' for i in range(12))
    for declared in (laughs, f'<!ENTITY a11 SYSTEM "file://{secret}">'):
        path = sample(tmp_path)
        content = f"<!DOCTYPE x [{declared}]><x><p>&a11;</p></x>"
        with_part(path, "word/document.xml", content.encode())
        assert "swordfish" not in refusal(path)


@pytest.mark.parametrize("data", [b"", b"<w:document", b"\xff\xfe", b"<a><b></a>", b"{}"])
def test_a_part_that_is_no_xml_is_refused(tmp_path, data):
    path = with_part(sample(tmp_path), "word/document.xml", data)
    assert "word/document.xml is not XML" in refusal(path)


def test_what_the_parser_says_of_a_part_takes_one_line(tmp_path):
    told = refusal(with_part(sample(tmp_path), "word/document.xml", b"<a>\0</a>"))
    assert "word/document.xml is not XML" in told
    assert "\n" not in told


def test_elements_nested_without_end_are_refused(tmp_path):
    deep = b"<a>" * 5_000 + b"</a>" * 5_000
    assert "is not XML" in refusal(with_part(sample(tmp_path), "word/document.xml", deep))


def test_macros_are_ignored(tmp_path):
    path = with_part(sample(tmp_path, "rules.docm"), "word/vbaProject.bin", b"\0" * 100)
    assert [passage.number for passage in read_outline(path).passages] == ["1.", "1.1"]


def test_a_document_without_numbers_and_headings_is_refused(tmp_path):
    path = write_docx(tmp_path / "rules.docx", paragraph("Only prose here, and no number."))
    problems = Problems()
    assert list(DocxReader().read(path, path.name, problems)) == []
    with pytest.raises(InputError, match="contains no number and no heading"):
        problems.raise_if_any()


@pytest.mark.parametrize(("title", "number"), [("", "Text"), ("Gifts memo", "Gifts memo")])
def test_prose_without_numbers_and_headings_is_one_passage(tmp_path, title, number):
    prose = ["All staff must report gifts above fifty euros within two days.", "Cash is refused."]
    lines = [*filter(None, [title]), *prose]
    path = write_docx(tmp_path / "memo.docx", "".join(map(paragraph, lines)))
    (passage,) = DocxReader().read(path, path.name, Problems())
    assert (passage.passage_id, passage.text) == (number, "\n".join(prose))
    assert passage.document_title == title


def test_every_bad_document_of_a_folder_is_named(tmp_path):
    sample(tmp_path, "good.docx")
    (tmp_path / "cut.docx").write_bytes(b"PK\x03\x04")
    (tmp_path / "empty.docx").write_bytes(b"")
    with pytest.raises(InputError) as refused:
        list(indexer.read(tmp_path))
    *lines, last = str(refused.value).split("\n")
    assert [Path(line.split(": ")[0]).name for line in lines] == ["cut.docx", "empty.docx"]
    assert last == NOTHING_LOADED
    (tmp_path / "cut.docx").unlink()
    (tmp_path / "empty.docx").unlink()
    assert [passage.document_id for passage in indexer.read(tmp_path)] == ["good", "good"]


def outcome(path: Path) -> None:
    """Read a file that may be anything: passages, or one sentence."""
    try:
        document = read_outline(path)
    except InputError as error:
        assert str(error).startswith(str(path))
    else:
        assert all(passage.number.strip() for passage in document.passages)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    changes=st.lists(
        st.tuples(st.integers(0, 1_000_000), st.binary(min_size=1, max_size=8)), max_size=6
    ),
    cut=st.integers(0, 400),
)
def test_changed_bytes_never_crash(tmp_path_factory, changes, cut):
    folder = tmp_path_factory.mktemp("fuzz")
    path = sample(folder)
    data = bytearray(path.read_bytes())
    for place, new in changes:
        at = place % len(data)
        data[at : at + len(new)] = new
    path.write_bytes(data[: len(data) - cut])
    outcome(path)


FRAGMENTS = st.sampled_from(
    ["<w:p>", "</w:p>", "<w:pPr>", "</w:pPr>", "<w:r>", "</w:r>", "<w:t>Guidance</w:t>",
     "<w:t>1.1\t</w:t>", "<w:t>(i) a</w:t>", "<w:tbl>", "</w:tbl>", "<w:tr>", "</w:tr>", "<w:tc>",
     "</w:tc>", '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>', "<w:sdt>",
     "</w:sdt>", "<w:sdtContent>", "</w:sdtContent>", '<w:fldChar w:fldCharType="begin"/>',
     '<w:fldChar w:fldCharType="end"/>', "<w:instrText>TOC</w:instrText>", "<w:txbxContent>",
     "</w:txbxContent>", "<w:t>Part 1</w:t>", "<w:t>Schedule 2: Fees</w:t>", "<w:b/>", "<w:tab/>",
     '<w:ilvl w:val="99999999999999999999"/>', '<w:ind w:left="1e999"/>', "<w:t>ANNEX</w:t>"]
)  # fmt: skip


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(pieces=st.lists(FRAGMENTS, max_size=40))
def test_any_order_of_elements_never_crashes(tmp_path_factory, pieces):
    from lxml import etree

    text = f'<w:body xmlns:w="urn:w">{"".join(pieces)}</w:body>'
    recovered = etree.fromstring(text, etree.XMLParser(recover=True))
    body = "" if recovered is None else etree.tostring(recovered, encoding="unicode")
    body = body.partition(">")[2].rpartition("</w:body>")[0].replace(' xmlns:w="urn:w"', "")
    outcome(write_docx(tmp_path_factory.mktemp("fuzz") / "a.docx", body, numbering=NUMBERED))


@pytest.mark.corpus
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["16", "32", "38", "37", "24"]),
    seed=st.integers(0, 2**32),
    holes=st.integers(1, 30),
)
def test_real_documents_with_holes_never_crash(data_folder, tmp_path_factory, name, seed, holes):
    import random

    path = data_folder / "adgm_originals" / f"{name}.docx"
    with zipfile.ZipFile(path) as package:
        content = bytearray(package.read("word/document.xml"))
    chance = random.Random(seed)
    for _ in range(holes):
        at = chance.randrange(len(content))
        del content[at : at + chance.randrange(40)]
    broken = tmp_path_factory.mktemp("fuzz") / path.name
    broken.write_bytes(path.read_bytes())
    outcome(with_part(broken, "word/document.xml", bytes(content)))
