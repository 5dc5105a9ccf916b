"""XML of formats without a reader of their own: units found by number and word."""

from __future__ import annotations

import pytest
from act_samples import read_text, refusal, texts

from indexer.readers.detect import reader_for
from indexer.readers.generic_xml import GenericXmlReader

WORDED = """<ley xmlns="http://x.example"><metadatos><id>7</id></metadatos>
<titulo>Ley de aceite</titulo><p>CAPÍTULO I</p><bloque><p>Artículo 1. Objeto.</p>
<p>1. Hay <b>aceite</b>.</p><p>2. Y mecha.</p></bloque>
<bloque><p>Artículo 2. Fin.</p><p>Termina.</p></bloque></ley>"""
ELEMENTS = """<statute><name>Lamp Act</name><sec><no>1</no><txt>A keeper holds oil.</txt></sec><sec>
<no>2</no><txt>He sleeps:</txt><it><no>(a)</no><txt>at night;</txt></it><it><no>(b)</no>
<txt>at noon.</txt></it></sec><sec><no>3</no><txt>It ends.</txt></sec></statute>"""
ATTRIBUTES = """<code><title>Code</title><article num="1"><p>A keeper holds oil.</p></article>
<article num="2"><p>He sleeps.</p><table><tr><td>oil</td><td>9</td></tr></table></article></code>"""

JAPANESE = """<Law><LawTitle>灯法</LawTitle><TOC><a>第一条</a></TOC><Article Num="1">
<Caption>（目的）</Caption><ArticleTitle>第一条</ArticleTitle><P><S>油を持つ。</S></P><P><Num>２</Num>
<S>番人は眠る。</S></P></Article><Article><Caption>（終）</Caption><ArticleTitle>第二条</ArticleTitle>
<P><S>終わる。</S></P></Article></Law>"""

AUSTRIAN = """<risdok xmlns="http://www.bka.gv.at"><nutzdaten><abschnitt>
<ueberschrift typ="titel">Lampengesetz</ueberschrift>
<ueberschrift typ="g1">1. Abschnitt</ueberschrift>
<absatz typ="abs"><gldsym>§ 1.</gldsym> (1) Es regelt Lampen.</absatz><absatz typ="abs">(2) Kein Öl.
</absatz><absatz typ="abs"><gldsym>§ 2.</gldsym> Sie brennen.</absatz></abschnitt>
</nutzdaten></risdok>"""
NORWEGIAN = """<html><head><title>Lov om lamper</title></head><body><main><h1>Lov om lamper</h1>
<section><h2>Kapittel 1. Innledning</h2><article class="legalArticle"><h3><span>§ 1-1</span>.
<span>Formål</span></h3><article class="legalP">Loven sikrer lamper.</article></article>
<article class="legalArticle"><h3><span>§ 1-2</span>. <span>Olje</span></h3>
<article class="legalP">Oljen brenner.</article></article></section></main></body></html>"""
CHILEAN = """<Norma xmlns="http://www.leychile.cl/esquemas"><EstructurasFuncionales>
<EstructuraFuncional><Texto>Título I De las lámparas</Texto><EstructurasFuncionales>
<EstructuraFuncional><Texto>Artículo 1º.- Hay lámparas.</Texto></EstructuraFuncional>
<EstructuraFuncional><Texto>Artículo 2º.- Hay aceite.</Texto></EstructuraFuncional>
</EstructurasFuncionales></EstructuraFuncional></EstructurasFuncionales></Norma>"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (AUSTRIAN, {"Preamble": "Lampengesetz", "Abschnitt 1": "", "§ 1": "",
                    "§ 1(1)": "Es regelt Lampen.", "§ 1(2)": "Kein Öl.", "§ 2": "Sie brennen."}),
        (NORWEGIAN, {"Lov om lamper": "Lov om lamper", "Kapittel 1": "Innledning",
                     "§ 1-1": "Formål\nLoven sikrer lamper.", "§ 1-2": "Olje\nOljen brenner."}),
        (CHILEAN, {"Título I": "De las lámparas", "Artículo 1º": "Hay lámparas.",
                   "Artículo 2º": "Hay aceite."}),
        (WORDED, {"Ley de aceite": "Ley de aceite", "Capítulo I": "", "Artículo 1": "Objeto.",
                  "Artículo 1(1)": "Hay aceite.", "Artículo 1(2)": "Y mecha.",
                  "Artículo 2": "Fin.\nTermina."}),
        (ELEMENTS, {"Lamp Act": "Lamp Act", "1": "A keeper holds oil.",
                    "2": "He sleeps:\n(a) at night;\n(b) at noon.", "3": "It ends."}),
        (ATTRIBUTES, {"Code": "Code", "Article 1": "A keeper holds oil.",
                      "Article 2": "He sleeps.\n\\Table Start\noil\t9\n\\Table End"}),
        (JAPANESE, {"灯法": "灯法", "第一条": "（目的）\n油を持つ。", "第一条(2)": "番人は眠る。",
                    "第二条": "（終）\n終わる。"}),
    ],
)  # fmt: skip
def test_units_are_found_by_number_and_word(tmp_path, text, expected):
    passages = read_text(GenericXmlReader(), tmp_path, "act.xml", text)
    assert texts(passages) == expected
    assert reader_for(tmp_path / "act.xml").name == "xml"


def test_the_format_is_named(tmp_path):
    passages = read_text(GenericXmlReader(), tmp_path, "act.xml", WORDED)
    assert passages[0].metadata["format"] == "XML <ley> of http://x.example"


def test_xml_without_units_is_refused_with_the_name_of_its_format(tmp_path):
    path = tmp_path / "x.xml"
    path.write_text("<list xmlns='http://y'><item>Oil</item><item>Wicks</item></list>")
    assert "XML <list> of http://y" in refusal(GenericXmlReader(), path)


def test_settings_and_feeds_of_a_folder_are_no_documents():
    assert "settings" in GenericXmlReader().foreign("<?xml version='1.0'?><project/>")
    assert GenericXmlReader().foreign("<ley/>") == ""


@pytest.mark.parametrize("between", ["<?page 5?>", "<!-- c -->"])
def test_what_is_no_element_between_cells_changes_nothing(tmp_path, between):
    text = (
        "<rules><p>§ 1 Oil is kept.</p><table><tr>|<td>Malt</td>|<td>five years</td></tr>|"
        "<tr><td>Hops</td>|<td>three years</td>|</tr></table><p>§ 2 Wicks burn.</p></rules>"
    )
    given, bare = (
        texts(read_text(GenericXmlReader(), tmp_path, "rules.xml", text.replace("|", one)))
        for one in (between, "")
    )
    assert "Hops\tthree years" in bare["§ 1"]
    assert given == bare


def test_an_entity_that_is_declared_elsewhere_is_its_text(tmp_path):
    text = (
        '<!DOCTYPE rules SYSTEM "rules.dtd"><rules><p>&sect; 1 Caf&eacute;s close.</p><table><tr>'
        "&nbsp;<td>Tea</td>&own;</tr></table><p>&sect; 2 Bars &own; close.</p></rules>"
    )
    found = texts(read_text(GenericXmlReader(), tmp_path, "rules.xml", text))
    assert found["§ 1"].startswith("Cafés close.")
    assert found["§ 2"] == "Bars &own; close."
