"""Formex 4: numbers, footnotes, deleted text, quotations and annexes."""

import pytest
from act_samples import FORMEX, act_of, numbers, read, read_text, refusal, texts

from indexer.hierarchy.tree import arrange
from indexer.readers.formex import FormexReader
from indexer.structuring.acts.granularity import GRANULARITIES


def test_an_act_is_read_with_its_clauses_in_order(tmp_path):
    assert numbers(read_text(FormexReader(), tmp_path, "act.xml", FORMEX)) == [
        "Preamble", "Recital 1", "Title I", "Title I.Chapter 1a", "Article 1", "Article 1(1)",
        "Article 1(2)", "Footnote 1", "Article 2a", "Article 2a(1)", "Article 2a(1a)", "Article 3",
        "Concluding formulas", "Annex I", "Annex I.Section A", "Annex I.Section A.1",
        "Annex I.Prices",
    ]  # fmt: skip


def test_a_list_that_completes_its_clause_stays_with_it(tmp_path):
    found = texts(read_text(FormexReader(), tmp_path, "act.xml", FORMEX))
    assert found["Article 2a(1)"] == (
        "A keeper shall:\n(a) light the lamp at dusk, that is:\n(i) in winter at 16.00;\n"
        "(ii) in summer at 22.00;\n(ca) pay EUR 35 000 a year.\n"
        "The second subparagraph closes the paragraph."
    )


def test_every_point_is_a_passage_on_demand(tmp_path):
    found = texts(read_text(FormexReader("point"), tmp_path, "act.xml", FORMEX))
    assert found["Article 2a(1)"].splitlines() == [
        "A keeper shall:",
        "The second subparagraph closes the paragraph.",
    ]
    assert found["Article 2a(1)(a)(ii)"] == "in summer at 22.00;"
    assert found["Annex I.Section A.1(b)"] == "square."


def test_an_article_is_one_passage_on_demand(tmp_path):
    found = texts(read_text(FormexReader("article"), tmp_path, "act.xml", FORMEX))
    lines = found["Article 2a"].splitlines()
    assert lines[0] == "Duties"
    assert lines[1] == "1. A keeper shall:"
    assert lines[-1] == "1a. The light has 10^6 candela."
    assert "Article 2a(1)" not in found


def test_an_act_and_its_version_are_named(tmp_path):
    first = read_text(FormexReader(), tmp_path, "act.xml", FORMEX)[0]
    assert first.document_id == "02019R0777-20210301"
    assert first.document_title == "Lighthouse Regulation (Commission Regulation (EU) 2019/777)"
    assert first.metadata["celex"] == "32019R0777"
    assert first.metadata["version"] == "2021-03-01"
    assert first.metadata["language"] == "en"
    assert first.metadata["jurisdiction"] == "EU"


def test_kinds_are_told_by_the_structure(tmp_path):
    passages = arrange(read_text(FormexReader(), tmp_path, "act.xml", FORMEX))
    kinds = {passage.passage_id: passage.kind for passage in passages}
    assert kinds["Title I"] == "heading"
    assert kinds["Article 2a"] == "heading"
    assert kinds["Article 1(1)"] == "definition"
    assert kinds["Article 2a(1)"] == "rule"
    assert kinds["Recital 1"] == "guidance"
    assert kinds["Footnote 1"] == "footnote"
    assert kinds["Annex I.Section A.1"] == "schedule"
    assert kinds["Annex I.Prices"] == "table"


def test_titles_and_chapters_are_in_the_breadcrumb(tmp_path):
    passages = arrange(read_text(FormexReader(), tmp_path, "act.xml", FORMEX))
    found = {passage.passage_id: passage.breadcrumb for passage in passages}
    assert found["Article 2a(1)"] == (
        "Title I GENERAL", "Title I.Chapter 1a Keepers", "Article 2a Duties",
    )  # fmt: skip
    assert found["Annex I.Section A.1"] == ("Annex I Lamps", "Annex I.Section A Colours")


def test_text_that_was_deleted_is_left_out_and_told(tmp_path):
    path = tmp_path / "act.xml"
    path.write_text(FORMEX, encoding="utf-8")
    assert not any("bell" in passage.text for passage in read(FormexReader("point"), path))
    left = [piece for piece in act_of(FormexReader(), path).left_out if "bell" in piece.text]
    assert [piece.reason for piece in left] == ["deleted by 32020R0888"]


def test_text_between_two_deletions_stays(tmp_path):
    middle = (
        '<PARAG><?CLG.MDFO IDREF="A" ACTION="DELETED"?><NO.PARAG>1.</NO.PARAG>'
        '<ALINEA>gone</ALINEA><?CLG.MDFC ID="A"?></PARAG><PARAG><NO.PARAG>2.</NO.PARAG>'
        '<ALINEA>kept <?CLG.MDFO IDREF="B" ACTION="DELETED"?>gone<?CLG.MDFC ID="B"?> too</ALINEA>'
        "</PARAG>"
    )
    text = f"<ACT><ARTICLE><TI.ART>Article 1</TI.ART>{middle}</ARTICLE></ACT>"
    found = texts(read_text(FormexReader(), tmp_path, "act.xml", text))
    assert found["Article 1(2)"] == "kept too"
    assert "gone" not in str(found)


def test_quoted_paragraphs_of_another_act_have_no_number_here(tmp_path):
    found = texts(read_text(FormexReader("point"), tmp_path, "act.xml", FORMEX))
    assert found["Article 3"].splitlines()[-1] == "‘4. Buoys are lamps.’"


def test_a_formula_can_be_read(tmp_path):
    formula = (
        "<FORMULA><EXPR><FRACTION><DIVIDEND>Buffer</DIVIDEND><DIVISOR>Outflow</DIVISOR></FRACTION>"
        '</EXPR><OP.CMP TYPE="EQ"/><EXPR>Ratio</EXPR></FORMULA>'
    )
    text = f"<ACT><ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>{formula}</ALINEA></ARTICLE></ACT>"
    found = texts(read_text(FormexReader(), tmp_path, "act.xml", text))
    assert found["Article 1"] == "(Buffer) / (Outflow) = Ratio"


def test_an_annex_alone_is_read(tmp_path):
    text = (
        "<ANNEX><TITLE><TI><P>ANNEX</P></TI></TITLE><CONTENTS><NP><NO.P>2.1.</NO.P>"
        "<TXT>Lamps are red.</TXT></NP></CONTENTS></ANNEX>"
    )
    assert numbers(read_text(FormexReader(), tmp_path, "annex.xml", text)) == ["Annex", "Annex.2.1"]


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_reading_twice_gives_the_same_ids(tmp_path, granularity):
    reader = FormexReader(granularity)
    once = read_text(reader, tmp_path, "act.xml", FORMEX)
    assert once == read(reader, tmp_path / "act.xml")
    assert len({passage.id for passage in once}) == len(once)


def test_xml_that_is_no_act_is_refused(tmp_path):
    path = tmp_path / "list.xml"
    path.write_text("<DOC><FMX/></DOC>", encoding="utf-8")
    assert refusal(FormexReader(), path) == f"{path}: contains no document of Formex 4"
    assert FormexReader().foreign("<?xml version='1.0'?><!-- x --><DOC/>") == (
        "not Formex 4 (<DOC>)"
    )


def test_an_act_without_text_is_refused(tmp_path):
    path = tmp_path / "empty.xml"
    path.write_text("<ACT><ENACTING.TERMS/></ACT>", encoding="utf-8")
    assert "contains no provision" in refusal(FormexReader(), path)
