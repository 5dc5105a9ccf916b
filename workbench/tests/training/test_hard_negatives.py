from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rirag_workbench.training.data.examples import Dataset, Example
from rirag_workbench.training.data.negatives import (
    TAUGHT,
    Places,
    dense_ranking,
    draw,
    hard_negatives,
    hybrid_ranking,
    known_positives,
    lexical_rankings,
    mine,
)
from rirag_workbench.training.runs.rows import (
    examples_of_run,
    load_rows,
    make_rows,
    rows_of_run,
    save_rows,
)
from rirag_workbench.training.runs.settings import TrainingSettings

EVERY = Places(math.inf)
"""Nothing is taken for an answer."""


def test_both_retrievers_decide_the_ranking_that_is_mined() -> None:
    lexical = ((1, 9.0), (2, 5.0), (3, 1.0))
    dense = ((3, 0.9), (2, 0.8), (4, 0.1))
    # 2 has .5·.5 + .5·.875 and comes before 1 and 3, which one retriever each puts first.
    assert hybrid_ranking(lexical, dense) == [2, 1, 3, 4]
    assert hybrid_ranking(lexical, (), alpha=1.0) == [1, 2, 3]


def test_the_dense_retriever_is_ordered_by_cosine() -> None:
    scores = np.array([0.1, 0.9, 0.5], dtype=np.float32)
    assert [key for key, _ in dense_ranking(scores, [7, 8, 9])] == [8, 9, 7]


def test_negatives_come_from_the_mined_places_and_positives_never() -> None:
    ranking = list(range(40))
    found = hard_negatives(ranking, {0, 5, 30}, EVERY)
    rest = [key for key in ranking if key not in {0, 5, 30}]
    assert found == tuple(rest[EVERY.first - 1 : EVERY.last])
    assert len(found) == EVERY.last - EVERY.first + 1


def test_positives_of_the_same_question_elsewhere_are_no_negatives() -> None:
    """Two files may ask the same question and name different passages."""
    examples = [Example("Who reports?", (0,)), Example("who reports?", (9,))]
    passages = np.ones((30, 1), dtype=np.float32)
    passages[:, 0] -= np.arange(30, dtype=np.float32) / 100
    questions = np.ones((2, 1), dtype=np.float32)
    mined = mine(
        examples, [(), ()], questions, passages, range(30), known_positives(examples), EVERY
    )
    assert mined[0] == mined[1]
    assert not {0, 9} & set(mined[0])
    assert mined[0][0] == 4  # ranks 1, 2, 3 are passages 1, 2, 3


def test_what_is_as_near_as_an_answer_is_taken_for_one() -> None:
    """The answers' cosines are .9 and .8: what is above .95 · .8 is no negative."""
    examples = [Example("Who reports?", (1, 2))]
    scores = np.linspace(1, 0, 41, dtype=np.float32)
    scores[[1, 2]] = (0.9, 0.8)
    mined = mine(
        examples,
        [()],
        np.ones((1, 1), np.float32),
        scores[:, None],
        range(41),
        {},
        Places(0.95),
    )
    assert all(scores[key] <= 0.76 for key in mined[0])
    assert max(scores[key] for key in mined[0]) == pytest.approx(0.75)


def test_where_all_seem_to_be_answers_the_last_places_are_mined() -> None:
    found = hard_negatives(range(40), set(), EVERY, too_close=lambda key: key < 37)
    assert found == tuple(range(40))[-(EVERY.last - EVERY.first + 1) :]


def test_with_a_teacher_the_first_candidates_are_mined_too() -> None:
    assert hard_negatives(range(40), {0}, TAUGHT)[:3] == (1, 2, 3)


def test_the_pair_files_own_negatives_come_first() -> None:
    examples = [Example("Who reports?", (0,), (25,))]
    scores = np.linspace(1, 0, 30, dtype=np.float32)[:, None]
    mined = mine(examples, [()], np.ones((1, 1), np.float32), scores, range(30), {}, EVERY)
    assert mined[0][0] == 25


def test_a_draw_has_different_negatives_while_there_are_enough() -> None:
    generator = random.Random(1)
    assert sorted(draw([1, 2, 3], 3, generator)) == [1, 2, 3]
    assert draw([4], 2, generator) == [4, 4]
    assert draw([], 2, generator) == []


def test_bm25_is_that_of_search() -> None:
    texts = ["a fund must appoint a custodian", "records are kept", "the custodian keeps records"]
    (retriever,) = lexical_rankings(texts, ["What must the custodians keep?"])
    assert [row for row, _ in retriever] == [2, 0]
    assert retriever[0][1] > retriever[1][1] > 0


def test_rows_hold_every_positive_once_with_all_that_is_known() -> None:
    examples = [Example("a?", (1, 2)), Example("b?", (3,)), Example("nothing mined?", (4,))]
    rows = make_rows(examples, [(7, 8), (9,), ()], known_positives(examples), 1, seed=3)
    assert [(row.question, row.positive) for row in rows] == [("a?", 1), ("a?", 2), ("b?", 3)]
    assert rows[0].known == (1, 2)
    assert set(rows[0].negatives) <= {7, 8}
    assert rows[2].negatives == (9,)


def test_a_list_for_a_teacher_has_other_answers_and_the_first_candidates() -> None:
    examples = [Example("a?", (1,)), Example("b?", (2, 3, 4, 5, 6)), Example("too few?", (7,))]
    mined = [(20, 21, 22, 23, 24), (30, 31, 32, 33, 34), (40,)]
    single, several = make_rows(examples, mined, known_positives(examples), 4, 3, lists=True)
    assert single.passages == (1, 20, 21, 22, 23)
    assert len(set(several.passages[:3]) & {2, 3, 4, 5, 6}) == 3
    assert several.passages[3:] == (30, 31)
    assert several.known == (2, 3, 4, 5, 6)


def test_the_positive_of_a_list_is_drawn_by_the_seed() -> None:
    examples = [Example("b?", tuple(range(9)))]
    lists = [make_rows(examples, [(30, 31)], {}, 2, seed, lists=True) for seed in range(20)]
    drawn = {one[0].positive for one in lists}
    assert len(drawn) > 3


def test_each_question_is_one_row_of_lists() -> None:
    examples = (Example("a?", (1, 2, 3)), Example("b?", (4,)))
    data = Dataset(examples, (tuple(Example(f"more {n}", (9,)) for n in range(8)),), ())
    settings = TrainingSettings(auxiliary_share=0.5)
    assert rows_of_run(data, settings) == 4 + 4
    assert rows_of_run(data, replace(settings, teacher="a")) == 2 + 2
    assert len(examples_of_run(data, 0.5, seed=1, lists=True)) == 4


@pytest.mark.parametrize(
    ("share", "groups", "drawn"), [(0.2, 1, 20), (0.2, 4, 20), (0.0, 1, 0), (0.2, 0, 0)]
)
def test_equal_seeds_draw_equal_rounds_in_which_groups_share_the_auxiliary_rows(
    share: float, groups: int, drawn: int
) -> None:
    examples = tuple(Example(f"q{number}?", (number,)) for number in range(80))
    group = tuple(Example(f"a{number}", (number, number + 1)) for number in range(50))
    data = Dataset(examples, (group,) * groups, ())
    first, same, other = (examples_of_run(data, share, seed) for seed in (1, 1, 2))
    assert first == same
    assert (first != other) == bool(drawn)
    assert len(first) == 80 + drawn
    assert all(len(example.positives) == 1 for example in first[80:])


def test_rows_survive_the_disk(tmp_path: Path) -> None:
    rows = make_rows([Example("„a“?", (1, 2))], [(7, 8)], {}, 2, seed=3)
    rows[0] = replace(rows[0], shares=(0.5, 0.25, 0.25))
    save_rows(rows, tmp_path / "rows.jsonl")
    assert load_rows(tmp_path / "rows.jsonl") == rows
