"""The servers search the terms that are made here, none of them parted or changed."""

from __future__ import annotations

import pytest
from conformance.hostile import HOSTILE, UNICODE
from server_processes import TestServer

from search.text.analyzer import stems, tokens
from search.text.word_parts import word_parts

TEXTS = [
    *HOSTILE,
    *UNICODE,
    "A Firm's 3.5.8(b) U.S. technology, us, s and co-operating naïve Straße",
    "the of and",
    "Bank’s banks' it's O'Neil's",
    "1,000.50 12:30 a.b.c 3.5.8.(1)(a) §5 €100 50% e-mail@example.org",
    "x" * 600,
    "L’employeur qu'il désigne, Überliegezeiten der Straße 12.5, aujourd'hui",
    "ΟΡΙΣΜΟΣ ΚΑΙ ΣΚΟΠΟΣ, Α.Σ. ΟΔΟ\u0301Σ\u200e ΣΚΟΠΟΣ's σκοπος Σ",
    "İstanbul ǅ ﬁnance ½ m² ☎ ① Ⅷ ١٢٣ ___ _a_",
    "15,000 U.S. days.The sub\u00adma\u00adrine, 15\u00a0000 topic:fees 1 000 000 www.a.com e.g.",
    "Rule \u200e6.8.1\u200e(b)\u200f, regu\u00adlated\ufeff e\u0301\u200e 👩\u200d⚖\ufe0f ® ™",
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_no_server_changes_a_term(server: TestServer, text: str) -> None:
    terms = [*tokens(text), *stems(text, "de"), *stems(text, "fr"), *word_parts(text)]
    body = {"analyzer": "whitespace", "text": " ".join(terms)}
    answer = server.call("POST", "/_analyze", body)
    assert [token["token"] for token in answer["tokens"]] == terms
