"""OpenDocument texts: numbers as LibreOffice shows them, what is deleted, struck or hidden."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from refusals import heard

from indexer.blocks import (
    DELETED,
    FOOTNOTE,
    HIDDEN,
    PROPERTIES,
    RUNNING_HEAD,
    STRUCK,
    TABLE_OF_CONTENTS,
)
from indexer.problems import Problems
from indexer.readers.odt.reader import OdtReader

NAMES = (
    'xmlns:office="o" xmlns:text="t" xmlns:style="s" xmlns:fo="f" xmlns:table="b" xmlns:draw="d"'
)
STYLES = """
<style:style style:name="Struck"><style:text-properties style:text-line-through-style="solid"/>
</style:style>
<style:style style:name="Child" style:parent-style-name="Struck"/>
<style:style style:name="Gone"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Bold"><style:text-properties fo:font-weight="bold"/></style:style>
<text:list-style style:name="L">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/>
<text:list-level-style-number text:level="3" style:num-format="a" style:num-prefix="("
 style:num-suffix=")"/>
</text:list-style>
<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>
"""


def content(body: str) -> str:
    return (
        f"<office:document-content {NAMES}><office:automatic-styles>{STYLES}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )


def item(text: str, level: int, style: str = "L", **attributes: str) -> str:
    """Return a paragraph in a list of its own that goes on, as converted files have them."""
    given = "".join(f' text:{name.replace("_", "-")}="{v}"' for name, v in attributes.items())
    opening = "<text:list-item><text:list>" * (level - 1)
    closing = "</text:list></text:list-item>" * (level - 1)
    return (
        f'<text:list text:style-name="{style}"{given}>{opening}<text:list-item>'
        f"<text:p>{text}</text:p></text:list-item>{closing}</text:list>"
    )


def following(text: str, level: int) -> str:
    return item(text, level, continue_numbering="true")


def packed(path: Path, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(f"{name}.xml", text)
    return path


def read(tmp_path: Path, body: str):
    problems = Problems()
    path = packed(tmp_path / "rules.odt", content=content(body))
    found = list(OdtReader().read(path, "rules.odt", problems))
    assert not problems.told()
    return found, {note.reason: note.words for note in problems.notes}


def test_automatic_numbers_count_through_lists_that_go_on(tmp_path):
    found, _ = read(
        tmp_path,
        "<text:p>Lamp Rules</text:p>" + item("Scope", 1) + following("All keepers.", 2)
        + following("who", 3) + following("pay, and", 3) + following("They sleep.", 2)
        + following("Fees", 1) + following("Fees are due.", 2),
    )  # fmt: skip
    assert [one.passage_id for one in found] == [
        "1.",
        "1.1",
        "1.1.(a)",
        "1.1.(b)",
        "1.2",
        "2.",
        "2.1",
    ]
    assert found[0].document_title == "Lamp Rules"


def test_a_list_without_a_sign_that_it_goes_on_begins_again(tmp_path):
    found, _ = read(tmp_path, item("Scope", 1) + following("All.", 2) + item("Annex", 1))
    assert (found[-1].text, found[-1].passage_id[-2:]) == ("Annex", "1.")


def test_what_is_deleted_struck_hidden_or_contents_is_left_out_and_named(tmp_path):
    found, left = read(
        tmp_path,
        "<text:tracked-changes><text:changed-region><text:p>old words here</text:p>"
        "</text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:p>1 Scope 3</text:p></text:table-of-content>"
        + item("Scope", 1)
        + following(
            'The limit is <text:span text:style-name="Child">ten</text:span> five'
            '<text:span text:style-name="Gone">secret</text:span>'
            "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See 2."
            "</text:p></text:note-body></text:note> dollars.",
            2,
        ),
    )
    assert found[-1].text.split() == ["The", "limit", "is", "five", "dollars."]
    assert left == {DELETED: 3, TABLE_OF_CONTENTS: 3, STRUCK: 1, HIDDEN: 1, FOOTNOTE: 2}


def test_tables_frames_tabs_and_blanks_are_text(tmp_path):
    table = "".join(
        f"<table:table-row><table:table-cell><text:p>{a}</text:p></table:table-cell>"
        f"<table:table-cell><text:p>{b}</text:p></table:table-cell></table:table-row>"
        for a, b in (("Fee", "Due"), ("5", "May"))
    )
    found, _ = read(
        tmp_path,
        "<text:p>1.<text:tab/>Scope</text:p><text:p>1.1<text:tab/>All<text:s/>keepers:</text:p>"
        f"<table:table>{table}</table:table><text:p><draw:frame><draw:text-box><text:p>Boxed.</text:p>"
        "</draw:text-box></draw:frame></text:p>",
    )
    assert found[-1].text.split("\n") == [
        "All keepers:", "\\Table Start", "Fee\tDue", "5\tMay", "\\Table End", "Boxed.",
    ]  # fmt: skip


def test_merged_cells_are_in_the_rows_that_they_cover(tmp_path):
    def cell(text, spans=""):
        return f"<table:table-cell {spans}><text:p>{text}</text:p></table:table-cell>"

    covered = "<table:covered-table-cell/>"
    rows = [
        cell("Gift", 'table:number-rows-spanned="2"') + cell("Clerk") + cell("5"),
        covered + cell("Board") + cell("50"),
        cell("Meal") + cell("none", 'table:number-columns-spanned="2"') + covered,
    ]
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    found, _ = read(
        tmp_path, f"<text:p>1.<text:tab/>Limits</text:p><table:table>{table}</table:table>"
    )
    assert found[-1].text.split("\n")[-4:-1] == [
        "Gift\tClerk\t5", "Gift\tBoard\t50", "Meal\tnone\tnone",
    ]  # fmt: skip


def test_blanks_without_end_are_one_blank(tmp_path):
    blanks = f'<text:s text:c="{"9" * 5_000}"/>'
    found, _ = read(tmp_path, f"<text:p>1.<text:tab/>All{blanks}keepers.</text:p>")
    assert found[-1].text == "All keepers."


def test_properties_and_running_heads_name_a_document(tmp_path):
    path = packed(
        tmp_path / "rules.odt",
        meta='<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Lamp Policy</dc:title></m>',
        styles="<s xmlns:t='t'><t:header>Harbour</t:header></s>",
        content=content("<text:p>Harbour plc</text:p><text:p>Lamp Policy</text:p>" + item("a", 1)),
    )
    problems = Problems()
    (found,) = OdtReader().read(path, "rules.odt", problems)
    assert found.document_title == "Lamp Policy"
    assert {(note.reason, note.words) for note in problems.notes} >= {
        (PROPERTIES, 2), (RUNNING_HEAD, 1),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"styles": "<a/>"}, "without an OpenDocument file"),
        ({"content": "<a><b>"}, "not well-formed XML"),
        ({"content": "<office:document-content xmlns:office='o'/>"}, "holds no text document"),
        ({"content": content(""), "META-INF/manifest": "<encryption-data/>"}, "password"),
        ({"content": " " * (8 << 20)}, "unpacks to far more"),
        ({"content": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}, "entities"),
        ({"content": content("<text:p>No number at all.</text:p>")}, "number the passages"),
    ],
)
def test_files_that_cannot_be_used_are_refused_in_one_sentence(tmp_path, parts, problem):
    passages, problems = heard(OdtReader(), packed(tmp_path / "rules.odt", **parts))
    assert passages == []
    assert len(problems) == 1
    assert problem in problems.told()[0]
