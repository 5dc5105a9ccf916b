"""Which lines of a text open its units: those whose numbers count on, whatever is beside them."""

from __future__ import annotations

import pytest

from indexer.structuring.units.series import Numbers

TEXT = " The keeper trims the lamp."


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


@pytest.mark.parametrize(
    ("text", "units", "inner"),
    [
        ("Art. 1º A\nArt. 2º B\n§ 1º c\n§ 2º d\nArt. 3º E\n§ 1º f\n§ 2º g\nArt. 10. H\n§ 1º i\n"
         "§ 2º j\nArt. 11. K",
         "Article 1|Article 2|Article 3|Article 10|Article 11", "§ 1|§ 2|§ 1|§ 2|§ 1|§ 2"),
        ("Art. 1 Art. 1\nArt. 2 Art. 2\nArt. 3 Art. 3", "Article 1|Article 2|Article 3", ""),
        ("Article 1 Scope\nArticle 5 applies\nArticle 2 Terms\nArticle 3 Duties",
         "Article 1|Article 2|Article 3", ""),
        ("Art. 54. A\nArt. 54-A. B\nArt. 54-B. C\nArt. 55. D",
         "Article 54|Article 54-A|Article 54-B|Article 55", ""),
        ("§ 9\nStk. 1. A\nStk. 2. B\n§ 10\nStk. 1. C\nStk. 2. D\n§ 11\nStk. 1. E\nStk. 2. F",
         "§ 9|§ 10|§ 11", "Stk. 1|Stk. 2|Stk. 1|Stk. 2|Stk. 1|Stk. 2"),
        ("1. gr. A\n2. gr. B\n3. gr. C\n4. gr. D", "1. gr.|2. gr.|3. gr.|4. gr.", ""),
        ("Regel 1 A\nRegel 2 B\nTafel 1 c\nRegel 3 D\nTafel 2 e\nRegel 4 F",
         "Regel 1|Regel 2|Regel 3|Regel 4", ""),
        ("REGULATION R-1\nREGULATION R-2\nREGULATION R-3",
         "Regulation R-1|Regulation R-2|Regulation R-3", ""),
    ],
)  # fmt: skip
def test_units_are_the_numbers_that_count_on(text: str, units: str, inner: str) -> None:
    lines = [f"{line}{TEXT}" for line in _lines(text)]
    found = Numbers(lines).running()
    assert "|".join(found.units[at].number.rstrip("º") for at in sorted(found.units)) == units
    assert "|".join(found.inner[at].number.rstrip("º") for at in sorted(found.inner)) == inner


def test_numbers_set_apart_are_units_though_their_contents_come_before():
    rows = [f"{n} Duties of keeper {n}" for n in range(1, 9)]
    body = [f"{n} {TEXT * 4}" for n in range(1, 9)]
    found = Numbers([*rows, "", *body], set(range(17))).running()
    assert sorted(found.units) == list(range(9, 17))
    assert found.contents == set(range(8))


def test_two_states_of_one_section_are_both_units():
    lines = [f"§ {n} Duties.{TEXT}" for n in (1, 2, 2, 3)]
    assert sorted(Numbers(lines).units) == [0, 1, 2, 3]


def test_a_reading_is_measured_by_the_words_that_its_numbers_are_for():
    lines = ["A title", "1.1 A lamp burns oil.", "It is lit.", "1.2 It is put out.", "1.3 At dawn."]
    assert Numbers(lines).counted() == {1: 8, 3: 5, 4: 3}
