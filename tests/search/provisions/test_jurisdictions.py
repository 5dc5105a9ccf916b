"""States are recognised by their names, people, authorities and laws; currencies are none."""

from __future__ import annotations

import pytest

from search.provisions.jurisdictions import shares_of_states, states_in, without_state


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("When must a German employer report?", ["germany"]),
        ("Der Deutsche Bundestag hat beschlossen.", []),
        ("Die deutschen Unternehmen melden dies.", ["germany"]),
        ("How do Brazil's rules define a broker?", ["brazil"]),
        ("What does the SEC ask of a Swiss bank?", ["usa", "switzerland"]),
        ("Pay 100 Swiss francs or US dollars; it tells us who pays.", []),
        ("Polish the turkey in jersey.", ["poland"]),
    ],
)
def test_states_are_recognised_by_their_names(text: str, states: list[str]) -> None:
    assert list(states_in(text)) == states


def test_messages_name_a_state_as_a_sentence_does() -> None:
    assert states_in("Must an Irish firm tell the FCA?") == {"ireland": "Ireland", "uk": "the UK"}


def test_acts_of_the_union_are_about_it() -> None:
    texts = ["The Union market is open.", "Trade in Italy is free.", "A rule.", "Another rule."]
    assert shares_of_states(texts) == {"eu": 0.25, "italy": 0.25}
    assert shares_of_states([]) == {}


def test_a_law_has_a_name_without_its_state() -> None:
    assert without_state("Irish Companies Act") == "Companies Act"
    assert without_state("Companies Act") == "Companies Act"
