"""Each mode against a real server with a very small model: calls, shapes, marks and trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hits import make_hits
from real_model import KEY, serve_real_model
from small_acts import Shelves, act

from generation import Answer, AnswerContext, LLMSettings, OpenAILLM, answer
from generation.prompts.examples import Example
from search.errors import LLMError

pytestmark = pytest.mark.llm

HITS = make_hits(
    "An Authorised Person must disclose any conflict of interest to the Client.",
    "An Authorised Person must keep records of conflicts for six years.",
)
QUESTION = "Does Article 2 bind an Authorised Person with a conflict of interest?"
ARTICLES = (
    ("Article 1", "rule", "Scope\nThis Regulation applies to banks."),
    ("Article 2", "rule", "Capital\nA bank must hold capital of 8 % of its loans."),
    ("Article 3", "rule", "Reports\nA bank must report its deposits every quarter."),
)
TITLE = "Lending Act (Regulation (EU) No 12/2020)"
EXAMPLES = (
    Example("Is a loan to staff a loan?", "Yes, every loan is.", "Credit risk"),
    Example("Which collateral counts?", "Only cash.", "Credit risk"),
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve_real_model(context=4096) as address:
        yield address


def said(mode: str, llm: OpenAILLM, given: AnswerContext) -> Answer:
    """Ask again, with other marks, where so small a model repeats those of its prompt alone."""
    for _ in range(5):
        try:
            return answer(QUESTION, HITS, mode=mode, llm=llm, context=given)
        except LLMError as error:
            assert "only markers of its prompt; ask again," in str(error)
    pytest.fail("the model repeated the marks of its prompt five times")


@pytest.mark.parametrize(
    ("mode", "calls"),
    [
        ("zero-shot", ["answer"]),
        ("few-shot", ["answer"]),
        ("rag", ["answer"]),
        ("advisor", ["answer"]),
        ("multi-step", ["references", "answer"]),
    ],
)
def test_calls_are_traced_and_no_statement_of_such_a_model_passes(
    url: str, mode: str, calls: list[str]
) -> None:
    lending = [
        replace(one, metadata={"version": "2021"}) for one in act("lending", TITLE, ARTICLES)
    ]
    given = AnswerContext(
        library=Shelves({"lending": lending}), background="We lend.", examples=EXAMPLES
    )
    settings = LLMSettings(url=url, model="smollm2", api_key=KEY, max_tokens=60)
    result = said(mode, OpenAILLM(settings), given)
    assert result.text
    assert result.trace is not None
    assert [call.purpose for call in result.trace.calls] == calls
    assert all((call.completion.prompt_tokens or 0) > 20 for call in result.trace.calls)
    if not result.insufficient_evidence:
        assert result.verification is not None
        verdicts = {one.verdict for one in result.verification.statements}
        assert result.citations or "supported" not in verdicts
    if mode == "multi-step":
        decided = {one.name: one.value for one in result.decisions}
        assert decided["explicit references"] == "Article 2 of 12/2020"
