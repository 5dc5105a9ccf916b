"""The analyzer gives the tokens of Lucene's EnglishAnalyzer (expectations made with 9.12)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from search.text.analyzer import MAX_TOKEN_LENGTH, STOP_WORDS, tokens, words

LUCENE = {
    # From Lucene's own TestEnglishAnalyzer.
    "books": ["book"],
    "book": ["book"],
    "the": [],
    "steven's": ["steven"],
    "steven\u2019s": ["steven"],
    "steven\uff07s": ["steven"],
    # Porter's own examples.
    "caresses ponies ties cats": ["caress", "poni", "ti", "cat"],
    "relational conditional rational": ["relat", "condit", "ration"],
    "agreed plastered motoring hopping": ["agre", "plaster", "motor", "hop"],
    "happy sky": ["happi", "sky"],
    "regulation regulations regulatory regulated": ["regul", "regul", "regulatori", "regul"],
    # Possessives and apostrophes.
    "Fund's funds' O'Neill's": ["fund", "fund", "o'neil"],
    "don't isn't": ["don't", "isn't"],
    "it's that's": [],
    # UAX #29 on numbers: 3.4.2 is one word, the bracket ends it, b is another.
    "COBS 3.4.2(b)": ["cob", "3.4.2", "b"],
    "Rule 3.4.2.(b).(ii).": ["rule", "3.4.2", "b", "ii"],
    "5% of $10": ["5", "10"],
    "2023-08-15 12:30": ["2023", "08", "15", "12", "30"],
    "AT1 129b 4a": ["at1", "129b", "4a"],
    # Snowball's Porter, as servers have it: a word that is all ending is dropped.
    "(s) S us": ["u"],
    "technology possibly": ["technologi", "possibli"],
    # Joined by underscore, parted by hyphen and slash.
    "COBS_VER15": ["cobs_ver15"],
    "anti-money and/or e-mail": ["anti", "monei", "e", "mail"],
    "Name: ____ _date_ _": ["name", "_date_"],
    # Fractions and raised or circled numbers are no words; Roman numerals of one character are.
    "½ m² ① Ⅷ": ["m", "viii"],
    # Case, accents and other scripts.
    "ÉCOLE Straße": ["école", "straße"],
    "КОДЕКС": ["кодекс"],
    "İstanbul": ["istanbul"],
    # One term an ideograph or hiragana, one a run of katakana.
    "資本要件は": ["資", "本", "要", "件", "は"],
    "カタカナ規則": ["カタカナ", "規", "則"],
    # Vowel signs and combining accents stay in their word.
    "हिन्दी किताब": ["हिन्दी", "किताब"],
    "e\u0301cole": ["école"],
    "한국 법": ["한국", "법"],
    "": [],
    " \t\n": [],
    "... !!! ---": [],
}


@pytest.mark.parametrize("text", LUCENE, ids=ascii)
def test_tokens_are_lucenes(text: str) -> None:
    assert tokens(text) == LUCENE[text]


def test_unlike_lucene_invisible_characters_are_no_part_of_a_word() -> None:
    """Sources are full of direction marks behind numbers; people do not type them."""
    assert tokens("article 16\u200e applies") == ["articl", "16", "appli"]


def test_unlike_lucene_one_word_has_one_form() -> None:
    assert tokens("1,000,000.50 USD") == ["1000000.50", "usd"]
    assert tokens("e.g. U.S.A. name@adgm.com") == ["eg", "usa", "name", "adgm", "com"]


def test_all_33_stop_words_go_and_only_they() -> None:
    assert len(STOP_WORDS) == 33
    assert tokens(" ".join(sorted(STOP_WORDS)).upper()) == []
    assert tokens("should must may shall from has") == [
        "should", "must", "mai", "shall", "from", "ha",
    ]  # fmt: skip


def test_order_and_repetitions_stay() -> None:
    assert tokens("fund of funds of the fund") == ["fund", "fund", "fund"]
    assert words("The Fund, the FUND") == ["the", "fund", "the", "fund"]


def test_a_word_of_300_characters_is_cut_as_lucene_cuts_it() -> None:
    found = tokens("0" * 300)
    assert [len(token) for token in found] == [MAX_TOKEN_LENGTH, 300 - MAX_TOKEN_LENGTH]
    assert tokens("7" * MAX_TOKEN_LENGTH) == ["7" * MAX_TOKEN_LENGTH]


def test_hostile_text_takes_no_longer_than_text() -> None:
    assert len(tokens("a.b:c'd" * 100_000)) > 0
    assert tokens("." * 500_000) == []
    assert len(tokens("1,2." * 100_000)) > 0


def test_threads_share_nothing() -> None:
    texts = [f"the firms' obligations number {i} are regulated" for i in range(200)] * 5
    serial = [tokens(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokens, texts)) == serial
