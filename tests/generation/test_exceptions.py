"""Sentences that belong to the one before them: exceptions, and what speaks of `such` things."""

from __future__ import annotations

from pathlib import Path

import pytest
from hits import make_hits

import indexer
import search
from generation import IndexLibrary, answer
from generation.extract.complete import siblings_named
from generation.statements.passages import statements_of

NOTIFY = "A firm must notify the Authority of a breach within 1 Business Day."


@pytest.mark.parametrize(
    "exception",
    [
        "However, no notification is needed where the breach is cured on the same day.",
        "But a firm in liquidation is exempt.",
        "Exceptions: breaches below EUR 500; breaches by courts.",
        "This does not apply to public bodies.",
        "This rule shall not apply to a branch.",
        "Rule 4 is without prejudice to that duty.",
        "Such notice must be in writing.",
        "In such cases, the firm must also inform its clients.",
        "For a branch, it is 2 Business Days.",
        "A firm must not do so by telephone.",
    ],
)
def test_what_changes_a_sentence_is_quoted_with_it(exception: str) -> None:
    text = f"{NOTIFY} {exception}"
    (whole,) = statements_of(text)
    assert whole.text == text
    quoted = answer("When must a breach be notified to the Authority?", make_hits(text)).text
    assert f"“{text}” [1]" in quoted.replace("**", "")


def test_an_exception_on_its_own_line_belongs_to_the_list_before_it() -> None:
    text = (
        "A bank must not:\n(a)\tpay a dividend;\n(b)\tpay a bonus; or\n(c)\tbuy back shares.\n"
        "Paragraph (b) does not apply to a bonus that was awarded before."
    )
    (whole,) = statements_of(text)
    assert [piece.role for piece in whole.pieces] == ["lead", "item", "item", "item", "tail"]
    quoted = answer("What must a bank not do?", make_hits(text)).text
    assert "(c) buy back shares.\nParagraph (b) does not apply" in quoted


def test_what_must_not_be_done_so_is_quoted_with_what_may_be_done() -> None:
    text = (
        "A firm may simplify its checks of:\n(a)\ta bank; or\n(b)\ta court.\n"
        "A firm must not do so if it suspects a crime."
    )
    quoted = answer("What must a firm do when it suspects a crime?", make_hits(text)).text
    assert f"“{' '.join(text.split())}” [1]" in quoted


def test_an_exception_with_a_list_of_its_own_introduces_it() -> None:
    text = f"{NOTIFY}\nHowever, this does not apply to:\n(a)\tcourts; and\n(b)\tbranches."
    (whole,) = statements_of(text)
    assert [(piece.role, piece.parent) for piece in whole.pieces] == [
        ("lead", None), ("tail", None), ("item", 1), ("item", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other", ["A branch must notify too.", "That is so in all cases.", "The notice must be signed."]
)
def test_other_sentences_stand_by_themselves(other: str) -> None:
    assert len(statements_of(f"{NOTIFY} {other}")) == 2


def test_what_a_clause_does_not_announce_is_parted_from_it() -> None:
    text = "The following acts are prohibited:\nThis rule does not apply to the central bank."
    lead, exception = statements_of(text)
    assert lead.text.endswith("prohibited:")
    assert exception.text.startswith("This rule")
    quoted = answer("Which acts are prohibited?", make_hits(text)).text
    assert "prohibited: […]" in quoted
    assert "prohibited: This rule" not in quoted


def test_a_sentence_behind_a_list_stands_on_a_line_of_its_own() -> None:
    text = (
        "A fine must take into account:\n(a)\tthe gravity;\n(b)\tthe length; and\n(c)\tthe gain.\n"
        "A fine must be paid within 30 days."
    )
    quoted = answer(
        "What must a fine take into account, and when must it be paid?", make_hits(text)
    )
    assert "(c) the gain.\nA fine must be paid" in quoted.text


@pytest.mark.parametrize(
    ("second", "apart"),
    [
        ("Dies betrifft Teil 1.", True),
        ("Dies gilt auch für Zweigstellen.", False),
        ("Diese Frist beginnt mit der Kenntnis.", False),
    ],
)
def test_a_german_sentence_leans_back_as_an_english_one_does(second: str, apart: bool) -> None:
    first = (
        "Der Verantwortliche hat die Aufsichtsbehörde unverzüglich zu benachrichtigen, wenn eine "
        "Verletzung des Schutzes personenbezogener Daten bekannt wird."
    )
    assert len(statements_of(f"{first} {second}")) == 1 + apart


@pytest.mark.parametrize(
    ("ban", "exception"),
    [
        ("Das Gerät darf niemandem übergeben werden.", "Dies gilt nicht im Notfall."),
        ("Das Gerät darf niemandem übergeben werden.", "Satz 1 gilt nicht für die Werkstatt."),
        ("Das Gerät darf niemandem übergeben werden.", "Ausgenommen sind Notfälle."),
        ("Les appels privés sont interdits.", "Toutefois, un appel urgent est admis."),
        ("Les appels privés sont interdits.", "Cette interdiction ne vaut pas en voyage."),
        ("Les appels privés sont interdits.", "Par dérogation au premier alinéa, il est admis."),
    ],
)
def test_a_german_or_french_exception_is_quoted_with_its_ban(ban: str, exception: str) -> None:
    (whole,) = statements_of(f"{ban} {exception}")
    assert whole.text == f"{ban} {exception}"
    (numbered,) = statements_of(f"(1) {ban}\n(2) {exception}")
    assert numbered.text == f"(1) {ban} (2) {exception}"


@pytest.mark.parametrize(
    "other", ["Die Stelle gilt als Behörde.", "Par dérogation à l'article 5, il est admis."]
)
def test_german_and_french_sentences_of_their_own_are_apart(other: str) -> None:
    assert len(statements_of(f"Les appels privés sont interdits. {other}")) == 2


@pytest.mark.parametrize(
    ("exception", "excepted"),
    [
        ("2.3 Toutefois, un appel urgent est admis.", ["2.2"]),
        ("2.3 Par dérogation au paragraphe 2.1, un appel est admis.", ["2.1"]),
        ("2.3 Un appel urgent est admis.", []),
    ],
)
def test_what_an_exception_in_a_passage_of_its_own_excepts_from_is_fetched(
    exception: str, excepted: list[str], tmp_path: Path
) -> None:
    text = f"2.1 Chacun dispose de 2 Go.\n2.2 Les appels privés sont interdits.\n{exception}\n"
    (tmp_path / "charte.txt").write_text(text, encoding="utf-8")
    indexer.ingest(tmp_path / "charte.txt", str(tmp_path / "index"))
    with search.open(str(tmp_path / "index")) as index:
        *_, last = index.passages()
        fetched = siblings_named([(last, last.text)], IndexLibrary(index))
    assert [one.passage_id.rstrip(".") for one in fetched] == excepted
