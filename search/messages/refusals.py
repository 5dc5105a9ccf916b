"""Refusals that several places have in common, each written once."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from search.errors import EncoderMismatchError, InputError, ModelError, StorageError

if TYPE_CHECKING:
    from search.records import EncoderIdentity, Passage

LEAST_ALIKE = 0.5
"""Names less alike than this (difflib's ratio) are no slip of the hand: all known ones are told."""


def unknown_name(kind: str, name: str, known: Sequence[str], prefix: str = "") -> str:
    """Return what to tell of a name that is not known: the nearest known one, or all of them.

    Args:
        kind: what it is a name of.
        name: the name.
        known: those that are.
        prefix: begins all of the names, and says nothing of how near they are.
    """
    endings = [one.removeprefix(prefix) for one in known]
    near = get_close_matches(name.removeprefix(prefix), endings, n=1, cutoff=LEAST_ALIKE)
    if near:
        return f"unknown {kind} {name!r}; did you mean {prefix + near[0]!r}?"
    return f"unknown {kind} {name!r}; choose one of {', '.join(known)}."


def on_index(command: str, url: object) -> str:
    """Return a command of rirag with the index it is for, quoted where a shell needs it.

    Args:
        command: such as `rirag documents list`.
        url: of the index, or its folder.
    """
    return f"{command} --index {shlex.quote(str(url))}"


def unknown_document(name: str, url: object, code: str = "document.unknown") -> InputError:
    """Return the refusal of a name, code or DocumentID that no document of an index has."""
    listing = on_index("rirag documents list", url)
    return InputError(f"no document is named {name!r}; list them with: {listing}", code=code)


def unknown_filter_field(field: str, known: Sequence[str]) -> InputError:
    """Return the refusal of a filter field that is not among the known ones of an index."""
    has = ", ".join(known) or "none"
    return InputError(
        f"unknown filter field {field!r}; this index has: {has}", code="filter.unknown-field"
    )


def taken_id(new: Passage, number: str, document_id: str) -> InputError:
    """Return the refusal of a passage whose ID another one has already.

    Args:
        new: what was to be loaded.
        number: of the passage that has the ID.
        document_id: of its document.
    """
    return InputError(
        f"the ID {new.id!r} of {new.passage_id} in document {new.document_id!r} is "
        f"already in use by {number} in document {document_id!r}; give one of them "
        "another ID, or delete the older document first",
        new.source or None,
        code="passage.duplicate-id",
    )


def another_encoder(
    url: object, stored: EncoderIdentity, asked: EncoderIdentity
) -> EncoderMismatchError:
    """Return the refusal of an encoder whose vectors cannot be compared with those of an index."""
    build = on_index("rirag reindex", url)
    return EncoderMismatchError(
        f"the index {url} holds vectors of {stored}, not of {asked}; use --encoder "
        f"{shlex.quote(stored.name)}, or change the index with: {build} --encoder "
        f"{shlex.quote(asked.name)}"
    )


def missing_vector(vector_hash: str) -> StorageError:
    """Return the refusal to complete a load for which a vector was never given."""
    return StorageError(
        f"the vector {vector_hash[:12]}… is missing from the load; run the same command again"
    )


def unknown_model(kind: str, name: str, known: Sequence[str]) -> InputError:
    """Return the refusal of an encoder or reranker that there is not.

    Args:
        kind: `encoder` or `reranker`.
        name: that was given.
        known: names that could be.
    """
    return InputError(
        f"unknown {kind} {name!r}; choose one of {', '.join(known)}, or a folder that "
        f"holds {kind}.json",
        code="model.unknown",
    )


def unloadable_model(kind: str, name: str, error: Exception) -> ModelError:
    """Return the refusal of an encoder or reranker that its library does not load."""
    return ModelError(f"The {kind} {name} cannot be loaded: {error}", code="model.unloadable")


def no_reranker(name: str, scores: int) -> ModelError:
    """Return the refusal of a model that gives another number of scores a pair than one."""
    return ModelError(
        f"{name} gives {scores} scores per pair, but a reranker gives one; choose a "
        "model that was trained to rank.",
        code="model.unsuitable",
    )
