"""Vectors for the texts that have none yet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from indexer.progress import Progress, silent
from indexer.spool import ENCODED, KNOWN, MISSING, TRUNCATED, Spool
from search.engines.protocol import Load
from search.records import Passage

if TYPE_CHECKING:
    from search.encoders.protocol import Encoder

TEXT_FORM = "text-1"
"""Name of what `encoder_text` makes; part of each document's hash, so change both together."""

WINDOW = 8192
"""Texts sorted by length together. Of the ADGM passages, in batches of 32, 1.5 % of the words are
then padding; at 2,048 it is 4.9 %, at 512 it is 23 % (measured)."""

BATCH = 256
"""Texts encoded and kept at once: what a `kill -9` can lose."""


def encoder_text(passage: Passage) -> str:
    """Return what the encoder reads of a passage; empty where it gets no vector."""
    return passage.text if passage.text.strip() else ""


def vector_hash(passage: Passage) -> str:
    """Return the SHA-256 of what the encoder reads, or "" where it reads nothing."""
    text = encoder_text(passage)
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def encode_missing(spool: Spool, load: Load, encoder: Encoder, progress: Progress = silent) -> None:
    """Encode every text of the spool whose vector the index does not have.

    Each batch is given to the index at once and survives a crash of the next one.
    """
    for window in _windows(spool):
        hashes = [text_hash for _, text_hash in window]
        spool.mark(load.known_vectors(hashes), KNOWN)
    done, total = 0, spool.count(MISSING)
    for window in _windows(spool):
        passages = spool.at([position for position, _ in window])
        texts = [(encoder_text(p), h) for p, (_, h) in zip(passages, window, strict=True)]
        texts.sort(key=lambda text: len(text[0]))
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            _encode_batch(batch, spool, load, encoder)
            done += len(batch)
            progress("encode", done, total)


def _encode_batch(batch: list[tuple[str, str]], spool: Spool, load: Load, encoder: Encoder) -> None:
    """Encode (text, hash) pairs and keep the vectors."""
    hashes = [text_hash for _, text_hash in batch]
    result = encoder.encode_passages([text for text, _ in batch])
    load.add_vectors(hashes, result.vectors)
    spool.mark(hashes, ENCODED)
    spool.mark((h for h, cut in zip(hashes, result.truncated, strict=True) if cut), TRUNCATED)


def _windows(spool: Spool) -> Iterator[list[tuple[int, str]]]:
    after = 0
    while window := spool.missing(WINDOW, after):
        yield window
        after = window[-1][0]
