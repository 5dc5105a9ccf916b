"""Which column is the number, the text and the heading: by values, names break ties."""

from __future__ import annotations

import pytest

from indexer.readers.columns import dated, is_code, number_score, roles

LONG = ["The keeper lights the lamp at dusk.", "The keeper counts the oil each day.",
        "The keeper sleeps in the tower by day."]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("AC-2(1)", True), ("G 0.10", True), ("§ 5", True), ("(a)", True), ("第一条", True),
        ("GV", True), ("2031-05-01", False), ("https://x.example/1", False), ("urn:x:1", False),
        ("0b21c0de-0000-4000-8000-000000000001", False), ("LEGIARTI000031367304", False),
        ("catalog[1].group[2]", False), ("Control: ism-5", False), ("Lamps", False),
        ("Article 5 of the Act on lamps", False),
    ],
)  # fmt: skip
def test_a_code_may_be_the_number_of_a_provision(value, expected):
    assert is_code(value) is expected


def test_numbers_are_codes_that_stand_once():
    assert number_score(["1", "2", "10"]) == 1
    assert number_score(["1", "1", "1"]) < 0.5
    assert number_score(["1", "1"], within=["a", "b"]) == 1
    assert number_score([]) == 0


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        # The chapter of each is a code too, but it repeats.
        ({"chapter": ["1", "1", "2"], "section": ["1", "2", "3"], "words": LONG},
         {"PassageID": "section", "Passage": "words"}),
        # Nobody knows these names; the short column beside them is a heading.
        ({"Kürzel": ["W 1", "W 2", "W 3"], "Begriff": ["Docht", "Öl", "Glas"], "Wortlaut": LONG},
         {"PassageID": "Kürzel", "Passage": "Wortlaut", "Heading": "Begriff"}),
        # A key of the database gives way to what is printed.
        ({"id": ["71", "72", "73"], "label": ["A.1", "A.2", "A.3"], "text": LONG},
         {"PassageID": "label", "Passage": "text"}),
        # The same text in HTML is no better.
        ({"num": ["1", "2", "3"], "texte": LONG, "texteHtml": [f"<p>{one}</p>" for one in LONG]},
         {"PassageID": "num", "Passage": "texte"}),
        ({"a": ["x", "y", "z"], "b": LONG}, {}),
        ({"num": ["1", "2", "3"], "b": ["x", "y", "z"]}, {}),
        ({}, {}),
    ],
)  # fmt: skip
def test_roles_follow_values(columns, expected):
    assert roles(columns) == expected


def test_names_must_agree_where_a_file_may_be_anything():
    columns = {"Kürzel": ["W 1", "W 2", "W 3"], "Wortlaut": LONG}
    assert roles(columns)
    assert roles(columns, strict=True) == {}
    assert roles({"num": ["1", "2", "3"], "question": LONG}, strict=True) == {}


def test_dates_are_those_with_a_name():
    pairs = [
        ("published", "2031-02-03T10:00:00Z"), ("lastModified", "20310405"), ("other", "x"),
        ("valid-to", "9999-12-31"), ("version", "1.2"), ("published", "2000-01-01"),
    ]  # fmt: skip
    assert dated(pairs) == {"date": "2031-02-03", "version": "2031-04-05"}
