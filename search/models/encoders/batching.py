"""Order tokenised texts into batches that waste little padding and little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches_by_length(lengths: Sequence[int], token_budget: int) -> Iterator[list[int]]:
    """Yield batches of indices, longest texts first, that hold at most `token_budget` tokens.

    A batch counts with its padding: its size times its longest text. A text that is longer than
    the budget makes a batch of its own. Longest first, because then the largest allocation is
    made once, at the start, and reused.

    Args:
        lengths: tokens of each text.
        token_budget: padded tokens a batch may hold.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > token_budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
