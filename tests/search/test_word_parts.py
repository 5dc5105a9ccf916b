"""Parts of words, which BM25 searches in languages other than English."""

from __future__ import annotations

import pytest

from search.text.analyzer import tokens
from search.text.languages import english
from search.text.word_parts import MARK, word_parts

TEXTS = (
    "Überliegezeit, Straße: die Vorstandsmitglieder (Satzung) § 5 Abs. 2",
    "l’entreprise d'investissement; déclaration actions rules",
    "Ερμηνεία του κανονισμού",
    "Закона о рынке ценных бумаг",
    "قانون الشركات التجارية",
    "İstanbul'da şirketler",
    "カタカナカタカナ 法律第一条 ประมวลกฎหมายแพ่ง 자본시장법률 ຮັກສາ រក្សា သိမ်း",
)


def test_compounds_share_the_parts_of_their_words() -> None:
    shared = {*word_parts("Tochterfirma")} & {*word_parts("die Tochterunternehmen")}
    assert {part.strip(MARK) for part in shared} == {"toch", "tocht", "ochte", "chter"}


def test_a_word_that_begins_so_is_nearer_than_one_that_has_it_inside() -> None:
    asked = {*word_parts("Recht")}
    assert len(asked & {*word_parts("Rechtsgeschäft")}) > len(asked & {*word_parts("Stimmrecht")})


@pytest.mark.parametrize("text", TEXTS)
def test_no_engine_changes_a_part(text: str) -> None:
    parts = word_parts(text)
    assert tokens(" ".join(parts)) == parts


def test_accents_make_no_difference_and_short_words_have_no_parts() -> None:
    assert (
        word_parts("Rückstellung") == word_parts("RUCKSTELLUNG") == word_parts("Ru\u0308ckstellung")
    )
    assert word_parts("der Rat 12345 a1b2c3") == []


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("A firm must keep its records for six years after the relationship ends.", True),
        ("Wer haftet, wenn das in der Satzung so war und der Rat es im Protokoll vermerkt?", False),
        (
            "De bank is in de eerste plaats verantwoordelijk voor het melden van de transactie.",
            False,
        ),
        ("Stimmverbot Vorstand", None),
        ("outsourcing register", None),
        ("1.2 (a) 15,000", None),
        ("", None),
    ],
)
def test_only_a_text_of_some_length_is_known_not_to_be_english(
    text: str, known: bool | None
) -> None:
    assert english(text) is known
