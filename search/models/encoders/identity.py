"""By what an index knows the encoder of its vectors again, and what a vector must be.

A cosine is a dot product of unit vectors, so any other vector would be ranked wrongly without a
sign.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from search.errors import ModelError
from search.messages.refusals import another_encoder
from search.records import EncoderIdentity

if TYPE_CHECKING:
    from search.models.encoders.protocol import Encoder

TOLERANCE = 0.02
"""How far a length may be from 1: encoders that compute in int8 or float16 are off by about .01."""


def identity_of(encoder: Encoder) -> EncoderIdentity:
    """Return what an index keeps of its encoder.

    Raises:
        ModelError: `name`, `dimension` or `revision` is missing, or cannot be kept.
    """
    name = _text(encoder, "name", f"the encoder of class {type(encoder).__name__}")
    what = f"the encoder {name}"
    return EncoderIdentity(name, _dimension(encoder, what), _text(encoder, "revision", what))


def check_encoder(url: str, stored: EncoderIdentity, encoder: Encoder) -> None:
    """Refuse an encoder whose vectors cannot be compared with those of the index.

    Raises:
        EncoderMismatchError: the index was made with another one.
        ModelError: it cannot tell what it is.
    """
    asked = identity_of(encoder)
    if asked != stored:
        raise another_encoder(url, stored, asked)


def _text(encoder: Encoder, member: str, what: str) -> str:
    value = getattr(encoder, member, None)
    if not isinstance(value, str):
        raise ModelError(f"{what} must have a `{member}`, a text, not {value!r}")
    return value


def _dimension(encoder: Encoder, what: str) -> int:
    value: Any = getattr(encoder, "dimension", None)
    try:
        dimension = operator.index(value)  # numpy's numbers too
    except TypeError:
        dimension = 0
    if dimension < 1:
        raise ModelError(f"{what} must have a `dimension`, a whole number above 0, not {value!r}")
    return dimension


def check_vectors(vectors: object, texts: int, encoder: EncoderIdentity) -> NDArray[np.float32]:
    """Return what an encoder gave for texts, shape (texts, dimension), in float32.

    Args:
        vectors: what it gave.
        texts: how many it was given, all with something to encode.
        encoder: the one that made, or makes, the vectors of the index.

    Raises:
        ModelError: this is not an array of that shape, or a row is not a vector of length 1.
    """
    who = f"the encoder {encoder.name} gave"
    if not isinstance(vectors, np.ndarray) or vectors.dtype.kind != "f":
        kind = getattr(vectors, "dtype", type(vectors).__name__)
        raise ModelError(f"{who} {kind} for {texts} texts instead of a numpy array of float32")
    if vectors.shape != (texts, encoder.dimension):
        raise ModelError(
            f"{who} vectors of shape {vectors.shape} for {texts} texts, but the index "
            f"has vectors of dimension {encoder.dimension}; use the encoder that made "
            "the index, or ingest into another index"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        single = vectors.astype(np.float32, copy=False)
        lengths = np.linalg.norm(single, axis=1)
        wrong = lengths[~(np.abs(lengths - 1) <= TOLERANCE)]  # so that what is NaN is wrong too
    if len(wrong):
        raise ModelError(
            f"{who} {len(wrong)} of {texts} vectors with a length other than 1, the "
            f"first of length {wrong[0]:.3g}; an encoder must return finite, "
            "normalised vectors"
        )
    return single


def check_dimension(vector: NDArray[np.float32], encoder: EncoderIdentity) -> None:
    """Refuse a question's vector that cannot be compared with those of an index.

    Args:
        vector: of the question.
        encoder: the one that made the vectors of the index.

    Raises:
        ModelError: it is not of shape (dimension,).
    """
    if vector.shape != (encoder.dimension,):
        raise ModelError(
            f"the question's vector has the shape {vector.shape}, but the index has "
            f"vectors of dimension {encoder.dimension}; search with the encoder that "
            f"made the index, {encoder.name}"
        )
