"""Which encoder an index has, or is to have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from search.engines.protocol import Backend, IndexDescription

if TYPE_CHECKING:
    from search.models.encoders.protocol import Encoder


def describe(backend: Backend, url: str) -> IndexDescription:
    """Return what an existing index holds."""
    engine = backend.open(url)
    try:
        return engine.describe()
    finally:
        engine.close()


def loaded(given: str | os.PathLike[str] | Encoder | None) -> Encoder | None:
    """Return the encoder that a caller names or brings along; None where the index decides."""
    if given is None:
        return None
    from search.models.given import given_encoder

    return given_encoder(given)


def encoder_of(backend: Backend, url: str) -> Encoder:
    """Load the encoder of an index; for a new one, the encoder that ships with rirag."""
    from search.models.encoders import DEFAULT_ENCODER, load_encoder
    from search.models.given import encoder_of_index

    if not backend.exists(url):
        return load_encoder(DEFAULT_ENCODER)
    return encoder_of_index(url, describe(backend, url).encoder)
