"""Ask an encoder for vectors, and tell in a sentence where it fails or gives something else.

Whoever opens an index may bring an encoder, and any of them may fail in its own way.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

import numpy as np

from search.errors import ModelError, RiragError
from search.models.encoders.identity import check_vectors, identity_of
from search.models.encoders.protocol import EncodedPassages, Encoder, PartialEncoder, Vectors

MOST_KEPT = 64
"""Questions whose vectors are kept: as many as are answered at a time."""


def encode_questions(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """Return the vectors of questions, shape (texts, dimension), each of length 1.

    Raises:
        ModelError: the encoder failed, or gave something else.
    """
    with _failures_told(encoder, len(texts)):
        vectors = encoder.encode_questions(texts)
    return check_vectors(vectors, len(texts), identity_of(encoder))


def encode_mean(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """Return the direction between the vectors of some texts, shape (dimension,), of length 1.

    Raises:
        ModelError: the encoder failed, or gave something else.
    """
    vectors = encode_questions(encoder, texts)
    mean: Vectors = vectors.mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean if len(texts) == 1 or not length else mean / np.float32(length)


def encode_passages(encoder: Encoder, texts: Sequence[str]) -> EncodedPassages:
    """Return the vectors of passages; whether they fit the index is seen by its load.

    Single texts may fail (`EncodedPassages.failed`) where an encoder says so.

    Raises:
        ModelError: the encoder failed, or gave something else.
    """
    with _failures_told(encoder, len(texts)):
        if isinstance(encoder, PartialEncoder):
            encoded = encoder.encode_what_it_takes(texts)
        else:
            encoded = encoder.encode_passages(texts)
    if not isinstance(encoded, EncodedPassages):
        raise ModelError(
            f"the encoder {encoder.name} gave {type(encoded).__name__} for {len(texts)} passages "
            "instead of EncodedPassages"
        )
    if not isinstance(encoded.truncated, Sequence) or len(encoded.truncated) != len(texts):
        raise ModelError(
            f"the encoder {encoder.name} must report for each of {len(texts)} "
            "passages whether it was truncated, as a tuple in `truncated`, not "
            f"{encoded.truncated!r:.80}"
        )
    return encoded


class AskedVectors:
    """The vectors of the last questions, each taken once; threads may share it."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], Vectors] = OrderedDict()
        self._lock = Lock()

    def keep(self, encoder: Encoder, question: str, vector: Vectors | None) -> None:
        """Keep the vector of a question; None: it has none."""
        if vector is None:
            return
        with self._lock:
            self._known[encoder.revision, question] = vector
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)

    def take(self, encoder: Encoder, question: str) -> Vectors:
        """Return the vector of a question, shape (dimension,): the one kept, or a new one.

        Raises:
            ModelError: the encoder failed, or gave something else.
        """
        with self._lock:
            kept = self._known.pop((encoder.revision, question), None)
        return encode_questions(encoder, [question])[0] if kept is None else kept


@contextmanager
def _failures_told(encoder: Encoder, texts: int) -> Iterator[None]:
    try:
        yield
    except RiragError:
        raise
    except Exception as error:  # any model may fail in its own way
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise ModelError(f"the encoder {encoder.name} failed on {texts} texts ({said})") from error
