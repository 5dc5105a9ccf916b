"""Vectors for the texts that have none yet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from indexer.load.progress import Progress, silent
from indexer.load.spool import ENCODED, KNOWN, MISSING, TRUNCATED, WINDOW, Batch, Spool, batches
from search.contexts import IN_CONTEXT, Contexts
from search.records import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from search.engines.vector_file import VectorFile
    from search.models.encoders.protocol import EncodedPassages, Encoder

TEXT_FORM = "context-1"
"""Name of what `Contexts.text` makes; part of each document's hash, so change both together."""

Texts = Iterator[tuple[Batch, Sequence[str]]]
Encode = Callable[[Texts], "Iterator[tuple[Batch, EncodedPassages]]"]
"""Turns batches of texts into vectors, here or in other processes, in any order."""


class VectorStore(Protocol):
    """Where vectors go: a load, or a file."""

    def known_vectors(self, hashes: Iterable[str]) -> AbstractSet[str]:
        """Return which hashes need not be encoded again."""
        ...

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep new vectors, shape (hashes, dimension); they survive a crash from here on."""
        ...


def vector_hash(passage: Passage, contexts: Contexts = IN_CONTEXT) -> str:
    """Return the SHA-256 of what the encoder reads, or "" where it reads nothing."""
    text = contexts.text(passage)
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def encode_here(encoder: Encoder) -> Encode:
    """Return the way to encode one batch after the other in this process."""
    from search.models.encoders.asking import encode_passages

    def encode(texts: Texts) -> Iterator[tuple[Batch, EncodedPassages]]:
        for batch, wanted in texts:
            yield batch, encode_passages(encoder, wanted)

    return encode


def encode_missing(
    spool: Spool,
    store: VectorStore,
    encode: Encode,
    progress: Progress = silent,
    given: Sequence[VectorFile] = (),
) -> None:
    """Give the store a vector of every text of the spool that it has none of.

    Each batch is stored at once and survives a crash of the next one.

    Args:
        spool: holds the texts; what becomes of them is marked there.
        store: keeps the vectors.
        encode: makes them.
        progress: called after each batch.
        given: files of vectors that were made before.
    """
    _mark_known(spool, store, given)
    total = spool.count(MISSING)
    for batch, result in encode(_with_texts(spool, batches(spool))):
        made, encoded = _without_failures(spool, batch, result)
        store.add_vectors(made.hashes, encoded.vectors)
        spool.mark(made.hashes, ENCODED)
        cut = zip(made.hashes, encoded.truncated, strict=True)
        spool.mark((name for name, truncated in cut if truncated), TRUNCATED)
        progress("encode", total - spool.count(MISSING), total)


def _without_failures(
    spool: Spool, batch: Batch, result: EncodedPassages
) -> tuple[Batch, EncodedPassages]:
    """Return what was encoded of a batch; note the texts that were not."""
    if not any(result.failed):
        return batch, result
    done = [place for place, why in enumerate(result.failed) if not why]
    told = zip(batch.hashes, result.failed, strict=True)
    spool.leave_without_vector((text_hash, why) for text_hash, why in told if why)
    return (
        Batch(
            tuple(batch.positions[place] for place in done),
            tuple(batch.hashes[place] for place in done),
        ),
        replace(
            result,
            vectors=result.vectors[done],
            truncated=tuple(result.truncated[place] for place in done),
            failed=(),
        ),
    )


def _with_texts(spool: Spool, wanted: Iterator[Batch]) -> Texts:
    for batch in wanted:
        yield batch, [spool.contexts.text(passage) for passage in spool.at(batch.positions)]


def _mark_known(spool: Spool, store: VectorStore, given: Sequence[VectorFile]) -> None:
    """Mark the texts whose vector the store has, or is given here."""
    for window in spool.missing(WINDOW):
        hashes = {text_hash for _, text_hash, _ in window}
        known = set(store.known_vectors(hashes))
        for file in given:
            found = file.vectors(hashes - known)
            if found:
                _add(store, found)
                known.update(found)
        spool.mark(known, KNOWN)


def _add(store: VectorStore, vectors: Mapping[str, NDArray[np.float32]]) -> None:
    import numpy as np

    store.add_vectors(list(vectors), np.stack(list(vectors.values())))
