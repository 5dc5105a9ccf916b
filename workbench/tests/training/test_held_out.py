from __future__ import annotations

import json
from pathlib import Path

import pytest

from rirag.inputs.gold import resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.training.data.examples import Dataset, load_dataset
from rirag_workbench.training.data.held_out import HeldOut, is_validation, question_hash
from rirag_workbench.training.data.pair_sources import keyword_pairs
from rirag_workbench.training.data.pairs import PassageTable, write_pairs
from search.errors import InputError
from search.records import Passage

ASKED = "What records must an Authorised Person keep about each complaint, and for how many years?"
HELD_OUT = next(f"q{number}" for number in range(100) if is_validation(f"q{number}"))
TRAINED = [f"q{number}" for number in range(100) if not is_validation(f"q{number}")]
PASSAGES = [
    Passage("p1", "d", "1", "Records of complaints are kept for six years."),
    Passage("p2", "d", "2", "A fund must appoint a custodian."),
    Passage("p3", "d", "3", "A  fund must appoint a custodian. "),
]


def load(path: Path, *auxiliary: Path, before: frozenset[str] = frozenset()) -> Dataset:
    table, resolve = PassageTable(PASSAGES), resolver(PASSAGES)
    return load_dataset([path], auxiliary, path, table, resolve, before)


def question_file(path: Path, **questions: tuple[str, str]) -> Path:
    lines = [
        json.dumps({"question_id": question_id, "question": text, "relevant": [passage]})
        for question_id, (text, passage) in questions.items()
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ASKED, "words"),
        (ASKED.upper().replace("?", " ?!"), "words"),
        (ASKED.replace("each complaint", "every complaint"), None),
        (ASKED.replace("What records", "Which records"), None),
        (ASKED.replace("years", "year"), "words"),
        ("What must a fund appoint?", None),
    ],
    ids=["equal", "spelling", "two words", "one of ten", "inflection", "another"],
)
def test_a_validation_question_is_known_by_its_words(text: str, reason: str | None) -> None:
    guard = HeldOut([("v1", ASKED)])
    assert guard.reason("t1", text) == reason


@pytest.mark.parametrize(
    "text",
    [ASKED.replace("records", "rec\u00adords").replace("Person", "Per\u200bson"),
     ASKED.replace("Authorised Person", "Ａｕｔｈｏｒｉｓｅｄ Ｐｅｒｓｏｎ").replace(" ", "\u00a0"),
     ASKED.replace("many", "ma\u2060ny").replace("complaint", "comp\ufefflaint"),
     ASKED.replace("records", "rec\u034fords").replace("years", "ye\u3164ars\ufe0f"),
     ASKED.replace("keep", "_keep_").replace(", and", ",and").replace("complaint,", "complaint:"),
     ASKED.replace(", ", ".").replace("each complaint", "each:complaint").replace(" ", "_", 2)],
    ids=["soft hyphen", "full width", "word joiner", "ignorable", "underlined", "joined"],
)  # fmt: skip
def test_a_validation_question_is_known_however_its_characters_are_written(text: str) -> None:
    assert HeldOut([("v1", ASKED)]).reason("t1", text) == "words"


def test_a_validation_question_of_stop_words_is_known_by_them() -> None:
    guard = HeldOut([("v1", "Is it for this, or for that?")])
    assert guard.reason("t1", "is it for this or  for that") == "words"
    assert guard.reason("t1", "Is it for that, or for this?") is None


def test_a_validation_question_is_known_by_its_id() -> None:
    assert HeldOut([("v1", ASKED)]).reason("v1", "what must a fund appoint?") == "id"


def test_a_long_question_with_one_word_exchanged_is_nearly_equal() -> None:
    words = [f"term{number}" for number in range(40)]
    guard = HeldOut([("v1", " ".join(words))])
    assert guard.reason("", " ".join(["other", *words[1:]])) == "words"
    assert guard.reason("", " ".join(["other"] * 5 + words[5:])) is None


def test_planted_validation_questions_reach_neither_training_nor_auxiliary(tmp_path: Path) -> None:
    """By their own line, under another ID in another file, and as a pair of the auxiliary file."""
    files = [
        question_file(
            tmp_path / "dev.jsonl",
            **{HELD_OUT: (ASKED, "p1"), TRAINED[0]: ("What must a fund appoint?", "p2")},
        ),
        question_file(tmp_path / "planted.jsonl", **{TRAINED[1]: (f"{ASKED} ", "p1")}),
    ]
    auxiliary = tmp_path / "aux.jsonl"
    auxiliary.write_text(
        json.dumps({"question": ASKED.lower(), "positives": ["p1"]}) + "\n"
        + json.dumps({"question": "complaint", "positives": ["p1"], "question_id": HELD_OUT}) + "\n"
        + json.dumps({"question": "custodian of a fund", "positives": ["p2"]}) + "\n"
    )  # fmt: skip
    data = load_dataset(files, [auxiliary], files[0], PassageTable(PASSAGES), resolver(PASSAGES))
    assert [one.question for one in data.examples] == ["What must a fund appoint?"]
    assert [one.question for one in data.auxiliary[0]] == ["custodian of a fund"]
    assert data.dropped == {"id": 2, "words": 2}
    assert [one.question_id for one in data.validation] == [HELD_OUT]


def test_keywords_of_a_validation_question_reach_no_training_under_whatever_id(
    tmp_path: Path,
) -> None:
    dev = question_file(
        tmp_path / "dev.jsonl",
        **{HELD_OUT: (ASKED, "p1"), TRAINED[0]: ("What must a fund appoint?", "p2")},
    )
    other = question_file(
        tmp_path / "other.jsonl",
        **{TRAINED[1]: (ASKED.upper(), "p1"), TRAINED[2]: ("Who must appoint a custodian?", "p2")},
    )
    resolve = resolver(PASSAGES)
    pairs = list(keyword_pairs(read_questions(other), resolve))
    write_pairs(pairs, tmp_path / "keywords.jsonl")
    guard = HeldOut([(HELD_OUT, ASKED)])
    known = [guard.reason(pair.question_id, pair.question, pair.made_from) for pair in pairs]
    made = [pair.question_id for pair in pairs]
    assert known == ["words" if one == TRAINED[1] else None for one in made]
    assert {TRAINED[1], TRAINED[2]} == set(made)
    data = load(dev, tmp_path / "keywords.jsonl")
    assert len(data.auxiliary[0]) == made.count(TRAINED[2])
    assert data.dropped == {"id": 1, "words": made.count(TRAINED[1])}


def test_validation_questions_that_the_base_was_trained_on_judge_nothing(tmp_path: Path) -> None:
    """Whatever their ID; where none is left, training is refused."""
    held_out = [f"v{number}" for number in range(200) if is_validation(f"v{number}")][:3]
    asked = {TRAINED[0]: ("What must a fund appoint?", "p2"), held_out[0]: (ASKED, "p1")}
    path = question_file(tmp_path / "dev.jsonl", **asked)
    before = frozenset({question_hash(f" {ASKED.upper()}")})
    with pytest.raises(InputError, match=r"dev\.jsonl: the base was trained on all questions of t"):
        load(path, before=before)
    more = {held_out[1]: ("How long are records kept?", "p1"), held_out[2]: ("Who?", "gone")}
    question_file(path, **asked, **more)
    data = load(path, before=before)
    assert {one.question_id: one.seen for one in data.validation} == {held_out[1]: True}
    assert data.not_judged == {"trained-on": 1, "no-passage": 1}


def test_passages_seen_in_training_are_told_apart(tmp_path: Path) -> None:
    held_out = [f"v{number}" for number in range(200) if is_validation(f"v{number}")][:2]
    path = question_file(
        tmp_path / "dev.jsonl",
        **{
            TRAINED[0]: ("What must a fund appoint?", "p2"),
            held_out[0]: ("Who keeps the assets of a fund?", "p3"),
            held_out[1]: ("How long are records kept?", "p1"),
        },
    )
    data = load(path)
    assert {one.question_id: one.seen for one in data.validation} == {
        held_out[0]: True,  # the same words as p2
        held_out[1]: False,
    }


def test_passages_of_auxiliary_pairs_are_seen_in_training_too(tmp_path: Path) -> None:
    path = question_file(
        tmp_path / "dev.jsonl", **{TRAINED[0]: ("Who appoints?", "p2"), HELD_OUT: ("How?", "p1")}
    )
    auxiliary = tmp_path / "headings.jsonl"
    auxiliary.write_text('{"question": "complaints", "positives": ["p1"]}\n')
    assert load(path).validation[0].seen is False
    assert load(path, auxiliary).validation[0].seen is True


def test_a_validation_file_without_a_validation_question_is_refused(tmp_path: Path) -> None:
    path = question_file(tmp_path / "dev.jsonl", **{TRAINED[0]: ("What?", "p1")})
    with pytest.raises(InputError, match="none of the questions is in the validation fifth"):
        load(path)


def test_validation_questions_about_another_index_are_refused_or_left_out(tmp_path: Path) -> None:
    held_out = [f"v{number}" for number in range(200) if is_validation(f"v{number}")][:2]
    asked = {TRAINED[0]: ("What?", "p1"), held_out[0]: ("Who?", "gone")}
    path = question_file(tmp_path / "dev.jsonl", **asked)
    with pytest.raises(InputError, match=r"dev\.jsonl: the index has none of the relevant"):
        load(path)
    question_file(path, **asked, **{held_out[1]: ("When are records kept?", "p1")})
    data = load(path)
    assert [one.question_id for one in data.validation] == [held_out[1]]
    assert data.not_judged == {"no-passage": 1}


def test_training_on_validation_alone_is_refused(tmp_path: Path) -> None:
    path = question_file(tmp_path / "dev.jsonl", **{HELD_OUT: ("What?", "p1")})
    with pytest.raises(InputError, match="no question is left for training"):
        load(path)


def test_questions_about_unknown_passages_are_counted(tmp_path: Path) -> None:
    path = question_file(
        tmp_path / "dev.jsonl",
        **{HELD_OUT: ("How?", "p1"), TRAINED[0]: ("What?", "p1"), TRAINED[1]: ("Who?", "gone")},
    )
    assert load(path).dropped["no-passage"] == 1


def test_questions_in_the_form_of_obliqa_name_passages_by_document_and_number(
    tmp_path: Path,
) -> None:
    path = tmp_path / "dev.json"
    asked = {HELD_OUT: "1", TRAINED[0]: "2"}
    path.write_text(
        json.dumps([
            {"QuestionID": name, "Question": f"What does {number} say?",
             "Passages": [{"DocumentID": "d", "PassageID": number}]}
            for name, number in asked.items()
        ])
    )  # fmt: skip
    table = PassageTable(PASSAGES)
    data = load_dataset([path], [], path, table, resolver(PASSAGES))
    assert [table.texts[one.positives[0]] for one in data.examples] == [PASSAGES[1].text]
    assert [one.relevant for one in data.validation] == [{"p1"}]
