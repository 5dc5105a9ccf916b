"""Books, mails, RTF and old Office files, by way of formats that rirag reads."""

from __future__ import annotations

import time
import zipfile
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import pytest
from refusals import heard

from indexer.blocks import ATTACHED
from indexer.readers.converted import CONVERTED, office
from indexer.readers.converted.mail import QUOTED, SIGNATURE
from indexer.readers.detect import reader_for
from search.errors import InputError

RTF = r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\b 1\tab SCOPE}\par 1.1\tab Keepers \u8212? all.\par}"
CONTAINER = '<container><rootfiles><rootfile full-path="O/c.opf"/></rootfiles></container>'
PACKAGE = (
    '<package xmlns:dc="d"><metadata><dc:title>Lamp Rules</dc:title></metadata><manifest>'
    '<item id="n" href="n.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    '<item id="a" href="a%201.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/></spine></package>'
)


@pytest.fixture(autouse=True)
def without_libreoffice(monkeypatch):
    monkeypatch.setenv("PATH", "")


def book(path: Path, **other: str) -> Path:
    parts = {
        "META-INF/container.xml": CONTAINER, "O/c.opf": PACKAGE, "O/n.xhtml": "<p>1.9 Contents</p>",
        "O/a 1.xhtml": "<html><body><h1>2. Fees</h1><p>2.1 Fees are due.</p></body></html>",
        "O/b.xhtml": "<html><body><h1>1. Scope</h1><p>1.1 Keepers — all.</p></body></html>",
    }  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in {**parts, **other}.items():
            packed.writestr(name, text)
    return path


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def read(path: Path):
    return heard(reader_for(path), path)


def numbers(path: Path) -> list[str]:
    found, problems = read(path)
    assert not problems.told()
    return [one.passage_id for one in found]


def test_the_chapters_of_a_book_are_read_in_its_order_without_its_navigation(tmp_path):
    found, _ = read(book(tmp_path / "lamp.epub"))
    assert [one.passage_id for one in found] == ["1", "1.1", "2", "2.1"]
    assert {(one.document_id, one.document_title) for one in found} == {("lamp", "Lamp Rules")}
    assert found[1].text == "Keepers — all."


def test_a_mail_that_a_mail_quotes_and_its_signature_are_no_part_of_its_last_rule(tmp_path):
    message = EmailMessage()
    message["Subject"] = "Lamp rules"
    lines = [
        "1. Oil",
        "Keepers fill the lamps with oil.",
        "2. Wicks",
        "Keepers trim the wicks.",
        "",
    ]
    end = [
        "-----",
        "This mail is confidential.",
        "",
        "> From: Board",
        "> Visitors may stay at night.",
    ]
    message.set_content("\n".join([*lines, *end]))
    found, problems = read(written(tmp_path / "rules.eml", message.as_bytes()))
    assert {one.passage_id: one.text for one in found} == {
        "1": "Oil\nKeepers fill the lamps with oil.",
        "2": "Wicks\nKeepers trim the wicks.",
        QUOTED: f"{QUOTED}\nFrom: Board\nVisitors may stay at night.",
    }
    assert (SIGNATURE, 4) in [(note.reason, note.words) for note in problems.notes]


def test_a_rule_between_the_parts_of_a_mail_does_not_end_it(tmp_path):
    message = EmailMessage()
    message["Subject"] = "Lamp rules"
    message.set_content(
        "Part one.\n\n-----\n" + "Keepers fill every lamp with oil before it is dark.\n" * 20
    )
    found, _ = read(written(tmp_path / "rules.eml", message.as_bytes()))
    assert sum(one.text.count("Keepers") for one in found) == 20


def test_a_mail_is_a_document_with_subject_sender_and_date(tmp_path):
    message = EmailMessage()
    message["Subject"], message["From"] = "Circular 5 on lamps", "Keeper <k@lamp.example>"
    message["Cc"] = "Board <b@lamp.example>"
    message["Date"] = "Mon, 05 Jan 2026 10:00:00 +0000"
    message.set_content("1. Scope\n\n1.1 Keepers – all.\n1.2 They sleep.\n")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="annex.pdf")
    found, problems = read(written(tmp_path / "c.eml", message.as_bytes()))
    assert [one.passage_id for one in found] == ["1", "1.1", "1.2"]
    assert found[0].document_title == "Circular 5 on lamps"
    assert found[0].metadata["mail_from"] == "Keeper <k@lamp.example>"
    assert found[0].metadata["mail_cc"] == "Board <b@lamp.example>"
    assert {note.reason for note in problems.notes} == {ATTACHED, "the title of the document"}
    assert ATTACHED in {note.reason for note in problems.notes}


def test_a_saved_page_is_read_as_a_page(tmp_path):
    page = MIMEMultipart("related")
    page["Subject"], page["From"] = "Saved", "<Saved by Blink>"
    body = (
        "<h1>Lamp Act</h1><p>Article 1</p><p>1. Oil.</p><p>2. Wax.</p><p>Article 2</p><p>End.</p>"
    )
    page.attach(MIMEText(f"<html><body>{body}</body></html>", "html", "utf-16"))
    assert numbers(written(tmp_path / "p.mht", page.as_bytes())) == [
        "Article 1", "Article 1(1)", "Article 1(2)", "Article 2",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["html", "plain"])
def test_a_message_that_names_no_encoding_is_read_as_what_it_is(tmp_path, kind):
    text = "<p>1. Fines of €50.</p>\n<p>2. Oil.</p>"
    text = text if kind == "html" else text.replace("<p>", "").replace("</p>", "")
    head = f"MIME-Version: 1.0\nContent-Type: text/{kind}\nContent-Transfer-Encoding: 8bit\n\n"
    found, _ = read(written(tmp_path / "p.mht", (head + text).encode()))
    assert [one.text for one in found] == ["Fines of €50.", "Oil."]


@pytest.mark.parametrize("name", ["lamp.rtf", "lamp.doc", "lamp"])
def test_rtf_is_read_under_whatever_name(tmp_path, name):
    path = written(tmp_path / name, RTF)
    assert numbers(path) == ["1", "1.1"]
    assert read(path)[0][1].text == "Keepers — all."


def test_an_old_word_file_without_libreoffice_says_what_to_do(tmp_path):
    found, problems = read(written(tmp_path / "old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"))
    assert not found
    assert "install it, or save the file as .docx" in problems.told()[0]


def libreoffice(folder, monkeypatch, does):
    """A program in the place of LibreOffice, which here has to fail."""
    program = written(folder / "soffice", f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")


def test_rtf_that_libreoffice_cannot_read_is_read_as_plain_text(tmp_path, monkeypatch):
    libreoffice(tmp_path, monkeypatch, "exit 3")
    assert numbers(written(tmp_path / "a.rtf", RTF)) == ["1", "1.1"]


def test_what_libreoffice_started_ends_with_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(office, "SECONDS", 0.3)
    libreoffice(tmp_path, monkeypatch, f"sleep 60 & echo $! > {tmp_path}/child; wait")
    found, problems = read(written(tmp_path / "old.doc", b"\xd0\xcf\x11\xe0\0"))
    assert not found
    assert "LibreOffice takes too long" in problems.told()[0]
    child = (tmp_path / "child").read_text().strip()
    until = time.monotonic() + 30
    while runs(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(child)


def runs(process):
    """Return whether a process is there, and is not merely waiting to be collected."""
    try:
        return Path("/proc", process, "stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_libreoffice_that_fails_is_told_of_the_file(tmp_path, monkeypatch):
    libreoffice(tmp_path, monkeypatch, "exit 3")
    found, problems = read(written(tmp_path / "old.doc", b"\xd0\xcf\x11\xe0\0"))
    assert not found
    assert problems.told() == [f"{tmp_path}/old.doc: LibreOffice cannot read it; save it as .docx"]


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.rtf", b"", "the file is empty"),
        ("a.rtf", b"1.1 Keepers", "not RTF"),
        ("a.rtf", b"{\\rtf1 {\\b hello}}", "contains no number and no heading"),
        ("a.epub", b"1.1 Keepers", "not a ZIP file"),
        ("a.epub", b"PK\x03\x04", "damaged or cut off"),
        ("a.eml", b"", "the file is empty"),
        ("a.eml", b"\0\1\2", "not a message"),
        ("a.mht", b"Subject: x\nContent-Type: image/png\n\nx", "a message without text"),
    ],
)
def test_files_that_cannot_be_used_are_refused_in_one_sentence(tmp_path, name, data, problem):
    path = written(tmp_path / name, data)
    found, problems = read(path)
    assert not found
    assert len(problems) == 1
    assert problem in problems.told()[0]
    assert problems.told()[0].startswith(f"{path}: ")


def test_a_book_that_is_a_bomb_or_lacks_a_chapter_or_has_entities_is_refused(tmp_path):
    bomb = book(tmp_path / "bomb.epub", **{"O/b.xhtml": " " * (8 << 20)})
    assert "unpacks to far more" in read(bomb)[1].told()[0]
    entity = '<!DOCTYPE p [<!ENTITY a "aaaa">]><package>&a;</package>'
    assert "entities" in read(book(tmp_path / "x.epub", **{"O/c.opf": entity}))[1].told()[0]
    gone = PACKAGE.replace("b.xhtml", "c.xhtml")
    assert "c.xhtml is missing" in read(book(tmp_path / "y.epub", **{"O/c.opf": gone}))[1].told()[0]


@pytest.mark.parametrize("step", [1, 7, 31])
def test_a_truncated_file_never_crashes(tmp_path, step):
    for path in (book(tmp_path / "a.epub"), written(tmp_path / "a.rtf", RTF)):
        data = path.read_bytes()
        for end in range(step, len(data), max(step, len(data) // 12)):
            read(written(path, data[:end]))


def test_every_converted_format_has_a_suffix_of_its_own():
    suffixes = [one for reader in CONVERTED for one in reader.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert office.SIGN
    assert not office.is_installed()


def test_without_libreoffice_an_old_file_names_the_format_to_save_it_in(tmp_path):
    _, problems = read(written(tmp_path / "a.doc", b"\xd0\xcf\x11\xe0\0\0"))
    assert "save the file as .docx" in problems.told()[0]


@pytest.mark.parametrize(("name", "told"), [("a.pptx", "as PDF"), ("a.msg", "as .eml")])
def test_a_document_that_nobody_reads_names_the_format_to_save_it_in(tmp_path, name, told):
    with pytest.raises(InputError, match=told):
        reader_for(written(tmp_path / name, b"PK\0\0"))
