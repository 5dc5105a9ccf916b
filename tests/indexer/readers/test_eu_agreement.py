"""Real acts: the formats agree with each other, and no word is lost."""

import json
import re
from collections import Counter

import pytest
from act_samples import act_of, read

from indexer.hierarchy.tree import arrange
from indexer.readers.formex import FormexReader
from indexer.readers.html.reader import HtmlReader
from indexer.readers.lex_articles import LexArticlesReader
from indexer.structuring.acts.granularity import GRANULARITIES
from indexer.structuring.acts.passages import passages_of

ACTS = ["lcr-da/2022-07-08", "ai-act/2026-07-27"]
WORD = re.compile(r"[^\W\d_]+")


def of(data_folder, reader, name, suffix):
    return read(reader, data_folder / "eu" / f"{name}{suffix}")


@pytest.mark.parametrize("granularity", GRANULARITIES)
@pytest.mark.parametrize("name", ACTS)
def test_formex_and_html_have_the_same_passages(data_folder, name, granularity):
    formex = of(data_folder, FormexReader(granularity), name, ".fmx4.xml")
    page = of(data_folder, HtmlReader(granularity), name, ".html")
    assert [p.passage_id for p in formex] == [p.passage_id for p in page]
    assert formex[0].document_id == page[0].document_id
    assert formex[0].document_title == page[0].document_title
    other = [a.passage_id for a, b in zip(formex, page, strict=True) if a.text != b.text]
    assert len(other) <= 1  # the page shows a formula as a picture


@pytest.mark.parametrize("granularity", GRANULARITIES)
@pytest.mark.parametrize("name", ACTS)
def test_json_has_the_same_articles_paragraphs_and_points(data_folder, name, granularity):
    formex = of(data_folder, FormexReader(granularity), name, ".fmx4.xml")
    record = of(data_folder, LexArticlesReader(granularity), name, ".json")
    wanted = [p.passage_id for p in formex if p.passage_id.startswith("Article")]
    assert [p.passage_id for p in record if p.passage_id.startswith("Article")] == wanted
    assert formex[0].document_id == record[0].document_id


@pytest.mark.parametrize("name", ACTS)
def test_every_word_of_formex_is_in_one_passage_or_left_out(data_folder, name):
    from lxml import etree

    path = data_folder / "eu" / f"{name}.fmx4.xml"
    source = " ".join(etree.parse(path).getroot().itertext())
    assert not lost_words(source, FormexReader(), path)


@pytest.mark.parametrize("name", ACTS)
def test_every_word_of_a_page_is_in_one_passage_or_left_out(data_folder, name):
    from lxml import html

    path = data_folder / "eu" / f"{name}.html"
    source = " ".join(html.document_fromstring(path.read_bytes()).itertext())
    assert not lost_words(source, HtmlReader(), path)


@pytest.mark.parametrize("name", ["lcr-da/2022-07-08", "crr/2023-06-28", "ai-act/2024-06-13"])
def test_every_word_of_a_record_is_in_one_passage_or_left_out(data_folder, name):
    path = data_folder / "eu" / f"{name}.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    source = "\n".join(provision["text_md"] for provision in record["provisions"])
    assert not lost_words(source, LexArticlesReader(), path)


def lost_words(source, reader, path):
    """Return the words of a source that are neither in a passage nor in the notes."""
    act = act_of(reader, path)
    passages = list(passages_of(act, "point", path.name))
    kept = [act.title, *(p.text for p in passages), *(p.passage_id for p in passages)]
    kept += [piece.text for piece in act.left_out]
    return words(source) - words("\n".join(kept))


def words(text):
    return Counter(WORD.findall(text.lower()))


def test_the_crr_is_read_article_by_article(data_folder):
    passages = of(data_folder, LexArticlesReader("article"), "crr/2023-06-28", ".json")
    found = {p.passage_id: p for p in arrange(passages, passages[0].document_title)}
    assert sum(number.startswith("Article ") for number in found) == 730
    assert found["Article 429a"].text.startswith("Exposures excluded from the total exposure")
    assert found["Article 92"].breadcrumb == (
        "Part Three CAPITAL REQUIREMENTS",
        "Part Three.Title I GENERAL REQUIREMENTS, VALUATION AND REPORTING",
        "Part Three.Title I.Chapter 1 Required level of own funds",
        "Part Three.Title I.Chapter 1.Section 1 Own funds requirements for institutions",
    )
    assert found["Article 92"].document_title == "CRR (Regulation (EU) No 575/2013)"


def test_definitions_of_the_crr_are_passages_of_their_own(data_folder):
    passages = of(data_folder, LexArticlesReader(), "crr/2023-06-28", ".json")
    found = {p.passage_id: p for p in passages}
    assert found["Article 4(1)(3)"].kind == "definition"
    assert found["Article 4(1)(3)"].text.startswith("‘institution’ means")
    assert "(d) a leverage ratio of 3 %." in found["Article 92(1)"].text


def test_the_json_of_the_journal_has_the_points_of_formex(data_folder):
    formex = of(data_folder, FormexReader("point"), "ai-act/2026-07-27", ".fmx4.xml")
    record = of(data_folder, LexArticlesReader("point"), "ai-act/2024-06-13", ".json")
    wanted = {p.passage_id: p.text for p in formex if p.passage_id.startswith("Article 5(1)(h)")}
    found = {p.passage_id: p.text for p in record}
    assert len(wanted) == 4
    assert {number: found.get(number) for number in wanted} == wanted
    assert "Article 5(1)(i)" not in found
