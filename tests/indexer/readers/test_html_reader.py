"""Pages of rulebooks: headings, numbers in the text, lists, tables, and what stands around."""

import pytest
from act_samples import SAMPLES, act_of, numbers, read, read_text, refusal, texts

from indexer.hierarchy.tree import arrange
from indexer.readers.html.reader import HtmlReader

HARBOUR = SAMPLES / "harbour-rules.html"


def page(body):
    return f"<html><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<h1>Lamp Act</h1><h2>Part 1</h2>", "Lamp Act"),
        ("<h1><a href='https://law.example'>Our Laws</a></h1>", "Code - Lamp Act"),
        ("<h1>Switch on JavaScript</h1><h1>Code</h1>", "Code"),
        (
            "<h1>32002L0058</h1><p>Directive 2002/58/EC of the European Parliament and of the "
            "Council concerning privacy (Directive on privacy and electronic communications)</p>",
            "Directive on privacy and electronic communications (Directive 2002/58/EC)",
        ),
        ("<h1>L13709</h1><p>A harbour lights its lamps.</p>", "Code - Lamp Act"),
        ("<h1>32002L0058</h1><p>Official Journal, page 37</p>", "Code - Lamp Act"),
    ],
)
def test_the_title_is_what_names_the_document(tmp_path, head, title):
    text = f"<html><head><title>Code - Lamp Act</title></head><body>{head}<p>1. Light it.</p>"
    path = tmp_path / "lamps.html"
    path.write_text(f"{text}<p>2. Put it out.</p></body></html>", encoding="utf-8")
    assert act_of(HtmlReader(), path).title == title


def test_headings_and_numbers_make_the_passages():
    assert numbers(read(HtmlReader(), HARBOUR)) == [
        "Harbour Rules (HRB)", "1", "1.1", "1.1.1", "1.1.1.Guidance", "1.1.1.Guidance.1",
        "1.1.1.Guidance.2", "1.1.2", "2", "Glossary", "Glossary.Pilot", "Glossary.Tug",
        "Schedule 1", "Schedule 1.1", "Schedule 1.2",
    ]  # fmt: skip


def test_lists_stay_with_their_clause_whether_marked_or_typed():
    found = texts(read(HtmlReader(), HARBOUR))
    assert found["1.1.1"] == (
        "This rule applies to every pilot who:\n(a) steers a ship; or\n(b) advises one:\n"
        "(i) by day;\n(ii) by night.\nThis includes trainees. Rule 2.1 applies as well."
    )
    assert found["2"] == (
        "Duties\nA pilot must:\n(a) keep a log;\n(b) report:\n(i) fires\n(ii) leaks\nat once."
    )


def test_a_page_goes_on_after_the_end_of_its_body(tmp_path):
    first = page("<p>1.1 Pilots report.</p>")
    second = first.replace("1.1 Pilots", "1.2 Tugs")
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", f"{first}<!doctype html>{second}"))
    assert found == {"1.1": "Pilots report.", "1.2": "Tugs report."}


def test_menus_of_pages_that_name_them_by_their_id_alone_are_left_out(tmp_path):
    around = "<div id='{}'>Compliance <a href='/'>Home</a></div>"
    text = f"{around.format('header')}<h1>1 Gifts</h1><p>None.</p>{around.format('page-footer')}"
    assert texts(read_text(HtmlReader(), tmp_path, "a.html", page(text))) == {"1": "Gifts\nNone."}


def test_a_number_in_an_element_of_its_own_is_parted_from_its_text(tmp_path):
    body = (
        "<h2><span>1</span><span>Duties</span></h2><p><span>(1)</span><span>A pilot reports.</span>"
        "</p><p><span>(2)</span>By the 1<sup>st</sup> day.</p><h2>2 Fees</h2><p><b>2.1</b>Paid.</p>"
    )
    found = texts(read_text(HtmlReader(), tmp_path, "pilots.html", page(body)))
    assert found == {
        "1": "Duties", "1.(1)": "A pilot reports.", "1.(2)": "By the 1st day.", "2": "Fees",
        "2.1": "Paid.",
    }  # fmt: skip


def test_every_point_is_a_passage_on_demand():
    found = texts(read(HtmlReader("point"), HARBOUR))
    assert found["1.1.1.(b).(ii)"] == "by night."
    assert found["2.(b).(i)"] == "fires"


def test_a_table_is_rows_and_a_number_in_a_sentence_is_none():
    found = texts(read(HtmlReader(), HARBOUR))
    assert found["1.1.2"] == (
        "Fees are set out below.\n\\Table Start\nShip\tFee\nTug\t20\n\\Table End\n"
        "1.5 times the fee is due at night."
    )


def test_kinds_and_breadcrumbs_follow_the_headings():
    passages = {p.passage_id: p for p in arrange(read(HtmlReader(), HARBOUR))}
    assert passages["1.1.1.Guidance.1"].kind == "guidance"
    assert passages["Glossary.Pilot"].kind == "definition"
    assert passages["1"].kind == "heading"
    assert passages["1.1.1"].breadcrumb == ("1 Application", "1.1 Scope")


def test_what_stands_around_the_text_is_left_out_and_told():
    left = {(piece.text, piece.reason) for piece in act_of(HtmlReader(), HARBOUR).left_out}
    assert ("The Board", "around the text of the page") in left
    assert ("Contact", "around the text of the page") in left
    assert ("track()", "not part of the page's text") in left
    assert ("Draft", "hidden on the page") in left
    assert ("Harbour Rules (HRB)", "the title of the document") in left


def test_a_page_is_named_by_its_file_and_its_only_heading():
    first = read(HtmlReader(), HARBOUR)[0]
    assert (first.document_id, first.document_title) == ("harbour-rules", "Harbour Rules (HRB)")
    assert first.metadata == {"language": "en"}


def test_the_link_of_a_heading_to_itself_is_no_text(tmp_path):
    link = '<a class="headerlink" href="#fees">¶</a>'
    body = f"<h1>5 Fees{link}</h1><h2>5.1 Sums{link}</h2><p>Pay, <a href='#a'>as agreed</a>.</p>"
    found = read_text(HtmlReader(), tmp_path, "a.html", page(body))
    assert texts(found) == {"5": "Fees", "5.1": "Sums\nPay, as agreed."}
    assert found[0].document_title == "5 Fees"


@pytest.mark.parametrize("name", ["nav", "docnav", "navheader", "page navfooter", "navigation"])
def test_links_to_other_pages_are_left_out_by_their_class(tmp_path, name):
    body = f"<div class='{name}'><table><tr><td>Prev</td></tr></table></div><h1>5 Fees</h1><p>Pay."
    assert texts(read_text(HtmlReader(), tmp_path, "a.html", page(body))) == {"5": "Fees\nPay."}


def test_numbers_that_line_breaks_part_are_passages(tmp_path):
    body = "<h2>1 Fees</h2><p>1.1 A.<br>1.2 Under (a) or\n(b),<br>always.<br>\n1.3 C.</p>"
    assert texts(read_text(HtmlReader(), tmp_path, "a.html", page(body))) == {
        "1": "Fees", "1.1": "A.", "1.2": "Under (a) or (b), always.", "1.3": "C.",
    }  # fmt: skip


def test_labels_joined_to_a_number_are_its_items(tmp_path):
    body = "<h2>1 Fees</h2><p>1.1(1) A.</p><p>1.1(2) B:</p><p>1.1(2)(a) c.</p><p>12 (1) D.</p>"
    assert numbers(read_text(HtmlReader(), tmp_path, "a.html", page(body))) == [
        "1", "1.1", "1.1.(1)", "1.1.(2)", "12", "12.(1)",
    ]  # fmt: skip


def test_numbers_that_begin_anew_are_joined_to_their_heading(tmp_path):
    body = "<h2>Part 1</h2><p>1. A.</p><p>2. B.</p><h2>Part 2</h2><p>1. C.</p>"
    assert numbers(read_text(HtmlReader(), tmp_path, "a.html", page(body))) == [
        "Part 1", "Part 1.1", "Part 1.2", "Part 2", "Part 2.1",
    ]  # fmt: skip


def test_numbers_that_run_on_stand_alone(tmp_path):
    body = "<h2>Aim</h2><p>1. A.</p><h2>Scope</h2><p>2. B.</p>"
    passages = arrange(read_text(HtmlReader(), tmp_path, "a.html", page(body)))
    assert numbers(passages) == ["Aim", "1", "Scope", "2"]
    assert passages[3].breadcrumb == ("Scope",)


@pytest.mark.parametrize(
    "title", ["<p>{}</p>", "<p><b>{}</b></p>", "<div>{}</div>", "<p>{}<br>Fees</p>", "<h2>{}</h2>"]
)
def test_a_schedule_may_have_a_paragraph_for_its_title(tmp_path, title):
    schedules = [title.format(f"Schedule {number}") for number in (1, 2)]
    items = "<p>1. A fee is due.</p><p>2. Firms pay it.</p>"
    body = "<h2>Part 1</h2><p>1. A pilot reports.</p><h2>Part 2</h2><p>2. A tug waits.</p>"
    found = read_text(HtmlReader(), tmp_path, "a.html", page(body + items.join([*schedules, ""])))
    assert numbers(found) == [
        "Part 1", "1", "Part 2", "2", "Schedule 1", "Schedule 1.1", "Schedule 1.2", "Schedule 2",
        "Schedule 2.1", "Schedule 2.2",
    ]  # fmt: skip


def test_a_schedule_that_is_cited_or_linked_to_opens_nothing(tmp_path):
    body = (
        '<p><a href="#s">Schedule 1 Fees</a></p><h2>1 Scope</h2><p>1.1 Pilots pay.</p>'
        "<p>Schedule 1 says how much.</p><p>Schedule 1 Fees</p><p>1. Ten.</p><h2>2 Duties</h2>"
    )
    found = read_text(HtmlReader(), tmp_path, "a.html", page(body))
    assert numbers(found)[1:] == ["1", "1.1", "Schedule 1", "Schedule 1.1", "2"]


@pytest.mark.parametrize(
    ("kind", "labels"),
    [("1", "1. 2."), ("a", "(a) (b)"), ("A", "(A) (B)"), ("i", "(i) (ii)"), ("I", "(I) (II)")],
)
def test_ordered_lists_are_numbered_as_browsers_number_them(tmp_path, kind, labels):
    body = f"<h2>1 A</h2><p>It is:</p><ol type='{kind}'><li>x;</li><li>y.</li></ol>"
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", page(body)))["1"]
    one, two = labels.split()
    assert found == f"A\nIt is:\n{one} x;\n{two} y."


def test_start_and_value_of_a_list_count(tmp_path):
    body = "<h2>1 A</h2><p>It is:</p><ol start='3'><li>x;</li><li value='7'>y.</li></ol>"
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", page(body)))["1"]
    assert found == "A\nIt is:\n3. x;\n7. y."


def test_broken_markup_is_read_as_browsers_read_it(tmp_path):
    body = "<p>1.1 A firm<p>1.2 Two<table><tr><td>x<td>y"
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", body))
    assert found == {"1.1": "A firm", "1.2": "Two\n\\Table Start\nx\ty\n\\Table End"}


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("utf-8", "utf-8"), ("iso-8859-1", "utf-8"), ("iso-8859-1", "cp1252"), ("", "utf-16"),
     ("windows-1252", "cp1252"), ("", "utf-8-sig")],
)  # fmt: skip
def test_the_bytes_of_a_page_decide_its_encoding(tmp_path, declared, encoding):
    path = tmp_path / "a.html"
    text = f"<html><head><meta charset='{declared}'></head><body><p>1.1 Café</p></body></html>"
    path.write_bytes(text.encode(encoding))
    assert texts(read(HtmlReader(), path)) == {"1.1": "Café"}


def test_bytes_that_are_not_what_the_page_declares_are_refused(tmp_path):
    path = tmp_path / "a.html"
    path.write_bytes("<meta charset='utf-8'><p>1.1 Café</p>".encode("latin-1"))
    assert refusal(HtmlReader(), path) == (
        f"{path}: not encoded in UTF-8 or as the page declares; save it as UTF-8"
    )


def test_a_page_of_prose_is_one_passage(tmp_path):
    prose = "All staff must report gifts above fifty euros within two days."
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", page(f"<p>{prose}</p><p>Soon.</p>")))
    assert list(found.values()) == [f"{prose}\nSoon."]


def test_a_page_of_a_few_words_is_refused(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(page("<p>Only prose.</p>"))
    assert "has no heading and no numbered line" in refusal(HtmlReader(), path)


DUTIES = "<h2>3 Duties</h2><p>(1) A lender must keep records.</p>"
EXCEPTION = "<p>This does not apply to a bank.</p>"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"{DUTIES}{EXCEPTION}<p>(2) A lender must report.</p>",
         {"3.(1)": "A lender must keep records.\nThis does not apply to a bank.",
          "3.(2)": "A lender must report."}),
        (f"{DUTIES}<p>(2) A lender must report.</p>{EXCEPTION}",
         {"3.(1)": "A lender must keep records.",
          "3.(2)": "A lender must report.\nThis does not apply to a bank."}),
        ("<h2>3 Terms</h2><p>(1) In this Act—</p><p>“bank” means A;</p><p>“fund” means B.</p>"
         "<p>(2) A fund is no bank.</p>",
         {"3.(1)": "In this Act—\n“bank” means A;\n“fund” means B.",
          "3.(2)": "A fund is no bank."}),
        ("<h2>3 Terms</h2><p>(1) In this Act—</p><dl><dt>Bank</dt><dd>means A.</dd></dl>"
         "<p>(2) A fund is no bank.</p>",
         {"3.(1)": "In this Act—\nBank: means A.", "3.(2)": "A fund is no bank."}),
        ("<h2>3 Duties</h2><p>(1) A lender must:</p><p>(a) report; and</p><p>(b) pay,</p>"
         "<p>at once.</p><p>(2) A bank need not.</p>",
         {"3.(1)": "A lender must:\n(a) report; and\n(b) pay,\nat once.",
          "3.(2)": "A bank need not."}),
        (f"<h2>3 Duties</h2><ol><li>Keep records.</li><li>Report.</li></ol>{EXCEPTION}",
         {"3.1": "Keep records.", "3.2": "Report.\nThis does not apply to a bank."}),
        ("<h2>3 Duties</h2><ol><li>Report.<ol><li>Daily.</li></ol>Always.</li></ol>",
         {"3.1": "Report.", "3.1.1": "Daily.\nAlways."}),
    ],
)  # fmt: skip
def test_a_text_without_a_number_stays_behind_the_item_that_it_follows(tmp_path, body, found):
    passages = texts(read_text(HtmlReader(), tmp_path, "a.html", page(body)))
    assert passages == {"3": passages["3"]} | found
    assert passages["3"] in {"Duties", "Terms"}


@pytest.mark.parametrize("items", ["<p>(1) Pay.</p>", "<ol><li>Pay.</li></ol>"])
def test_headings_and_rules_after_items_below_a_heading_keep_their_place(tmp_path, items):
    body = f"<h2>3 Duties</h2>{items}<h3>Reports</h3><p>Early.</p><p>3.1 Report.</p>"
    found = read_text(HtmlReader(), tmp_path, "a.html", page(body))
    assert [one.text for one in found] == ["Duties", "Pay.", "Reports\nEarly.", "Report."]


def test_a_text_after_a_marked_list_closes_its_clause(tmp_path):
    body = "<h2>3 Duties</h2><p>A lender must:</p><ol><li>report;</li></ol><p>at once.</p>"
    assert texts(read_text(HtmlReader(), tmp_path, "a.html", page(body))) == {
        "3": "Duties\nA lender must:\n1. report;\nat once."
    }


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"<ol><li>Keep records.</li></ol>{EXCEPTION}",
         {"1": "Keep records.\nThis does not apply to a bank."}),
        ("<p>A lender must:</p><ol><li>report;</li></ol><p>at once.</p>",
         {"Lending": "A lender must:\n1. report;\nat once."}),
    ],
)  # fmt: skip
def test_a_list_before_the_first_heading_keeps_the_texts_around_it(tmp_path, body, found):
    text = page(f"<h1>Lending</h1>{body}")
    assert texts(read_text(HtmlReader(), tmp_path, "a.html", text)) == found


def test_a_text_below_a_number_of_guidance_stays_with_it(tmp_path):
    body = "<p>1.1 Report.</p><p>Guidance</p><p>1. By post.</p><p>Or by hand.</p><p>2. Soon.</p>"
    assert texts(read_text(HtmlReader(), tmp_path, "a.html", page(body))) == {
        "1.1": "Report.", "1.1.Guidance": "", "1.1.Guidance.1": "By post.\nOr by hand.",
        "1.1.Guidance.2": "Soon.",
    }  # fmt: skip


def test_rows_of_labels_and_texts_are_items(tmp_path):
    rows = "<tr><td>(a)</td><td>report;</td></tr><tr><td>(b)</td><td>pay.</td></tr>"
    body = f"<p>1.1 A lender must:</p><table>{rows}</table>"
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", page(body)))
    assert found == {"1.1": "A lender must:\n(a) report;\n(b) pay."}


@pytest.mark.parametrize(
    ("heading", "number", "words"),
    [
        ("Article 2 bis Final rules", "Article 2 bis", "Final rules"),
        ("Article 2-ter – Final rules", "Article 2-ter", "Final rules"),
        ("2 bis Final rules", "2 bis", "Final rules"),
        ("Article 2 nonies Final rules", "Article 2 nonies", "Final rules"),
        ("Article 2 novies Final rules", "Article 2 novies", "Final rules"),
        ("Article 2 Terms", "Article 2", "Terms"),
        ("§ 20.1 Duty of care", "§ 20.1", "Duty of care"),
        ("§ 5a Duty of care", "§ 5a", "Duty of care"),
        ("§ 240.10b-5 Deceptive devices.", "§ 240.10b-5", "Deceptive devices."),
        ("Subpart A—General Provisions", "Subpart A", "General Provisions"),
        ("Section 1.1: Scope", "Section 1.1", "Scope"),
        ("Rule 5.2. Scope", "Rule 5.2", "Scope"),
        ("3. – Scope", "3", "Scope"),
        ("Schedule 1 - Forms", "Schedule 1", "Forms"),
        ("– Register form", "Register form", "Register form"),
    ],
)
def test_the_number_of_a_heading_is_whole_and_without_what_parts_it(
    tmp_path, heading, number, words
):
    found = texts(read_text(HtmlReader(), tmp_path, "a.html", page(f"<h2>{heading}</h2>")))
    assert found == {number: words}


def test_a_line_that_names_an_act_is_the_title_of_a_page_called_by_a_file_or_a_bureau(tmp_path):
    for called in ("L13709", "lamps.html", "Harbour Bureau"):
        text = (
            f"<html><head><title>{called}</title></head><body><p><b>Bureau of the Harbour</b></p>"
            "<p><b>ACT No. 7 OF 2 MAY 2031</b></p><p>Lights lamps.</p>"
            "<p>Article 1. Lamps are lit.</p><p>Article 2. Bells are rung.</p></body></html>"
        )
        assert read_text(HtmlReader(), tmp_path, "lamps.html", text)[0].document_title == (
            "ACT No. 7 OF 2 MAY 2031"
        )


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("<tr><th>Kind<th>Who<th>Limit<tr><td rowspan=2>Gift<td>Clerk<td>5<tr><td>Board<td>50",
         "Gift\tBoard\t50"),
        ("<tr><td>Kind<td>Who<td>Limit<tr><td>Gift<td>Clerk<td>5", "Gift\tClerk\t5"),
    ],
)  # fmt: skip
def test_a_table_that_is_most_of_its_page_is_data_if_it_looks_so(tmp_path, rows, line):
    text = page(f"<h2>1 Limits</h2><table>{rows}</table>")
    found = read_text(HtmlReader(), tmp_path, "limits.html", text)
    assert line in "\n".join(one.text for one in found).split("\n")
