"""Documents whose elements nobody has described, in XML, JSON and YAML: by what repeats."""

from __future__ import annotations

import json

import pytest

import indexer
from indexer.readers.detect import reader_for
from search.errors import InputError

CHILDREN = """<container><prefix>Chapter</prefix><num>02</num><heading>Lamps</heading>
<section><prefix>Regulation</prefix><num>.01</num><heading>Oil.</heading>
<para><num>A.</num><text>Oil is dry.</text></para>
<para><num>B-1.</num><text>Wicks are cut:</text><para><num>(1)</num><text>at noon;</text></para>
<para><num>(2)</num><text>at dusk.</text></para></para></section>
<section><prefix>Regulation</prefix><num>.02</num><heading>Glass.</heading>
<para><num>A.</num><text>Glass is clean.</text></para>
<para><num>B.</num><text>Glass is whole.</text></para></section></container>"""
PRINTED = """<ley><contenido><titulo><titulo_seccion>TÍTULO I Luz</titulo_seccion>
<articulo numero="1"><texto>Art. 1°. Hay luz en la torre.</texto></articulo>
<articulo numero="2"><texto>Art. 2°. Hay aceite en la torre.</texto></articulo></titulo>
<articulo numero="2 BIS"><texto>Artículo 2º bis.- Hay mecha.</texto></articulo></contenido></ley>"""
IN_HEADS = """<act><level type="clause" id="sec.1"><head><no>1</no><heading>Name</heading></head>
<block><txt>This is the Lamps Act.</txt></block></level>
<level type="clause" id="sec.2"><head><no>2</no><heading>Oil</heading></head>
<tier id="sec.2-ssec.1"><head><no>(1)</no></head><txt>Oil is bought.</txt></tier>
<tier id="sec.2-ssec.2"><head><no>(2)</no></head><txt>Oil is sold.</txt></tier>
</level></act>"""
SPACES = """<NIR xmlns="http://a" xmlns:h="http://b"><articolo id="1"><num>Art. 1.</num>
<h:p>La lampada arde.</h:p></articolo><articolo id="2"><num>Art. 2.</num>
<h:p>Il custode dorme.</h:p></articolo></NIR>"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHILDREN, {"Regulation .01(A)": "Oil is dry.",
                    "Regulation .01(B-1)": "Wicks are cut:\n(1) at noon;\n(2) at dusk.",
                    "Regulation .02(A)": "Glass is clean."}),
        (PRINTED, {"Article 1°": "Hay luz en la torre.", "Article 2°": "Hay aceite en la torre."}),
        (IN_HEADS, {"1": "Name\nThis is the Lamps Act.", "2(1)": "Oil is bought.",
                    "2(2)": "Oil is sold."}),
        (SPACES, {"Article 1": "La lampada arde.", "Article 2": "Il custode dorme."}),
    ],
)  # fmt: skip
def test_units_of_xml_are_what_repeats_with_a_number(tmp_path, text, expected):
    path = tmp_path / "act.xml"
    path.write_text(text, encoding="utf-8")
    found = {one.passage_id.replace("Art.", "Article"): one.text for one in indexer.read(path)}
    assert {number: found.get(number) for number in expected} == expected


CATALOGUE = {
    "catalog": {
        "metadata": {"title": "Rules of the light", "last-modified": "2031-03-01T08:00:00Z"},
        "groups": [
            {"id": f"g{at}", "title": title, "controls": [
                {"id": f"x-{at}.{n}", "title": "Care of it", "props": [
                    {"name": "label", "value": f"{title[:2].upper()}-{n}"}],
                 "parts": [
                    {"id": f"x-{at}.{n}_s", "name": "statement", "parts": [
                        {"name": "item", "prose": f"{title} number {n} is cleaned by the keeper.",
                         "props": [{"name": "label", "value": "a."}]},
                        {"name": "item", "prose": f"{title} number {n} is counted at night.",
                         "props": [{"name": "label", "value": "b."}]}]},
                    {"id": f"x-{at}.{n}_g", "name": "guidance", "prose": "A rag of wool will do."}]}
                for n in (1, 2)]}
            for at, title in enumerate(("Lamps", "Oil"))],
    },
}  # fmt: skip


def _yaml(value: object) -> str:
    import yaml

    return yaml.safe_dump(value, sort_keys=False)


@pytest.mark.parametrize(("name", "written"), [("c.json", json.dumps), ("c.yaml", _yaml)])
def test_records_at_any_depth_are_provisions(tmp_path, name, written):
    path = tmp_path / name
    path.write_text(written(CATALOGUE), encoding="utf-8")
    structure = indexer.structure(path)
    found = {one.passage_id: one.text for one in structure.passages()}
    assert structure.documents[0].title == "Rules of the light"
    assert "Lamps number 1 is cleaned" in found["LA-1(a)"]
    assert "Oil number 2 is counted" in found["OI-2(b)"]
    assert "rag of wool" in found["OI-1"]
    assert not any("x-" in number for number in found)
    assert structure.passages()[-1].metadata["version"] == "2031-03-01"
    assert structure.documents[0].trust.score > 0.7


def test_texts_beside_the_main_one_say_what_they_are(tmp_path):
    rules = [{"code": f"R{n}", "text": f"Rule {n} of the tower holds at night.",
              "advice": f"Keeper {n} may ask the harbour for help."} for n in (1, 2)]  # fmt: skip
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"parts": [{"rules": rules}]}))
    found = {one.passage_id: one.text for one in indexer.read(path)}
    assert found["R1"].split("\n") == [
        "Rule 1 of the tower holds at night.", "advice: Keeper 1 may ask the harbour for help.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"a": [{"b": 1}'),
        ("a.json", '{"scripts": [{"run": "make all of it now"}], "n": [{}]}'),
        ("a.json", "[" * 60_000 + "{"),
        ("a.yaml", "a: [1, 2"),
        ("a.yaml", "a: &x [1]\nb: *x"),
        ("a.yaml", "name: build\nsteps:\n- run: make all of it now\n"),
        ("a.yaml", "- " * 500 + "x"),
        ("a.yaml", ""),
    ],
)
def test_what_holds_no_records_is_refused_in_one_sentence(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        list(indexer.read(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_settings_of_a_folder_are_skipped(tmp_path, name):
    text = '{"name": "build", "steps": [{"run": "make"}]}'
    path = tmp_path / name
    path.write_text(text)
    reader = reader_for(path)
    assert reader.foreign(text)
    assert not reader_for(path).foreign('{"controls": [{"id": "a", "prose": "Oil."}]}')
