"""National XML: one small act in each format, its numbers, texts, dates and titles."""

from __future__ import annotations

import re

import pytest
from act_samples import SAMPLES, act_of, read, refusal, texts
from lxml import etree

from indexer.load.in_force import with_status
from indexer.readers.detect import reader_for
from indexer.readers.national import NATIONAL
from indexer.readers.national.bwb import BwbReader
from indexer.readers.national.canada import CanadaReader
from indexer.readers.national.cfr import CfrReader
from indexer.readers.national.clml import ClmlReader
from indexer.readers.national.denmark import RetsinformationReader
from indexer.readers.national.estonia import RiigiTeatajaReader
from indexer.readers.national.gesetze import GesetzeReader
from indexer.readers.national.legi import LegiReader
from indexer.readers.national.lexml import LexmlReader
from indexer.readers.national.uslm import UslmReader
from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.reader import XmlActReader

CASES = [
    (ClmlReader(), "clml", "Lamp Regulations 2020", {
        "Part 1": "Lamps", "Regulation 5A": "Oil",
        "Regulation 5A(1)": "A keeper must hold—\n(a) oil; and",
        "Regulation 5A(2)": "In the Wick Act, insert—\n9 A wick burns.",
        "Schedule 1": "Fees", "Schedule 1.3": "Ten pounds.",
    }),
    (UslmReader(), "uslm", "Public Law 1–2: Lamps.", {
        "Section 3": "LAMPS.", "Section 3(a)": "Oil.—\nA keeper holds oil.",
        "Section 3(b)": "Add:\n“SEC. 9. Wicks.”", "Section 3.Notes": "Old lamps\nNone.",
    }),
    (CfrReader(), "ecfr", "PART 113—LAMPS", {
        "Part 113": "LAMPS", "Part 113.Subpart A": "General", "§ 113.40": "Oil.",
        "§ 113.40(a)": "", "§ 113.40(a)(1)": "A keeper holds oil.",
        "§ 113.40(a)(2)": "It is clean.", "§ 113.40(b)": "Wicks. They are new.",
    }),
    (CanadaReader(), "canada", "Lamp Regulations", {
        "Part 1": "Oil", "Part 1.Keepers": "Keepers", "Section 2.1": "Meaning",
        "Section 2.1(1.1)": "These are defined.", "Section 2.1(1.1).oil": "oil means fat.",
        "Schedule 1": "", "Schedule 1.4.7": "4.7 Principle 7 — Safeguards\nLamps are safe.",
        "Schedule 1.4.7.1": "4.7.1\nKeep them dry.", "Schedule 1.4.7.2": "4.7.2\nLock them.",
    }),
    (GesetzeReader(), "german", "Lampengesetz (LG)", {
        "Abschnitt 1": "Öl", "§ 1a": "Wärter",
        "§ 1a(1)": "Der Wärter hält bereit:\n1. Öl und\n2. Docht.", "§ 1a(2)": "Das Nähere gilt.",
        "Anlage 1": "Gebühren\nZehn Mark.",
    }),
    (BwbReader(), "dutch", "Lampenwet", {
        "Hoofdstuk 1": "Olie", "Artikel 1:2": "", "Artikel 1:2(1)": "De wachter heeft olie.",
        "Artikel 1:2(2)": "En een lont.",
    }),
    (RetsinformationReader(), "danish", "Lampelov", {
        "Kapitel 1": "Olie", "§ 2": "Vogteren har olie.", "§ 2(2)": "Og en væge.",
    }),
    (RiigiTeatajaReader(), "estonian", "Lambiseadus", {
        "1 peatükk": "", "§ 3": "Õli", "§ 3(1)": "Valvuril on õli.",
    }),
    (LexmlReader(), "brazilian", "LEI Nº 14.124", {
        "Preamble": "O PRESIDENTE DA REPÚBLICA decreta:",
        "CAPÍTULO I": "DISPOSIÇÕES GERAIS",
        "Article 1º": "Esta Lei dispõe sobre as lâmpadas, conforme a Lei nº 8.666.",
        "Article 2º": "O guarda deve:\nI – ter óleo para:\na) a noite; e\nb) o dia;\nII – dormir.",
        "Article 2º(1)": "O óleo é limpo.", "Article 2º(2)": "O guarda pode comprar óleo.",
        "CAPÍTULO II": "DISPOSIÇÕES FINAIS", "Article 2º-A": "O guarda usa máscara.",
        "Article 2º-A(único)": "A máscara é verde.",
        "Article 3º": "A Lei nº 100 passa a vigorar com a seguinte alteração:\n"
                      "Art. 6º O farol é branco.",
        "Article 4º": "Esta Lei entra em vigor na data de sua publicação.",
    }),
    (LegiReader(), "french", "Code des lampes", {"Article L511-1": "Le gardien a de l'huile."}),
]  # fmt: skip


FOLDER = SAMPLES / "national"
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])


@EACH
def test_each_format_gives_its_provisions(case):
    reader, name, title, expected = case
    path = FOLDER / f"{name}.xml"
    passages = read(reader, path)
    assert texts(passages) == expected
    assert passages[0].document_title.startswith(title)
    assert reader_for(path).name == reader.name


@EACH
def test_every_word_of_an_act_is_in_a_passage_or_named(case):
    reader, path = case[0], FOLDER / f"{case[1]}.xml"
    left = [piece.text for piece in act_of(reader, path).left_out]
    kept = [f"{p.text} {p.passage_id} {p.document_title}" for p in read(reader, path)]
    source = _words(" ".join(etree.parse(path).getroot().itertext()))
    assert source - _words(" ".join([*left, *kept])) <= {"sec", "stk", "parágrafo"}


@pytest.mark.parametrize("between", ["<?page 5?>", "<!-- c -->"])
@EACH
def test_what_is_no_element_between_elements_changes_nothing(case, between, tmp_path):
    source = (FOLDER / f"{case[1]}.xml").read_text()
    tags = re.compile(r"<[A-Za-z/][^>]*>")
    start = tags.search(source).end()
    path = tmp_path / f"{case[1]}.xml"
    path.write_text(source[:start] + tags.sub(rf"\g<0>{between}", source[start:]))
    assert texts(read(case[0], path)) == case[3]


def test_the_day_from_which_a_provision_is_law_is_kept():
    found = {p.passage_id: p.metadata for p in read(ClmlReader(), FOLDER / "clml.xml")}
    assert found["Regulation 5A"]["valid_from"] == "2021-03-04"
    assert "valid_from" not in found["Part 1"]  # the day of the file is that of its version
    found = {p.passage_id: p.metadata for p in read(CanadaReader(), FOLDER / "canada.xml")}
    assert found["Section 2.1"]["valid_from"] == "2003-01-01"
    article = read(LegiReader(), FOLDER / "french.xml")[0]
    assert article.metadata["valid_from"] == "2020-01-01"
    assert "valid_to" not in article.metadata


def _words(text):
    return set(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("reader", NATIONAL, ids=lambda reader: reader.name)
def test_an_act_without_provisions_is_refused_in_one_sentence(tmp_path, reader):
    path = tmp_path / "x.xml"
    for root in sorted(reader.roots):
        path.write_text(f"<{root}><META/></{root}>", encoding="utf-8")
        assert "contains no provision" in refusal(reader, path)
    path.write_text("<other/>", encoding="utf-8")
    assert "contains no document of" in refusal(reader, path)


class WickReader(XmlActReader):
    """A format that nobody has: all of it is its tables."""

    name = "wicks"
    roots = frozenset({"Wicks"})
    called = "the XML of wicks"
    elements = Elements(
        units={"Rule": "Rule"}, items={"Sub": "paragraph"}, numbers=frozenset({"N"})
    )
    about = About(
        known={"jurisdiction": "XX", "language": "en"},
        name=("Data/Key", "@key"),
        title=("Data/Short", "Data/Long"),
        metadata={
            "language": ("Data@tongue",), "valid_from": ("Data/Begins",), "number": ("Data/None",),
            "valid_to": ("Data/Ends",),
        },
    )  # fmt: skip


def test_a_format_is_its_tables(tmp_path):
    path = tmp_path / "act.xml"
    path.write_text(
        '<Wicks xmlns="urn:wicks" key="W1"><Data tongue="FR-fr"><Short> </Short><Long>Wick  Act'
        "</Long><Begins>2020-01-02+01:00</Begins><Ends>2999-01-01</Ends></Data>"
        "<Rule><N>2</N><Sub><N>1</N>A wick burns.</Sub></Rule></Wicks>",
        encoding="utf-8",
    )
    act = act_of(WickReader(), path)
    assert (act.document_id, act.title) == ("W1", "Wick Act")
    assert act.metadata == {"jurisdiction": "XX", "language": "fr", "valid_from": "2020-01-02"}
    assert texts(read(WickReader(), path))["Rule 2(1)"] == "A wick burns."


def test_amendments_to_come_are_not_law_yet(tmp_path):
    to_come = (
        '<Schedule id="NifProvs"><ScheduleFormHeading><TitleText>AMENDMENTS NOT IN FORCE'
        "</TitleText></ScheduleFormHeading><Section><Label>2</Label><Text>The Act is amended by "
        "adding the following:</Text><AmendedText><Section><Label>9</Label><Text>Wicks are new."
        "</Text></Section></AmendedText></Section></Schedule></Regulation>"
    )
    act = (FOLDER / "canada.xml").read_text(encoding="utf-8")
    path = tmp_path / "act.xml"
    path.write_text(act.replace("</Regulation>", to_come), encoding="utf-8")
    found = with_status(read(CanadaReader(), path))
    future = [p for p in found if p.metadata.get("status_in_time") == "future"]
    assert [p.text.splitlines()[-1] for p in future] == [
        "AMENDMENTS NOT IN FORCE",
        "9 Wicks are new.",
    ]
    assert future == found[-2:]
