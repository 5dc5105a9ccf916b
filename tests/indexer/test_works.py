"""Which work and which day files of each format name, and what of it is never taken for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import indexer
import search
from search.versions.history import Version

AKOMA = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0" xmlns:x="urn:x">
<act{period}><meta><identification>
<FRBRWork><FRBRthis value="{host}/eli/etat/leg/lamps{work}"/><FRBRdate date="1991-01-24"/>
<FRBRcountry value="http://example.org/country/LUX"/></FRBRWork>
<FRBRExpression><FRBRthis value="{host}/eli/etat/leg/lamps{expression}"/>
<FRBRdate date="1991-01-24"/><FRBRlanguage language="http://example.org/language/FRA"/>
</FRBRExpression></identification>{meta}</meta>
<preface><longTitle><p>Text of 01/07/1996: Lamp Act of 24 January 1991</p></longTitle></preface>
<body><article eId="a1"><num>Article 1</num><content><p>Every lamp burns.</p></content></article>
</body></act></akomaNtoso>"""
AMENDED = (
    '<lifecycle><eventRef date="1991-04-01" originatingExpression="true" type="generation"/>'
    '<eventRef date="1996-07-01" originatingExpression="true" type="amendment"/>'
    '<eventRef date="2001-06-01" originatingExpression="false" type="amendment"/></lifecycle>'
)
PERIOD = (
    '<lifecycle><eventRef eId="e1" date="1997-01-01" type="amendment"/></lifecycle><temporalData>'
    '<temporalGroup eId="t1"><timeInterval start="#e1"/></temporalGroup></temporalData>'
)
APPLICABLE = '<x:data x:name="dateApplicability">1998-01-01</x:data>'
STATUTE = """<Regulation xmlns:lims="http://justice.gc.ca/lims" lims:pit-date="{day}"
lims:current-date="2024-12-23" lims:lastAmendedDate="2024-10-11"><Identification>
<InstrumentNumber>SOR/2007-121</InstrumentNumber><LongTitle>Lamp Regulations</LongTitle>
</Identification><Body><Section><Label>1</Label><Text>Every lamp burns.</Text></Section></Body>
</Regulation>"""
CLML = """<Legislation xmlns="http://www.legislation.gov.uk/namespaces/legislation"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/"
DocumentURI="http://www.legislation.gov.uk/ukpga/2006/46{dated}"><Metadata>
<dc:title>Lamp Act</dc:title><dc:modified>2025-05-05</dc:modified><dct:valid>2024-01-01</dct:valid>
</Metadata><Primary><Body><P1 id="section-1"><Pnumber>1</Pnumber><P1para><Text>Every lamp burns.
</Text></P1para></P1></Body></Primary></Legislation>"""
PROVISION = """<P1 id="section-{number}" {marks}><Pnumber>{number}</Pnumber><P1para>
<Text>Lamp {number} burns.</Text></P1para></P1>"""
ECFR = """<DLPSTEXTCLASS><TEXT><BODY><ECFRBRWS><AMDDATE>May 11, 2021</AMDDATE>
<DIV1 N="12" NODE="12:1" TYPE="TITLE"><HEAD>Title 12—Lamps</HEAD>
<DIV8 N="§ 9.1" TYPE="SECTION"><HEAD>§ 9.1   Lamps.</HEAD><P>Every lamp burns.</P></DIV8>
</DIV1></ECFRBRWS></BODY></TEXT></DLPSTEXTCLASS>"""
USLM = """<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t1"
startPeriod="2019-12-20"><main><title><num value="1">Title 1—</num><heading>LAMPS</heading>
<section><num value="1">§ 1.</num><content><p>Every lamp burns.</p></content></section>
</title></main></uscDoc>"""
REGML = """<regulation xmlns="eregs"><fdsys><date>2012-01-01</date><title>LAMP RULES</title>
</fdsys><preamble><effectiveDate>2014-01-10</effectiveDate></preamble><part><content>
<section sectionNum="1"><subject>§ 1024.1 Lamps.</subject><content>Every lamp burns.</content>
</section><section sectionNum="2"><subject>§ 1024.2 Fees.</subject><content>The fee is due.
</content></section></content></part></regulation>"""
LEX = {
    "schema": "lex-articles/1", "lex_id": "eu-eurlex:32019r0777:2021-03-01", "title": "Lamps",
    "valid_to": "2023-12-31", "derived_from": {"source_uri": "CELEX:02019R0777-20210301"},
    "provisions": [{"num": "Article 1", "heading": "Lamps", "text_md": "Every lamp burns."},
                   {"num": "Article 2", "heading": "Fees", "text_md":
                    "**1.** The fee is 50 crowns.\n\n**2.** The clerk counts the lamps."}],
}  # fmt: skip
MARKDOWN = """---
identifier: LAMP1
{fields}
---
# Lamp Act

## Section 1

Every lamp burns until sunrise.
"""
Told = tuple[str, str | None, str, str]


def only(place: Path) -> tuple[str, Version]:
    """Return the only work of an index and its only version."""
    index = search.open(place)
    (document,) = index.documents()
    (version,) = index.versions(document.document_id)
    return document.document_id, version.version


def told(folder: Path, text: str, name: str) -> Told:
    """Return the work, day, source and meaning of the day of a file."""
    (folder / name).write_text(text)
    indexer.ingest(folder / name, folder / "index")
    work, version = only(folder / "index")
    return work, version.valid_from, version.date_source, version.date_means


def akoma(meta: str = "", work: str = "", expression: str = "/fr", period: str = "") -> str:
    return AKOMA.format(
        meta=meta, work=work, expression=expression, period=period, host="http://example.org"
    )


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (akoma(AMENDED + APPLICABLE, "/consolide/19990101", "/consolide/19990101/fr"),
         "1996-07-01"),
        (akoma(PERIOD, period=' period="#t1"'), "1997-01-01"),
        (akoma(APPLICABLE, "/consolide/19990101", "/consolide/19990101/fr"), "1998-01-01"),
        (akoma("", "/consolide/19990101", "/consolide/19990101/fr"), "1999-01-01"),
        (akoma("", "", "/fra@2000-02-29"), "2000-02-29"),
    ],
    ids=["amendments", "period", "applicability", "consolidated address", "expression"],
)  # fmt: skip
def test_akoma_ntoso_says_its_work_and_day(tmp_path: Path, text: str, day: str) -> None:
    found = told(tmp_path, text, "act.xml")
    assert found == ("eli/etat/leg/lamps", day, "source", "in-force")


@pytest.mark.parametrize(
    ("text", "name", "others"),
    [
        (akoma(AMENDED + APPLICABLE, "/consolide/19990101", "/consolide/19990101/fr"), "act.xml",
         "1996-07-01 (source), not 1998-01-01 (source), 1999-01-01 (source)"),
        (MARKDOWN.format(fields="valid_from: 2020-01-01\nversion_date: 2021-01-01"), "act.md",
         "2020-01-01 (source), not 2021-01-01 (source)"),
        (MARKDOWN.format(fields="valid_from: 2020-01-01"), "act@2021-01-01.md",
         "2020-01-01 (source), not 2021-01-01 (path)"),
    ],
    ids=["places of a source", "fields of front matter", "source and path"],
)  # fmt: skip
def test_days_that_differ_are_named_and_the_surest_counts(
    tmp_path: Path, text: str, name: str, others: str
) -> None:
    (tmp_path / name).write_text(text)
    report = indexer.ingest(tmp_path / name, tmp_path / "index")
    assert f"{tmp_path / name}: its day is {others}" in report.guesses
    assert only(tmp_path / "index")[1].valid_from == others[:10]


@pytest.mark.parametrize("expression", ["/fr", "/fra@2001-02-29", "/fra@2001"])
def test_the_date_of_the_act_is_no_day_of_a_version(tmp_path: Path, expression: str) -> None:
    assert told(tmp_path, akoma("", "", expression), "act.xml")[1:] == (None, "none", "unknown")


def test_addresses_are_read_as_codes_and_titles_without_the_day(tmp_path: Path) -> None:
    told(tmp_path, akoma(AMENDED), "act.xml")
    (document,) = search.open(tmp_path / "index").documents()
    assert document.title == "Lamp Act of 24 January 1991"
    assert (document.metadata["jurisdiction"], document.metadata["language"]) == ("LU", "fr")
    assert {"version_of", "version_day"}.isdisjoint(document.metadata)


@pytest.mark.parametrize(
    ("text", "work", "day"),
    [
        (STATUTE.format(day="2024-12-16"), "SOR/2007-121", "2024-12-16"),
        (CLML.format(dated="/2024-01-01"), "ukpga/2006/46", "2024-01-01"),
        (CLML.format(dated=""), "ukpga/2006/46", "2024-01-01"),
        (
            CLML.format(dated="/2023-01-01").replace("valid>", "other>"),
            "ukpga/2006/46",
            "2023-01-01",
        ),
        (ECFR, "12:1", "2021-05-11"),
        (REGML, "act", "2014-01-10"),
        (USLM, "/us/usc/t1", "2019-12-20"),
    ],
    ids=["canada", "clml", "clml today", "clml address", "ecfr", "regml", "uslm"],
)
def test_national_xml_says_its_work_and_day(tmp_path: Path, text: str, work: str, day: str) -> None:
    assert told(tmp_path, text, "act.xml") == (work, day, "source", "in-force")


def test_provisions_have_days_of_their_own(tmp_path: Path) -> None:
    marks = {
        "": "2024-01-01/..",
        'RestrictStartDate="2010-01-01" RestrictEndDate="2024-06-30"': "2024-01-01/2024-06-30",
        'RestrictStartDate="2024-03-01"': "2024-03-01/..",
        'Status="Prospective" Match="false"': "future",
        'RestrictStartDate="2999-01-01" Match="false"': "future",
        'RestrictEndDate="2020-01-01"': "past",
        'Match="false"': "past",
    }
    provisions = [PROVISION.format(number=at, marks=one) for at, one in enumerate(marks, 1)]
    text = CLML.format(dated="").replace("<Body>", f"<Body>{''.join(provisions)}")
    told(tmp_path, text, "act.xml")
    with search.as_of("all"):
        found = search.open(tmp_path / "index").passages()[: len(marks)]
    assert [one.metadata["status_in_time"] for one in found] == [*marks.values()]


def test_the_end_of_an_act_is_that_of_its_version(tmp_path: Path) -> None:
    later = {**LEX, "lex_id": "eu-eurlex:32019r0777:2024-01-01", "valid_to": None}
    for name, act in (("old.json", LEX), ("new.json", later)):
        text = json.dumps(act)
        (tmp_path / name).write_text(text if act is LEX else text.replace("50", "60"))
        indexer.ingest(tmp_path / name, tmp_path / "index")
    index = search.open(tmp_path / "index")
    found = [one.version for one in index.versions("32019R0777")]
    assert [(one.valid_from, one.valid_to, one.date_means) for one in found] == [
        ("2021-03-01", "2023-12-31", "state"), ("2024-01-01", None, "state"),
    ]  # fmt: skip
    assert len(index.rule_history("32019R0777", "Article 1")) == 1
    fees = index.rule_history("32019R0777", "Article 2")
    assert [one.text for one in fees] == [
        f"Fees\n(1) The fee is {fee} crowns.\n(2) The clerk counts the lamps." for fee in (50, 60)
    ]
    assert [one.in_force for one in fees] == [
        (("2021-03-01", "2023-12-31"),),
        (("2024-01-01", None),),
    ]


@pytest.mark.parametrize(
    ("fields", "day"),
    [
        ("valid_from: 2020-02-29", "2020-02-29"),
        ("version_date: 1958-10-05", "1958-10-05"),
        ("last_updated: 2020-01-01\nstatus: in_force", "2020-01-01"),
        ("last_updated: 2020-01-01", None),
        ("publication_date: 2020-01-01", None),
        ("valid_from: 2020", None),
        ("valid_from: 2021-02-29", None),
        ("valid_from: 9999-12-31", None),
        ("valid_from: 2024-01-09T23:30:00+02:00", "2024-01-09"),
    ],
)
def test_front_matter_says_its_work_and_day(tmp_path: Path, fields: str, day: str | None) -> None:
    for name in ("identifier", "document_id"):
        folder = tmp_path / name
        folder.mkdir()
        text = MARKDOWN.format(fields=fields).replace("identifier", name)
        assert told(folder, text, "act.md")[:2] == (
            "LAMP1" if day or name != "identifier" else "act",
            day,
        )


def test_flags_win_and_a_contradiction_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lamps@2023-01-01.xml"
    path.write_text(STATUTE.format(day="2024-12-16"))
    report = indexer.ingest(path, tmp_path / "index", valid_from="2022-02-02", work="lamps")
    work, version = only(tmp_path / "index")
    assert (work, version.valid_from, version.date_source) == ("lamps", "2022-02-02", "flag")
    (guess,) = report.guesses
    assert "2024-12-16 (source)" in guess and "2023-01-01 (path)" in guess


def test_a_file_that_names_the_address_of_another_is_a_version_too(tmp_path: Path) -> None:
    folder = tmp_path / "acts"
    folder.mkdir()
    for day in ("1998-01-01", "1999-01-01"):
        meta = APPLICABLE.replace("1998-01-01", day)
        text = akoma(meta, "/consolide/19980101", "/consolide/19980101/fr")
        (folder / f"{day}.xml").write_text(text.replace("burns", f"burns from {day}"))
    indexer.ingest(folder, tmp_path / "index")
    told = search.open(tmp_path / "index").versions("eli/etat/leg/lamps")
    assert [one.version.valid_from for one in told] == ["1998-01-01", "1999-01-01"]
