"""Words that neither a passage nor a note has are counted, whatever the format."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from benchmarks.drawn_numbers import draw, main
from benchmarks.lost_words import lost_words, words_of
from indexer.structuring.pages.line import Line, shown_words


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("act.md", "# Lamp Act\n\nArticle 1\n\nA lamp of 4<sup>2</sup> wicks.\n\nArticle 2\n\n"
                   "Oil is > 1.\n\n| A | B |\n|---|---|\n| some<br>oil | [wick](http://a.b) |\n"),
        ("act.html", "<html><head><title>Act</title></head><body><p>Section 1. Lamps burn.</p>"
                     "<p>Section 2. <s>Oil</s> Wicks burn.</p></body></html>"),
        ("act.xml", '<Statute><Body><Section><Label>1</Label><Text>Lamps burn.</Text><TableGroup>'
                    "<table><title>Kinds of oil</title><tgroup><row><entry>Whale</entry></row>"
                    "</tgroup></table></TableGroup></Section></Body></Statute>"),
    ],
)  # fmt: skip
def test_no_word_of_a_document_is_lost(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    assert len(words_of(path)) > 5
    assert lost_words(path) == []


def test_a_word_that_is_nowhere_is_lost(tmp_path, monkeypatch):
    path = tmp_path / "act.txt"
    path.write_text("1.1 Lamps burn.\n1.2 Oil burns.\n")
    more = words_of(path) + Counter(["wick"])
    monkeypatch.setattr("benchmarks.lost_words.words_of", lambda _: more)
    assert lost_words(path) == ["wick"]


def test_a_table_among_contents_is_named_with_its_words():
    assert shown_words(Line("Fees", block="1\tOil")).split() == ["Fees", "1", "Oil"]


def test_numbers_that_go_on_behind_those_of_others_hold_their_own_words(tmp_path):
    path = tmp_path / "act.html"
    lines = ("Article 22", "Oil.", "Article 22-2", "Wicks.", "Article 23", "Caps.")
    path.write_text("<html><body>" + "".join(f"<p>{line}</p>" for line in lines) + "</body></html>")
    assert lost_words(path) == []


def test_numbers_are_drawn_beside_their_source(tmp_path, monkeypatch, capsys):
    path = tmp_path / "act.txt"
    path.write_text("1.1 Lamps burn.\n1.2 Oil burns, and\nsmokes.\n1.3 Oil burns.\n")
    monkeypatch.setattr("sys.argv", ["drawn_numbers", str(path), "--before", "4"])
    main()
    shown = capsys.readouterr().out.splitlines()
    assert shown[0::2] == ["1. act.txt:1 [1.1] Lamps burn.",
                           "2. act.txt:2 [1.2] Oil burns, and smokes.",
                           "3. act.txt:4 [1.3] Oil burns."]  # fmt: skip
    assert [line.split(" ▶")[0] for line in shown[1::2]] == ["    … 1.1", "    … 1.2", "    … 1.3"]


def test_no_file_gives_more_than_its_share_of_the_drawn_passages():
    files = [[f"a{n}" for n in range(50)], [f"b{n}" for n in range(10)]]
    drawn = draw(files, 10, 0.5, Random(1))
    assert len(drawn) == 10
    assert sum(one.startswith("a") for one in drawn) == 5
    assert draw(files, 10, 0.5, Random(1)) == drawn
