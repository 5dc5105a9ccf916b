"""Tables and records with other field names: what is the number, what the text."""

from __future__ import annotations

import json
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from refusals import heard

from indexer.readers.detect import reader_for, with_fields
from indexer.readers.json.fields import guessed_fields, parse_fields
from indexer.readers.sheets.reader import ABOVE
from search.errors import InputError


def read(path: Path, fields=None):
    return heard(with_fields(reader_for(path), fields or {}), path)


def written(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_fields_of_records_are_guessed_and_shown(tmp_path):
    records = [
        {"article": 1, "title": "Scope", "text": "Banks.", "status": "in force", "id": 7},
        {"article": "2", "title": "Duties", "text": ["They report.", "They pay."]},
    ]
    found, problems = read(written(tmp_path / "act.json", json.dumps(records)))
    assert [(one.document_id, one.passage_id, one.text) for one in found] == [
        ("act", "1", "Scope\nBanks."), ("act", "2", "Duties\nThey report.\nThey pay."),
    ]  # fmt: skip
    assert found[0].metadata == {"status": "in force", "source_id": 7}
    assert problems.guesses == [
        "Guessed the fields of act.json with PassageID=article,Passage=text,Heading=title. Correct "
        "them with --map."
    ]


def test_fields_that_are_given_are_not_guessed(tmp_path):
    path = written(tmp_path / "act.jsonl", '{"n": "1", "words": "Banks.", "text": "draft"}\n')
    found, problems = read(path, parse_fields(["passageid=n", "Passage=words"]))
    assert [(one.passage_id, one.text) for one in found] == [("1", "Banks.")]
    assert found[0].metadata == {"text": "draft"}
    assert problems.guesses == []


def test_objects_in_records_are_left_out_and_named(tmp_path):
    path = written(
        tmp_path / "a.json", '[{"section": "1", "text": "All.", "meta": [{"a": "b c"}]}]'
    )
    found, problems = read(path)
    assert len(found) == 1
    assert [note.pieces for note in problems.notes] == [1]


@pytest.mark.parametrize("text", ["PassageID", "=x", "Nonsense=x", "Passage="])
def test_a_map_that_names_no_field_is_refused(text):
    with pytest.raises(InputError) as refused:
        parse_fields([text])
    assert refused.value.code == "source.fields"


def test_questions_are_no_corpus():
    assert guessed_fields([{"QuestionID": "a1", "Question": "Who?", "Passages": ["b"]}]) == {}
    assert guessed_fields([{"number": 1, "question": "Who keeps the oil of the lamp?"}]) == {}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_of_a_csv_file_are_passages_in_any_encoding(tmp_path, encoding, delimiter):
    rows = [["Article", "Text"], ["1", '"Café; all,\nof them."'], ["2", "They pay."]]
    text = "\n".join(delimiter.join(row) for row in rows)
    found, _ = read(written(tmp_path / "a.csv", text.encode(encoding)))
    assert [(one.passage_id, one.text) for one in found] == [
        ("1", "Café; all,\nof them."), ("2", "They pay."),
    ]  # fmt: skip


def test_rows_without_number_or_text_are_passages_as_a_whole(tmp_path):
    found, problems = read(written(tmp_path / "r.csv", "Risk,Owner\nFraud,Ops\n,\nLoss,\n"))
    assert [(one.passage_id, one.text) for one in found] == [
        ("Row 2", "Risk: Fraud\nOwner: Ops"), ("Row 4", "Risk: Loss"),
    ]  # fmt: skip
    assert problems.guesses == []


def test_the_first_row_with_two_cells_names_the_columns_of_a_sheet(tmp_path):
    rows = [["Register of duties"], [], ["Ref", "Requirement"], [4.1, "Report."], [5.0, "Pay."]]
    found, problems = read(workbook(tmp_path / "r.xlsx", Rules=rows, About=[["Owner: Ops"]]))
    assert [(one.passage_id, one.text) for one in found] == [("4.1", "Report."), ("5", "Pay.")]
    assert [(note.reason, note.words) for note in problems.notes] == [(ABOVE, 5)]


@pytest.mark.parametrize(
    "above",
    [
        [["Owner: Head of Records", None, None, "as of", datetime(2026, 6, 1)]],
        [["Owner", "Head of Records"], ["As of", "2026-06-01"]],
        [["Owner: Head of Records", None, "As of: 2026-06-01"], []],
    ],
)
def test_rows_that_say_something_of_the_table_do_not_name_its_columns(tmp_path, above):
    head = ["No.", "Record", "Kept for", "Starts with", "Basis", "Destroyed by"]
    rows = [["Retention"], *above, head, ["R-07", "CCTV", "72 hours", "recording", "DPO", "Guard"]]
    found, problems = read(workbook(tmp_path / "r.xlsx", Retention=rows))
    assert [one.text for one in found] == [
        "No.: R-07\nRecord: CCTV\nKept for: 72 hours\nStarts with: recording\nBasis: DPO"
        "\nDestroyed by: Guard"
    ]
    assert found[0].document_title == "Retention"
    assert found[0].metadata == {"owner": "Head of Records", "updated": "2026-06-01"}
    assert {note.reason for note in problems.notes} == {ABOVE}


def test_names_of_fewer_columns_than_the_rows_have_cells_stay_names(tmp_path):
    rows = [["Risk", "Owner"], ["Fraud", "Ops", "high", "open", "2026"], ["Loss", "Finance"]]
    found, _ = read(workbook(tmp_path / "r.xlsx", A=rows))
    assert (
        found[0].text == "Risk: Fraud\nOwner: Ops\nColumn 3: high\nColumn 4: open\nColumn 5: 2026"
    )


def test_the_title_of_one_table_of_several_is_not_that_of_the_file(tmp_path):
    rows: list[list[object]] = [["Retention schedule"], ["Risk", "Owner"], ["Fraud", "Ops"]]
    found, _ = read(workbook(tmp_path / "r.xlsx", A=rows, B=rows[1:]))
    assert {one.document_title for one in found} == {""}
    found, _ = read(workbook(tmp_path / "r.xlsx", Cover=[["Registers"]], A=rows, B=rows[1:]))
    assert {one.document_title for one in found} == {"Registers"}


def test_a_library_of_controls_is_numbered_by_its_own_column(tmp_path):
    rows = [
        ["Control ID", "Control title", "Control description", "Tested"],
        ["IAM-1", "Leavers", "Access ends.", datetime(2026, 8, 14), "beyond the names"],
    ]
    found, _ = read(workbook(tmp_path / "c.xlsx", Controls=rows))
    assert [(one.passage_id, one.text) for one in found] == [("IAM-1", "Leavers\nAccess ends.")]
    assert found[0].metadata == {"Tested": "2026-08-14", "Column 5": "beyond the names"}


def test_rows_of_several_sheets_are_told_apart(tmp_path):
    rows = [["Risk", "Owner"], ["Fraud", "Ops"]]
    found, _ = read(workbook(tmp_path / "r.xlsx", A=rows, B=rows))
    assert [one.passage_id for one in found] == ["A, row 2", "B, row 2"]


def test_tables_that_cannot_be_used_are_refused_in_one_sentence(tmp_path):
    bomb = tmp_path / "bomb.xlsx"
    entity = tmp_path / "entity.xlsx"
    for path, text in ((bomb, " " * (8 << 20)), (entity, "<!DOCTYPE a><a/>")):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("xl/worksheets/sheet1.xml", text)
    cut = workbook(tmp_path / "cut.xlsx", A=[["Ref", "Text"], ["1", "All."]])
    cut.write_bytes(cut.read_bytes()[:-40])
    for path, problem in (
        (bomb, "unpacks to far more"),
        (entity, "has a document type"),
        (cut, "damaged or cut off"),
        (written(tmp_path / "text.xlsx", "1,2"), "not a ZIP file"),
        (written(tmp_path / "empty.csv", ""), "the file is empty"),
        (written(tmp_path / "zero.csv", b"a,b\n\0,c"), "save it as CSV in UTF-8"),
        (written(tmp_path / "head.csv", "a,b\n"), "no row below its first"),
        (written(tmp_path / "wide.csv", "a," * 500 + "b\n"), "row 1 has more than 500 cells"),
    ):
        found, problems = read(path)
        assert (found, len(problems)) == ([], 1), path
        assert problem in problems.told()[0]


REGISTER = Path(__file__).parent / "samples" / "register.xls"
TEXT_NS = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
ODS = f"""<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:x="{TEXT_NS}">
<o:body><o:spreadsheet><t:table t:name="Rules">%s</t:table></o:spreadsheet></o:body>
</o:document-content>"""


def row(*cells: str, times: int = 1) -> str:
    return f'<t:table-row t:number-rows-repeated="{times}">{"".join(cells)}</t:table-row>'


def cell(text: str = "", times: int = 1, more: str = "") -> str:
    shown = f"<x:p>{text}</x:p>" if text else ""
    return f'<t:table-cell t:number-columns-repeated="{times}" {more}>{shown}</t:table-cell>'


def ods(path: Path, *rows: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("content.xml", ODS % "".join(rows))
    return path


def test_an_old_workbook_is_read_with_its_dates_and_numbers():
    found, problems = read(REGISTER)
    assert [(one.passage_id, one.text) for one in found] == [("4.1", "Report."), ("5", "Pay.")]
    assert found[0].metadata == {"Due": "2026-08-14", "Met": "True"}
    assert [(note.reason, note.words) for note in problems.notes] == [(ABOVE, 3)]


def test_a_workbook_with_the_suffix_of_an_old_one_is_read(tmp_path):
    made = workbook(tmp_path / "a.xlsx", A=[["Ref", "Text"], ["1", "All."]])
    found, _ = read(made.rename(tmp_path / "a.xls"))
    assert [(one.passage_id, one.text) for one in found] == [("1", "All.")]


def test_an_opendocument_sheet_is_read_as_it_is_shown(tmp_path):
    note = "<o:annotation><x:p>Who?</x:p></o:annotation>"
    due = 'o:value-type="date" o:date-value="2026-08-14T00:00:00"'
    found, problems = read(ods(
        tmp_path / "r.ods",
        row(cell("Ref"), cell("Requirement"), cell(), cell("Due"), cell(times=16380)),
        f"<t:table-row-group>{row(cell(times=16384), times=3)}</t:table-row-group>",
        row(cell("4.10"), cell("Report.</x:p><x:p>Pay."), cell(), cell("14/08/26", 1, due)),
        row(cell("5"), f"<t:table-cell>{note}<x:p>Keep.</x:p></t:table-cell>", cell()),
        row(cell(times=16384), times=1048570),
    ))  # fmt: skip
    assert [(one.passage_id, one.text) for one in found] == [
        ("4.10", "Report.\nPay."), ("5", "Keep."),
    ]  # fmt: skip
    assert found[0].metadata == {"Due": "2026-08-14"}
    assert [one.source for one in found] == ["r.ods:5", "r.ods:6"]
    assert not problems.told()


def test_sheets_that_repeat_cells_without_end_are_refused_at_once(tmp_path):
    head = row(cell("Ref"), cell("Text"))
    for name, told, rows in (
        ("rows", "more than 200,000 rows", row(cell("1"), cell("All."), times=10**9)),
        ("columns", "more than 500 cells", row(cell("1", 10**9))),
        ("gap", "more than 2,000 empty rows", row(times=10**9) + row(cell("1"), cell("All."))),
        ("number", "no workbook that can be read", '<t:table-row t:number-rows-repeated="x"/>'),
    ):
        found, problems = read(ods(tmp_path / f"{name}.ods", head, rows))
        assert (found, len(problems)) == ([], 1), name
        assert told in problems.told()[0]


def test_a_damaged_old_workbook_is_refused(tmp_path):
    data = REGISTER.read_bytes()
    for at, damaged in enumerate((data[:700], data[:3000], b"\xd0\xcf\x11\xe0\0\0", b"1,2\n")):
        found, problems = read(written(tmp_path / f"{at}.xls", damaged))
        assert (found, len(problems)) == ([], 1), at
        assert "no workbook that can be read" in problems.told()[0]


def test_a_sheet_with_one_far_cell_is_refused_at_once(tmp_path):
    book = Workbook()
    book.active["XFD1048576"] = "far"
    book.save(tmp_path / "far.xlsx")
    found, problems = read(tmp_path / "far.xlsx")
    assert (found, len(problems)) == ([], 1)


def test_a_single_cell_above_the_columns_is_the_title(tmp_path):
    rows: list[list[object]] = [["Lamp calendar 2027"], ["No.", "Report"], [1, "Oil"], [2, "Wicks"]]
    found, _ = read(workbook(tmp_path / "dates.xlsx", Dates=rows))
    assert {one.document_title for one in found} == {"Lamp calendar 2027"}
    rows[0] = ["Lamp calendar", None]
    rows.insert(1, ["Made in May"])
    found, _ = read(workbook(tmp_path / "dates.xlsx", Dates=rows))
    assert {one.document_title for one in found} == {"Lamp calendar"}


def test_a_map_that_names_a_column_the_table_lacks_is_refused(tmp_path):
    path = written(tmp_path / "act.csv", "clause,body\n1,Banks.\n")
    found, problems = read(path, {"PassageID": "article", "Passage": "body"})
    assert found == []
    assert problems.told() == [
        f"{path}: has no column 'article'; name one of clause, body with --map"
    ]


def test_merged_cells_are_in_all_that_they_cover(tmp_path):
    path = workbook(tmp_path / "limits.xlsx", Limits=[
        ["Kind", "Limit", ""], ["", "EUR", "USD"], ["Gift", 5, 6], ["", 50, 60],
    ])  # fmt: skip
    book = load_workbook(path)
    for area in ("A1:A2", "B1:C1", "A3:A4"):
        book.active.merge_cells(area)
    book.save(path)
    found, _ = read(path)
    assert [one.text for one in found] == [
        "Kind: Gift\nLimit – EUR: 5\nLimit – USD: 6",
        "Kind: Gift\nLimit – EUR: 50\nLimit – USD: 60",
    ]  # fmt: skip
    assert [one.source for one in found] == ["limits.xlsx:3", "limits.xlsx:4"]


def test_merged_cells_of_opendocument_are_in_all_that_they_cover(tmp_path):
    over, covered = "t:number-{}-spanned='2'", "<t:covered-table-cell/>"
    rows, columns = over.format("rows"), over.format("columns")
    found, _ = read(ods(
        tmp_path / "limits.ods",
        row(cell("Kind", 1, rows), cell("Limit", 1, columns), covered),
        row(covered, cell("EUR"), cell("USD")),
        row(cell("Gift", 1, rows), cell("5"), cell("6")),
        row(covered, cell("50"), cell("60")),
    ))  # fmt: skip
    assert [one.text for one in found] == [
        "Kind: Gift\nLimit – EUR: 5\nLimit – USD: 6",
        "Kind: Gift\nLimit – EUR: 50\nLimit – USD: 60",
    ]  # fmt: skip


def test_merged_cells_of_an_old_workbook_are_in_all_that_they_cover(monkeypatch):
    import xlrd

    def opened(open_workbook=xlrd.open_workbook, **options):
        book = open_workbook(**{**options, "on_demand": False})
        book.sheet_by_index(0).merged_cells = [(3, 5, 0, 1)]
        return book

    monkeypatch.setattr(xlrd, "open_workbook", opened)
    found, _ = read(REGISTER)
    assert [one.passage_id for one in found] == ["4.1", "4.1"]


def test_a_first_sheet_about_the_others_has_the_title(tmp_path):
    about = [["type", "library"], ["version", 3], ["name", "House controls"]]
    rules = [["Number", "Text"], ["A.1", "Lamps are lit at dusk."]]
    path = workbook(tmp_path / "lamps.xlsx", about=about, rules=rules)
    found, _ = read(path)
    assert {one.document_title for one in found} == {"House controls"}
