"""Encode text with an ONNX model on the CPU: no torch, no network."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.errors import InputError, MissingDependencyError, ModelError
from search.models.encoders.model_folder import (
    ENCODER_CARD,
    Card,
    EncoderCard,
    ModelFolder,
    read_folder,
)
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.models.tokenizer import Tokenizer, open_tokenizer


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


TOKEN_BUDGET = 1024
"""Padded tokens a batch. Twice as many cost 90 MB more at the peak and are 10 % slower, half as
many are no faster (700 passages on two cores)."""
TOKENIZE_AT_ONCE = 256
"""Texts a call of the tokenizer: its records are some 100 bytes a token, the numbers kept are 4."""
MAX_DEFAULT_THREADS = 4
"""Two threads encode passages 1.7 times as fast as one; a single question gains nothing from the
second, and waking many costs it time."""
MOST_THREADS = 1024
"""More than any machine has cores; some ten thousand never get anything done."""
THREADS_VARIABLE = "RIRAG_ENCODER_THREADS"


class OnnxEncoder:
    """A BERT-like sentence encoder, kept in a folder with its tokenizer and `encoder.json`.

    Threads may share one encoder. A passage's vector does not depend on the passages beside it
    (but for rounding in the last bits of float32).
    """

    def __init__(self, folder: Path, name: str | None = None, threads: int | None = None) -> None:
        """Load the model.

        Args:
            folder: holds `model.onnx`, `tokenizer.json` and `encoder.json`.
            name: the name to go by; the one in `encoder.json` if None.
            threads: CPU threads; `default_threads()` if None.

        Raises:
            ModelError: the folder's files cannot be read, were altered, or are not a model.
        """
        content = read_folder(folder, ENCODER_CARD, EncoderCard)
        self._card = content.card
        self.name = name or content.card.name
        self.dimension = content.card.dimension
        self.revision = content.revision
        self._tokenizer, self._session = open_model(content, f"encoder in {folder}", threads)

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Encode questions; what exceeds the model's length is cut off."""
        return self._encode([self._card.question_prefix + text for text in texts]).vectors

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages, and tell which of them were cut off at the model's length."""
        return self._encode([self._card.passage_prefix + text for text in texts])

    def pieces(self, text: str) -> int:
        """Return into how many pieces the vocabulary cuts a text, at most the model's length."""
        markers, found = self._tokenizer.encode(["", whole(text)])
        return len(found.ids) - len(markers.ids)

    def _encode(self, texts: Sequence[str]) -> EncodedPassages:
        tokens, truncated = self._tokenize(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for batch, states, mask in run_batches(self._session, tokens):
            pooled = states[:, 0] if self._card.pooling == "cls" else _mean(states, mask)
            vectors[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return EncodedPassages(vectors, tuple(truncated))

    def _tokenize(self, texts: Sequence[str]) -> tuple[list[NDArray[np.int32]], list[bool]]:
        tokens: list[NDArray[np.int32]] = []
        truncated: list[bool] = []
        for start in range(0, len(texts), TOKENIZE_AT_ONCE):
            some = [whole(text) for text in texts[start : start + TOKENIZE_AT_ONCE]]
            for encoded in self._tokenizer.encode(some):
                tokens.append(np.array(encoded.ids, dtype=np.int32))
                truncated.append(encoded.truncated)
        return tokens, truncated


def run_batches(
    session: Any,
    tokens: Sequence[Sequence[int] | NDArray[np.int32]],
    segments: Sequence[Sequence[int]] = (),
) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int64]]]:
    """Yield the places of each batch of texts, the model's first output, and the mask of tokens.

    Args:
        session: of the model.
        tokens: ids of each text.
        segments: of the tokens of each text; empty: all are 0.
    """
    wanted = [one.name for one in session.get_inputs()]
    for batch in batches_by_length([len(ids) for ids in tokens], TOKEN_BUDGET):
        given = np.zeros((3, len(batch), len(tokens[batch[0]])), dtype=np.int64)
        for row, place in enumerate(batch):
            ids = tokens[place]
            given[0, row, : len(ids)] = ids
            given[1, row, : len(ids)] = 1
            given[2, row, : len(ids)] = segments[place] if segments else 0
        known = dict(zip(("input_ids", "attention_mask", "token_type_ids"), given, strict=True))
        yield batch, session.run(None, {name: known[name] for name in wanted})[0], given[1]


def whole(text: str) -> str:
    """Return a text without lone surrogates, as a terminal or a JSON escape can bring in.

    They are not text, and tokenizers refuse them.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def default_threads() -> int:
    """Return how many threads an encoder uses unless told otherwise.

    The environment variable RIRAG_ENCODER_THREADS decides; without it, the cores this process may
    use, at most `MAX_DEFAULT_THREADS`.

    Raises:
        InputError: the variable is not a whole number from 1 to `MOST_THREADS`.
    """
    wanted = os.environ.get(THREADS_VARIABLE)
    if wanted:
        if not wanted.isdecimal() or not 1 <= int(wanted) <= MOST_THREADS:
            raise InputError(
                f"{THREADS_VARIABLE} must be a whole number from 1 to {MOST_THREADS}, "
                f"not {wanted!r}.",
                code="setting.invalid",
            )
        return int(wanted)
    return min(usable_cores(), MAX_DEFAULT_THREADS)


def usable_cores() -> int:
    """Return how many CPU cores this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def _mean(states: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    weights = mask.astype(np.float32)
    total = np.matmul(weights[:, None, :], states)[:, 0]
    mean: NDArray[np.float32] = total / weights.sum(axis=1, keepdims=True)
    return mean


def open_model(content: ModelFolder[Card], what: str, threads: int | None) -> tuple[Tokenizer, Any]:
    """Return the tokenizer of a model, which cuts at its length and does not pad, and its session.

    Args:
        content: of the model's folder.
        what: how an error calls it.
        threads: CPU threads; `default_threads()` if None.

    Raises:
        InputError: RIRAG_ENCODER_THREADS, which decides where `threads` does not, is not a number.
        MissingDependencyError: the tokenizer needs a library that is not installed.
        ModelError: the files are not a model.
    """
    threads = threads or default_threads()
    try:
        tokenizer = open_tokenizer(content.tokenizer, content.card.max_tokens)
        return tokenizer, open_session(content.model, threads)
    except MissingDependencyError:
        raise
    except Exception as error:  # the two libraries raise classes of their own, and bare ones
        raise ModelError(
            f"The {what} cannot be loaded: {error}", code="model.unloadable"
        ) from error


def open_session(model: bytes | str, threads: int) -> Any:
    """Open an ONNX model, or its file, on the CPU for callers that share the cores with others."""
    # Read when it is imported; else it tells its maker of every session, and writes to the home.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Every batch has another shape: a memory plan kept for each would help none of them.
    options.enable_mem_pattern = False
    # Spinning threads would take the cores from the other callers of a server.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
