"""Tokens of texts and of pairs of texts, as the models that rirag runs itself read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from search.errors import MissingDependencyError
from search.models.word_pieces import WordPieces

LIBRARY = "tokenizers"
"""Extra and library for tokenizers of other kinds than BERT's word pieces without case."""


class Tokens(NamedTuple):
    """Tokens of a text or a pair, the model's own markers included."""

    ids: list[int]
    segments: list[int]
    """0 for the first text and its markers, 1 for the second."""
    truncated: bool


class Tokenizer(Protocol):
    """What encoders and rerankers ask of a tokenizer."""

    def encode(self, texts: Iterable[str]) -> list[Tokens]:
        """Return the tokens of each text, cut at the model's length."""

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Tokens]:
        """Return the tokens of a text with each of others; of a pair the longer is cut first."""


def open_tokenizer(content: bytes, max_tokens: int) -> Tokenizer:
    """Open a tokenizer.

    Args:
        content: of a file `tokenizer.json`.
        max_tokens: longest input, the model's own markers included.

    Raises:
        MissingDependencyError: it is of another kind than BERT's word pieces, and the library
            that reads every kind is not installed.
    """
    described = json.loads(content)
    if WordPieces.reads(described):
        return BertTokenizer(WordPieces(described), max_tokens)
    if find_spec(LIBRARY) is None:
        raise MissingDependencyError(f"A tokenizer of the kind {_kind(described)}", LIBRARY)
    return LibraryTokenizer(content, max_tokens)


class BertTokenizer:
    """Word pieces between the markers of BERT: `[CLS] text [SEP]`, `[CLS] text [SEP] text [SEP]`.

    Markers that a text spells out are ordinary words.
    """

    def __init__(self, pieces: WordPieces, max_tokens: int) -> None:
        self._pieces = pieces
        self._max = max_tokens

    def encode(self, texts: Iterable[str]) -> list[Tokens]:
        """Return the tokens of each text, cut at the model's length."""
        return [self._single(self._pieces.ids(text)) for text in texts]

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Tokens]:
        """Return the tokens of a text with each of others; of a pair the longer is cut first."""
        before = self._pieces.ids(first)
        return [self._pair(before, self._pieces.ids(text)) for text in seconds]

    def _single(self, ids: list[int]) -> Tokens:
        room = self._max - 2
        kept = [self._pieces.cls, *ids[:room], self._pieces.sep]
        return Tokens(kept, [0] * len(kept), len(ids) > room)

    def _pair(self, first: list[int], second: list[int]) -> Tokens:
        room = self._max - 3
        before, after = _longest_first(len(first), len(second), room)
        cls, sep = self._pieces.cls, self._pieces.sep
        ids = [cls, *first[:before], sep, *second[:after], sep]
        segments = [0] * (before + 2) + [1] * (after + 1)
        return Tokens(ids, segments, len(first) + len(second) > room)


class LibraryTokenizer:
    """Any tokenizer that the library `tokenizers` reads."""

    def __init__(self, content: bytes, max_tokens: int) -> None:
        from tokenizers import Tokenizer as Library

        self._library: Any = Library.from_buffer(content)
        self._library.no_padding()
        self._library.enable_truncation(max_tokens)

    def encode(self, texts: Iterable[str]) -> list[Tokens]:
        """Return the tokens of each text, cut at the model's length."""
        return _of_library(self._library.encode_batch_fast(list(texts)))

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Tokens]:
        """Return the tokens of a text with each of others; of a pair the longer is cut first."""
        pairs = [(first, second) for second in seconds]
        return _of_library(self._library.encode_batch(pairs) if pairs else [])


def _of_library(encoded: Iterable[Any]) -> list[Tokens]:
    return [Tokens(one.ids, one.type_ids, bool(one.overflowing)) for one in encoded]


def _longest_first(first: int, second: int, room: int) -> tuple[int, int]:
    """Return how many tokens of each text fit: the shorter keeps all, as far as half the room."""
    if first + second <= room:
        return first, second
    shorter = min(first, second, room // 2)
    longer = room - shorter
    return (shorter, longer) if first <= second else (longer, shorter)


def _kind(described: Any) -> str:
    model = described.get("model") if isinstance(described, dict) else None
    return str(model.get("type", "unknown")) if isinstance(model, dict) else "unknown"
