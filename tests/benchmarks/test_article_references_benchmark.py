"""Labels of articles that Q&As name, held against what the parser reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.article_references import (
    HALVES,
    LABELS,
    Difference,
    Labelled,
    compare,
    figures,
    read_labels,
)
from rirag_workbench.evaluation.articles import ArticleQuestion
from search.articles.features import AskedQuestion
from search.errors import InputError

CRR = "575/2013"


def labelled(*named: tuple[str, str]) -> Labelled:
    return Labelled("1", "report", len(named), Counter(named))


def asked(text: str) -> dict[str, ArticleQuestion]:
    return {"1": ArticleQuestion("1", AskedQuestion(text), ())}


def test_article_of_the_wrong_act_is_one_too_much_and_one_missed() -> None:
    label = labelled((CRR, "92"), ("2013/36", "93"))
    differences, agreed = compare([label], asked("Articles 92 and 93 CRR"), Path("qa"))
    assert agreed == 1
    assert differences == [
        Difference("1", CRR, "93", "found", 1),
        Difference("1", "2013/36", "93", "label", 1),
    ]
    value = {one.name: one.value for one in figures([label], differences, agreed)}
    assert (value["precision"], value["recall"], value["articles in them"]) == (50, 50, 2)


def test_each_time_an_article_is_named_counts() -> None:
    differences, agreed = compare(
        [labelled((CRR, "92"), (CRR, "92"))], asked("Article 92 CRR."), Path("qa")
    )
    assert (agreed, [one.times for one in differences]) == (1, [1])


def test_labelled_question_that_is_missing_is_refused() -> None:
    with pytest.raises(InputError, match=r"has no Q&A 1; give the training Q&As"):
        compare([labelled()], {}, Path("qa"))


def test_labels_have_two_halves_and_three_hundred_references() -> None:
    labels = read_labels(LABELS)
    counts = {half: sum(one.references for one in labels if one.part == half) for half in HALVES}
    assert counts == {"develop": 324, "report": 149}
    assert len({one.qa_id for one in labels}) == len(labels)
