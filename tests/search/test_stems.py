"""Texts in languages that have a stemmer: which language, which stems, and what finds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample import write_lines

import indexer
import search
from search.text.analyzer import stems, tokens
from search.text.languages import language
from search.text.word_parts import MARK

LAWS = {
    "de": "Der Arbeitgeber hat dem Arbeitnehmer die Kosten der Reise zu erstatten, wenn sie im "
    "Vertrag nicht anders geregelt sind und er sie nachweist.",
    "es": "El empresario que no pague las cuotas de la seguridad social en los plazos que se "
    "establecen por la ley será sancionado con una multa.",
    "fr": "L'employeur qui rompt le contrat avant son terme doit au salarié une indemnité égale à "
    "celle que la loi prévoit pour les autres.",
    "it": "Il datore di lavoro che non versa i contributi nei termini stabiliti dalla legge è "
    "punito con la sanzione prevista per gli altri.",
    "nl": "De werkgever die de premies niet op tijd betaalt, is een boete verschuldigd die door "
    "de minister wordt vastgesteld en aan hem wordt meegedeeld.",
    "pt": "O empregador que não paga as contribuições nos prazos que a lei estabelece será "
    "punido com uma multa e com os juros da mora.",
    "": "Arbejdsgiveren skal betale bidragene til kassen inden for den frist, som loven sætter, og "
    "kan ellers straffes med bøde af myndigheden.",
}


@pytest.mark.parametrize(("code", "text"), LAWS.items())
def test_the_words_of_grammar_tell_the_language(code: str, text: str) -> None:
    assert language(text) == code


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("de", "Verpflichtungen", "die Verpflichtung"),
        ("es", "obligaciones", "la obligación"),
        ("fr", "L’indemnisation des salariés", "indemniser un salarié"),
        ("fr", "qu'employeurs", "d'employeur"),
        ("it", "dell'obbligazione", "le obbligazioni"),
        ("nl", "verplichtingen", "de verplichting"),
        ("pt", "obrigações", "a obrigação"),
        ("de", "§ 25h, 15 000 Euro", "25h 15000 Euro"),
    ],
)
def test_forms_of_a_word_have_one_stem(code: str, one: str, other: str) -> None:
    assert stems(one, code) == stems(other, code) != []


@pytest.mark.parametrize("code", [code for code in LAWS if code])
def test_stems_are_no_english_terms_and_no_engine_changes_them(code: str) -> None:
    text = f"{LAWS[code]} 12.5 aujourd'hui 条 σ " + "x" * 600
    found = stems(text, code)
    assert tokens(" ".join(found)) == found
    assert all(one.endswith(2 * MARK) for one in found)


def test_documents_carry_their_language_and_are_found_by_its_stems(tmp_path: Path) -> None:
    records = [
        {"ID": f"{code}1", "DocumentID": code or "da", "PassageID": "1", "Passage": text}
        for code, text in LAWS.items()
    ]
    indexer.ingest([write_lines(tmp_path / "source.jsonl", *records)], str(tmp_path / "index"))
    with search.open(str(tmp_path / "index"), reranker=None) as index:
        assert index.pipeline.languages == ("de", "es", "fr", "it", "nl", "pt")
        found = {
            asked: index.search(asked, profile="lexical").hits[0].id
            for asked in ("Reisen erstattet", "indemnisation", "contribuição", "boetes")
        }
        english = index.pipeline.prepare(
            "Who must pay the levy?", index.pipeline.profile("lexical"), None
        )
    assert [*found.values()] == ["de1", "fr1", "pt1", "nl1"]
    assert list(english.request.tokens) == tokens("Who must pay the levy?")
