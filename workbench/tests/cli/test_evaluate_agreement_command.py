"""`rirag evaluate agreement`: forms of files, intervals, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run
from sample import write_lines

WIDE = "item,question_id,ann,ben\n" + "".join(
    f"i{n},q{n // 2},{n % 4 + 1},{(n + (n % 5 == 0)) % 4 + 1}\n" for n in range(40)
)


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    file = tmp_path / "ratings.csv"
    file.write_text(WIDE, encoding="utf-8")
    return file


def test_every_coefficient_has_an_interval_drawn_by_question(rirag: Run, wide: Path) -> None:
    found = rirag("evaluate", "agreement", wide, "--json").json
    assert (found["raters"], found["items"], found["questions"]) == (["ann", "ben"], 40, 20)
    for figure in found["agreement"].values():
        assert figure["low"] <= figure["value"] <= figure["high"]
    assert sum(found["prevalence"].values()) == pytest.approx(1)
    assert "Gwet's AC1" in rirag("evaluate", "agreement", wide).out


def test_one_file_a_rater_and_long_form_give_the_same(
    rirag: Run, wide: Path, tmp_path: Path
) -> None:
    rows = [line.split(",") for line in WIDE.splitlines()[1:]]
    for place, rater in enumerate(("ann", "ben"), 2):
        write_lines(
            tmp_path / f"{rater}.jsonl",
            *({"item": r[0], "question_id": r[1], "rating": int(r[place])} for r in rows),
        )
    long = write_lines(
        tmp_path / "long.jsonl",
        *(
            {"item": r[0], "question_id": r[1], "rater": name, "rating": int(r[place])}
            for r in rows
            for place, name in enumerate(("ann", "ben"), 2)
        ),
    )
    apart = tmp_path / "ann.jsonl", tmp_path / "ben.jsonl"
    found = [rirag("evaluate", "agreement", *files, "--json").json
             for files in ((wide,), apart, (long,))]  # fmt: skip
    assert [list(one.pop("made_with")["files"]) for one in found][1] == ["ann.jsonl", "ben.jsonl"]
    assert found[0] == found[1] == found[2]


def test_two_files_of_one_name_are_both_in_the_record(rirag: Run, tmp_path: Path) -> None:
    files = []
    for rater, shift in (("ann", 0), ("ben", 1)):
        (tmp_path / rater).mkdir()
        rows = ({"item": str(n), "rating": (n + shift * (n % 3)) % 4} for n in range(12))
        files.append(write_lines(tmp_path / rater / "ratings.jsonl", *rows))
    made = rirag("evaluate", "agreement", *files, "--json").json["made_with"]
    assert list(made["files"]) == [str(file) for file in files]
    assert made["seed"] is not None


def test_a_judge_is_a_rater_beside_people(rirag: Run, tmp_path: Path) -> None:
    grades = {f"q{n}": {"correct": 1 + n % 4, "complete": 4, "reason": "So."} for n in range(8)}
    judge = tmp_path / "judge.json"
    judge.write_text(json.dumps({"model": "m", "per_question": grades}, indent=1))
    people = write_lines(
        tmp_path / "ann.jsonl",
        *({"question_id": key, "correct": one["correct"]} for key, one in grades.items()),
    )
    both = ("evaluate", "agreement", people, judge)
    found = rirag(*both, "--column", "correct", "--json").json
    assert (found["raters"], found["items"]) == (["ann", "judge"], 8)
    assert found["agreement"]["Cohen's κ"]["value"] == 1
    assert "name one of correct, question_id with --column" in rirag(*both).refused(2)


def test_intervals_are_wider_where_items_of_a_question_go_together(
    rirag: Run, tmp_path: Path
) -> None:
    def width(clusters: int) -> float:
        file = tmp_path / f"{clusters}.csv"
        rows = [f"i{n},q{n % clusters},1,{1 if n % clusters % 3 else 2}\n" for n in range(60)]
        rows += [f"j{n},q{n % clusters},2,2\n" for n in range(60)]
        file.write_text("item,question_id,a,b\n" + "".join(rows), encoding="utf-8")
        figure = rirag("evaluate", "agreement", file, "--json").json["agreement"]
        return figure["percent agreement"]["high"] - figure["percent agreement"]["low"]

    assert width(6) > 1.5 * width(60)


def test_ratings_that_are_all_alike_are_said_to_have_no_kappa(rirag: Run, tmp_path: Path) -> None:
    file = tmp_path / "alike.csv"
    file.write_text("item,a,b\n1,yes,yes\n2,yes,yes\n", encoding="utf-8")
    shown = rirag("evaluate", "agreement", file)
    assert shown.code == 0
    assert "Cohen's κ - - - not defined: all ratings are yes" in " ".join(shown.out.split())
    file.write_text("item,a,b\n1,1,1\n2,1,2\n3,1,3\n", encoding="utf-8")
    shown = " ".join(rirag("evaluate", "agreement", file).out.split())
    assert "Kendall's τ-b - - - not defined: the ratings" in shown


def test_words_among_numbers_are_refused_with_the_place_of_both(rirag: Run, tmp_path: Path) -> None:
    ann = write_lines(tmp_path / "ann.jsonl", *({"id": n, "rating": n} for n in (1, 2)))
    ben = write_lines(tmp_path / "ben.jsonl", {"id": 1, "rating": 3}, {"id": 2, "rating": "good"})
    refused = rirag("evaluate", "agreement", ann, ben).refused(2)
    assert f"{ben}:2" in refused
    assert f"{ann}:1" in refused


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("item,a\n1,2\n", "one rater"),
        ("item,a,b\n1,2,inf\n2,3,4\n", "not a rating"),
        ("item,rater,rating\n1,ann,2\n2,ann,3\n", "one rater"),
        ("item,a,b\n", "no ratings"),
        ("item,a,b\n1,2,\n2,3,\n", "has no ratings"),
        ("item,a,b\n1,2,yes\n2,3,no\n", "one scale"),
        ("item,a,b\n1,2,\n2,,3\n", "two raters"),
        ("item,a,b\n1,2,3\n1,2,3\n", "twice"),
        ("a,b\n1,2\n", "no name"),
        ("item,a,b\n1,2\n", "columns"),
    ],
    ids=[
        "one rater",
        "infinite",
        "one rater in rows",
        "only a head",
        "nothing",
        "mixed scales",
        "no shared item",
        "twice",
        "unnamed",
        "ragged",
    ],
)
def test_ratings_that_cannot_be_compared_are_refused(
    rirag: Run, tmp_path: Path, text: str, fault: str
) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text, encoding="utf-8")
    assert fault in rirag("evaluate", "agreement", file).refused(2)


def test_ratings_of_very_different_sizes_have_a_note(rirag: Run, tmp_path: Path) -> None:
    files = [
        write_lines(
            tmp_path / f"{rater}.jsonl", *({"item": str(n), "rating": rate(n)} for n in range(6))
        )
        for rater, rate in (("ann", lambda n: 2 + n % 2), ("ben", lambda n: 30 + 10 * n))
    ]
    found = rirag("evaluate", "agreement", *files, "--json").json
    assert len(found["notes"]) == 1
    assert "ann is 3, that of ben 80" in found["notes"][0]
    assert f"note: {found['notes'][0]}" in rirag("evaluate", "agreement", *files).out


@pytest.mark.parametrize("largest", [0, 1, 4])
def test_raters_of_one_scale_have_no_note(rirag: Run, tmp_path: Path, largest: int) -> None:
    rows = ({"item": str(n), "ann": n % 5, "ben": n % (largest + 1)} for n in range(10))
    file = write_lines(tmp_path / "r.jsonl", *rows)
    assert rirag("evaluate", "agreement", file, "--json").json["notes"] == []


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_files_of_spreadsheet_programs_and_gaps_of_programs_are_read(
    rirag: Run, wide: Path, tmp_path: Path, delimiter: str
) -> None:
    file, gaps = tmp_path / "saved.csv", tmp_path / "gaps.csv"
    file.write_text(WIDE.replace(",", delimiter), encoding="utf-8")
    gaps.write_text(WIDE + "i90,q90,nan,2\n", encoding="utf-8")
    expected = rirag("evaluate", "agreement", wide, "--json").json["agreement"]
    assert rirag("evaluate", "agreement", file, "--json").json["agreement"] == expected
    assert rirag("evaluate", "agreement", gaps, "--json").json["items"] == 40
