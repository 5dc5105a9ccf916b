"""`rirag study`: a blinded form, what comes back, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import openpyxl
import pytest
from cli_support import Run
from sample import write_lines

HOSTILE = "<script>alert(1)</script>"


def answers(path: Path, count: int = 12) -> Path:
    records = []
    for n in range(count):
        text = f"A Licensed Firm must keep record {n + 2} for {n + 3} years after the end."
        records.append({
            "QuestionID": f"q{n}", "Question": f"What of record {n}? {HOSTILE}",
            "Answer": f"{text[:-1]} [1].", "RetrievedPassages": [text], "RetrievedIDs": [f"p{n}"],
        })  # fmt: skip
    return write_lines(path, *records)


@pytest.fixture
def form(rirag: Run, tmp_path: Path) -> Path:
    one, other = answers(tmp_path / "one.jsonl"), answers(tmp_path / "other.jsonl")
    made = rirag("study", "make", one, other, "--output", tmp_path / "form", "--questions", 8)
    assert made.code == 0, made.err
    return tmp_path / "form"


def key_of(form: Path) -> dict:
    return json.loads((form / "key.json").read_text(encoding="utf-8"))


def rated(form: Path, path: Path, rater: str, score) -> Path:
    """Write a CSV as the form saves it; `score` gives a key entry's score for each criterion."""
    key = key_of(form)
    with path.open("w", encoding="utf-8", newline="") as file:
        fields = ["study", "rater", "item", "accuracy", "citations", "coherence", "passages",
                  "comment"]  # fmt: skip
        writer = csv.DictWriter(file, fields)
        writer.writeheader()
        for item, entry in key["items"].items():
            value = score(entry)
            writer.writerow({
                "study": key["study"], "rater": rater, "item": item, "accuracy": value,
                "citations": value, "coherence": value, "passages": "1=relevant",
            })  # fmt: skip
    return path


def careful(entry: dict) -> int:
    return 1 if entry["planted"] else 4 if entry["system"] == "one" else 3


def test_a_fifth_of_the_answers_is_made_wrong_and_nothing_shows_which(form: Path) -> None:
    items = key_of(form)["items"]
    planted = [one for one in items.values() if one["planted"]]
    assert (len(items), len(planted)) == (20, 4)
    page = (form / "form.html").read_text(encoding="utf-8")
    for hidden in ("planted", '"system"', "question_id", "one.jsonl"):
        assert hidden not in page.split('id="data">')[1].split("</script>")[0]


def test_the_form_needs_nothing_from_outside_and_shows_hostile_text_as_text(form: Path) -> None:
    page = (form / "form.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert "http://" not in page and "https://" not in page
    assert 'name="viewport"' in page
    assert "default-src 'none'" in page


def test_the_same_seed_makes_the_same_form(rirag: Run, form: Path, tmp_path: Path) -> None:
    files = (tmp_path / "one.jsonl", tmp_path / "other.jsonl")
    for seed, same in ((13, True), (14, False)):
        again = tmp_path / str(seed)
        rirag("study", "make", *files, "--output", again, "--questions", 8, "--seed", seed)
        assert (key_of(again) == key_of(form)) is same


def test_scores_agreement_and_the_rater_who_missed_the_planted_ones(
    rirag: Run, form: Path, tmp_path: Path
) -> None:
    files = (
        rated(form, tmp_path / "ann.csv", "ann", careful),
        rated(form, tmp_path / "ben.csv", "ben", lambda entry: 4),
    )
    found = rirag("study", "score", *files, "--key", form / "key.json", "--json").json
    assert found["systems"]["one"]["score"] == 1
    assert found["systems"]["other"]["score"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["raters"]["ann"] == {
        "rated": 20, "planted": 4, "caught": 4, "missed_them": False,
    }  # fmt: skip
    assert found["raters"]["ben"]["missed_them"]
    assert found["agreement"]["accuracy"]["items"] == 20
    assert found["passages"] == {"relevant": 1}
    assert "missed them" in rirag("study", "score", *files, "--key", form / "key.json").out


def test_weights_say_how_much_each_criterion_counts(rirag: Run, form: Path, tmp_path: Path) -> None:
    file = rated(form, tmp_path / "ann.csv", "ann", careful)
    text = file.read_text(encoding="utf-8").replace(",4,4,4,", ",4,1,1,")
    file.write_text(text, encoding="utf-8")
    key = ("--key", form / "key.json", "--json")
    plain = rirag("study", "score", file, *key).json["systems"]["one"]["score"]
    weighted = rirag("study", "score", file, *key, "--weights", "1,0,0").json
    assert plain == pytest.approx(1 / 3)
    assert weighted["systems"]["one"]["score"] == 1
    rirag("study", "score", file, "--key", form / "key.json", "--weights", "1,x").refused(2)


def test_the_spreadsheet_is_read_back(rirag: Run, form: Path, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(form / "form.xlsx")
    sheet = book["Ratings"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    sheet.cell(2, columns["rater"]).value = "ann"
    key = key_of(form)["items"]
    for row in range(2, sheet.max_row + 1):
        entry = key[sheet.cell(row, columns["item"]).value]
        for name in ("accuracy", "citations", "coherence"):
            sheet.cell(row, columns[name]).value = careful(entry)
    book.save(tmp_path / "ann.xlsx")
    found = rirag("study", "score", tmp_path / "ann.xlsx", "--key", form / "key.json", "--json")
    assert found.json["systems"]["one"]["score"] == 1
    assert found.json["agreement"] == dict.fromkeys(("accuracy", "citations", "coherence"))


def test_no_answer_is_a_formula_in_the_spreadsheet(rirag: Run, tmp_path: Path) -> None:
    record = {"QuestionID": "q", "Question": "=1+1?", "Answer": "=2 must be kept [1].",
              "RetrievedPassages": ["=2 must be kept."]}  # fmt: skip
    made = write_lines(tmp_path / "a.jsonl", record)
    rirag("study", "make", made, "--output", tmp_path / "f", "--planted", 0)
    sheet = openpyxl.load_workbook(tmp_path / "f" / "form.xlsx")["Ratings"]
    assert {cell.data_type for cell in sheet[2] if str(cell.value).startswith("=")} == {"s"}


def test_one_file_sent_by_two_people_counts_once(rirag: Run, form: Path, tmp_path: Path) -> None:
    ann = rated(form, tmp_path / "ann.csv", "ann", careful)
    copy = rated(form, tmp_path / "ben.csv", "ben", careful)
    found = rirag("study", "score", ann, copy, "--key", form / "key.json", "--json").json
    assert list(found["raters"]) == ["ann"]
    assert "count once" in found["notes"][0]


def test_two_people_of_one_name_are_refused(rirag: Run, form: Path, tmp_path: Path) -> None:
    files = (
        rated(form, tmp_path / "a.csv", "ann", careful),
        rated(form, tmp_path / "b.csv", "ann", lambda entry: 2),
    )
    assert "two names" in rirag("study", "score", *files, "--key", form / "key.json").refused(2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (",4,4,4,", ",9,4,4,"),
        (",4,4,4,", ",nan,4,4,"),
        ("1=relevant", "1=nice"),
        ("ann", ""),
        (None, "prose\n"),
    ],
    ids=["scale", "no number", "relevance", "no name", "prose"],
)
def test_what_is_no_rating_is_refused(
    rirag: Run, form: Path, tmp_path: Path, old: str | None, new: str
) -> None:
    file = rated(form, tmp_path / "x.csv", "ann", careful)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(old, new) if old else new, encoding="utf-8")
    rirag("study", "score", file, "--key", form / "key.json").refused(2)


def test_a_form_that_nobody_filled_in_is_refused(rirag: Run, form: Path) -> None:
    refused = rirag("study", "score", form / "form.xlsx", "--key", form / "key.json").refused(2)
    assert "the file has no ratings" in refused


def test_answers_to_different_questions_cannot_be_compared(rirag: Run, tmp_path: Path) -> None:
    one, other = answers(tmp_path / "one.jsonl", 1), tmp_path / "other.jsonl"
    other.write_text(one.read_text(encoding="utf-8").replace("q0", "z0"), encoding="utf-8")
    rirag("study", "make", one, other, "--output", tmp_path / "f").refused(2)


def test_answers_without_the_text_of_their_question_have_no_form(
    rirag: Run, tmp_path: Path
) -> None:
    record = {"QuestionID": "q", "Answer": "A Firm must report [1].",
              "RetrievedPassages": ["A Firm must report."]}  # fmt: skip
    made = write_lines(tmp_path / "a.jsonl", record)
    rirag("study", "make", made, "--output", tmp_path / "f").refused(2)
    assert not (tmp_path / "f").exists()


def test_empty_answers_are_not_scored_and_answers_that_cite_nothing_not_made_wrong(
    rirag: Run, tmp_path: Path
) -> None:
    records = [
        {"QuestionID": f"q{n}", "Question": "What?", "Answer": "A Firm must report." if n else None}
        for n in range(9)
    ]
    made = rirag("study", "make", write_lines(tmp_path / "a.jsonl", *records), "--output",
                 tmp_path / "f")  # fmt: skip
    assert "has 8 answers to score, 0 of them deliberately wrong" in made.out
    assert "note: the other answers cite no words" in made.out


def test_a_file_that_a_spreadsheet_program_saved_with_semicolons_is_read(
    rirag: Run, form: Path, tmp_path: Path
) -> None:
    file = rated(form, tmp_path / "x.csv", "ann", careful)
    scored = ("study", "score", file, "--key", form / "key.json", "--json")
    expected = rirag(*scored).json["systems"]
    file.write_text(file.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")
    assert rirag(*scored).json["systems"] == expected
