"""One word has one form, however it is written, and different words stay different."""

from __future__ import annotations

import pytest

from search.text.analyzer import words
from search.text.plain_words import plain_text

SAME = {
    "submarine": ["sub\u00adma\u00adrine", "sub\u200bmarine", "sub\u2060marine", "sub\ufeffmarine"],
    "15000": ["15,000", "15 000", "15\u00a0000", "15\u202f000", "15'000", "15’000"],
    "1250000": ["1,250,000", "1 250 000", "1\u00a0250\u00a0000"],
    "1234567": ["1,234,567", "1\u00a0234\u00a0567"],
    "us": ["U.S.", "U.S", "US"],
    "usc": ["U.S.C.", "USC"],
    "eg": ["e.g.", "eg"],
    "10000bn": ["10,000bn"],
    "days the": ["days.The", "days:the", "days. The"],
    "topic zeppelins": ["topic:zeppelins"],
    "jurisdiction:uk": ["jurisdiction:uk"],
    "us treasury": ["U.S.Treasury"],
    "file office": ["\ufb01le o\ufb03ce"],
    "résumé": ["re\u0301sume\u0301", "résumé"],
    "firm 15000": ["\uff26\uff49\uff52\uff4d １５，０００"],
    "iv": ["\u2163"],
    "과태료": ["\u1100\u116a\u1110\u1162\u1105\u116d"],
}


@pytest.mark.parametrize(
    ("plain", "written"), [(plain, one) for plain, all_ in SAME.items() for one in all_], ids=ascii
)
def test_a_word_has_one_form(plain: str, written: str) -> None:
    assert words(written) == plain.split(" ")
    assert words(f"Pay {written}, now.") == ["pay", *plain.split(" "), "now"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.4.2(b) and 15.000", ["3.4.2", "b", "and", "15.000"]),
        ("Article 4 575/2013", ["article", "4", "575", "2013"]),
        ("in 2015 100 firms", ["in", "2015", "100", "firms"]),
        ("100 200 300 450", ["100", "200", "300", "450"]),
        ("10 200 11 300", ["10", "200", "11", "300"]),
        ("paragraphs 1,2 and 12,34", ["paragraphs", "1,2", "and", "12,34"]),
        ("Rule\u200e6.8.1\u200e(b)", ["rule", "6.8.1", "b"]),
        ("ภาษา\u200bไทย", ["ภาษา", "ไทย"]),
        ("O'Neil's a.m", ["o'neil's", "am"]),
        ("10² m² ½ № 1º", ["10", "m", "1º"]),
    ],
    ids=ascii,
)
def test_what_is_no_such_word_stays(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_models_read_words_plain_text_and_all_else_as_it_is() -> None:
    assert plain_text("A sub\u00admarine, 15,000 days.The") == "A submarine, 15,000 days.The"
    assert plain_text("The \ufb01rm’s 10² … re\u0301sume\u0301") == "The firm’s 10² … résumé"


def test_long_rows_of_odd_characters_take_no_longer_than_text() -> None:
    for piece in ("1 000 ", "a\u00ad", "a.b:", "1,000,", "\u200b"):
        assert words(piece * 20_000) is not None
