"""Rerank with a language model: `query-likelihood:MODEL_OR_FOLDER`.

A passage scores by how likely the model would ask the question after reading it (Ponte and Croft
1998; Sachan et al. 2022, "Improving Passage Retrieval with Zero-Shot Question Generation").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.errors import MissingDependencyError
from search.messages.refusals import unloadable_model
from search.models.encoders.torch_models import hide_weight_loading_bar
from search.models.rerankers.packed_questions import TOKENS_AT_ONCE, Packed, in_batches, likelihoods

PREFIX = "query-likelihood"
LIBRARY = "sentence-transformers"
"""The extra that brings transformers and torch along."""
PASSAGE_TOKENS = 256
QUESTION_TOKENS = 128
BEFORE_PASSAGE = "Passage:\n"
BEFORE_QUESTION = "\n\nQuestion answered by this passage:"
QUESTIONS_AT_ONCE = 8
"""Behind a passage that is read once."""
PASSAGES_AT_ONCE = {"cpu": 5, "cuda": 32}
"""On a CPU, passages of like length a few at a time are fastest: less of a batch is padding."""


class QueryLikelihoodReranker:
    """A causal language model; scores are mean log-probabilities of the question's tokens."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: transformers or torch is not installed.
            ModelError: the model cannot be loaded.
        """
        self.name = f"{PREFIX}:{model}"
        if find_spec("sentence_transformers") is None:
            raise MissingDependencyError(f"The reranker {self.name}", LIBRARY)
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        hide_weight_loading_bar()
        try:
            tokenizer = AutoTokenizer.from_pretrained(model)
            loaded = AutoModelForCausalLM.from_pretrained(model, dtype=torch.bfloat16)
        except Exception as error:  # transformers raises whatever its many loaders raise
            raise unloadable_model("reranker", self.name, error) from error
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = loaded.to(device).eval()
        self._reading = Reading(tokenizer)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one mean log-probability a passage (0 at most), shape (passages,).

        A passage is cut at `PASSAGE_TOKENS`, the question at `QUESTION_TOKENS`.
        """
        return question_likelihoods(self._model, self._reading, question, passages)

    def score_pairs(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
        """Score pairs of question and passage; a passage is read once for some of its questions.

        It takes less than half the time of `score`, and the numbers differ by what rounding does.

        Yields:
            Places of some of the pairs, and their scores; all pairs in the end, in any order.
        """
        asked = [self._reading.question(question) for question, _ in pairs]
        silent = [place for place, tokens in enumerate(asked) if not tokens]
        if silent:
            yield silent, np.zeros(len(silent), np.float32)
        groups = list(_behind_one_passage(pairs, asked))
        packs = [
            Packed.of(self._reading.passage(pairs[places[0]][1]), [asked[one] for one in places])
            for places in groups
        ]
        most = TOKENS_AT_ONCE.get(self._model.device.type, TOKENS_AT_ONCE["cuda"])
        for batch in in_batches(packs, most):
            scores = likelihoods(self._model, [packs[place] for place in batch])
            for place, one in zip(batch, scores, strict=True):
                yield groups[place], one


def _behind_one_passage(
    pairs: Sequence[tuple[str, str]], asked: Sequence[Sequence[int]]
) -> Iterator[list[int]]:
    """Yield places of pairs of the same passage, some at a time, but for those that ask nothing."""
    by_passage: dict[str, list[int]] = defaultdict(list)
    for place, (_, passage) in enumerate(pairs):
        if asked[place]:
            by_passage[passage].append(place)
    for places in by_passage.values():
        for start in range(0, len(places), QUESTIONS_AT_ONCE):
            yield places[start : start + QUESTIONS_AT_ONCE]


class Reading:
    """What a language model reads: a passage, and the question after it."""

    def __init__(self, tokenizer: Any, passage_tokens: int = PASSAGE_TOKENS) -> None:
        self._tokenizer = tokenizer
        self._passage_tokens = passage_tokens

    def question(self, text: str) -> list[int]:
        """Return the tokens of a question."""
        return self._tokens(f" {text}")[:QUESTION_TOKENS]

    def passage(self, text: str) -> list[int]:
        """Return the tokens that the question follows."""
        cut = self._tokens(BEFORE_PASSAGE + text)[: self._passage_tokens]
        return cut + self._tokens(BEFORE_QUESTION)

    def _tokens(self, text: str) -> list[int]:
        read = self._tokenizer(text, add_special_tokens=False, verbose=False)
        tokens: list[int] = read["input_ids"]
        return tokens


def question_likelihoods(
    model: Any, reading: Reading, question: str, passages: Sequence[str]
) -> NDArray[np.float32]:
    """Return how likely a language model asks a question after each passage; see `score`."""
    asked = reading.question(question)
    scores = np.zeros(len(passages), dtype=np.float32)
    if not asked:
        return scores
    read = [reading.passage(passage) for passage in passages]
    order = sorted(range(len(read)), key=lambda number: len(read[number]))
    at_once = PASSAGES_AT_ONCE.get(model.device.type, PASSAGES_AT_ONCE["cuda"])
    for start in range(0, len(order), at_once):
        some = order[start : start + at_once]
        scores[some] = _likelihoods(model, [read[number] for number in some], asked)
    return scores


def _likelihoods(model: Any, read: Sequence[Sequence[int]], asked: Sequence[int]) -> Any:
    """Return the mean log-probability of the question after each context, shape (contexts,)."""
    import torch

    width = max(map(len, read)) + len(asked)
    # What is behind a sequence does not change what the model says inside it.
    padded = [[*one, *asked, *[0] * (width - len(one) - len(asked))] for one in read]
    tokens = torch.tensor(padded, device=model.device)
    first = torch.tensor([len(one) - 1 for one in read], device=model.device)
    places = first[:, None] + torch.arange(len(asked), device=model.device)
    with torch.no_grad():
        states = model.base_model(tokens, use_cache=False).last_hidden_state
        before = states[torch.arange(len(read), device=model.device)[:, None], places]
        said = model.get_output_embeddings()(before).float().log_softmax(-1)
    wanted = torch.tensor(asked, device=model.device).expand(len(read), -1)
    return said.gather(-1, wanted[..., None]).mean((1, 2)).cpu().numpy()
