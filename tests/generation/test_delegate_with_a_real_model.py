"""Shaped replies, function calls and mode `delegate` on a real server with a very small model.

SmolLM2-135M plans nothing worth reading, and its template knows no functions: what is tested is
that shapes are kept to, that functions are described in words, and that nonsense ends in a marked
answer with its trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from real_model import KEY, serve_real_model
from small_acts import Shelves

from generation import AnswerContext, AnswerSettings, LLMSettings, OpenAILLM, Trace, answer
from generation.delegate.master import DELEGATE
from generation.llm.protocol import Message, Prompt, ReplySchema
from generation.llm.schemas import read_json
from generation.settings import DelegateSettings
from search.errors import LLMError

pytestmark = pytest.mark.llm


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve_real_model(context=4096) as address:
        yield address


def model(url: str, **more: Any) -> OpenAILLM:
    fixed = {"url": url, "model": "smollm2", "api_key": KEY, "max_tokens": 60}
    return OpenAILLM(LLMSettings(**{**fixed, **more}))


SHAPE = ReplySchema(
    "verdict",
    {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": ["holds", "fails"]}},
        "required": ["verdict"],
        "additionalProperties": False,
    },
)


def test_shapes_are_kept_to(url: str) -> None:
    prompt = Prompt((Message("user", "Water is dry. Does that hold?"),), 40, schema=SHAPE)
    done = model(url).complete(prompt)
    assert read_json(done.text, SHAPE.schema)["verdict"] in ("holds", "fails")
    assert not done.notes


def test_functions_are_described_in_words_where_the_template_knows_none(url: str) -> None:
    prompt = Prompt((Message("user", "Have Article 1 read."),), 20, (DELEGATE,), True)
    done = model(url).complete(prompt)
    assert done.tool_calls or any("no function calling" in note for note in done.notes)


def test_nonsense_ends_in_a_marked_answer_or_one_clear_sentence(url: str) -> None:
    limits = AnswerSettings(delegate=DelegateSettings(max_rounds=2, max_steps=2, max_seconds=30))
    given = AnswerContext(library=Shelves(), documents=("fees",))
    llm = model(url, max_tokens=60)
    trace: object
    try:
        result = answer("What is the fee?", [], mode="delegate", llm=llm, settings=limits,
                        context=given)  # fmt: skip
        assert result.insufficient_evidence or result.warnings
        trace = result.trace
    except LLMError as error:
        trace = error.trace
    assert isinstance(trace, Trace)
    assert trace.calls[0].purpose == "notes"
    assert trace.to_text()
