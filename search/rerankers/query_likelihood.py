"""Rerank with a language model: `query-likelihood:MODEL_OR_FOLDER`.

A passage scores by how likely the model would ask the question after reading it (Ponte and Croft
1998; Sachan et al. 2022, "Improving Passage Retrieval with Zero-Shot Question Generation").
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.encoders.torch_models import hide_weight_loading_bar
from search.errors import MissingDependencyError, ModelError

PREFIX = "query-likelihood"
LIBRARY = "sentence-transformers"
"""The extra that brings transformers and torch along."""
PASSAGE_TOKENS = 256
QUESTION_TOKENS = 128
BEFORE_PASSAGE = "Passage:\n"
BEFORE_QUESTION = "\n\nQuestion answered by this passage:"
QUESTIONS_AT_ONCE = 16
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
            raise ModelError(f"The reranker {self.name} cannot be loaded: {error}") from error
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = loaded.to(device).eval()
        self._reading = Reading(tokenizer)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one mean log-probability a passage (0 at most), shape (passages,).

        A passage is cut at `PASSAGE_TOKENS`, the question at `QUESTION_TOKENS`.
        """
        return question_likelihoods(self._model, self._reading, question, passages)

    def score_questions(self, passage: str, questions: Sequence[str]) -> NDArray[np.float32]:
        """Return one mean log-probability a question after the same passage, shape (questions,).

        The passage is read once: it takes less time than `score` for as many pairs, and the numbers
        differ by what rounding does.
        """
        return likelihoods_after(self._model, self._reading, passage, questions)


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


def likelihoods_after(
    model: Any, reading: Reading, passage: str, questions: Sequence[str]
) -> NDArray[np.float32]:
    """Return how likely a language model asks each question after one passage."""
    import torch
    from transformers import DynamicCache

    asked = [reading.question(question) for question in questions]
    scores = np.zeros(len(questions), dtype=np.float32)
    some = [number for number, tokens in enumerate(asked) if tokens]
    known = DynamicCache()
    with torch.no_grad():
        read = torch.tensor([reading.passage(passage)], device=model.device)
        states = model.base_model(read, past_key_values=known, use_cache=True).last_hidden_state
    for start in range(0, len(some), QUESTIONS_AT_ONCE):
        part = some[start : start + QUESTIONS_AT_ONCE]
        after = deepcopy(known)  # a model adds to it what it reads
        scores[part] = _likelihoods_after(
            model, states[:, -1:], after, [asked[number] for number in part]
        )
    return scores


def _likelihoods_after(model: Any, last: Any, known: Any, asked: Sequence[Sequence[int]]) -> Any:
    """Return the mean log-probability of each question after a passage, shape (questions,).

    Args:
        model: the language model.
        last: what it made of the last token of the passage, shape (1, 1, dimension).
        known: what it keeps of the passage.
        asked: the tokens of each question, at least one.
    """
    import torch

    lengths = torch.tensor([len(one) for one in asked], device=model.device)
    width = max(map(len, asked))
    tokens = torch.tensor([[*one, *[0] * (width - len(one))] for one in asked], device=model.device)
    states = last.expand(len(asked), -1, -1)
    with torch.no_grad():
        if width > 1:
            known.batch_repeat_interleave(len(asked))
            after = model.base_model(tokens[:, :-1], past_key_values=known, use_cache=True)
            states = torch.cat([states, after.last_hidden_state], dim=1)
        said = model.get_output_embeddings()(states).float().log_softmax(-1)
    each = said.gather(-1, tokens[..., None])[..., 0]
    inside = torch.arange(width, device=model.device) < lengths[:, None]
    return ((each * inside).sum(1) / lengths).cpu().numpy()


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
