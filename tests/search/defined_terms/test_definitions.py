"""Terms that passages define, and use."""

from __future__ import annotations

import pytest

from search.provisions.terms.definitions import by_key, defines, definitions_in, terms_used
from search.records import Passage


def passage(text: str, id: str = "p") -> Passage:  # noqa: A002
    return Passage(id, "doc", "1.1", text)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Client Money means money of any currency.", ["Client Money"]),
        ("‘credit institution’ means an undertaking", ["credit institution"]),
        ("‘collective investment undertaking’ or ‘CIU’ means a UCITS",
         ["CIU", "collective investment undertaking"]),
        ("The term “Cash Value” means the greater of", ["Cash Value"]),
        ("“Insider” has the meaning given in section 94.", ["Insider"]),
        ("In this Rule, Clearing House means a body", ["Clearing House"]),
        ("In these Rules:\n(a)\t\"advising\" means giving advice", ["advising"]),
        ("Defined Terms\tDefinitions\nCell Company\tHas the meaning given in PRU.\n"
         "Regulated Person\tA person who is authorised.\nPromote, Promotion\tMeans marketing.",
         ["Cell Company", "Regulated Person", "Promote", "Promotion"]),
        ("“Issuer” (in relation to Securities) means the person", ["Issuer"]),
        ('"Senior Manager", in relation to a firm, means a manager', ["Senior Manager"]),
        ("“Subsidiary” and “Parent” have the meanings in section 5", ["Parent", "Subsidiary"]),
        ("**Custodian** means a person", ["Custodian"]),
        ('**"Trustee"** means a person', ["Trustee"]),
        ("Capitalised Terms have the meanings given in GLO.", []),
        ("The means of payment must be kept.", []),
        ("A firm must tell the Client by what means it pays.", []),
        ("Fee\tAmount\nAnnual\tUSD 5", []),
    ],
)  # fmt: skip
def test_definitions_are_found_in_their_forms(text: str, terms: list[str]) -> None:
    found = definitions_in(passage(text))
    assert [one.term for one in found] == terms
    assert defines(passage(text)) is bool(terms)


def test_a_definition_holds_its_own_line() -> None:
    glossary = passage("Defined Terms\tDefinitions\nCell\tMeans a part.\nClient\tMeans a person.")
    assert [one.text for one in definitions_in(glossary)] == [
        "Cell\tMeans a part.", "Client\tMeans a person.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("“One” means:\n(a) a; or\n(b) b.\nA firm must.", "“One” means:\n(a) a; or\n(b) b."),
        ("(a) “One” means a unit;\n(b) “Two” means a pair.", "(a) “One” means a unit;"),
        ("“One” means a unit.\n(a) Pay it.", "“One” means a unit."),
        ("Term\tMeaning\nOne\tMeans 1.\nAlone.\nTwo\tMeans 2.", "One\tMeans 1.\nAlone."),
        ("/Table Start\nOne\tmeans a unit.\n/Table End\nPay it.", "One\tmeans a unit."),
        ("One\tmeans a unit.\n\nPay it.", "One\tmeans a unit."),
        ("“One” means:\n(a) a; or\n(b) b,\nbut not c.\nA firm must.",
         "“One” means:\n(a) a; or\n(b) b,\nbut not c."),
        ("“One” means a\nUnit or\n10 of them. It is small.\nPay it.",
         "“One” means a\nUnit or\n10 of them. It is small."),
        ("“One” means a unit, a\nset. It is small.\n“Two” means a pair.",
         "“One” means a unit, a\nset. It is small."),
        ("“One” means any\nof:\n- a\n- b.\nPay it.", "“One” means any\nof:\n- a\n- b."),
        ("“One” means a unit\n\nPay it.", "“One” means a unit"),
        ("“One” means a unit\n\\Table Start\nItem\tFee", "“One” means a unit"),
        ("“One” means a unit\n\\start_table\\\nItem\tFee", "“One” means a unit"),
        ("“One” means:\na unit; or\na pair;\nPay it.", "“One” means:\na unit; or\na pair;"),
    ],
)  # fmt: skip
def test_a_definition_is_whole_with_its_list_its_cell_and_its_lines(text: str, whole: str) -> None:
    assert definitions_in(passage(text))[0].text == whole


def used(text: str, *definitions: str) -> list[str]:
    known = by_key(
        one
        for number, text_ in enumerate(definitions)
        for one in definitions_in(passage(text_, f"d{number}"))
    )
    return [one.term for one in terms_used(passage(text), known)]


CLIENT, MONEY = "Client means a person.", "Client Money means money."


def test_the_longest_term_is_meant() -> None:
    assert used("Hold Client Money for a Client.", CLIENT, MONEY) == ["Client Money", "Client"]


def test_a_term_is_found_in_the_plural_and_once() -> None:
    assert used("Clients tell other Clients.", CLIENT) == ["Client"]


def test_a_capital_term_is_not_found_in_ordinary_words() -> None:
    assert used("The client must hold money.", CLIENT) == []


def test_a_term_defined_without_capitals_is_found_with_and_without_them() -> None:
    definition = "‘own funds’ means capital."
    assert used("Own funds are own funds.", definition) == ["own funds"]


@pytest.mark.parametrize("gap", ["\u00a0", "  ", "\n"])
def test_the_words_of_a_term_may_have_any_white_space_between_them(gap: str) -> None:
    assert used(f"Hold Client{gap}Money.", CLIENT, MONEY) == ["Client Money"]


@pytest.mark.parametrize("gap", ["\t", "\n\n"])
def test_a_term_does_not_reach_over_cells_and_paragraphs(gap: str) -> None:
    assert used(f"Tell the Client{gap}Money is due.", CLIENT, MONEY) == ["Client"]


def test_a_term_does_not_reach_over_punctuation() -> None:
    assert used("Tell the Client. Money is due.", MONEY) == []


def test_a_passage_does_not_use_what_it_defines() -> None:
    one = passage(MONEY)
    assert terms_used(one, by_key(definitions_in(one))) == ()


def test_the_first_definition_of_a_term_counts() -> None:
    known = by_key([*definitions_in(passage(CLIENT, "a")), *definitions_in(passage(CLIENT, "b"))])
    assert [one.passage.id for one in known.values()] == ["a"]
