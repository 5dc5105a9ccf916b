"""Mode `rag` against a real OpenAI-compatible server with a real, very small model.

SmolLM2-135M writes plausible nonsense: what is tested is everything around it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from coded import coded
from hits import make_hits
from real_model import CONTEXT, KEY, serve_real_model

from generation import LLMSettings, OpenAILLM, answer, answer_async
from generation.llm.protocol import estimate_tokens
from generation.text.citation_styles import unified
from search.errors import LLMError

pytestmark = pytest.mark.llm

HITS = make_hits(
    "An Authorised Person must disclose any conflict of interest to the Client.",
    "An Authorised Person must keep records of conflicts for six years.",
)
QUESTION = "What must be done about conflicts of interest?"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve_real_model() as address:
        yield address


def model(url: str, **more: Any) -> OpenAILLM:
    fixed = {"url": url, "model": "smollm2", "api_key": KEY, "max_tokens": 60}
    return OpenAILLM(LLMSettings(**{**fixed, **more}))


def test_answer_comes_with_a_full_trace(url: str) -> None:
    result = answer(QUESTION, HITS, mode="rag", llm=model(url))
    assert result.text
    assert result.trace is not None
    (call,) = result.trace.calls
    assert call.completion.prompt_tokens is not None
    assert 200 < call.completion.prompt_tokens < CONTEXT
    assert 0 < call.seconds <= result.trace.seconds
    estimated = sum(estimate_tokens(message.content) for message in call.prompt.messages)
    assert call.completion.prompt_tokens <= estimated * 1.05
    # A model of this size does not cite, and no statement of it may pass unflagged.
    assert result.citations or {"uncited"} <= {warning.kind for warning in result.warnings}


@pytest.mark.parametrize("in_a_loop", [False, True])
def test_streamed_text_is_the_answer(url: str, in_a_loop: bool) -> None:
    heard: list[str] = []
    ask = {"mode": "rag", "llm": model(url), "on_text": heard.append}
    if in_a_loop:
        result = asyncio.run(answer_async(QUESTION, HITS, **ask))
    else:
        result = answer(QUESTION, HITS, **ask)
    assert len(heard) > 1
    # Such a model may copy the marks of its prompt, which are neither heard nor shown.
    assert unified("".join(heard)).strip() == result.text


def test_context_is_the_one_the_server_really_has(url: str) -> None:
    assert model(url).limits().context == CONTEXT


def test_passages_are_left_out_until_the_server_accepts_the_prompt(url: str) -> None:
    hits = make_hits(*(hit.text * 8 for hit in HITS * 5))
    result = answer(QUESTION, hits, mode="rag", llm=model(url))
    assert "left-out" in {warning.kind for warning in result.warnings}


def test_wrong_key_is_told_without_the_key(url: str) -> None:
    with pytest.raises(LLMError, match=r"rejected the key \(401: ") as caught:
        answer(
            QUESTION, HITS, mode="rag", llm=model(url, api_key="wrong-key", context_tokens=CONTEXT)
        )
    assert "wrong-key" not in str(caught.value)


def test_prompt_longer_than_the_context_is_told_with_what_to_do(url: str) -> None:
    hits = make_hits(*(hit.text * 99 for hit in HITS))
    with pytest.raises(LLMError, check=coded("llm.too-long")):
        answer(QUESTION, hits, mode="rag", llm=model(url, context_tokens=100_000))


def test_one_passage_too_long_for_the_model_is_told_before_it_is_sent(url: str) -> None:
    with pytest.raises(LLMError, match="too small for even one passage,"):
        answer(QUESTION, make_hits(HITS[0].text * 200), mode="rag", llm=model(url))
