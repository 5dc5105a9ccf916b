"""Akoma Ntoso: acts with sections, EU acts with articles, older versions, and annexes."""

from act_samples import SAMPLES, act_of, numbers, read, read_text, refusal, texts

from indexer.hierarchy.tree import arrange
from indexer.readers.akoma_ntoso import AkomaNtosoReader

LANTERNS = SAMPLES / "lantern-act.xml"
NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"


def act(body, before="", after=""):
    inner = f"<act>{before}<body>{body}</body>{after}</act>"
    return f'<akomaNtoso xmlns="{NAMESPACE}">{inner}</akomaNtoso>'


def test_sections_run_on_through_parts_and_chapters():
    assert numbers(read(AkomaNtosoReader(), LANTERNS)) == [
        "Part 1", "Part 1.Chapter 1", "Part 1.Chapter 1.Overview", "Section 1", "Section 1(1)",
        "Footnote 1", "Section 1(2)", "Section 1A", "Schedule 1", "Schedule 1.1",
    ]  # fmt: skip


def test_intro_and_wrap_up_stay_around_their_list():
    found = texts(read(AkomaNtosoReader(), LANTERNS))
    assert found["Section 1(1)"] == (
        "A keeper must—\n(a) trim the wick, and\n(b) fill the oil,\neach night."
    )
    points = texts(read(AkomaNtosoReader("point"), LANTERNS))
    assert points["Section 1(1)"] == "A keeper must—\neach night."
    assert points["Section 1(1)(b)"] == "fill the oil,"


def test_every_element_keeps_its_identifier():
    found = {p.passage_id: p.metadata.get("eid") for p in read(AkomaNtosoReader("point"), LANTERNS)}
    assert found["Section 1(1)(a)"] == "sec_1__subsec_1__para_a"
    assert found["Schedule 1.1(a)"] == "sched_1__para_1__subpara_a"
    assert found["Part 1.Chapter 1.Overview"] == "part_1__xhdg_1"


def test_parts_chapters_and_headings_are_in_the_breadcrumb():
    found = {p.passage_id: p.breadcrumb for p in arrange(read(AkomaNtosoReader(), LANTERNS))}
    assert found["Section 1(2)"] == (
        "Part 1 Preliminary", "Part 1.Chapter 1 Keepers", "Part 1.Chapter 1.Overview",
        "Section 1 Lanterns",
    )  # fmt: skip


def test_a_document_is_named_by_its_expression():
    first = read(AkomaNtosoReader(), LANTERNS)[0]
    assert first.document_id == "akn/xx/act/2021/5/eng@2022-01-01"
    assert first.document_title == "Lantern Act 2021"
    assert first.metadata["language"] == "en"
    assert first.metadata["jurisdiction"] == "XX"
    assert first.metadata["version"] == "2022-01-01"


def test_quoted_sections_and_deleted_words_are_no_rules_of_the_act():
    found = texts(read(AkomaNtosoReader("point"), LANTERNS))
    assert found["Section 1A"] == "Amendment\nIn the Wick Act, insert—\n“7 A wick is a rope.”"
    assert found["Section 1(2)"] == "A lamp is a lantern."
    left = {(piece.text, piece.reason) for piece in act_of(AkomaNtosoReader(), LANTERNS).left_out}
    assert ("no", "deleted text") in left


def test_a_table_of_a_schedule_is_kept_as_rows():
    assert texts(read(AkomaNtosoReader(), LANTERNS))["Schedule 1"] == (
        "Forms\n\\Table Start\nForm\tFee\nA\t20\n\\Table End"
    )


def test_an_eu_act_has_articles_paragraphs_and_points(tmp_path):
    body = (
        '<title eId="tis_I"><num>TITLE I</num><heading>SCOPE</heading><section><num>Section 1</num>'
        '<article eId="art_5a"><num>Article 5a</num><heading>Lamps</heading>'
        '<paragraph eId="art_5a__para_1"><num>1.</num><list><intro><p>Lamps are:</p></intro>'
        "<point><num>(a)</num><content><p>red; or</p></content></point>"
        "<point><num>(b)</num><list><intro><p>blue, if:</p></intro>"
        "<point><num>(i)</num><content><p>round.</p></content></point></list></point></list>"
        "<subparagraph><content><p>They shine.</p></content></subparagraph></paragraph>"
        "</article></section></title>"
    )
    recital = (
        "<preamble><recitals><recital><num>(1)</num><p>Why.</p></recital></recitals></preamble>"
    )
    found = texts(
        read_text(AkomaNtosoReader("point"), tmp_path, "eu.xml", act(body, before=recital))
    )
    assert list(found) == [
        "Recital 1", "Title I", "Title I.Section 1", "Article 5a", "Article 5a(1)",
        "Article 5a(1)(a)", "Article 5a(1)(b)", "Article 5a(1)(b)(i)",
    ]  # fmt: skip
    assert found["Article 5a(1)"] == "Lamps are:\nThey shine."


def test_version_two_uses_other_names_for_the_same(tmp_path):
    text = (
        '<akomaNtoso xmlns="http://www.akomantoso.org/2.0"><act><meta><notes><note id="fn1">'
        "<p>A note.</p></note></notes></meta><body><article id='art1'><num>Art. 1</num>"
        "<paragraph id='art1-par1'><num>1</num><content><p>Text<noteRef href='#fn1'/>.</p>"
        "<blockList><listIntroduction>Of:</listIntroduction><item><num>(a)</num><p>one</p></item>"
        "</blockList></content></paragraph></article></body></act></akomaNtoso>"
    )
    passages = read_text(AkomaNtosoReader(), tmp_path, "old.xml", text)
    assert texts(passages) == {
        "Article 1": "", "Article 1(1)": "Text.\nOf:\n(a) one", "Footnote 1": "A note.",
    }  # fmt: skip
    assert passages[1].metadata["eid"] == "art1-par1"


def test_rules_that_begin_anew_in_each_part_are_told_apart(tmp_path):
    rule = "<rule><num>1</num><content><p>Text {0}.</p></content></rule>"
    body = "".join(f"<part><num>Part {n}</num>{rule.format(n)}</part>" for n in (1, 2))
    assert numbers(read_text(AkomaNtosoReader(), tmp_path, "act.xml", act(body))) == [
        "Part 1", "Part 1.Rule 1", "Part 2", "Part 2.Rule 1",
    ]  # fmt: skip


def test_attachments_are_annexes(tmp_path):
    annex = (
        "<attachments><attachment eId='att_1'><heading>ANNEX II</heading><doc name='annex'>"
        "<preface><p>ANNEX II</p></preface><mainBody><paragraph><num>1.</num><content><p>Red."
        "</p></content></paragraph></mainBody></doc></attachment></attachments>"
    )
    body = "<article><num>Article 1</num><content><p>x</p></content></article>"
    assert numbers(read_text(AkomaNtosoReader(), tmp_path, "act.xml", act(body, after=annex))) == [
        "Article 1", "Annex II", "Annex II.1",
    ]  # fmt: skip


def test_xml_without_a_document_is_refused(tmp_path):
    path = tmp_path / "x.xml"
    path.write_text("<akomaNtoso/>", encoding="utf-8")
    assert "contains no document of Akoma Ntoso" in refusal(AkomaNtosoReader(), path)
    path.write_text(act(""), encoding="utf-8")
    assert "contains no provision" in refusal(AkomaNtosoReader(), path)


def test_a_division_with_a_bare_number_among_levels_is_a_level(tmp_path):
    def level(name, number, inner):
        return f"<{name}><num>{number}</num><heading>x</heading>{inner}</{name}>"

    def article(number):
        return f"<article><num>Art. {number}</num><content><p>x</p></content></article>"

    inner = level("level", "1.", article(1)) + level("title", "2.", article(2))
    body = level("title", "Title I", level("level", "A.", inner))
    found = numbers(read_text(AkomaNtosoReader(), tmp_path, "act.xml", act(body)))
    assert found[0] == "Title I"
    assert "Title I.A.1" in found
    assert "Title I.A.2" in found


def test_lines_of_a_cell_are_no_one_word(tmp_path):
    cell = "<td><b>Column 2</b><b>subsectors</b></td><td><b>a</b>b</td>"
    body = (
        "<article><num>Article 1</num><content><table><tr>" + cell + "</tr></table></content>"
        "</article>"
    )
    (passage,) = read_text(AkomaNtosoReader(), tmp_path, "act.xml", act(body))
    assert "Column 2 subsectors" in passage.text
    assert "ab" in passage.text


def test_the_mark_of_an_amendment_is_no_number(tmp_path):
    inner = "<subsection><num>{}</num><content><p>Light.</p></content></subsection>"
    section = f"<section><num>{{}}</num>{inner}</section>"
    for unit, inner in (("4.", "F5[(2)"), ("F3[4.", "[F5(2)")):
        found = read_text(AkomaNtosoReader(), tmp_path, "act.xml", act(section.format(unit, inner)))
        assert numbers(found) == ["Section 4", "Section 4(2)"]


def test_the_end_of_an_act_and_the_state_of_a_section_are_metadata(tmp_path):
    lifecycle = (
        '<meta><lifecycle><eventRef date="1991-01-24" type="generation"/>'
        '<eventRef date="2009-02-01" type="repeal"/></lifecycle></meta>'
    )
    body = (
        '<section eId="s1"><num>1</num><content><p>Keepers light lamps.</p></content></section>'
        '<section eId="s2" status="removed"><num>2</num><content><p>Old.</p></content></section>'
    )
    first, second = read_text(AkomaNtosoReader(), tmp_path, "act.xml", act(body, lifecycle))
    assert (first.metadata["repealed"], first.metadata.get("status")) == ("2009-02-01", None)
    assert second.metadata["status"] == "removed"
