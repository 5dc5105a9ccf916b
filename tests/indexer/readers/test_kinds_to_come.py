"""Kinds of documents whose numbers one structure engine reads."""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_lowercase

import pytest
from docx_samples import paragraph, write_docx

import indexer
from search.errors import InputError

ORDINAL = ["DECRETO Nº 5, DE 2 DE MAIO DE 2031"] + [
    f"Art. {n}{'º' if n < 10 else '.'} O farol {letter * 3} fica aceso."
    for n, letter in enumerate(ascii_lowercase, start=1)
]
ORDINAL.insert(2, "§ 1º A luz não se apaga.")

ARRANGED = """THE LAMPS ACT, 2031

ARRANGEMENT OF SECTIONS

PART I
OPENING
1. Short title.
2. Keepers.
PART II
CLOSING
3. Rules.

ACT NO. 4 OF 2031

PART I
OPENING

1. Short title.— (1) This Act may be called the Lamps Act, 2031. (2) It begins today.

2. Keepers.— (1) Every keeper shall trim the lamp.
(2) A keeper sleeps by day.

PART II
CLOSING

3. Rules.— The harbour may make rules.
"""

ATTACHED = """# GUIDELINE FOR KEEPERS

Table of Contents

Chapter 1 Lamps ........................ 1

Annex B Oils ........................... 7

## Chapter 1 LAMPS

## 1.1 Oil

1.1.1 Keepers buy their oil before they

light a lamp.

1.1.2 Examples of oils for lamps of

brass are set out in paragraph 2 of

Annex B.

## 1.2 Trimming of wicks

1.2.1 Keepers trim the wicks of the

lamps.

1.2.2 Keepers count wicks that they

have seen.

## 1.3 Logs

1.3.1 Logs are kept for five years.

1.3.2 Keepers write logs.
"""

LETTERED = """HARBOUR REGULATIONS FOR LAMPS

PART - A
DEFINITIONS

1. Lamp means a light.
2. Keeper means a person with a lamp.

PART - B
REGULATIONS

REGULATION R-1
OIL

1. A lamp burns whale oil.
2. Spilt oil is wiped.

REGULATION O-1
WATCHES

1. A watch lasts four hours.
2. A bell ends it.
"""

ICELANDIC = """REGLUGERÐ um vita

I. KAFLI Almenn ákvæði.

1. gr. Gildissvið.
Reglugerð þessi gildir um vita.

2. gr. Ljós.
Viti skal loga alla nótt.

II. KAFLI Eftirlit.

3. gr. Aðgangur.
Vörður hefur lykil.
"""

LINKED = (
    "<html><body><ul><li><h2>Article 1: Light</h2><ul>"
    '<li id="a"><a href="#a">1.01</a> The lamp burns.<ul><li id="b"><a href="#b">(a)</a> It burns '
    'at night.</li></ul></li><li id="c"><a href="#c">1.02</a> The bell rings.</li></ul></li>'
    '<li><h2>Article 2: Oil</h2><ul><li id="d"><a href="#d">2.01</a> Oil is stored.</li></ul></li>'
    "</ul></body></html>"
)

NESTED = """# Terms of the light

1. Lamp
    1. The lamp is lent for a year.
    2. It is cleaned each week.

2. Price
    1. A coin is paid each month.
        a. Late coins cost a coin.
        b. Lost coins are lost.
"""

SIDE = """# Terms of the lamp

1. Lamp
    1. The lamp is lent.
2. Price
    1. A coin is paid.
    2. It is paid in May.
3. Term
    1. The term is a year.
    2. The term is renewed.
"""

DIVIDED = """BY-LAWS OF THE HARBOUR

ARTICLE I
LAMPS
Section 1: The lamp is cleaned each week by its keeper.
Section 2: The lamp is lit at dusk, and no later.

ARTICLE II
DOORS
Section 1: The door of the tower is painted blue.
Section 2: The door is shut at noon in winter.

ARTICLE III
LOGS
Section 1: The keeper writes a log of all ships.
Section 2: The log is kept for seven years.
Section 3: The fees are those of
Article II, Section 2 as set forth above.
"""

ROOMY = "BY-LAWS OF THE HARBOUR\n\n" + "\n\n".join(
    f"ARTICLE {article}\n\nThe {name}\n\n§ 40-{article}00. Use.\n\n"
    f"A. The {name} are used at noon.\n\nB. Others are not.\n\n"
    f"§ 40-{article}05. Care.\n\nA keeper cleans {name}."
    for article, name in [(1, "lamps"), (2, "bells"), (3, "ropes"), (4, "tanks")]
)

ROMAN = """# Statutes of the light

## Part I: Lamps

I.1.1 Lamps burn oil.

I.1.2 Lamps are cleaned.

## Part II: Bells

II.1.1 Bells are made of brass.

II.1.2 Bells ring at noon.

II.1.3 Ropes are dry.
"""

ATTRIBUTES = """<regulation xmlns="rules"><preamble><title>LAMPS</title></preamble>
<part label="70"><content><section label="70-1"><subject>§ 70.1 Scope.</subject>
<paragraph label="70-1-a" marker="(a)"><content>This part is about lamps.</content></paragraph>
<paragraph label="70-1-b" marker="(b)"><content>Bells are left out.</content></paragraph>
</section><section label="70-2"><subject>§ 70.2 Duties.</subject>
<paragraph label="70-2-a" marker="(a)"><content>A keeper counts lamps.</content></paragraph>
<paragraph label="70-2-b" marker="(b)"><content>A keeper sleeps.</content></paragraph></section>
</content></part></regulation>
"""

COMPONENTS = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0">
<act name="act"><body><section eId="s1"><num>1.</num><content><p>Lamps are those of Schedule 1.</p>
</content></section></body></act><components><component eId="c1"><doc name="schedule"><mainBody>
<hcontainer name="schedule" eId="sch1"><heading>Schedule 1</heading><paragraph eId="sch1-1">
<num>1.</num><content><p>The brass lamp.</p></content></paragraph></hcontainer></mainBody></doc>
</component></components></akomaNtoso>
"""

SHEET = "ID;Name;Definition\nL 0.1;Docht;Ein Docht saugt das Öl.\nL 0.2;Glas;Glas hält Wind ab.\n"

CONTROLS = """{"catalog": {"metadata": {"title": "Lamps"}, "groups": [{"id": "LA", "title": "Lamps",
"controls": [{"id": "LA.1", "title": "Oil", "parts": [{"name": "statement",
"prose": "Oil is bought in May."}]}, {"id": "LA.2", "title": "Wick", "parts": [{"name": "statement",
"prose": "Wicks are cut at noon."}]}]}]}}
"""

STYLED = (
    "<html><body><h1>Article I. Lamps.</h1><ol style='list-style-type: upper-alpha'>"
    "<li>The lamp burns at night.</li><li>The bell rings.</li></ol>"
    "<h1>Article II. Oil.</h1><ol style='list-style-type: upper-alpha'>"
    "<li>Oil is stored in barrels.</li></ol></body></html>"
)

TITLED = """{"preamble": {"title": "Preamble", "content": "We keep the light."}, "titles": [
{"title": "Title I. Lamps", "articles": [
{"id": 1, "title": "Article 1", "content": "The lamp burns at night."},
{"id": 2, "title": "Article 2", "content": "The keeper sleeps by day."}]},
{"title": "Title II. Oil", "articles": [
{"id": 3, "title": "Article 3", "content": "Oil is bought in May."},
{"id": 4, "title": "Article 4", "content": "Barrels are counted."}]}]}
"""

ORDINAL_FOUND = {"Art. 1": "aaa", "Art. 2": "bbb", "Art. 9": "iii", "Art. 11": "kkk"}


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("arranged.txt", ARRANGED, {"2(1)": "trim the lamp", "2(2)": "by day", "3": "make rules"}),
        ("icelandic.txt", ICELANDIC, {"1. gr.": "um vita", "2. gr.": "nótt", "3. gr.": "lykil"}),
        ("ordinal.txt", "\n\n".join(ORDINAL), ORDINAL_FOUND),
        ("ordinal.docx", ORDINAL, ORDINAL_FOUND),
        ("lettered.txt", LETTERED, {"R-1(1)": "whale", "R-1(2)": "wiped", "O-1(1)": "four hours"}),
        ("linked.html", LINKED, {"1.01(a)": "night", "1.02": "bell", "2.01": "stored"}),
        ("attached.md", ATTACHED, {"1.1.2": "2 of Annex B", "1.2.1": "trim", "1.2.2": "count"}),
        ("nested.md", NESTED, {"1.1": "lent", "1.2": "week", "2.1": "month", "2.1(b)": "lost"}),
        ("side.md", SIDE, {"2.2": "May", "3": "Term", "3.1": "year", "3.2": "renewed"}),
        ("divided.txt", DIVIDED, {"Article I.Section 2": "lit", "Article II.Section 1": "blue"}),
        (
            "roomy.txt",
            ROOMY,
            {"§ 40-100(A)": "The lamps", "§ 40-205": "cleans bells"},
        ),
        ("attributes.xml", ATTRIBUTES, {"§ 70.1(a)": "about lamps", "§ 70.1(b)": "Bells"}),
        ("components.xml", COMPONENTS, {"Section 1": "those of", "Schedule 1.1": "brass"}),
        ("sheet.csv", SHEET, {"L 0.1": "Docht", "L 0.2": "Wind"}),
        ("controls.json", CONTROLS, {"LA.1": "May", "LA.2": "noon"}),
        ("titled.json", TITLED, {"Article 1": "night", "Article 3": "May", "Article 4": "counted"}),
        ("styled.html", STYLED, {"I.A": "night", "I.B": "rings", "II.A": "barrels"}),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_each_number_has_its_own_text(
    tmp_path: Path, name: str, source: str, expected: dict[str, str]
) -> None:
    check(tmp_path / name, source, expected)


def check(path: Path, source: str | list[str], expected: dict[str, str]) -> None:
    """Read a document; each number has its words, and not those of another."""
    if isinstance(source, list):
        write_docx(path, "".join(map(paragraph, source)))
    else:
        path.write_text(source, encoding="utf-8")
    try:
        passages = indexer.structure(path).passages()
    except InputError as error:
        pytest.fail(str(error))
    for number, words in expected.items():
        within = re.compile(rf"(?:(?!annex)[^\W\d]+\.(?:\w+\.)?)*{re.escape(_folded(number))}")
        own = [one.text for one in passages if within.fullmatch(_folded(one.passage_id))]
        assert any(words in " ".join(text.split()) for text in own), number
        others = [other for other in expected.values() if other != words]
        assert not any(other in text for text in own for other in others), number


def _folded(number: str) -> str:
    """Return a number as people compare them: 2.1.b for `2.1.(b)`, art.1 for `Article 1`."""
    return re.sub(r"[\W_º]+", ".", number.casefold().replace("article", "art")).strip(".")
