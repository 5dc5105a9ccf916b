"""What is measured of answers, and at which stage an obligation was lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from answer_sample import CLIENT_MONEY, answer, item, passage

from rirag.inputs.questions import GoldReference, Question
from rirag_workbench.evaluation.answers.evaluate import (
    Ground,
    compare,
    compare_by_class,
    evaluate_answers,
)
from rirag_workbench.evaluation.answers.measuring import Measured, measure
from rirag_workbench.evaluation.answers.nuggets import Rarity
from rirag_workbench.evaluation.answers.report import to_json, to_table
from rirag_workbench.evaluation.answers.said import Item, by_words
from search.errors import InputError

MONTHLY = "A Licensed Firm must reconcile client money accounts every calendar month."
STAFF = "A Licensed Firm must keep a record of its staff."
OTHER = "An Insurer must file its accounts within four months."
GOLD = passage("gold", CLIENT_MONEY)


def measured(*items: Item) -> Measured:
    return measure(items, Rarity([GOLD, passage("other", OTHER)]), by_words)


def of_one(one: Item) -> dict[str, float]:
    return {name: values["q"] for name, values in measured(one).values.items()}


def quoting(*quotes: tuple[str, str, str]) -> Item:
    text = "\n\n".join(f"“{quote}” [{number}]" for number, (*_, quote) in enumerate(quotes, 1))
    return item(answer(text, quotes), [GOLD])


def test_a_focused_answer_covers_what_is_vital_and_quotes_nothing_else() -> None:
    found = of_one(quoting(("gold", CLIENT_MONEY, MONTHLY)))
    assert found["vital nuggets"] == 1
    assert found["obligations"] == 0.5
    assert found["words in vital nuggets"] == 1
    assert found["words in relevant passages"] == 1
    assert found["noise"] == 0


def test_words_of_other_obligations_and_other_passages_are_counted() -> None:
    quotes = ("gold", CLIENT_MONEY, f"{MONTHLY} {STAFF}"), ("other", OTHER, OTHER)
    found = of_one(quoting(*quotes))
    vital, staff, other = (len(text.split()) for text in (MONTHLY, STAFF, OTHER))
    whole = vital + staff + other
    assert found["words in vital nuggets"] == pytest.approx(vital / whole)
    assert found["words in relevant passages"] == pytest.approx((vital + staff) / whole)
    assert found["noise"] == 0.5


def test_words_quoted_once_for_two_passages_count_once() -> None:
    text = f"“{MONTHLY}” [1][2]"
    cited = [("gold", CLIENT_MONEY, MONTHLY), ("copy", CLIENT_MONEY, MONTHLY)]
    assert of_one(item(answer(text, cited), [GOLD]))["words in relevant passages"] == 1


def test_words_per_covered_obligation_is_a_ratio_of_totals() -> None:
    found = measured(quoting(("gold", CLIENT_MONEY, MONTHLY)))
    assert found.words_per_obligation == len(MONTHLY.split())
    assert measured(quoting(("other", OTHER, OTHER))).words_per_obligation is None


@pytest.mark.parametrize(
    ("record", "stage"),
    [
        (answer("“x y z w” [1]", [("other", OTHER, OTHER)], found=["other"]), "not found"),
        (answer("“x y z w” [1]", [("other", OTHER, OTHER)], found=["gold"]), "filtered"),
        (
            answer("“x y z w” [1]", [("other", OTHER, OTHER)], kept=["gold"], found=["gold"]),
            "not cited",
        ),
        (
            answer(
                f"“{STAFF}” [1]", [("gold", CLIENT_MONEY, STAFF)], kept=["gold"], found=["gold"]
            ),
            "not shown",
        ),
        (answer("Nothing answers this.", refuses=True, found=["gold"]), "refused"),
        (answer("Nothing answers this.", refuses=True, found=["other"]), "not found"),
        (answer("“x y z w” [1]", [("other", OTHER, OTHER)]), "not known"),
    ],
)
def test_a_missed_vital_obligation_is_blamed_on_the_stage_that_lost_it(record, stage) -> None:
    found = measured(item(record, [GOLD])).blame_vital
    assert found is not None
    assert {name: count for name, count in found.items() if count} == {stage: 1}


def test_refusals_are_right_where_nothing_is_relevant() -> None:
    refusal = answer("Nothing answers this.", refuses=True)
    claim = answer(f"“{MONTHLY}” [1]", [("gold", CLIENT_MONEY, MONTHLY)])
    found = measured(item(refusal, []), item(refusal, [GOLD]), item(claim, [])).refusals
    assert (found.right, found.wrong, found.missed, found.unknown) == (1, 1, 1, 0)


def test_a_refused_question_counts_as_covering_nothing() -> None:
    found = of_one(item(answer("Nothing answers this.", refuses=True), [GOLD]))
    assert found["vital nuggets"] == 0
    assert "noise" not in found


def test_an_empty_answer_is_a_refusal() -> None:
    assert measured(item(answer("  "), [GOLD])).refusals.wrong == 1


def test_a_statement_without_citation_has_no_recall_and_is_noise() -> None:
    found = of_one(item(answer("A Licensed Firm must keep records of it."), [GOLD]))
    assert found["citation recall"] == 0
    assert found["noise"] == 1
    assert "citation precision" not in found


def test_a_citation_of_no_passage_supports_nothing() -> None:
    cited = [("gold", CLIENT_MONEY, "")]
    found = of_one(item(answer(f"“{MONTHLY}” [1][7]", cited), [GOLD]))
    assert found["citation recall"] == 0


def test_a_citation_that_adds_nothing_lowers_precision() -> None:
    cited = [("gold", CLIENT_MONEY, MONTHLY), ("other", OTHER, "")]
    text = "A Licensed Firm must reconcile client money accounts every calendar month [1][2]."

    def supports(said, spoken, numbers) -> bool:
        return 1 in numbers

    found = measure([item(answer(text, cited), [GOLD])], None, supports)
    assert found.mean("citation recall") == 1
    assert found.mean("citation precision") == 0.5


def test_both_citations_are_needed_where_neither_supports_alone() -> None:
    cited = [("gold", CLIENT_MONEY, ""), ("other", OTHER, "")]
    text = "A Licensed Firm must reconcile accounts and an Insurer must file them [1][2]."
    found = measure(
        [item(answer(text, cited), [GOLD])], None, lambda said, spoken, numbers: len(numbers) == 2
    )
    assert found.mean("citation precision") == 1


def test_longer_words_and_sentences_need_more_years_of_school() -> None:
    easy = of_one(item(answer("The cat sat. It ate."), [GOLD]))["reading grade"]
    hard = of_one(item(answer(CLIENT_MONEY), [GOLD]))["reading grade"]
    assert easy < 2 < 5 < hard


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        (
            "A firm must:\n(a) keep its records for six years;\n(b) show them on request; and\n"
            "(c) tell the Regulator of any loss.",
            7.2322,
        ),
        ("Rule 3.5.8 applies. It doesn't apply to the firm's own money.", 5.8636),
    ],
)
def test_reading_grades_are_those_of_textstat(text: str, grade: float) -> None:
    # Computed with textstat 0.7.13, with an empty dictionary of pronunciation.
    assert of_one(item(answer(text), [GOLD]))["reading grade"] == pytest.approx(grade, abs=1e-4)


def test_two_files_are_compared_over_the_questions_of_both() -> None:
    good, bad = (
        measured(quoting(("gold", CLIENT_MONEY, MONTHLY))),
        measured(quoting(("other", OTHER, OTHER))),
    )
    row = next(one for one in compare(good, bad) if one.measure == "vital nuggets")
    assert (row.value, row.other, row.better, row.worse) == (1, 0, 1, 0)
    with pytest.raises(InputError):
        compare(good, Measured(0, {}, good.refusals))


def test_questions_with_one_and_with_several_relevant_passages_are_compared_apart() -> None:
    good, bad = (
        measured(quoting(("gold", CLIENT_MONEY, MONTHLY))),
        measured(quoting(("other", OTHER, OTHER))),
    )
    assert list(compare_by_class(good, bad)) == ["one passage"]
    several = measured(item(answer(f"“{OTHER}” [1]"), [GOLD, passage("other", OTHER)]))
    assert several.classes == {"q": "several passages"}
    table = to_table(good, compare(good, bad), compare_by_class(good, bad))
    assert "questions with one passage" in table


def test_the_report_has_each_measure_and_each_stage() -> None:
    found = measured(quoting(("other", OTHER, OTHER)))
    form = to_json(found, per_question=True)
    assert form["measures"]["vital nuggets"] == {"mean": 0, "answers": 1}
    assert form["per_question"]["q"]["nuggets"][0]["coverage"] == "not"
    table = to_table(found)
    assert "vital nuggets" in table
    assert "obligations not covered, by stage" in table


def test_answers_of_other_tools_are_known_by_the_texts_of_their_passages(tmp_path: Path) -> None:
    """A file may have question IDs, texts and answers only, as RePASs reads it."""
    file = tmp_path / "other.json"
    record = {"QuestionID": "q", "RetrievedPassages": [OTHER, f" {CLIENT_MONEY}\n"],
              "Answer": f"{MONTHLY[:-1]} [2]."}  # fmt: skip
    file.write_text(json.dumps([record]), encoding="utf-8")
    asked = "How often must client money accounts be reconciled?"
    question = Question("q", asked, (GoldReference("gold"),))
    ground = Ground((question,), (GOLD, passage("other", OTHER)), file)
    found = evaluate_answers(file, ground, lambda *_: lambda: None)
    assert found.mean("words in relevant passages") == 1
    assert (found.nuggets, found.vital, found.mean("noise")) == (2, 1, 0)


def test_citations_of_passages_that_are_gone_are_told(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    record = {"QuestionID": "q", "RetrievedPassages": ["No rule says this now."],
              "Answer": "It is so [1]."}  # fmt: skip
    file.write_text(json.dumps([record]), encoding="utf-8")
    ground = Ground((Question("q", "Is it so?", (GoldReference("gold"),)),), (GOLD,), file)
    found = evaluate_answers(file, ground, lambda *_: lambda: None)
    assert found.lost_citations == to_json(found)["citations_not_in_index"] == 1
    assert "1 cited passages are not in the index" in to_table(found)
