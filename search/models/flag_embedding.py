"""BGE encoders and rerankers through FlagEmbedding: `flagembedding:MODEL_OR_FOLDER`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.messages.refusals import no_reranker
from search.models.encoders.onnx import batches_by_length
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.models.encoders.torch_models import (
    MAX_TOKENS,
    TEXTS_AT_ONCE,
    loading,
    max_tokens,
    token_counts,
    unit_length,
    weights_revision,
)

PREFIX = "flagembedding"
QUERY_INSTRUCTIONS = {
    "bge-small-en": "Represent this sentence for searching relevant passages: ",
    "bge-base-en": "Represent this sentence for searching relevant passages: ",
    "bge-large-en": "Represent this sentence for searching relevant passages: ",
}
"""Start of a model's name → what BGE's model cards want in front of a question. Others want none,
or say so in the folder's `config_sentence_transformers.json`."""
M3_FILE = "sparse_linear.pt"
"""Only a BGE-M3 model has it beside its weights."""


class FlagEmbeddingEncoder:
    """The dense vectors of a BGE model: `FlagModel`, or `BGEM3FlagModel` for BGE-M3."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: FlagEmbedding is not installed.
            ModelError: the model cannot be loaded.
        """
        self.name = f"{PREFIX}:{model}"
        instruction, pooling = _query_instruction(model), _pooling(model)
        with loading("encoder", self.name, "FlagEmbedding"):
            self._model = _load(model, instruction, pooling)
            self._limit = max_tokens(self._model.tokenizer)
            self.dimension = self._encode(self._model.encode_queries, ["probe"]).shape[1]
        self.revision = weights_revision(
            self._model.model.state_dict().items(), instruction, pooling, self._limit
        )

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Encode questions with the model's query instruction."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            some = slice(start, start + TEXTS_AT_ONCE)
            vectors[some] = self._encode(self._model.encode_queries, texts[some])
        return vectors

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages, and tell which were cut off."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        counts = token_counts(self._model.tokenizer, texts) if texts else []
        lengths = [min(count, self._limit) for count in counts]
        for batch in batches_by_length(lengths, TEXTS_AT_ONCE * MAX_TOKENS):
            some = [texts[index] for index in batch]
            vectors[batch] = self._encode(self._model.encode_corpus, some)
        return EncodedPassages(vectors, tuple(count > self._limit for count in counts))

    def _encode(self, encode: Callable[..., Any], texts: Sequence[str]) -> Vectors:
        # A batch larger than the texts: the library draws progress bars as soon as one is full.
        found = encode(list(texts), batch_size=len(texts) + 1, max_length=self._limit)
        return unit_length(found["dense_vecs"] if isinstance(found, dict) else found)


class FlagEmbeddingReranker:
    """An encoder-only `FlagReranker`; its scores are raw logits."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: FlagEmbedding is not installed.
            ModelError: the model cannot be loaded, or gives several scores a pair.
        """
        self.name = f"{PREFIX}:{model}"
        with loading("reranker", self.name, "FlagEmbedding"):
            from FlagEmbedding import FlagReranker

            self._model: Any = FlagReranker(model, **_device())
        labels = self._model.model.config.num_labels
        if labels != 1:
            raise no_reranker(self.name, labels)
        self._limit = max_tokens(self._model.tokenizer)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one logit a passage, shape (passages,).

        Question and passage together are cut at 512 tokens, the question at three quarters of it.
        """
        scores = np.zeros(len(passages), dtype=np.float32)
        by_length = sorted(range(len(passages)), key=lambda index: -len(passages[index]))
        for start in range(0, len(passages), TEXTS_AT_ONCE):
            some = by_length[start : start + TEXTS_AT_ONCE]
            # A batch larger than the pairs: the library draws progress bars when one is full.
            found = self._model.compute_score(
                [(question, passages[index]) for index in some],
                batch_size=len(some) + 1,
                max_length=self._limit,
            )
            # One pair may come back as a bare number.
            scores[some] = np.atleast_1d(np.asarray(found, dtype=np.float32))
        return scores


def _load(model: str, instruction: str | None, pooling: str) -> Any:
    from FlagEmbedding import BGEM3FlagModel, FlagModel

    is_m3 = "bge-m3" in Path(model).name.lower() or (Path(model) / M3_FILE).is_file()
    return (BGEM3FlagModel if is_m3 else FlagModel)(
        model,
        query_instruction_for_retrieval=instruction,
        pooling_method=pooling,
        **_device(),
    )


def _device() -> dict[str, Any]:
    """Return where a model runs."""
    import torch

    cuda = torch.cuda.is_available()
    # On a CPU, half precision would only round the weights. One device: with several, the library
    # starts processes that outlive a short command.
    return {"use_fp16": cuda, "devices": ["cuda:0" if cuda else "cpu"]}


def _query_instruction(model: str) -> str | None:
    prompts = _json(Path(model) / "config_sentence_transformers.json").get("prompts") or {}
    if prompts.get("query"):
        return str(prompts["query"])
    name = Path(model).name.lower()
    return next(
        (text for start, text in QUERY_INSTRUCTIONS.items() if name.startswith(start)), None
    )


def _pooling(model: str) -> str:
    """Return `cls`, as all BGE models want, unless the folder says that it pools the mean."""
    config = _json(Path(model) / "1_Pooling" / "config.json")
    wants_mean = config.get("pooling_mode_mean_tokens") or config.get("pooling_mode") == "mean"
    return "mean" if wants_mean else "cls"


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
