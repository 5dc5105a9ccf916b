"""Encoders and rerankers as callers give them: by name, as a folder, or as objects of their own."""

from __future__ import annotations

import os

from search.errors import InputError, ModelError
from search.models.encoders import load_encoder
from search.models.encoders.identity import identity_of
from search.models.encoders.protocol import Encoder
from search.models.rerankers import load_reranker
from search.models.rerankers.protocol import Reranker
from search.records import EncoderIdentity


def given_encoder(given: str | os.PathLike[str] | Encoder) -> Encoder:
    """Return the encoder that is meant.

    Raises:
        InputError: there is none of this name.
        ModelError: it cannot be loaded, or the object lacks what an encoder tells of itself.
    """
    encoder = load_encoder(given) if isinstance(given, str | os.PathLike) else given
    identity_of(encoder)  # refuses what could only fail later
    return encoder


def encoder_of_index(url: str, stored: EncoderIdentity) -> Encoder:
    """Load the encoder that made an index, by its name.

    Raises:
        InputError: there is none of this name: it was an object of somebody's own.
        ModelError: it cannot be loaded.
    """
    try:
        return load_encoder(stored.name)
    except InputError as error:
        raise InputError(
            f"{url} was made with the encoder {stored.name!r}, which cannot be loaded "
            "by name; if it is an object of yours, pass it from Python as encoder=…; "
            f"if it is a folder that was moved, move it back. {error}",
            code="model.unknown",
        ) from error


def given_reranker(given: str | os.PathLike[str] | Reranker) -> Reranker:
    """Return the reranker that is meant.

    Raises:
        InputError: there is none of this name.
        ModelError: it cannot be loaded, or the object lacks a member of a reranker.
    """
    if isinstance(given, str | os.PathLike):
        return load_reranker(given)
    if not isinstance(getattr(given, "name", None), str):
        raise ModelError(
            f"a reranker must have a `name`, a text; an object of class {type(given).__name__} "
            "has none",
            code="model.unsuitable",
        )
    if not callable(getattr(given, "score", None)):
        raise ModelError(
            f"the reranker {given.name} must have a method `score`", code="model.unsuitable"
        )
    return given
