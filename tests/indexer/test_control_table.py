"""What documents say of themselves before they begin: owner, version, dates."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from indexer.control import control_fields
from indexer.problems import Problems
from indexer.readers.detect import reader_for

sys.path.append(str(Path(__file__).parent / "readers"))
from docx_samples import paragraph, styles, write_docx

TAB = "\t"
WORDS = "All keepers lock every lamp. " * 9
TABLE = "Policy owner\tHead of IT\nVersion\t4.1\nApproval date\t12 March 2026"
FIELDS = {"owner": "Head of IT", "version": "4.1", "approved": "12 March 2026"}


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ([TABLE], FIELDS),
        ([f"\\Table Start\n{TABLE}\n\\Table End"], FIELDS),
        (["Policy owner: Head of IT", "Version: 4.1", "Date approved: 12 March 2026"], FIELDS),
        (["Owner\tVersion\tApproved on\nHead of IT\t4.1\t12 March 2026"], FIELDS),
        (["Owner\tHead of IT\tVersion\t4.1", "Approved\t12 March 2026\t\t"], FIELDS),
        (["Policy owner: Head of IT · Version: 4.1 | Approved: 12 March 2026"], FIELDS),
        (["**Owner:** Head of IT", "**Version**: 4.1", "**Approved on**: 12 March 2026"], FIELDS),
        (["Verantwortlich: Head of IT · Fassung: 4.1 – Freigegeben am: 12 March 2026"], FIELDS),
        (["Responsable : Head of IT", "Version : 4.1", "Approuvé le : 12 March 2026"], FIELDS),
        (["Ratio 1 · 2: a mark, no name"], {}),
        (["Last reviewed: 3 May 2026"], {"updated": "3 May 2026"}),
        (["Policy no.\tIT-7\tVersion\t4.1\nOwner\tHead of IT\tApproved by\tThe Board"],
         {"code": "IT-7", "version": "4.1", "owner": "Head of IT", "approved_by": "The Board"}),
        (["Version\tDate\tApproved by\tChange\n4.0\t3 May\tBoard\tNew"], {}),
        (["The owner\tand its\tduties", "Owner: " + "word " * 13, "Owner:"], {}),
        (["A paragraph"] * 25 + ["Owner: Head of IT"], {}),
    ],
)  # fmt: skip
def test_the_control_table_is_read_in_the_forms_that_people_set_it_in(texts, found):
    assert control_fields(texts) == found


def test_a_numbered_text_carries_the_lines_above_its_first_number(tmp_path):
    path = tmp_path / "policy.md"
    lines = "Owner: Head of IT\nVersion: 4.1\nApproved: 12 March 2026"
    path.write_text(f"# Access Policy\n\n{lines}\n\n## 1 Scope\n\n1.1 All keepers.\n\n1.2 None.\n")
    passages = list(reader_for(path).read(path, path.name, Problems()))
    assert [one.passage_id for one in passages][-2:] == ["1.1", "1.2"]
    assert all(one.metadata == FIELDS for one in passages)


def test_pages_and_word_files_carry_their_control_table(tmp_path):
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row.split(TAB))}</w:tr>"
        for row in TABLE.split("\n")
    )
    title = '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>'
    word = write_docx(
        tmp_path / "policy.docx",
        paragraph("LAMP COMPANY") + paragraph("Access Policy", style="T") + f"<w:tbl>{rows}</w:tbl>"
        + paragraph("1.\tScope") + paragraph("1.1\tAll keepers."),
        styles=styles(title),
    )  # fmt: skip
    cells = "".join(
        f"<tr><td>{row.replace(TAB, '</td><td>')}</td></tr>" for row in TABLE.split("\n")
    )
    page = tmp_path / "policy.html"
    page.write_text(f"<h1>Access Policy</h1><table>{cells}</table><h2>Scope</h2><p>{WORDS}</p>")
    for path in (word, page):
        passages = list(reader_for(path).read(path, path.name, Problems()))
        assert {one.document_title for one in passages} == {"Access Policy"}
        assert [dict(one.metadata) for one in passages] == [FIELDS] * len(passages)


STYLES = styles(
    "".join(
        f'<w:style w:type="paragraph" w:styleId="{name[0]}"><w:name w:val="{name}"/></w:style>'
        for name in ("Title", "Subtitle")
    )
)
RULES = paragraph("1.\tScope") + paragraph("1.1\tAll keepers.")


def word_passages(path, body):
    write_docx(path, body, styles=STYLES)
    return list(reader_for(path).read(path, path.name, Problems()))


@pytest.mark.parametrize(
    ("first", "second", "title"),
    [
        ("Lamp Company", "Oil Policy", "Oil Policy"),
        ("Lamp Company", "Oil and wicks (PH-07)", "Oil and wicks (PH-07)"),
        ("Oil Policy", "Procedure of the lamps", "Oil Policy"),
        ("Lamps", "A guide for keepers", "Lamps"),
    ],
)
def test_a_company_in_the_style_for_titles_is_no_title(tmp_path, first, second, title):
    body = paragraph(first, style="T") + paragraph(second, style="S") + RULES
    passages = word_passages(tmp_path / "policy.docx", body)
    assert {one.document_title for one in passages} == {title}


def test_the_control_table_of_a_title_page_is_a_passage_and_its_code_is_in_the_title(tmp_path):
    cells = ["Policy no.", "IT-7", "Version", "4.1"], ["Owner", "Head of IT", "Review", "2027"]
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>"
        for row in cells
    )
    contents = paragraph("Contents") + paragraph("1. Scope ........ 1")
    body = paragraph("Lamp rules") + f"<w:tbl>{rows}</w:tbl>" + contents + RULES
    first, *others = word_passages(tmp_path / "policy.docx", body)
    assert {one.document_title for one in (first, *others)} == {"Lamp rules (IT-7)"}
    assert first.text.split("\n")[1:-1] == ["\t".join(row) for row in cells]
    assert first.metadata["owner"] == "Head of IT"
    assert [one.passage_id for one in others] == ["1.", "1.1"]
