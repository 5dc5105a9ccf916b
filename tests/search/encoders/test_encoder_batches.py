from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from search.models.encoders.onnx import batches_by_length

LENGTHS = st.lists(st.integers(min_value=1, max_value=600), max_size=80)


@given(LENGTHS)
def test_every_text_is_in_exactly_one_batch(lengths: list[int]) -> None:
    batches = list(batches_by_length(lengths, 1024))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))


@given(LENGTHS)
def test_no_batch_exceeds_the_budget_unless_a_single_text_does(lengths: list[int]) -> None:
    for batch in batches_by_length(lengths, 500):
        padded = len(batch) * max(lengths[index] for index in batch)
        assert padded <= 500 or len(batch) == 1


@given(LENGTHS)
def test_texts_share_a_batch_with_texts_of_similar_length(lengths: list[int]) -> None:
    batches = list(batches_by_length(lengths, 1024))
    for longer, shorter in pairwise(batches):
        assert min(lengths[index] for index in longer) >= max(lengths[index] for index in shorter)


def test_a_batch_is_filled_up_to_the_budget() -> None:
    assert [len(batch) for batch in batches_by_length([10] * 7, 30)] == [3, 3, 1]
