"""Questions and rulebooks that are not English, with an encoder that hardly reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sample import write_lines

import indexer
import search
from search.models.encoders.languages import hardly_reads
from search.models.encoders.onnx import OnnxEncoder
from search.ranking.profile_file import load_profile

GERMAN = (
    "Ein Tochterunternehmen braucht in den Konzernabschluss nicht einbezogen zu werden, wenn es "
    "für die Darstellung der Vermögenslage von untergeordneter Bedeutung ist.",
    "Niemand kann für sich oder für einen anderen das Stimmrecht ausüben, wenn darüber Beschluss "
    "gefasst wird, ob er zu entlasten ist.",
    "Der Vorstand hat den Aufsichtsrat über die beabsichtigte Geschäftspolitik zu unterrichten.",
)
ENGLISH = (
    "The board must report to the supervisory body on the intended business policy at least once "
    "in each year, and a subsidiary must be included in the consolidated accounts.",
    "The register of outsourcing arrangements",
)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[search.Index]:
    """A German and an English document in one index."""
    folder = tmp_path_factory.mktemp("mixed")
    records = [
        {"ID": f"{name}{n}", "DocumentID": name, "PassageID": str(n), "Passage": text}
        for name, passages in (("G", GERMAN), ("E", ENGLISH))
        for n, text in enumerate(passages, start=1)
    ]
    report = indexer.ingest([write_lines(folder / "source.jsonl", *records)], str(folder / "index"))
    assert report.unread == ("G",)
    assert "1 document in a language that the encoder hardly reads (G)" in report.summary()
    with search.open(str(folder / "index"), reranker=None) as index:
        yield index


def lexical(index: search.Index, question: str) -> list[str]:
    found = index.search(question, profile=replace(load_profile("lexical"), document_weight=0.0))
    return [hit.id for hit in found.hits]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("Tochterfirma", "G1"), ("Stimmverbot", "G2"), ("Aufsichtsräte unterrichten", "G3")],
)
def test_a_compound_is_found_by_its_parts(mixed: search.Index, asked: str, answer: str) -> None:
    assert lexical(mixed, asked)[0] == answer


def test_an_english_question_is_searched_by_its_words_alone(mixed: search.Index) -> None:
    assert lexical(mixed, "the register of outsourcing") == ["E2"]
    assert lexical(mixed, "registration") == []


@pytest.mark.parametrize(
    "asked", ["Stimmverbot des Vorstands", "Wer darf denn abstimmen, wenn es um ihn geht?"]
)
def test_words_count_more_where_the_encoder_hardly_reads_the_question(
    mixed: search.Index, asked: str
) -> None:
    assert mixed.search(asked).plan.alpha == 0.85
    assert any("hardly reads" in note for note in mixed.search(asked).trace.stood_aside)


@pytest.mark.parametrize(
    "asked",
    [
        "Hvor lenge skal opplysninger om kunder lagres for revisjon?",
        "Per quanto tempo vanno conservati i registri dei clienti?",
        "Jak dlouho a kdo to musí uchovávat?",
        "Hur länge ska uppgifter sparas under avtalet?",
    ],
)
def test_a_word_that_english_shares_does_not_make_a_question_english(
    mixed: search.Index, asked: str
) -> None:
    assert mixed.search(asked).plan.alpha == 0.85


@pytest.mark.parametrize(
    "asked", ["Cât timp păstrează operatorul evidențele?", "păstrarea evidențelor"]
)
def test_letters_that_english_lacks_tell_another_language(mixed: search.Index, asked: str) -> None:
    prepared = mixed.pipeline.prepare(asked, load_profile("default"), None)
    assert prepared.unread  # although its words are cut into pieces of 3.3 letters and more
    assert len(prepared.request.tokens) > len(prepared.question.tokens)


@pytest.mark.parametrize("asked", ["naïve investor protection duty", "Société Générale ESMA fine"])
def test_a_name_with_an_accent_makes_no_question_foreign(mixed: search.Index, asked: str) -> None:
    assert not mixed.pipeline.prepare(asked, load_profile("default"), None).unread


def test_profiles_that_compare_keep_their_weight(mixed: search.Index) -> None:
    assert mixed.search("Stimmverbot des Vorstands", profile="even").plan.alpha == 0.5


def test_the_weight_of_english_questions_stays(mixed: search.Index) -> None:
    for asked in (
        "the register of outsourcing",
        "outsourcing",
        "CCP ESMA",
        "business policy report",
    ):
        assert mixed.search(asked).plan.alpha < 0.85, asked


UNPARTED = {
    "ko": (
        "개인정보처리자는 처리방침을 수립한다.",
        "이 법을 위반한 자는 과태료에 처한다.",
        "과태료",
    ),
    "th": ("สำนักงานอาจเรียกให้ส่งข้อมูลเพิ่มเติม", "ผู้รับใบอนุญาตต้องเก็บรักษาเอกสารไว้ห้าปี", "เก็บรักษาเอกสาร ห้าปี"),
    "lo": ("ບໍລິສັດຕ້ອງລາຍງານ", "ທະນາຄານຕ້ອງຮັກສາເອກະສານ", "ຮັກສາເອກະສານ"),
    "km": ("ក្រុមហ៊ុនត្រូវរាយការណ៍", "ធនាគារត្រូវរក្សាទុកឯកសារ", "រក្សាទុកឯកសារ"),
    "my": ("ကုမ္ပဏီသည် အစီရင်ခံရမည်", "ဘဏ်သည်စာရွက်စာတမ်းများသိမ်းဆည်းရမည်", "စာတမ်းများ"),
}
"""Two passages of a language, and a question that the second one has the words of."""


def test_words_that_no_blank_parts_are_found_by_pairs_of_characters(tmp_path: Path) -> None:
    records = [
        {"ID": f"{name}{n}", "DocumentID": name, "PassageID": str(n), "Passage": text}
        for name, passages in UNPARTED.items()
        for n, text in enumerate(passages[:2], start=1)
    ]
    written = write_lines(tmp_path / "source.jsonl", *records)
    report = indexer.ingest([written], str(tmp_path / "index"))
    assert set(report.unread) == set(UNPARTED)
    with search.open(str(tmp_path / "index"), reranker=None) as index:
        found = {name: lexical(index, asked[2])[0] for name, asked in UNPARTED.items()}
    assert found == {name: f"{name}2" for name in UNPARTED}


def test_a_ligature_makes_no_document_foreign(tmp_path: Path) -> None:
    text = "The \ufb01rm must \ufb01le the e\ufb00ective noti\ufb01cation of its o\ufb03ce."
    record = {"ID": "1", "DocumentID": "D", "PassageID": "1", "Passage": text}
    written = write_lines(tmp_path / "source.jsonl", record)
    assert indexer.ingest([written], str(tmp_path / "index")).unread == ()


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Pay GmbH levies.", ()),
        ("Ask Legal.", ()),
        ("Kärntner Behörden prüfen Anträge", ("D",)),
        ("มาตรา 1 ให้ใช้บังคับตั้งแต่วันถัดไป", ("D",)),
    ],
)
def test_a_few_words_that_may_be_english_are_no_unread_document(
    tmp_path: Path, text: str, unread: tuple[str, ...]
) -> None:
    record = {"ID": "1", "DocumentID": "D", "PassageID": "1", "Passage": text}
    written = write_lines(tmp_path / "source.jsonl", record)
    assert indexer.ingest([written], str(tmp_path / "index")).unread == unread


def test_a_thai_law_is_read_by_its_sections(tmp_path: Path) -> None:
    law = tmp_path / "law.txt"
    law.write_text("มาตรา 1 ให้ใช้บังคับตั้งแต่วันถัดไป\nมาตรา 2 ผู้รับใบอนุญาตต้องเก็บเอกสาร\n", encoding="utf-8")
    indexer.ingest(law, str(tmp_path / "index"))
    with search.open(str(tmp_path / "index"), reranker=None) as index:
        assert [one.passage_id for one in index.passages()] == ["มาตรา 1", "มาตรา 2"]


class Silent:
    """An encoder that does not tell how it cuts words."""

    def __init__(self, inner: object) -> None:
        self.name, self.dimension, self.revision = inner.name, inner.dimension, inner.revision  # type: ignore[attr-defined]
        self.encode_questions = inner.encode_questions  # type: ignore[attr-defined]
        self.encode_passages = inner.encode_passages  # type: ignore[attr-defined]


def test_an_encoder_that_does_not_tell_is_trusted(mixed: search.Index) -> None:
    assert isinstance(mixed.pipeline.encoder, OnnxEncoder)
    silent = Silent(mixed.pipeline.encoder)
    assert hardly_reads(silent, GERMAN[0]) is None  # type: ignore[arg-type]
    pipeline = replace(mixed.pipeline, encoder=silent)  # type: ignore[type-var]
    prepared = pipeline.prepare("Stimmverbot", load_profile("even"), None)
    assert not prepared.unread
    assert len(prepared.request.tokens) > len(prepared.question.tokens)
