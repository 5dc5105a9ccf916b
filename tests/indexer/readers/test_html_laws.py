"""Laws as national publishers show them: units in plain blocks, layout tables, what is the page."""

from __future__ import annotations

import pytest
from act_samples import act_of, numbers, read, read_text, texts

from indexer.blocks import STRUCK
from indexer.readers.html.reader import HtmlReader
from indexer.structuring.pages.amendments import NOT_IN_FORCE


def law(tmp_path, body, head=""):
    text = f"<html><head><title>Lamp Act</title>{head}</head><body>{body}</body></html>"
    return read_text(HtmlReader(), tmp_path, "law.html", text)


def paragraphs(*lines):
    return "".join(f"<p>{line}</p>" for line in lines)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Article 1", "Scope", "1. Keepers hold oil.", "2. They sleep.", "Article 2", "It ends."),
         ["Article 1", "Article 1(1)", "Article 1(2)", "Article 2"]),
        (("§ 1 Wärter", "(1) Der Wärter hält Öl.", "(2) Er schläft.", "§ 1a Ende", "Es endet."),
         ["§ 1", "§ 1(1)", "§ 1(2)", "§ 1a"]),
        (("4 §", "Vartija pitää öljyä.", "4 a §", "Hän nukkuu.", "5 §", "Se päättyy."),
         ["§ 4", "§ 4 a", "§ 5"]),
        (("1. člen", "(namen)", "(1) Čuvaj ima olje.", "(2) Spi.", "1.a člen", "(konec)", "Mir."),
         ["1. člen", "1. člen(1)", "1. člen(2)", "1.a člen"]),
        (("1 straipsnis. Tikslas", "1. Sargas turi aliejaus.", "2. Jis miega.",
          "2 straipsnis. Galas", "Baigiasi."),
         ["1 straipsnis", "1 straipsnis(1)", "1 straipsnis(2)", "2 straipsnis"]),
        (("1. §", "(a törvény célja)", "(1) Az őr olajat tart.", "(2) Alszik.", "2. §", "Vége."),
         ["§ 1", "§ 1(1)", "§ 1(2)", "§ 2"]),
        (("Artículo 1. Objeto.", "El guarda tiene aceite.", "Artículo 2. Fin.", "Termina."),
         ["Artículo 1", "Artículo 2"]),
        (("Стаття 1. Сторож має олію.", "Стаття 2. Він спить."), ["Стаття 1", "Стаття 2"]),
        (("Čl. 1", "Strážce má olej.", "Čl. 2", "Spí."), ["Čl. 1", "Čl. 2"]),
        (("第一条 番人は油を持つ。", "第二条 番人は眠る。"), ["第一条", "第二条"]),
        (("المادة 1", "الحارس لديه زيت", "المادة 2", "ينام"), ["المادة 1", "المادة 2"]),
        (("SEC. 101. OIL.", "A keeper holds oil.", "SEC. 102. SLEEP.", "A keeper sleeps."),
         ["Section 101", "Section 102"]),
        (("<b>2.</b>—(1) A keeper holds oil.", "(2) It is clean.", "<b>3.</b>—A keeper sleeps."),
         ["2", "2(1)", "2(2)", "3"]),
        (("<b>1</b> A keeper holds:", "1. oil, and", "2. wicks.", "<b>2</b> (1) He sleeps.",
          "(1.1) He wakes.", "<b>2.1</b> It ends."), ["1", "2", "2(1)", "2(1.1)", "2.1"]),
    ],
)  # fmt: skip
def test_units_that_count_on_in_plain_paragraphs_are_passages(tmp_path, lines, expected):
    assert numbers(law(tmp_path, paragraphs(*lines))) == expected


def test_raised_paragraph_numbers_and_terms_with_labels_are_items(tmp_path):
    items = "<dl><dt>a.</dt><dd>oil;</dd><dt>b.</dt><dd>wicks.</dd></dl>"
    body = (
        f"<h2>1. Kapitel: Licht</h2><h6>Art. 1 Zweck</h6><p><sup>1</sup> Es gibt:</p>{items}"
        "<p><sup>2</sup> Es endet.</p><h6>Art. 2 Ende</h6><p>Schluss.</p>"
    )
    assert texts(law(tmp_path, body)) == {
        "Kapitel 1": "Licht", "Article 1": "Zweck",
        "Article 1(1)": "Es gibt:\na. oil;\nb. wicks.", "Article 1(2)": "Es endet.",
        "Article 2": "Ende\nSchluss.",
    }  # fmt: skip


def test_references_at_line_beginnings_open_nothing(tmp_path):
    found = texts(law(tmp_path, paragraphs(
        "Article 1", "Article 9 applies to keepers.", "Article 2", "§ 7 Abs. 2 is repealed.",
        "Article 3", "Article 8", "The words above are quoted.", "Article 4", "It ends.",
    )))  # fmt: skip
    assert list(found) == ["Article 1", "Article 2", "Article 3", "Article 4"]
    assert "Article 8" in found["Article 3"]


def test_a_table_of_contents_is_told_from_the_units_that_come_again(tmp_path):
    titles = [f"Article {n} Title of {n}" for n in range(1, 5)]
    body = [text for t in titles for text in (t, f"The keeper of {t} must " + "hold oil " * 12)]
    passages = law(tmp_path, paragraphs(*titles, *body))
    assert numbers(passages) == [f"Article {n}" for n in range(1, 5)]
    assert all("must hold oil" in p.text for p in passages)


def test_a_typed_list_of_the_headings_that_come_again_is_a_table_of_contents(tmp_path):
    titles = ("1. Oil", "2. Lamps", "3. Keepers")
    entries = "".join(f"<li>{title}</li>" for title in titles)
    rules = "".join(f"<h1>{title}</h1><p>A rule.</p>" for title in titles)
    found = law(tmp_path, f"<h1>Policy</h1><h1>Contents</h1><ul>{entries}</ul>{rules}")
    assert numbers(found) == ["Policy", "1", "2", "3"]


def test_sections_in_headings_are_side_by_side(tmp_path):
    body = "".join(f"<h2>Section {n}. Oil</h2><p>(1) Hold it.</p>" for n in range(1, 4))
    found = [f"Section {n}{part}" for n in range(1, 4) for part in ("", ".(1)")]
    assert numbers(law(tmp_path, f"<h1>Lamps</h1>{body}")) == found


def test_a_short_line_above_or_behind_a_number_is_the_title_of_the_unit(tmp_path):
    above = paragraphs("<b>Oil.</b>", "<b>2.</b>—A keeper holds oil.", "<b>Sleep.</b>",
                       "<b>3.</b>—A keeper sleeps at night.")  # fmt: skip
    assert texts(law(tmp_path, above)) == {
        "2": "Oil.\nA keeper holds oil.", "3": "Sleep.\nA keeper sleeps at night.",
    }  # fmt: skip
    behind = paragraphs("Art. 1", "a) Oil", "1) It is clean.", "Art. 2", "Sleep", "It is long.")
    assert texts(law(tmp_path, behind)) == {
        "Article 1": "a) Oil", "Article 1(1)": "It is clean.", "Article 2": "Sleep\nIt is long.",
    }  # fmt: skip


def test_recitals_and_chapters_in_plain_paragraphs_are_what_they_are(tmp_path):
    found = texts(law(tmp_path, paragraphs(
        "Whereas:", "(1) Lamps burn.", "(2) Oil is dear.", "CHAPTER I", "Article 1", "Lamps.",
        "CHAPTER II Oil", "Article 2", "Oil is dear.",
    )))  # fmt: skip
    assert list(found) == [
        "Lamp Act",
        "Chapter I",
        "Article 1",
        "Chapter II",
        "Article 2",
        "Recital 1",
        "Recital 2",
    ] or list(found)[-4:] == ["Chapter I", "Article 1", "Chapter II", "Article 2"]
    assert found["Recital 2"] == "Oil is dear."
    assert found["Chapter II"] == "Oil"


def test_sections_that_group_others_are_divisions(tmp_path):
    lines = [line for group in (1, 2) for line in (
        f"§ {group}. — Group", *(f"<b>{group * 3 + n}.</b> Keepers hold oil." for n in range(3)),
    )]  # fmt: skip
    assert numbers(law(tmp_path, paragraphs(*lines))) == [
        "§ 1", "3", "4", "5", "§ 2", "6", "7", "8",
    ]  # fmt: skip


def test_the_page_is_where_the_words_are(tmp_path):
    law_text = paragraphs("1.1 A keeper holds oil.", "1.2 A keeper sleeps.")
    menu = "<nav><a href='/'>Home</a></nav>"
    for page in (
        f"{menu}<form>{law_text}</form>",
        f"{menu}<table><tr><td><h1>Lamp Act</h1><table><tr><td>{law_text}</td></tr></table></td>"
        "</tr></table>",
        f"<main><p>Search</p></main><article>{law_text}</article>",
        f"{menu}<div class='sidebar'>{law_text}</div>",
    ):
        found = texts(law(tmp_path, page))
        assert found["1.1"] == "A keeper holds oil."
        assert found["1.2"] == "A keeper sleeps."


def test_a_form_with_the_text_is_the_page_and_the_site_is_around_it(tmp_path):
    law_text = paragraphs(*(f"{n}. A keeper holds oil and wicks, and sleeps." for n in range(1, 5)))
    site = "<h3>Selections</h3><p>Show. Version 2.2.</p>"
    found = law(tmp_path, f"<h1>Legis</h1><form>{law_text}</form>{site}")
    assert numbers(found) == ["1", "2", "3", "4"]
    assert {one.document_title for one in found} == {"Lamp Act"}


def test_a_form_beside_as_much_text_is_not_all_of_the_page(tmp_path):
    law_text = paragraphs("1.1 A keeper holds oil.", "1.2 A keeper sleeps.")
    rest = paragraphs("1.3 A keeper holds wicks.", "1.4 A keeper wakes.")
    found = law(tmp_path, f"<h1>Lamps of 1985</h1><form>{law_text}</form>{rest}")
    assert numbers(found) == ["1.1", "1.2", "1.3", "1.4"]
    assert found[0].document_title == "Lamps of 1985"


def test_text_of_nested_layout_tables_is_read_once(tmp_path):
    inner = "".join(f"<table><tr><td><b>{n}.</b> Rule {n} holds.</td></tr></table>" for n in "123")
    passages = law(tmp_path, f"<table><tr><td><h1>Lamp Act</h1>{inner}</td></tr></table>")
    assert texts(passages) == {n: f"Rule {n} holds." for n in "123"}


def test_struck_through_text_is_no_law_and_named(tmp_path):
    style = "<style>.gone { text-decoration: line-through }</style>"
    body = paragraphs(
        "1.1 The fee is <s>3</s><del>4</del> <span style='text-decoration:line-through'>5</span>"
        "<i class='gone'>6</i> 7 pounds.",
    ) + "<p class='gone'>1.2 Nobody pays.</p>"  # fmt: skip
    assert texts(law(tmp_path, body, style)) == {"1.1": "The fee is 7 pounds."}
    left = [p.reason for p in act_of(HtmlReader(), tmp_path / "law.html").left_out]
    assert left.count(STRUCK) == 5


def test_menus_between_rules_are_no_text_and_the_date_beside_a_rule_is_kept(tmp_path):
    menu = "<ul><li>31/12/2020</li><li><a href='/past'>Past version</a></li></ul>"
    links = "<li><a href='/a'>PDF</a></li><li><a href='/b'>Print</a></li>"
    export = f"<h3>Export as</h3><ul>{links}</ul>"
    passages = law(tmp_path, f"<p>1.1 Oil burns.</p>{menu}{export}<p>1.2 Wicks burn.</p>")
    assert texts(passages) == {"1.1": "Oil burns.", "1.2": "Wicks burn."}
    assert passages[0].metadata["valid_from"] == "2020-12-31"
    assert "valid_from" not in passages[1].metadata


def test_the_date_beside_a_rule_is_that_of_its_paragraphs_too(tmp_path):
    dated = "<ul><li>31/12/2020</li><li><a href='/past'>Past version</a></li></ul>"
    rule = "<p>1.1</p><ol><li>(1) Oil burns.</li><li>(2) Wicks burn.</li></ol>"
    passages = law(tmp_path, f"{rule}{dated}<p>1.2 Wicks burn.</p>")
    found = {one.passage_id: one.metadata.get("valid_from") for one in passages}
    assert found == dict.fromkeys(["1.1", "1.1.(1)", "1.1.(2)"], "2020-12-31") | {"1.2": None}


def test_a_list_between_two_items_is_that_of_the_first(tmp_path):
    inner = "<ol><li>(a) Lamps burn.</li><li>(b) Wicks burn.</li></ol>"
    rule = f"<p>1.1</p><ol><li>(1) Take oil:</li>{inner}<li>at night.</li><li>(2) Rest.</li></ol>"
    found = texts(law(tmp_path, f"{rule}<p>1.2 Wicks burn.</p>"))
    assert found["1.1.(1)"] == "Take oil:\n(a) Lamps burn.\n(b) Wicks burn.\nat night."
    assert found["1.1.(2)"] == "Rest."
    assert set(found) == {"1.1", "1.1.(1)", "1.1.(2)", "1.2"}


def test_footnotes_of_a_page_are_footnotes(tmp_path):
    body = paragraphs("Art. 1<a href='#fn1'><sup>1</sup></a>", "Oil.", "Art. 2", "Wicks.")
    note = "<p><a name='fn1'>1</a> As amended.</p>"
    found = texts(law(tmp_path, body + note))
    assert found == {"Article 1": "Oil.", "Article 2": "Wicks.", "Footnote 1": "1 As amended."}


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "utf-16-be", "utf-8", "utf-8-sig"])
def test_pages_that_declare_no_encoding_are_read_as_browsers_read_them(tmp_path, encoding):
    path = tmp_path / "law.html"
    body = paragraphs("§ 1 Öl", "Der Wärter.", "§ 2 Docht", "Er brennt.")
    page = f"<html><body>{body}</body></html>"
    path.write_bytes(page.encode(encoding))
    assert texts(read(HtmlReader(), path)) == {"§ 1": "Öl\nDer Wärter.", "§ 2": "Docht\nEr brennt."}


def test_a_link_to_the_top_of_the_page_is_no_text_of_the_menu_above_it(tmp_path):
    links = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in ("PDF", "Print"))
    menu = f"<h3>Export chapter as</h3><ul>{links}</ul>"
    end = "<p><a href='#'>Back to top</a></p>"
    page = f"<h2>1 Scope</h2><p>1.1 All.</p>{menu}<h2>2 Fees</h2><p>2.1 Due.</p>{menu}{end}"
    assert numbers(law(tmp_path, page)) == ["1", "1.1", "2", "2.1"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # A text after the last paragraph belongs to it, and so does the list below the text.
        (("§ 1", "(1) A.", "(2) B.", "It is lit", "1. at dusk,", "2. in fog.", "§ 2", "C."),
         {"§ 1": "", "§ 1(1)": "A.", "§ 1(2)": "B.\nIt is lit\n1. at dusk,\n2. in fog.",
          "§ 2": "C."}),
        # The heading of the units below, in the words of the paragraph above, is no item of it.
        (("Art. 1", "1) A.", "2) B.", "B. Oil", "Art. 2", "C.", "C. Wicks", "1. Wool",
          "Art. 3", "D."),
         {"Article 1": "", "Article 1(1)": "A.", "Article 1(2)": "B.\nB. Oil",
          "Article 2": "C.\nC. Wicks\n1. Wool", "Article 3": "D."}),
        # Paragraphs that count from 1 again have lost their unit.
        (("Article 1", "(1) A.", "(2) B.", "(1) C.", "(2) D.", "(3) F.", "Article 3", "E."),
         {"Article 1": "", "Article 1(1)": "A.", "Article 1(2)": "B.\n(1) C.\n(2) D.\n(3) F.",
          "Article 3": "E."}),
        # `(1)` within `(b)`, which `(c)` continues, is not the item after `(1)`.
        (("§ 1", "(1) Keep:", "(a) oil;", "(b) any of", "(1) wicks,", "(2) caps;", "(c) mops.",
          "(2) Sleep.", "§ 2", "E."),
         {"§ 1": "", "§ 1(1)": "Keep:\n(a) oil;\n(b) any of\n(1) wicks,\n(2) caps;\n(c) mops.",
          "§ 1(2)": "Sleep.", "§ 2": "E."}),
        (("§ 1", "(1) A keeper.", "(1.1) He sleeps.", "§ 2", "(1) Oil.", "(a) Whale.",
          "(a.1) Seal.", "(b) Rape.", "(2) Wicks."),
         {"§ 1": "", "§ 1(1)": "A keeper.", "§ 1(1.1)": "He sleeps.", "§ 2": "", "§ 2(1)": "Oil.",
          "§ 2(1)(a)": "Whale.", "§ 2(1)(a.1)": "Seal.", "§ 2(1)(b)": "Rape.", "§ 2(2)": "Wicks."}),
    ],
)  # fmt: skip
def test_items_are_where_their_labels_continue(tmp_path, lines, expected):
    assert texts(law(tmp_path, paragraphs(*lines))) == expected


def test_divisions_and_units_in_headings_end_the_unit_before(tmp_path):
    body = (
        "<h2>Abschnitt 1 - Licht</h2><h3>§ 1 Öl</h3><p>Es brennt.</p><h3>§ 2 Docht usw.</h3>"
        "<p>Er auch.</p><h2>Abschnitt 2 - Nacht</h2><h3>§ 3 Schlaf</h3><p>Er ruht.</p>"
    )
    found = numbers(law(tmp_path, body))
    assert found == ["Abschnitt 1", "§ 1", "§ 2", "Abschnitt 2", "§ 3"]


def test_figures_of_one_number_in_several_elements_are_one_number(tmp_path):
    bold = ("<b>1</b> Oil.", "<b>2</b> Wicks.", *(f"<b>{n}</b> Text." for n in range(3, 11)),
            "<b>1</b><b>1 </b>Sleep.")  # fmt: skip
    assert numbers(law(tmp_path, paragraphs(*bold)))[-2:] == ["10", "11"]


def test_a_chapter_is_not_in_the_section_of_another_chapter(tmp_path):
    body = (
        "<h2>Chapter I Light</h2><h3>Section 1 Oil</h3><p>Article 1</p><p>It burns.</p>"
        "<h4>Chapter II Night</h4><h5>Section 1 Sleep</h5><p>Article 2</p><p>He rests.</p>"
    )
    found = numbers(law(tmp_path, body))
    assert found == ["Chapter I", "Chapter I.Section 1", "Article 1", "Chapter II",
                     "Chapter II.Section 1", "Article 2"]  # fmt: skip


@pytest.mark.parametrize(
    "closing", ["Done at Brussels, 27 April 2016.", "Fait à Paris, le 1er mai 2016."]
)
def test_notes_behind_the_closing_words_are_none_of_the_last_article(tmp_path, closing):
    notes = ("(1) OJ L 1, p. 1.", "(2) OJ L 2, p. 2.")
    lines = ("Article 1", "Oil burns.", "Article 2", "1. It ends.", "2. At once.", closing, *notes)
    found = texts(law(tmp_path, paragraphs(*lines)))
    assert found["Article 2(2)"] == "At once."
    assert found["Concluding formulas"].startswith(closing)
    assert not any("OJ" in text for number, text in found.items() if number.startswith("Art"))


ONTARIO = (
    "Security",
    "<b>1</b> (1) A keeper locks the lamps of Part I. 2004, c. 3, Sched. A, s. 1 (1).",
    "Notice of theft",
    "(2) A keeper tells, 2004, c. 3, s. 1 being repealed. 2016, c. 6, s. 1 (4); 2020, c. 5, s. 2.",
    "Exception", "(3) Nobody need tell of: 2016, c. 6, s. 1 (4).", "(a) oil;",
    "Note: On a day to be named by proclamation of the Queen, section 1 is amended by adding the"
    " following subsection: (See: 2020, c. 5, Sched. 6, s. 3 (1))",
    "To come", "(3.1) A keeper shall keep:", "(a) a log; and",
    "(b) a book. 2020, c. 5, Sched. 6, s. 3 (1).",
    "Fees", "(4) No fee is due under the Lamp Act, R.S.C. 1985, c. C-46.",
    "Section Amendments with date in force (d/m/y)", "2016, c. 6, s. 1 (4) - 03/06/2016",
    "2020, c. 5, Sched. 6, s. 3 (1) - not in force",
    "End", "<b>2</b> It ends. 2004, c. 3, Sched. A, s. 2.",
    "Name", "<b>3</b> This is the Lamp Act.",
)  # fmt: skip


def coming_in(tmp_path, *lines):
    path = tmp_path / "law.html"
    path.write_text(f"<html><body>{paragraphs(*lines)}</body></html>")
    left_out = act_of(HtmlReader(), path).left_out
    return [left.text for left in left_out if left.reason == NOT_IN_FORCE]


def test_titles_above_paragraphs_are_theirs_and_notes_on_amendments_are_no_text(tmp_path):
    found = law(tmp_path, paragraphs(*ONTARIO))
    assert texts(found) == {
        "1": "Security",
        "1(1)": "A keeper locks the lamps of Part I.",
        "1(2)": "Notice of theft\nA keeper tells, 2004, c. 3, s. 1 being repealed.",
        "1(3)": "Exception\nNobody need tell of: 2016, c. 6, s. 1 (4).\n(a) oil;",
        "1(4)": "Fees\nNo fee is due under the Lamp Act, R.S.C. 1985, c. C-46.",
        "2": "End\nIt ends.",
        "3": "Name\nThis is the Lamp Act.",
    }


def test_what_is_not_yet_in_force_is_left_out_and_named(tmp_path):
    coming = coming_in(tmp_path, *ONTARIO)
    assert [text.split()[0] for text in coming] == ["Note:", "To", "(3.1)", "(a)", "(b)"]


@pytest.mark.parametrize(
    ("note", "left_out"),
    [
        ("Note: On January 1, 2030, section 1 is amended by striking out “oil”.", 1),
        ("Note: On a day to be named, the Act is amended by adding the following clause:", 0),
        ("Note: On a windy day the lamps are amended.", 0),
        ("Notes on lamps.", 0),
    ],
)
def test_a_note_whose_end_is_not_known_stays_text(tmp_path, note, left_out):
    lines = ("<b>1</b> (1) Keepers hold oil.", note, "(2) They sleep.", "<b>2</b> It ends.")
    assert len(coming_in(tmp_path, *lines)) == left_out
