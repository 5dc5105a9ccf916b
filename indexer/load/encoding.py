"""Vectors for the texts that have none yet."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indexer.load.batches import WINDOW, Batch, batches
from indexer.load.context import IN_CONTEXT, Contexts
from indexer.load.progress import Progress, silent
from indexer.load.spool import ENCODED, HELPED, KNOWN, MISSING, TRUNCATED, Spool
from search.engines.protocol import VectorShare
from search.records import Passage

if TYPE_CHECKING:
    from search.models.encoders.protocol import EncodedPassages, Encoder

TEXT_FORM = "context-1"
"""Name of what `Contexts.text` makes; part of each document's hash, so change both together."""

PAUSE_S = 0.5
"""Seconds between two looks at what other processes have encoded."""

PATIENCE_S = 90.0
"""Seconds without anything new after which claims of others are passed over: longer than a claim
of a process that died lasts, so that only one that lives and does not work is overtaken."""

Texts = Iterator[tuple[Batch, Sequence[str]]]
Encode = Callable[[Texts], "Iterator[tuple[Batch, EncodedPassages]]"]
"""Turns batches of texts into vectors, here or in other processes, in any order."""


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
    spool: Spool, share: VectorShare, encode: Encode, progress: Progress = silent
) -> None:
    """See to it that every text of the spool has a vector, whoever encodes it.

    Each batch is given to the index at once and survives a crash of the next one. What processes
    that joined have claimed is waited for.
    """
    _mark_known(spool, share, KNOWN)
    total = left = spool.count(MISSING)
    changed = time.monotonic()
    while left:
        insist = time.monotonic() - changed > PATIENCE_S
        if not _encode_claimed(spool, share, encode, progress, total, insist):
            time.sleep(PAUSE_S)
        if _mark_known(spool, share, HELPED):
            progress("encode", total - spool.count(MISSING), total)
        if spool.count(MISSING) < left:
            left, changed = spool.count(MISSING), time.monotonic()


def help_encoding(
    spool: Spool, share: VectorShare, encode: Encode, progress: Progress = silent
) -> None:
    """Encode for another process's load until all that is left is claimed by others."""
    _mark_known(spool, share, KNOWN)
    total = spool.count(MISSING)
    while _encode_claimed(spool, share, encode, progress, total):
        _mark_known(spool, share, HELPED)


def _encode_claimed(
    spool: Spool,
    share: VectorShare,
    encode: Encode,
    progress: Progress,
    total: int,
    insist: bool = False,
) -> int:
    """Go through the texts once and encode what can be claimed; return how many batches."""
    done = 0
    for batch, result in encode(_with_texts(spool, batches(spool, share, insist))):
        made, encoded = _without_failures(spool, batch, result)
        share.add_vectors(made.hashes, encoded.vectors)
        spool.mark(made.hashes, ENCODED)
        cut = zip(made.hashes, encoded.truncated, strict=True)
        spool.mark((name for name, truncated in cut if truncated), TRUNCATED)
        progress("encode", total - spool.count(MISSING), total)
        done += 1
    return done


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


def _mark_known(spool: Spool, share: VectorShare, state: str) -> int:
    """Mark the texts that got a vector elsewhere; return how many."""
    after = found = 0
    while window := spool.missing(WINDOW, after):
        known = share.known_vectors([text_hash for _, text_hash in window])
        spool.mark(known, state)
        found += len(known)
        after = window[-1][0]
    return found
