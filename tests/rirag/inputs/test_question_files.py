"""Question files: both forms are read, and bad ones refused with all their lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rirag.inputs.questions import GoldReference, Question, read_questions
from search.errors import InputError

OBLIQA = [
    {
        "QuestionID": "q1",
        "Question": "Who must report?",
        "Passages": [
            {"DocumentID": 3, "PassageID": "3.5.8.(b)", "Passage": "text"},
            {"DocumentID": 3, "PassageID": "3.5.8.(b)", "Passage": "text again"},
            {"DocumentID": 11, "PassageID": "28)"},
        ],
        "Group": 4,
    },
    {
        "QuestionID": "q2",
        "Question": "When?",
        "Passages": [{"DocumentID": 3, "PassageID": "1."}],
    },
]


def write(folder: Path, text: str, name: str = "questions") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def lines(*records: object) -> str:
    return "\n".join(json.dumps(record) for record in records)


def refusal(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_questions(path)
    return caught.value


@pytest.mark.parametrize("indent", [None, 0, 4])
def test_obliqa_json_is_read_without_repeated_gold(tmp_path: Path, indent: int | None) -> None:
    questions = read_questions(write(tmp_path, json.dumps(OBLIQA, indent=indent)))
    assert questions == (
        Question(
            "q1",
            "Who must report?",
            (
                GoldReference(document_id="3", passage_id="3.5.8.(b)"),
                GoldReference(document_id="11", passage_id="28)"),
            ),
        ),
        Question("q2", "When?", (GoldReference(document_id="3", passage_id="1."),)),
    )


def test_lines_are_read_with_empty_lines_between(tmp_path: Path) -> None:
    one = {"question_id": "q1", "question": "Who?", "relevant": ["b", "a", "b"], "source": "x"}
    two = {"question_id": "q2", "question": "When?", "relevant": ["c"]}
    path = write(tmp_path, lines(one) + "\n\n" + lines(two) + "\n")
    assert read_questions(path) == (
        Question("q1", "Who?", (GoldReference("b"), GoldReference("a"))),
        Question("q2", "When?", (GoldReference("c"),)),
    )


def test_form_of_records_does_not_depend_on_the_container(tmp_path: Path) -> None:
    record = {"question_id": "q", "question": "Who?", "relevant": ["a"]}
    assert read_questions(write(tmp_path, lines(*OBLIQA))) == read_questions(
        write(tmp_path, json.dumps(OBLIQA), "list")
    )
    assert read_questions(write(tmp_path, json.dumps([record])))[0].gold == (GoldReference("a"),)


def test_number_as_question_id_becomes_text(tmp_path: Path) -> None:
    path = write(tmp_path, lines({"question_id": 7, "question": "Who?", "relevant": ["a"]}))
    assert read_questions(path)[0].question_id == "7"


def test_all_bad_records_are_reported_together(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "\n".join(
            [
                lines({"question_id": "q1", "question": "Who?", "relevant": ["a"]}),
                '{"question_id": "q2", ',
                lines({"question_id": "q3", "question": " ", "relevant": ["a"]}),
                lines({"question_id": "q4", "question": "Who?", "relevant": "a"}),
                lines({"question_id": "q5", "question": "Who?", "relevant": [1]}),
                lines({"question_id": "q6", "question": "Who?", "relevant": []}),
                lines({"question": "Who?", "question_id": "a b", "relevant": ["a"]}),
                lines({"question_id": "q1", "question": "Again?", "relevant": ["a"]}),
                lines(["q9"]),
                lines({"QuestionID": "q9", "Question": "?", "Passages": [{"DocumentID": 1}]}),
            ]
        ),
    )
    error = refusal(path)
    assert error.line == 2
    reported = str(error).split("\n")
    assert [line.split(": ")[0] for line in reported] == [f"{path}:{n}" for n in range(2, 11)]
    for line, words in zip(
        reported,
        [
            "not valid JSON",
            "field 'question' is \" \"",
            "'relevant' must be a list",
            "must be the ID of a passage",
            "'q6' names no relevant passage",
            "must not contain white space",
            "'q1' is already used on line 1",
            "must be a JSON object",
            "field 'PassageID' is missing",
        ],
        strict=True,
    ):
        assert words in line


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"question": "\ud800 x"},
            "field 'question' contains half a character (a lone \\ud… escape);",
        ),
        ({"question_id": "a\udc00"}, "field 'question_id' contains half a character"),
        ({"relevant": ["\ud800"]}, "each of 'relevant' contains half a character"),
        ({"background": ["We lend."]}, "field 'background' is [\"We lend.\"]; it must be a"),
        ({"question": "🔥"}, "question 'q2': the question has no words: ask in words"),
        ({"question": "*:*"}, "question 'q2': the question has no words"),
    ],
)
def test_question_that_no_search_takes_is_refused_with_its_line(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    good = {"question_id": "q1", "question": "Who?", "relevant": ["a"]}
    path = write(tmp_path, lines(good, {**good, "question_id": "q2", **change}))
    assert str(refusal(path)).startswith(f"{path}:2: {message}")


def test_half_character_in_a_named_passage_is_refused(tmp_path: Path) -> None:
    passages = [{"DocumentID": 1, "PassageID": "\ud800"}]
    path = write(tmp_path, lines({"QuestionID": "q", "Question": "Who?", "Passages": passages}))
    assert "field 'PassageID' contains half a character" in str(refusal(path))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("[" * 100_000, "it is nested too deep."),
        ("1" * 5000, "a number has too many digits."),
    ],
    ids=["deep", "long number"],
)
@pytest.mark.parametrize("form", ["{}", "[\n{}]"], ids=["lines", "list"])
def test_json_beyond_what_can_be_decoded_is_refused(
    tmp_path: Path, form: str, record: str, reason: str
) -> None:
    reported = str(refusal(write(tmp_path, form.replace("{}", '{"question_id": ' + record + "}"))))
    assert f"this JSON cannot be read: {reason}" in reported


def test_two_questions_with_one_id_are_found_where_the_whole_list_is_one_line(
    tmp_path: Path,
) -> None:
    record = {"question_id": "q", "question": "Who?", "relevant": ["a"]}
    path = write(tmp_path, json.dumps([record, {**record, "question": "When?"}]))
    assert str(refusal(path)) == f"{path}:1: question id 'q' is already used on line 1."


def test_very_many_problems_are_counted_instead_of_listed(tmp_path: Path) -> None:
    record = json.dumps({"question_id": "q", "question": "Who?", "relevant": ["a"]})
    reported = str(refusal(write(tmp_path, "\n".join([record, *["x"] * 50])))).split("\n")
    assert len(reported) == 21
    assert reported[-1] == "and 30 more problems"


def test_a_file_of_another_format_is_one_problem(tmp_path: Path) -> None:
    path = write(tmp_path, "\n".join(["No record."] * 50))
    assert str(refusal(path)) == f"{path}:1: this is not valid JSON: Expecting value."


def test_one_record_over_several_lines_is_read(tmp_path: Path) -> None:
    for text in (
        '{\n  "question_id": "q1",\n  "question": "Who?"\n}',
        '{"question_id": "q1",\n "question": "Who?"}',
    ):
        assert read_questions(write(tmp_path, text), judged=False) == (Question("q1", "Who?"),)


def test_one_record_over_several_lines_is_reported_where_it_breaks(tmp_path: Path) -> None:
    path = write(tmp_path, '\n{\n  "question_id": "q1",\n  "question": \n}')
    assert str(refusal(path)) == f"{path}:5: this is not valid JSON: Expecting value."


def test_bad_record_of_a_list_is_reported_with_its_line(tmp_path: Path) -> None:
    bad = [OBLIQA[0], {"QuestionID": "q9", "Passages": [{"DocumentID": 1, "PassageID": "1"}]}]
    text = json.dumps(bad, indent=1)
    path = write(tmp_path, text)
    line = text[: text.index('"q9"')].count("\n")  # the brace opens on the line before
    assert str(refusal(path)).startswith(f"{path}:{line}: field 'Question' is missing")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[\n{},\n{", 3),
        ('[\n{"a": 1}\n', 2),
        ("[\n{},\n{}\n{}]", 3),
        ("[1,\n2,\n]", 3),
        ("[\n{}]\n{}", 2),
    ],
)
def test_broken_list_is_reported_where_it_breaks(tmp_path: Path, text: str, line: int) -> None:
    path = write(tmp_path, text)
    reported = [entry for entry in str(refusal(path)).split("\n") if "not valid JSON" in entry]
    assert len(reported) == 1
    assert reported[0].startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"[]", "contains no questions"),
        (b'{"question_id": "q"}\n{"question_id": "\xff"}', ":2: this line is not UTF-8"),
    ],
)
def test_unusable_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "questions"
    path.write_bytes(content)
    assert message in str(refusal(path))


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert "cannot be read: no such file" in str(refusal(tmp_path / "nowhere.json"))


def test_questions_without_gold_are_read_when_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps([{"QuestionID": "q1", "Question": "Who?"}]))
    assert read_questions(path, judged=False) == (Question("q1", "Who?"),)
    assert "names no relevant passage" in str(refusal(path))


@pytest.mark.corpus
def test_development_questions_are_read_whole(data_folder: Path) -> None:
    questions = read_questions(data_folder / "obliqa" / "questions.dev.jsonl")
    assert len(questions) == 2788
    assert len({question.question_id for question in questions}) == 2788
    unseen = data_folder / "obliqa" / "unseen_questions.json"
    assert len(read_questions(unseen, judged=False)) == 446
