"""Hostile and broken files: a sentence each, nothing half-read, no hang and no way out."""

import random
import time

import pytest
from act_samples import CONSOLIDATED_HTML, FORMEX, JOURNAL_HTML, LEX, SAMPLES, refusal
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from refusals import heard

from indexer.problems import Problems
from indexer.readers.akoma_ntoso import AkomaNtosoReader
from indexer.readers.detect import reader_for
from indexer.readers.files import MOST_BYTES, MOST_TAGS
from indexer.readers.formex import FormexReader
from indexer.readers.generic_xml import GenericXmlReader
from indexer.readers.html.reader import HtmlReader
from indexer.readers.lex_articles import LexArticlesReader
from indexer.readers.national import NATIONAL
from indexer.readers.text.reader import TextReader
from search.records import Passage

MOST_SECONDS = 15
"""Far more than any of these pages takes (3 s measured on one busy core)."""

LAUGHS = (
    '<!DOCTYPE ACT [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    + "]><ACT><ARTICLE><TI.ART>&j;</TI.ART></ARTICLE></ACT>"
)
EXTERNAL = (
    '<!DOCTYPE ACT [<!ENTITY x SYSTEM "{0}">]>'
    "<ACT><ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>&x;</ALINEA></ARTICLE></ACT>"
)
PARAMETER = '<!DOCTYPE ACT [<!ENTITY % p SYSTEM "{0}">%p;]><ACT/>'
INCLUDE = (
    '<ACT xmlns:i="http://www.w3.org/2001/XInclude"><ARTICLE><TI.ART>Article 1</TI.ART>'
    '<i:include href="{0}" parse="text"/></ARTICLE></ACT>'
)


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("top secret")
    return path


@pytest.mark.parametrize(
    "reader", [FormexReader(), AkomaNtosoReader(), *NATIONAL, GenericXmlReader()]
)
@pytest.mark.parametrize("text", [LAUGHS, EXTERNAL, PARAMETER])
def test_entities_are_refused_and_not_followed(tmp_path, secret, reader, text):
    path = tmp_path / "act.xml"
    path.write_text(text.replace("{0}", secret.as_uri()))
    told = refusal(reader, path)
    assert "declares entities of its own" in told
    assert "secret" not in told.replace(str(path), "")


def test_entities_in_two_bytes_a_character_are_refused_too(tmp_path, secret):
    path = tmp_path / "act.xml"
    path.write_bytes(EXTERNAL.format(secret.as_uri()).encode("utf-16"))
    assert "declares entities of its own" in refusal(FormexReader(), path)


def test_includes_are_refused_and_not_followed(tmp_path, secret):
    path = tmp_path / "act.xml"
    path.write_text(INCLUDE.format(secret.as_uri()))
    assert "includes other files" in refusal(FormexReader(), path)


def test_an_outer_document_type_is_not_loaded(tmp_path, secret):
    path = tmp_path / "act.xml"
    path.write_text(
        f'<!DOCTYPE ACT SYSTEM "{secret.as_uri()}"><ACT><ARTICLE><TI.ART>Article 1</TI.ART>'
        "<ALINEA>x</ALINEA></ARTICLE></ACT>"
    )
    passages = list(FormexReader().read(path, "act.xml", Problems()))
    assert [passage.text for passage in passages] == ["x"]


@pytest.mark.parametrize("depth", [150, 5_000])
def test_deep_nesting_is_refused(tmp_path, depth):
    path = tmp_path / "act.xml"
    path.write_text("<ACT>" + "<P>" * depth + "x" + "</P>" * depth + "</ACT>")
    assert "nested more than 100 deep" in refusal(FormexReader(), path)
    page = tmp_path / "page.html"
    page.write_text("<html><body>" + "<div>" * depth + "<p>1.1 X</p>")
    assert "nested more than 100 deep" in refusal(HtmlReader(), page)


@pytest.mark.parametrize(
    "reader", [FormexReader(), HtmlReader(), LexArticlesReader(), TextReader()]
)
def test_a_huge_file_is_refused_before_it_is_read(tmp_path, reader, monkeypatch):
    path = tmp_path / "big"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    monkeypatch.setattr(type(path), "read_bytes", lambda path: pytest.fail("read"))
    assert refusal(reader, path) == f"{path}: has more than 32 MiB; split it"


@pytest.mark.parametrize("reader", [HtmlReader(), GenericXmlReader()])
def test_markup_with_more_tags_than_memory_should_hold_is_refused(tmp_path, reader):
    path = tmp_path / "many"
    path.write_text("<body>" + "<p>1.1 X</p>" * (MOST_TAGS // 2) + "</body>")
    assert refusal(reader, path) == f"{path}: has more than 1,000,000 tags; split it"


def test_truncated_xml_is_told_with_its_line(tmp_path):
    path = tmp_path / "act.xml"
    path.write_text(FORMEX[: FORMEX.index("Article 2a")])
    told = refusal(FormexReader(), path)
    line = FORMEX[: FORMEX.index("Article 2a")].count("\n") + 1
    assert told.startswith(f"{path}:{line}: not well-formed XML (")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b"hello", "not well-formed XML"),
        (b"<ACT>\0</ACT>", "not well-formed XML"),
        ("<?xml version='1.0' encoding='utf-8'?><ACT>é</ACT>".encode("latin-1"), "not well-formed"),
        (b"<?xml version='1.0' encoding='klingon'?><ACT/>", "Unsupported encoding"),
    ],
)
def test_xml_that_is_none_is_refused(tmp_path, data, told):
    path = tmp_path / "act.xml"
    path.write_bytes(data)
    assert told in refusal(FormexReader(), path)


def test_what_the_parser_quotes_of_a_file_is_cut(tmp_path):
    path = tmp_path / "act.xml"
    path.write_text(f"<ACT xmlns:a='{'http://[' * 1_000}'/>")
    told = refusal(FormexReader(), path)
    assert "not well-formed XML" in told
    assert len(told) < 300 + len(str(path))


@pytest.mark.parametrize("reader", NATIONAL, ids=lambda reader: reader.name)
@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.7", b"<html><p>1</p></html>"])
def test_a_file_of_another_kind_is_refused_in_one_sentence(tmp_path, reader, data):
    path = tmp_path / "act.xml"
    path.write_bytes(data)
    assert "\n" not in refusal(reader, path)


@pytest.mark.parametrize(
    "page",
    [
        "<p>§ 1</p>" * 8_000,
        "<p>Article 1</p><p>Article 2</p>" * 4_000,
        "<p><b>1</b> x</p>" * 8_000,
        "<p>第一条</p>" * 8_000,
        f"<style>{'a' * 2_000_000}</style><p>1.1 X</p><p>1.2 X</p>",
        "<ul><li><a href='#x'>x</a></li></ul>" * 10_000 + "<p>1.1 X</p>",
        "<table><tr><td>" * 20 + "<p>1.1 X</p>" * 5_000,
        "<a href='#n'><sup>1</sup></a><p id='n'>x</p>" * 5_000 + "<p>1.1 X</p>",
        f"<p>Article 1 {'(a' * 200_000}</p>" * 2,
    ],
    ids=["signs", "restarts", "bold", "chinese", "style", "menus", "tables", "notes", "brackets"],
)
def test_pages_that_repeat_themselves_take_no_long_time(tmp_path, page):
    path = tmp_path / "page.html"
    path.write_text(f"<html><body>{page}", encoding="utf-8")
    started = time.process_time()
    heard(HtmlReader(), path)
    assert time.process_time() - started < MOST_SECONDS


def test_a_missing_file_is_told(tmp_path):
    assert "cannot be read" in refusal(FormexReader(), tmp_path / "gone.xml")


@pytest.mark.parametrize("line", ["(a) x", "(i) x", ";(a) x", " :(i) x", "1. x"])
def test_the_same_label_again_and_again_is_no_deeper_list(tmp_path, line):
    path = tmp_path / "page.html"
    path.write_text("<h1>R</h1><p>1.1 Rule:</p>" + f"<p>{line}</p>" * 2_000)
    assert list(HtmlReader("point").read(path, "page.html", Problems()))
    lex = tmp_path / "act.json"
    lex.write_text(LEX_TEXT.replace("TEXT", line * 2_000))
    assert list(LexArticlesReader("point").read(lex, "act.json", Problems()))


LEX_TEXT = (
    '{"schema": "lex-articles/1", "provisions": [{"anchor": "art_1", "num": "Article 1", '
    '"heading": null, "path": [], "text_md": "TEXT"}]}'
)
ORIGINALS = (
    (FormexReader("point"), FORMEX),
    (AkomaNtosoReader("point"), (SAMPLES / "lantern-act.xml").read_text(encoding="utf-8")),
    (HtmlReader("point"), CONSOLIDATED_HTML),
    (HtmlReader("point"), JOURNAL_HTML),
    (HtmlReader("point"), (SAMPLES / "harbour-rules.html").read_text(encoding="utf-8")),
    (LexArticlesReader("point"), LEX_TEXT.replace("TEXT", LEX["provisions"][1]["text_md"])),
    *((reader_for(path), path.read_text(encoding="utf-8"))
      for path in sorted((SAMPLES / "national").glob("*.xml"))),
    *((GenericXmlReader("point"), path.read_text(encoding="utf-8"))
      for path in sorted((SAMPLES / "national").glob("*.xml"))),
)  # fmt: skip


def mutated(data, seed, cuts):
    """Return bytes of which pieces are dropped, doubled, moved or overwritten."""
    dice = random.Random(seed)
    for _ in range(cuts):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice((1, 2, 8, 60, 400)))
        piece = data[start:end]
        put = dice.choice(
            (b"", piece * 2, bytes(dice.randrange(256) for _ in piece), b"<", b"&x;", b"]]>")
        )
        data = data[:start] + put + data[end:]
    return data


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(which=2, seed=1133805, cuts=1)  # a control character behind a paragraph's number
@given(which=st.sampled_from(range(len(ORIGINALS))), seed=st.integers(), cuts=st.integers(1, 6))
def test_damaged_files_are_read_or_refused(tmp_path, which, seed, cuts):
    reader, original = ORIGINALS[which]
    path = tmp_path / "damaged"
    path.write_bytes(mutated(original.encode(), seed, cuts))
    passages, problems = heard(reader, path)
    assert passages or len(problems) == 1
    assert all(isinstance(p, Passage) and p.passage_id and p.content_hash() for p in passages)
    assert len({passage.id for passage in passages}) == len(passages)


@pytest.mark.parametrize("name", ["lcr-da/2022-07-08", "ai-act/2026-07-27"])
def test_damaged_real_acts_are_read_or_refused(data_folder, tmp_path, name):
    for reader, suffix in (
        (FormexReader(), ".fmx4.xml"), (HtmlReader(), ".html"), (LexArticlesReader(), ".json"),
    ):  # fmt: skip
        original = (data_folder / "eu" / f"{name}{suffix}").read_bytes()
        for seed in range(3):
            path = tmp_path / "damaged"
            path.write_bytes(mutated(original, seed, 10))
            passages, problems = heard(reader, path)
            assert passages or len(problems)
