"""States are recognised by their names, people, authorities and laws; currencies are none."""

from __future__ import annotations

import pytest

from search.provisions.jurisdictions import (
    is_law_of,
    is_own_document,
    law_of,
    named_states,
    shares_of_states,
    state_of,
    stated_law,
    states_in,
    without_state,
)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("When must a German employer report?", ["DE"]),
        ("Der Deutsche Bundestag hat beschlossen.", []),
        ("Die deutschen Unternehmen melden dies.", ["DE"]),
        ("How do Brazil's rules define a broker?", ["BR"]),
        ("What does the SEC ask of a Swiss bank?", ["US", "CH"]),
        ("Pay 100 Swiss francs or US dollars; it tells us who pays.", []),
        ("Polish the turkey in jersey.", ["PL"]),
    ],
)
def test_states_are_recognised_by_their_names(text: str, states: list[str]) -> None:
    assert list(states_in(text)) == states


def test_messages_name_a_state_as_a_sentence_does() -> None:
    assert states_in("Must an Irish firm tell the FCA?") == {"IE": "Ireland", "UK": "the UK"}


def test_codes_are_shown_with_their_names() -> None:
    assert named_states(["US-CA", "EU", "Northmark"]) == {"US-CA": "California (US-CA)", "EU": "EU"}


def test_acts_of_the_union_are_about_it() -> None:
    texts = ["The Union market is open.", "Trade in Italy is free.", "A rule.", "Another rule."]
    assert shares_of_states(texts) == {"EU": 0.25, "IT": 0.25}
    assert shares_of_states([]) == {}


def test_a_law_has_a_name_without_its_state() -> None:
    assert without_state("Irish Companies Act") == "Companies Act"
    assert without_state("Companies Act") == "Companies Act"


@pytest.mark.parametrize(
    ("jurisdiction", "state"),
    [("IE", "IE"), ("us-ca", "US-CA"), ("gb", "UK"), ("Ireland", "IE"),
     ("the European Union", "EU"), ("IRL", "IE"), ("lk", "LK"), ("Northmark", ""),
     ("http://data.example/country/LUX", "LU"), ("the Republic of China", "TW"),
     ("People's Republic of China", "CN"), ("Ireland and France", ""), (None, ""),
     (7, "")],
)  # fmt: skip
def test_a_jurisdiction_is_a_code_or_a_name(jurisdiction: object, state: str) -> None:
    assert state_of(jurisdiction) == state


@pytest.mark.parametrize(
    ("law", "state", "holds"),
    [("EU", "IE", True), ("IE", "EU", True), ("EU", "UK", False), ("CA", "CA-ON", True),
     ("CA-ON", "CA", True), ("US-CA", "US-CO", False), ("IE", "DE", False)],
)  # fmt: skip
def test_the_law_of_a_whole_is_law_in_its_parts(law: str, state: str, holds: bool) -> None:
    assert is_law_of(law, state) is holds


MUCH = ["A rule."] * 40


@pytest.mark.parametrize(
    ("title", "texts", "state"),
    [
        ("Colorado Privacy Act", ["The United States.", *MUCH], "US-CO"),
        ("Privacy Act", ["Law in Japan.", "The Diet of Japan.", *MUCH], "JP"),
        ("Privacy Act", ["Law in Japan.", *MUCH], ""),
        ("Privacy Act", ["In Japan.", "In Japan.", "In Korea.", "In Korea.", *MUCH], ""),
        ("Health Act", ["In Canada."] * 3 + ["In Ontario."] * 2 + MUCH, "CA-ON"),
        ("Data Act", ["The Union acts."] * 9 + ["In Germany."] * 2 + MUCH, "DE"),
        ("Data Act", ["The Union acts."] * 20 + ["In the United States."] * 2 + MUCH, "EU"),
        ("Japan Code of Civil Procedure", MUCH, "JP"),
        ("", [], ""),
    ],
)
def test_a_document_is_the_law_of_the_state_it_names_most(
    title: str, texts: list[str], state: str
) -> None:
    assert law_of(title, texts) == state


@pytest.mark.parametrize(
    ("title", "texts", "is_own"),
    [
        ("Travel Policy", [], True),
        ("Retention Policy for Japan", MUCH, True),
        ("California Privacy Notice", ["We keep your data.", "You may ask us."], True),
        ("Japan Code of Civil Procedure", MUCH, False),
    ],
)
def test_a_firm_writes_policies_and_of_us(title: str, texts: list[str], is_own: bool) -> None:
    assert is_own_document(title, texts) is is_own


@pytest.mark.parametrize(
    ("metadata", "state"),
    [
        ({"country": "ie"}, "IE"),
        ({"jurisdiction": "Northmark", "country": "ie"}, ""),
        ({"region": "Hong Kong"}, "HK"),
        ({"region": "South"}, ""),
        ({"source": "http://statutes.example.ie/eli/2031/act/7"}, "IE"),
        ({"url": "https://laws.example.gov.tw:8080/act"}, "TW"),
        ({"url": "https://laws.example.gov/act"}, "US"),
        ({"url": "https://data.europa.eu/eli/reg/2031/7"}, "EU"),
        ({"url": "https://laws.example.com/uk/act", "publisher": "x.ie"}, ""),
        ({"country": 7, "source": None}, ""),
        ({}, ""),
    ],
)
def test_whose_law_it_is_is_what_the_source_says(metadata: dict[str, object], state: str) -> None:
    assert stated_law(metadata) == state


def test_the_address_of_an_own_document_says_nothing() -> None:
    assert stated_law({"url": "https://bank.example.ie/gifts"}, is_own=True) == ""
