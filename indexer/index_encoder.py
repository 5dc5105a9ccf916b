"""Which encoder an index has, or is to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.engines.protocol import Backend, EncoderIdentity, IndexDescription

if TYPE_CHECKING:
    from search.encoders.protocol import Encoder


def describe(backend: Backend, url: str) -> IndexDescription:
    """Return what an existing index holds."""
    engine = backend.open(url)
    try:
        return engine.describe()
    finally:
        engine.close()


def encoder_of(backend: Backend, url: str) -> Encoder:
    """Load the encoder of an index; for a new one, the encoder that ships with rirag."""
    from search.encoders import DEFAULT_ENCODER, load_encoder

    name = describe(backend, url).encoder.name if backend.exists(url) else DEFAULT_ENCODER
    return load_encoder(name)


def identity_of(encoder: Encoder) -> EncoderIdentity:
    """Return what an index keeps of its encoder."""
    return EncoderIdentity(encoder.name, encoder.dimension, encoder.revision)
