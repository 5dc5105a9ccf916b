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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
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
