"""BERT's word pieces are those of the library that made the vocabulary."""

from __future__ import annotations

import json

import pytest

from search.errors import MissingDependencyError
from search.models.encoders.model_folder import MODELS_FOLDER
from search.models.tokenizer import BertTokenizer, LibraryTokenizer, open_tokenizer

CONTENT = (MODELS_FOLDER / "regulation-minilm-l6-int8" / "tokenizer.json").read_bytes()
TEXTS = [
    "",
    "A Firm must notify the Regulator within 3 Business Days.",
    "Geldwäschegesetz § 10 Abs. 3 Satz 1 Nr. 2, Sorgfaltspflichten",
    "l'établissement «notifié», d’après l’article L. 511-1; señor, çà et là",
    "10% of €1,000.50 – see rule 3.5.8(b)/(c)…",
    "第一条 この法律は、個人情報の適正な取扱いに関し、",
    "zero\u200bwidth soft\u00adhyphen tab\tline\nfeed\x0bvertical\x1funit\x85next\u2028line",
    "İstanbul ΟΔΟΣ ﬁrst ½ ② e\u0301",
    "x" * 101,
    "pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism",
    "\ufffd \u0000 \ue000",
]


def tokenizer(max_tokens: int = 128) -> BertTokenizer:
    opened = open_tokenizer(CONTENT, max_tokens)
    assert isinstance(opened, BertTokenizer)
    return opened


def test_a_text_is_its_pieces_between_two_markers() -> None:
    (tokens,) = tokenizer().encode(["A Firm must notify."])
    assert tokens.ids == [101, 1037, 3813, 2442, 2025, 8757, 1012, 102]
    assert tokens.segments == [0] * 8
    assert not tokens.truncated


def test_a_marker_in_a_text_is_ordinary_words() -> None:
    (tokens,) = tokenizer().encode(["[SEP] [CLS]"])
    assert tokens.ids.count(102) == 1
    assert tokens.ids.count(101) == 1


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_every_text_has_the_ids_of_the_library(text: str) -> None:
    pytest.importorskip("tokenizers")
    assert tokenizer().encode([text]) == LibraryTokenizer(CONTENT, 128).encode([text])


@pytest.mark.parametrize("max_tokens", [7, 8, 16, 40])
def test_what_is_too_long_is_cut_as_the_library_cuts_it(max_tokens: int) -> None:
    pytest.importorskip("tokenizers")
    own, library = tokenizer(max_tokens), LibraryTokenizer(CONTENT, max_tokens)
    assert own.encode(TEXTS) == library.encode(TEXTS)
    for first in ("fees", TEXTS[1], TEXTS[2] * 3):
        assert own.encode_pairs(first, TEXTS) == library.encode_pairs(first, TEXTS)


def test_of_a_pair_the_longer_is_cut_first() -> None:
    (tokens,) = tokenizer(12).encode_pairs("may a firm", ["must " * 50])
    assert tokens.ids == [101, 2089, 1037, 3813, 102, *[2442] * 6, 102]
    assert tokens.segments == [0] * 5 + [1] * 7
    assert tokens.truncated


def test_the_words_that_are_kept_stay_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.models.word_pieces.MOST_KEPT", 2)
    own = tokenizer()
    before = own.encode(TEXTS)
    assert own.encode(TEXTS) == before


def test_another_kind_is_read_by_the_library_or_refused_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cased = json.loads(CONTENT)
    cased["normalizer"]["lowercase"] = False
    content = json.dumps(cased).encode()
    monkeypatch.setattr("search.models.tokenizer.find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match="WordPiece"):
        open_tokenizer(content, 128)
    monkeypatch.undo()
    pytest.importorskip("tokenizers")
    assert isinstance(open_tokenizer(content, 128), LibraryTokenizer)
