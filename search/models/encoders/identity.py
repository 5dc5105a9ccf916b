"""By what an index knows the encoder of its vectors again."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from search.errors import ModelError
from search.messages.refusals import another_encoder
from search.records import EncoderIdentity

if TYPE_CHECKING:
    from search.models.encoders.protocol import Encoder


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
