"""What rirag asks of an encoder: text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""Shape (texts, dimension), float32, each row of length 1, so that a dot product is a cosine."""


@dataclass(frozen=True, slots=True)
class EncodedPassages:
    """Vectors of passages, and which passages were truncated."""

    vectors: Vectors
    truncated: tuple[bool, ...]
    """One flag for each passage: True where its end was cut off before encoding."""
    failed: tuple[str, ...] = ()
    """For each passage why it has no vector, empty where it has one; empty: all have one. The row
    of one that failed is zero."""


@runtime_checkable
class PartialEncoder(Protocol):
    """An encoder that may fail on single texts."""

    def encode_what_it_takes(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages, and leave out those that it fails on (`EncodedPassages.failed`)."""


class Encoder(Protocol):
    """Turn questions and passages into vectors of one space.

    `name`, `dimension` and `revision` are stored with an index and checked whenever it is opened:
    vectors of another encoder, or of another revision of the same one, cannot be compared. Threads
    that search one index call it at the same time.
    """

    @property
    def name(self) -> str:
        """The name that `search.models.encoders.load_encoder` understands."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def revision(self) -> str:
        """A short text that changes whenever the weights or the preprocessing do."""

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Encode questions, with the prefix or instruction that the model wants for them."""

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages in any order of length; the result keeps the order given."""
