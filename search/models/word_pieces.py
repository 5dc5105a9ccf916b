"""BERT's word pieces: words in lower case without accents, cut into pieces of a vocabulary.

The rules are those of `BertNormalizer`, `BertPreTokenizer` and `WordPiece` of the library
tokenizers (Devlin et al. 2019, "BERT", section 3.1), whose ids this gives for the same text.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterator
from typing import Any

LONGEST_WORD = 100
"""A word of more characters is one unknown piece."""

MOST_KEPT = 100_000
"""Strings between blanks whose pieces are kept: those of a large corpus, some 20 MB."""

PREFIX = "##"

_REMOVED_BLANKS = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
"""Blanks for Python that the rules remove as control characters."""

_IDEOGRAPH = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f"
    "\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])"
)

_NO_TEXT = frozenset({"Cc", "Cf", "Co", "Cs"})
"""Unicode categories of characters that are removed."""


class WordPieces:
    """Cuts texts into pieces. Threads may share it."""

    def __init__(self, described: dict[str, Any]) -> None:
        """Take the vocabulary.

        Args:
            described: the content of a `tokenizer.json` that `reads` accepts.
        """
        self._vocabulary: dict[str, int] = described["model"]["vocab"]
        self._unknown = self._vocabulary[described["model"]["unk_token"]]
        self.cls = self._vocabulary["[CLS]"]
        self.sep = self._vocabulary["[SEP]"]
        self._kept: dict[str, list[int]] = {}

    @staticmethod
    def reads(described: Any) -> bool:
        """Return whether a `tokenizer.json` holds word pieces of this kind."""
        if not isinstance(described, dict):
            return False
        model = described.get("model") or {}
        normal = described.get("normalizer") or {}
        return (
            model.get("type") == "WordPiece"
            and model.get("continuing_subword_prefix") == PREFIX
            and model.get("max_input_chars_per_word") == LONGEST_WORD
            and {"[CLS]", "[SEP]", model.get("unk_token")} <= model.get("vocab", {}).keys()
            and normal.get("type") == "BertNormalizer"
            and all(
                normal.get(rule) for rule in ("clean_text", "handle_chinese_chars", "lowercase")
            )
            and normal.get("strip_accents") is not False
            and (described.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        )

    def ids(self, text: str) -> list[int]:
        """Return the ids of the pieces of a text, without markers."""
        kept = self._kept
        found: list[int] = []
        for part in _REMOVED_BLANKS.sub("", text).split():
            ids = kept.get(part)
            if ids is None:
                if len(kept) >= MOST_KEPT:
                    kept.clear()
                ids = kept[part] = [one for word in _words(part) for one in self._pieces(word)]
            found += ids
        return found

    def _pieces(self, word: str) -> list[int]:
        """Return the ids of the longest pieces of a word, from its beginning on."""
        if len(word) > LONGEST_WORD:
            return [self._unknown]
        ids: list[int] = []
        start = 0
        while start < len(word):
            mark = PREFIX if start else ""
            for end in range(len(word), start, -1):
                piece = self._vocabulary.get(mark + word[start:end])
                if piece is not None:
                    break
            else:
                return [self._unknown]
            ids.append(piece)
            start = end
        return ids


def _words(part: str) -> Iterator[str]:
    """Yield the words of a string without blanks; each punctuation mark is one of its own."""
    for run in _IDEOGRAPH.sub(r" \1 ", "".join(filter(_is_text, part))).split():
        word = ""
        for char in unicodedata.normalize("NFD", run):
            if unicodedata.category(char) == "Mn":
                continue
            if _is_punctuation(char):
                if word:
                    yield word
                yield char
                word = ""
            else:
                word += char.lower()
        if word:
            yield word


def _is_text(char: str) -> bool:
    return char != "\ufffd" and unicodedata.category(char) not in _NO_TEXT


def _is_punctuation(char: str) -> bool:
    return char in string.punctuation or unicodedata.category(char).startswith("P")
