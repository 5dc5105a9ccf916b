"""Where a sentence of legal prose ends."""

from __future__ import annotations

import pytest

from generation.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A Person must pay. The Regulator may waive it.", 2),
        ("Records, e.g. Accounts and ledgers, must be kept.", 1),
        ("See para. 5 and Art. 92 of the CRR, No. 575/2013.", 1),
        ("3.5.8. An Authorised Person must disclose it.", 1),
        ("Die Statistik ist bis zum 1. März jeden Jahres zu senden. Sie ist kurz.", 2),
        ("Nach Art. 5 Abs. 2 ist die Meldung zu senden. Vgl. Anlage 3.", 2),
        ("Im 2. Halbjahr prüft er nach § 5. Der Bericht folgt.", 2),
        ("It must comply with Rule 3.5.8. An Authorised Person may not wait.", 2),
        ("It must comply with Rules 3.5.8 and 3.5.9.(b) of COBS.", 1),
        ("Mr. J. Smith must sign. He may not delegate.", 2),
        ("Shares of Alpha Ltd. The Regulator may object.", 2),
        ("It ends with the U.A.E. License held by it.", 1),
        ("Exchange of the U.A.E. Dirham on behalf of a Client.", 1),
        ("It must pay tax in the U.S. The Regulator may ask for proof.", 2),
        ("A Fund (an “Exempt Fund.”) Another Fund may not.", 2),
        ("Call the Service Desk (ext. 4711, see below) at once. It must answer.", 2),
        ("Call the desk (tel. 555, ext. [12], see (b)) at once. It must answer.", 2),
        ("(a) Firms pay. (B) Banks (of any kind) pay. They do.", 3),
        ("It keeps records [for six years. Then it may not]. It must tell.", 2),
        ("It keeps records (for six years. Then it may stop. It must tell.", 3),
        ("(1) A Person must pay. (2) The Regulator may waive it.", 2),
        ("Is it so? It is so! The end.", 3),
        ("", 0),
    ],
)
def test_stops_of_abbreviations_and_numbers_end_nothing(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count


def test_sentences_joined_are_the_text() -> None:
    text = "One must. Two may, i.e. shall. (3) Three is 4.5. Five."
    assert " ".join(split_sentences(text)) == text
