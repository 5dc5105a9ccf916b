"""Several questions behind one passage in one sequence, so that a language model reads it once.

A token of a question sees the passage and its own question up to itself, and stands at the place
that it would have if no other question were there: the model says what it says of each pair alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TOKENS_AT_ONCE = {"cpu": 1_400, "cuda": 32_000}
"""Of a batch, padding included."""
PADDING = -1
"""Part of what belongs to no text."""


class Packed(NamedTuple):
    """A passage and questions behind it; the lists have one entry a token."""

    tokens: list[int]
    positions: list[int]
    parts: list[int]
    """0: the passage; n: the n-th question."""
    asked: list[int]
    """How many tokens each question has, one at least."""

    @classmethod
    def of(cls, read: Sequence[int], questions: Sequence[Sequence[int]]) -> Packed:
        """Pack the tokens of a passage and of questions."""
        packed = cls([*read], [*range(len(read))], [0] * len(read), [len(one) for one in questions])
        for part, question in enumerate(questions, start=1):
            packed.tokens.extend(question)
            packed.positions.extend(range(len(read), len(read) + len(question)))
            packed.parts.extend(repeat(part, len(question)))
        return packed

    def before(self) -> list[int]:
        """Return, for each token of a question, the place of the token that it follows."""
        end = len(self.tokens) - sum(self.asked)
        starts = np.cumsum([end, *self.asked]).tolist()
        each = (
            (end - 1, *range(start, start + count - 1))
            for start, count in zip(starts, self.asked, strict=False)
        )
        return list(chain.from_iterable(each))


def in_batches(packs: Sequence[Packed], most: int) -> Iterator[list[int]]:
    """Yield the places of sequences of like length, at most so many tokens at once."""
    batch: list[int] = []
    for place in sorted(range(len(packs)), key=lambda place: len(packs[place].tokens)):
        if batch and (len(batch) + 1) * len(packs[place].tokens) > most:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def likelihoods(model: Any, packs: Sequence[Packed]) -> list[NDArray[np.float32]]:
    """Return the mean log-probability of each question of each sequence (0 at most)."""
    import torch

    tokens, positions, parts = (
        _filled([pack[column] for pack in packs], fill, model.device)
        for column, fill in enumerate((0, 0, PADDING))
    )
    rows = [row for row, pack in enumerate(packs) for _ in range(sum(pack.asked))]
    before = [place for pack in packs for place in pack.before()]
    wanted = tokens[parts > 0]
    with torch.no_grad():
        states = model.base_model(
            tokens, attention_mask=_mask(parts, model.dtype), position_ids=positions,
            use_cache=False,
        ).last_hidden_state[rows, before]  # fmt: skip
        said = [
            words.log_softmax(-1).gather(1, next_words[:, None])[:, 0]
            for words, next_words in _words(model, states, wanted)
        ]
    each = torch.cat(said).cpu().numpy()
    counts = [count for pack in packs for count in pack.asked]
    means = np.add.reduceat(each, np.cumsum([0, *counts[:-1]])) / counts
    return np.split(means.astype(np.float32), np.cumsum([len(pack.asked) for pack in packs])[:-1])


def _words(model: Any, states: Any, wanted: Any) -> Iterator[tuple[Any, Any]]:
    """Yield logits of all words and the wanted word, some tokens at once: there are many words."""
    for some, words in zip(states.split(256), wanted.split(256), strict=True):
        yield model.get_output_embeddings()(some).float(), words


def _mask(parts: Any, dtype: Any) -> Any:
    """Return what each token sees, as an addend to attention, shape (rows, 1, tokens, tokens)."""
    import torch

    width = parts.shape[1]
    before = torch.ones(width, width, dtype=torch.bool, device=parts.device).tril()
    same, passage = parts[:, :, None] == parts[:, None, :], parts[:, None, :] == 0
    hidden = ~((same | passage) & before)
    mask = torch.zeros(hidden.shape, dtype=dtype, device=parts.device)
    return mask.masked_fill_(hidden, torch.finfo(dtype).min)[:, None]


def _filled(lists: Sequence[Sequence[int]], fill: int, device: Any) -> Any:
    import torch

    filled = torch.full((len(lists), max(map(len, lists))), fill, device=device)
    for row, values in enumerate(lists):
        filled[row, : len(values)] = torch.tensor(values, device=device)
    return filled
