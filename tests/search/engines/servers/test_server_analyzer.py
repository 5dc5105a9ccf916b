"""The servers' analyzer makes the words that `search.text.analyzer` makes, token for token.

Questions are analysed here and passages there, so any difference would be a word that is never
found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conformance.hostile import HOSTILE, UNICODE
from server_processes import TestServer

from search.engines.servers.mapping import ANALYSIS, ANALYZER
from search.engines.servers.records import searchable
from search.text.analyzer import tokens

CHARACTERS_AT_ONCE = 200_000
TEXTS = [
    *HOSTILE,
    *UNICODE,
    "A Firm's 3.5.8(b) U.S. technology, us, s and co-operating naïve Straße",
    "the of and",
    "Bank’s banks' it's O'Neil's",
    "1,000.50 12:30 a.b.c 3.5.8.(1)(a) §5 €100 50% e-mail@example.org",
    "x" * 600,
    "ΟΡΙΣΜΟΣ ΚΑΙ ΣΚΟΠΟΣ, Α.Σ. ΟΔΟ\u0301Σ\u200e ΣΚΟΠΟΣ's σκοπος Σ",
    "İstanbul ǅ ﬁnance ½ m² ☎ ① Ⅷ ١٢٣ ___ _a_",
    "15,000 U.S. days.The sub\u00adma\u00adrine, 15\u00a0000 topic:fees 1 000 000 www.a.com e.g.",
    "Rule \u200e6.8.1\u200e(b)\u200f, regu\u00adlated\ufeff e\u0301\u200e 👩\u200d⚖\ufe0f ® ™",
]


class Analyzer:
    """The analyzer of one server, behind an index of the test's own."""

    def __init__(self, server: TestServer, index: str) -> None:
        self._server, self._index = server, index
        # Without a limit: the longest passage has more words than servers analyse by default.
        settings = {"index.analyze.max_token_count": 1_000_000, "analysis": ANALYSIS}
        server.call("PUT", f"/{index}", {"settings": settings})

    def tokens(self, texts: list[str]) -> list[str]:
        """The tokens of all texts, one after the other."""
        body = {"analyzer": ANALYZER, "text": [searchable(text) for text in texts]}
        answer = self._server.call("POST", f"/{self._index}/_analyze", body)
        return [token["token"] for token in answer["tokens"]]


@pytest.fixture
def analyzer(server: TestServer, fresh_name: str) -> Analyzer:
    return Analyzer(server, fresh_name)


def batches(texts: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if sum(map(len, batch)) > CHARACTERS_AT_ONCE:
            yield batch
            batch = []
    yield batch


def difference(analyzer: Analyzer, texts: list[str]) -> str:
    """The first text on which the two differ, with both lists of tokens."""
    for text in texts:
        here, there = tokens(text), analyzer.tokens([text])
        if here != there:
            return f"{text[:300]!r}\nhere:  {here}\nthere: {there}"
    return ""


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_difficult_texts_have_the_same_words(analyzer: Analyzer, text: str) -> None:
    assert analyzer.tokens([text]) == tokens(text)


@pytest.mark.corpus
def test_every_passage_has_the_same_words(analyzer: Analyzer, data_folder: Path) -> None:
    texts = [
        passage["Passage"]
        for path in sorted((data_folder / "obliqa" / "documents").glob("*.json"))
        for passage in json.loads(path.read_text(encoding="utf-8"))
        if passage["Passage"].strip()
    ]
    assert len(texts) > 13_000
    for batch in batches(texts):
        if analyzer.tokens(batch) != [token for text in batch for token in tokens(text)]:
            pytest.fail(difference(analyzer, batch) or "only together do they differ")
