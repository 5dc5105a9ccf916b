"""The text of Word documents: what a reader of the accepted document would see."""

from __future__ import annotations

from docx_samples import (
    STRICT,
    W,
    blocks_of,
    left_out_of,
    level,
    numbering,
    paragraph,
    passages_of,
    read_outline,
    run,
    styles,
    write_docx,
)

from indexer.blocks import DELETED, FOOTNOTE, HIDDEN, PROPERTIES, RUNNING_HEAD, TABLE_OF_CONTENTS
from indexer.readers.docx.reader import read_blocks

NUMBERED = numbering(level(0, "%1.") + level(1, "%1.%2"))
TOC_BEGIN = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o "1-3" </w:instrText>'
    '</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
)
END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def texts(folder, body, **parts):
    return [block.text for block in blocks_of(folder, body, **parts)]


def test_tracked_changes_are_accepted(tmp_path):
    body = paragraph(
        "A Firm ",
        runs=f"<w:ins>{run('must')}</w:ins><w:del><w:r><w:delText>may</w:delText></w:r></w:del>"
        f"<w:moveFrom>{run(' never')}</w:moveFrom><w:moveTo>{run(' report.')}</w:moveTo>",
    )
    assert texts(tmp_path, body) == ["A Firm must report."]
    left = left_out_of(tmp_path, body)
    assert [(one.text, one.reason) for one in left] == [("may never", DELETED)]


def test_a_deleted_paragraph_mark_joins_two_paragraphs(tmp_path):
    body = paragraph("A Firm ", properties="<w:rPr><w:del/></w:rPr>") + paragraph("must report.")
    assert texts(tmp_path, body) == ["A Firm must report."]


def test_what_hangs_on_a_joined_paragraph_and_its_end_are_kept(tmp_path):
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('In the box.')}</w:txbxContent></w:pict></w:r>"
    body = paragraph("A Firm ", runs=box, properties="<w:rPr><w:del/></w:rPr>")
    assert texts(tmp_path, body) == ["In the box.", "A Firm "]


def test_blocks_in_two_versions_are_read_once(tmp_path):
    both = (
        "<mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>"
        "</mc:AlternateContent>"
    )
    body = both.format(paragraph("New."), paragraph("Old.")) + both.format("", paragraph("Kept."))
    assert texts(tmp_path, body) == ["New.", "Kept."]


def test_deleted_rows_are_left_out(tmp_path):
    row = "<w:tr>{}<w:tc>" + paragraph("{}") + "</w:tc></w:tr>"
    table = (
        f"<w:tbl>{row.format('<w:trPr><w:del/></w:trPr>', 'Old')}{row.format('', 'New')}</w:tbl>"
    )
    assert texts(tmp_path, table) == ["New"]
    assert [(one.text, one.reason) for one in left_out_of(tmp_path, table)] == [("Old", DELETED)]


def test_what_is_gone_is_counted_no_more(tmp_path):
    moved = paragraph("Moved.", number=(1, 0), properties="<w:rPr><w:moveFrom/></w:rPr>")
    row = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph('Old.', number=(1, 0))}</w:tc></w:tr>"
    body = paragraph("One.", number=(1, 0)) + moved + f"<w:tbl>{row}</w:tbl>"
    body += paragraph("Two.", number=(1, 0))
    labels = [block.label for block in blocks_of(tmp_path, body, numbering=NUMBERED)]
    assert [label for label in labels if label] == ["1.", "2."]


def test_results_of_fields_are_kept_and_instructions_dropped(tmp_path):
    reference = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF _Ref1</w:instrText>'
        f'</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("3.5.8")}{END}'
        f'<w:fldSimple w:instr="PAGE">{run(" and 7")}</w:fldSimple>'
    )
    assert texts(tmp_path, paragraph("See Rule ", runs=reference)) == ["See Rule 3.5.8 and 7"]


def test_text_inside_an_instruction_is_not_read(tmp_path):
    inner = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("inner")}{END}'
    )
    outer = (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>'
        f'{inner}<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("shown")}{END}'
    )
    assert texts(tmp_path, paragraph(runs=outer)) == ["shown"]


def test_a_table_of_contents_is_left_out_across_paragraphs(tmp_path):
    body = (
        paragraph(runs=TOC_BEGIN + run("1 Scope"))
        + paragraph("2 Duties", runs=END)
        + paragraph("SCOPE", number=(1, 0))
    )
    assert "".join(texts(tmp_path, body, numbering=NUMBERED)) == "SCOPE"
    left = read_blocks(write_docx(tmp_path / "toc.docx", body, numbering=NUMBERED))[1]
    assert {one.reason for one in left} == {TABLE_OF_CONTENTS}
    assert [one.text for one in left] == ["1 Scope", "2 Duties"]


def test_a_table_of_contents_that_never_ends_stops_at_the_first_number(tmp_path):
    body = paragraph(runs=TOC_BEGIN + run("1 Scope")) + paragraph("SCOPE", number=(1, 0))
    assert "".join(texts(tmp_path, body, numbering=NUMBERED)) == "SCOPE"


def test_contents_in_a_control_or_by_style_are_left_out(tmp_path):
    body = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
        f"</w:docPartObj></w:sdtPr><w:sdtContent>{paragraph('Contents')}</w:sdtContent></w:sdt>"
        + paragraph("1 Scope", style="TOC1")
        + f"<w:sdt><w:sdtContent>{paragraph('Kept.')}</w:sdtContent></w:sdt>"
    )
    definitions = styles(
        '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>'
    )
    assert texts(tmp_path, body, styles=definitions) == ["Kept."]


def test_hidden_text_is_left_out_and_noted(tmp_path):
    body = paragraph("Shown.", runs=run(" Secret.", properties="<w:vanish/>"))
    assert texts(tmp_path, body) == ["Shown."]
    assert [(o.text, o.reason) for o in left_out_of(tmp_path, body)] == [("Secret.", HIDDEN)]


def test_hidden_by_style_and_shown_again(tmp_path):
    definitions = styles(
        '<w:style w:type="paragraph" w:styleId="Hid"><w:rPr><w:vanish/></w:rPr></w:style>'
    )
    shown = run("Shown.", properties='<w:vanish w:val="0"/>')
    body = paragraph("Hidden.", style="Hid", runs=shown)
    assert texts(tmp_path, body, styles=definitions) == ["Shown."]


def test_special_characters(tmp_path):
    runs = (
        "<w:r><w:t>non</w:t><w:noBreakHyphen/><w:t>EU</w:t><w:softHyphen/><w:t>rope</w:t><w:br/>"
        '<w:sym w:font="Symbol" w:char="F0B3"/><w:sym w:font="Wingdings" w:char="F0FC"/>'
        '<w:sym w:font="Symbol" w:char="zz"/><w:cr/><w:ptab/><w:t>end</w:t></w:r>'
    )
    assert texts(tmp_path, paragraph(runs=runs)) == ["non-EUrope\n≥✓\n\tend"]


def test_links_and_smart_tags_are_transparent(tmp_path):
    runs = f"<w:hyperlink>{run('the ')}</w:hyperlink><w:smartTag>{run('Firm')}</w:smartTag>"
    assert texts(tmp_path, paragraph("To ", runs=runs)) == ["To the Firm"]


def test_formulas_are_lines_of_text(tmp_path):
    fraction = (
        "<m:oMath><m:r><m:t>E=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num>"
        "<m:den><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>"
        "</m:sSup></m:den></m:f></m:oMath>"
    )
    assert texts(tmp_path, paragraph(runs=fraction)) == ["E=(a+b)/(c^2)"]


def test_tables_are_rows_with_tabs_between_cells(tmp_path):
    cells = f"<w:tc>{paragraph('Fee')}</w:tc><w:tc>{paragraph('100')}{paragraph('a year')}</w:tc>"
    body = paragraph("FEES", number=(1, 0)) + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
    (passage,) = passages_of(tmp_path, body, numbering=NUMBERED)
    assert passage.text == "FEES\n\\Table Start\nFee\t100\na year\n\\Table End"


def test_merged_cells_are_in_the_rows_and_columns_that_they_cover(tmp_path):
    def cell(text, properties=""):
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    rows = [
        cell("Kind") + cell("Who") + cell("Limit"),
        cell("Gift", '<w:vMerge w:val="restart"/>') + cell("Clerk") + cell("5"),
        cell("", "<w:vMerge/>") + cell("Board") + cell("50"),
        cell("Meal") + cell("none", '<w:gridSpan w:val="2"/>'),
        cell("All", '<w:gridSpan w:val="x"/>') + cell("Head") + cell("9"),
    ]
    table = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    body = paragraph("FEES", number=(1, 0)) + f"<w:tbl>{table}</w:tbl>"
    (passage,) = passages_of(tmp_path, body, numbering=NUMBERED)
    assert passage.text.split("\n")[2:-1] == [
        "Kind\tWho\tLimit", "Gift\tClerk\t5", "Gift\tBoard\t50", "Meal\tnone\tnone",
        "All\tHead\t9",
    ]  # fmt: skip


def test_values_are_below_their_heads_where_rows_leave_columns_out_or_heads_are_two(tmp_path):
    def cell(text, properties=""):
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    both = '<w:gridSpan w:val="2"/>'
    rows = [
        ("<w:tblHeader/>", cell("Kind", '<w:vMerge w:val="restart"/>') + cell("Limit", both)),
        ("<w:tblHeader/>", cell("", "<w:vMerge/>") + cell("EUR") + cell("USD")),
        ("", cell("Gift") + cell("5") + cell("6")),
        ('<w:gridBefore w:val="1"/>', cell("7") + cell("8")),
        ('<w:gridBefore w:val="2"/>', cell("9")),
        ('<w:gridAfter w:val="1"/>', cell("Meal") + cell("4")),
    ]
    table = "".join(f"<w:tr><w:trPr>{own}</w:trPr>{row}</w:tr>" for own, row in rows)
    body = paragraph("FEES", number=(1, 0)) + f"<w:tbl>{table}</w:tbl>"
    (passage,) = passages_of(tmp_path, body, numbering=NUMBERED)
    assert passage.text.split("\n")[2:-1] == [
        "Kind\tLimit – EUR\tLimit – USD", "Gift\t5\t6", "\t7\t8", "\t\t9", "Meal\t4\t",
    ]  # fmt: skip


def test_a_cell_may_hold_nothing_but_its_number(tmp_path):
    row = (
        f"<w:tr><w:tc>{paragraph('', number=(1, 0))}</w:tc><w:tc>{paragraph('Pay.')}</w:tc></w:tr>"
    )
    assert texts(tmp_path, f"<w:tbl>{row * 2}</w:tbl>", numbering=NUMBERED) == [
        "1.\t\tPay.\n2.\t\tPay."
    ]


def test_an_invisible_table_that_sets_numbers_beside_text_is_read_as_paragraphs(tmp_path):
    row = "<w:tr><w:tc>" + paragraph("{}") + "</w:tc><w:tc>" + paragraph("{}") + "</w:tc></w:tr>"
    rows = row.format("1", "SCOPE") + row.format("1.1", "All firms.") + row.format("1.2", "Funds.")
    found = passages_of(tmp_path, f"<w:tbl>{rows}</w:tbl>")
    assert [(one.number, one.text) for one in found] == [
        ("1", "SCOPE"), ("1.1", "All firms."), ("1.2", "Funds."),
    ]  # fmt: skip


def test_a_table_of_one_cell_is_a_box_around_paragraphs(tmp_path):
    box = "".join(paragraph(text) for text in ("Guidance", "1.\tOn boxes.", "2.\tOn cells."))
    body = (
        paragraph("1.1\tA firm must be fit.")
        + f"<w:tbl><w:tr><w:tc>{box}</w:tc></w:tr></w:tbl>"
        + paragraph("1.2\tA firm must be proper.")
    )
    assert [(one.number, one.text) for one in passages_of(tmp_path, body)] == [
        ("1.1", "A firm must be fit."),
        ("1.1.Guidance", ""),
        ("1.1.Guidance.1.", "On boxes."),
        ("1.1.Guidance.2.", "On cells."),
        ("1.2", "A firm must be proper."),
    ]


def test_the_same_table_with_lines_stays_a_table(tmp_path):
    row = "<w:tr><w:tc>" + paragraph("{}") + "</w:tc><w:tc>" + paragraph("{}") + "</w:tc></w:tr>"
    lines = '<w:tblPr><w:tblBorders><w:top w:val="single"/></w:tblBorders></w:tblPr>'
    rows = row.format("1.1", "100") + row.format("1.2", "200")
    assert texts(tmp_path, f"<w:tbl>{lines}{rows}</w:tbl>") == ["1.1\t100\n1.2\t200"]


def test_text_boxes_follow_their_paragraph_once(tmp_path):
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    runs = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert texts(tmp_path, paragraph("Before.", runs=runs)) == ["Before.", "In the box."]


def test_text_boxes_in_a_group_of_shapes_follow_once(tmp_path):
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    inner = (
        f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent>"
    )
    group = f"<w:r><w:drawing><wp:inline>{inner}</wp:inline></w:drawing></w:r>"
    assert texts(tmp_path, paragraph("Before.", runs=group)) == ["Before.", "In the box."]


def test_figures_are_noted_with_their_description(tmp_path):
    picture = '<w:r><w:drawing><wp:docPr id="1" descr="{}"/><a:blip/></w:drawing></w:r>'
    body = (
        paragraph("PROCESS", number=(1, 0), runs=picture.format("Steps of an application"))
        + paragraph(runs=picture.format("C:\\pictures\\logo.png"))
    )  # fmt: skip
    (passage,) = passages_of(tmp_path, body, numbering=NUMBERED)
    assert passage.text == (
        "PROCESS\n\\Figure Start\nSteps of an application\n\\Figure End"
        "\n\\Figure Start\n\\Figure End"
    )


def test_footnotes_are_left_out_and_noted(tmp_path):
    notes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:type="separator" w:id="0">{paragraph("-")}'
        f'</w:footnote><w:footnote w:id="2">{paragraph("Amended 2021.")}</w:footnote></w:footnotes>'
    )
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = paragraph("A Firm must report.", number=(1, 1), runs=reference)
    (passage,) = passages_of(tmp_path, body, numbering=NUMBERED, footnotes=notes)
    assert passage.text == "A Firm must report."
    left = left_out_of(tmp_path, body, numbering=NUMBERED, footnotes=notes)
    assert [(one.text, one.reason) for one in left] == [("Amended 2021.", FOOTNOTE)]


def test_footnotes_of_paragraphs_and_tables_can_be_passages(tmp_path):
    notes = "".join(
        f'<w:footnote w:id="{n}">{paragraph(text)}</w:footnote>'
        for n, text in enumerate(("Of a rule.", "Of a cell.", "Of the last."), start=1)
    )
    first, second, third = (f'<w:r><w:footnoteReference w:id="{n}"/></w:r>' for n in (1, 2, 3))
    texts = (paragraph("Fee", runs=second), paragraph("10"))
    cells = "".join(f"<w:tc>{text}</w:tc>" for text in texts)
    body = (
        paragraph("A Firm must report.", number=(1, 1), runs=first)
        + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
        + paragraph("Fees are due.", number=(1, 1), runs=third)
    )
    notes = f'<w:footnotes xmlns:w="{W}">{notes}</w:footnotes>'
    path = write_docx(tmp_path / "rules.docx", body, numbering=NUMBERED, footnotes=notes)
    found = read_outline(path, footnotes=True)
    assert [(one.number, one.text) for one in found.passages] == [
        ("1.1", "A Firm must report.\n\\Table Start\nFee\t10\n\\Table End"),
        ("1.1.Footnote.1", "Of a rule."),
        ("1.1.Footnote.2", "Of a cell."),
        ("1.2", "Fees are due."),
        ("1.2.Footnote.3", "Of the last."),
    ]
    assert not found.left_out
    assert [one.text for one in read_outline(path).left_out] == [
        "Of a rule.", "Of a cell.", "Of the last."
    ]  # fmt: skip


def test_headers_and_footers_are_never_read(tmp_path):
    header = f'<w:hdr xmlns:w="{W}">{paragraph("Page header")}</w:hdr>'
    assert texts(tmp_path, paragraph("Text."), header=header) == ["Text."]


def test_strict_documents_are_read_alike(tmp_path):
    path = write_docx(tmp_path / "strict.docx", paragraph("A Firm.", bold=True))
    content = path.read_bytes()
    import zipfile

    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data.replace(W.encode(), STRICT.encode()))
    assert path.read_bytes() != content
    (block,) = read_blocks(path)[0]
    assert (block.text, block.bold) == ("A Firm.", True)


def test_tables_nested_deeper_than_is_followed_are_noted(tmp_path):
    table = paragraph("Deep.")
    for _ in range(9):
        table = f"<w:tbl><w:tr><w:tc>{table}</w:tc></w:tr></w:tbl>"
    found = "".join(texts(tmp_path, table))
    left = " ".join(one.text for one in left_out_of(tmp_path, table))
    assert "Deep." in found + left


def test_a_heading_style_parts_what_stands_below_it_from_the_rules_before(tmp_path):
    heading = '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
    body = (
        paragraph("Loan Code") + paragraph("1. Lenders must act.") + paragraph("2. Lenders record.")
        + paragraph("Reports", style="H2") + paragraph("1. Lenders must report.")
        + paragraph("Final", style="H2") + paragraph("This code is in force.")
    )  # fmt: skip
    found = passages_of(tmp_path, body, styles=styles(heading))
    assert [(one.number, one.text) for one in found] == [
        ("1.", "Lenders must act."), ("2.", "Lenders record."),
        ("1.", "Reports\nLenders must report."), ("Final", "This code is in force."),
    ]  # fmt: skip


def test_properties_running_heads_and_sizes_are_read(tmp_path):
    parts = {
        "header": f'<w:hdr xmlns:w="{W}">{paragraph("Harbour")}{paragraph("Lamp Policy")}</w:hdr>',
        "core-properties": '<c xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>Lamp Policy</dc:title></c>",
        "styles": styles(
            '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="21"/></w:rPr></w:rPrDefault>'
            '</w:docDefaults><w:style w:type="paragraph" w:styleId="Big"><w:name w:val="Big"/>'
            '<w:rPr><w:sz w:val="48"/></w:rPr></w:style>'
        ),
    }
    body = paragraph("Lamps", style="Big") + paragraph(
        runs=run("own", properties='<w:sz w:val="30"/>')
    )
    blocks, left_out = read_blocks(
        write_docx(tmp_path / "a.docx", body + paragraph("text"), **parts)
    )
    assert [block.size for block in blocks] == [48, 30, 21]
    named = [(left.reason, left.text) for left in left_out]
    assert named == [
        (PROPERTIES, "Lamp Policy"), (RUNNING_HEAD, "Harbour"), (RUNNING_HEAD, "Lamp Policy"),
    ]  # fmt: skip
