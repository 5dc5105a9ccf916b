"""Every way in which servers differ, in every mode, whole and streamed: one and the same answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hits import make_hits
from quirky_server import REASONING, REFUSALS, SHAPES, THOUGHT, Quirk, model_says
from scripted_llm import Script, serve
from small_acts import Shelves

from generation import (
    Answer,
    AnswerContext,
    AnswerSettings,
    LLMSettings,
    OpenAILLM,
    answer,
    answer_async,
)
from generation.verify import VerifySettings

SAID = "A Person must pay the fee [1]."
HITS = make_hits("A Person must pay the fee.", "A Person must keep records for six years.")
MODES: Mapping[str, dict[str, Any]] = {
    "rag": {},
    "advisor": {},
    "zero-shot": {},
    "multi-step": {"context": AnswerContext(library=Shelves())},
    "delegate": {"context": AnswerContext(library=Shelves(), documents=("isa",))},
    "judged": {"mode": "rag", "settings": AnswerSettings(verify=VerifySettings(llm_judges=True))},
}
HELD_BACK = {"only closed", "harmony, marks lost", "granite"}
"""Reasoning that nothing opens."""


def ask(script: Script, mode: str, heard: list[str] | None) -> Answer:
    llm = OpenAILLM(LLMSettings(url=script.url, model="m", context_tokens=8192, timeout_s=20))
    asked: dict[str, Any] = {"mode": mode, "llm": llm, **MODES[mode]}
    asked["on_text"] = None if heard is None else heard.append
    question = "Does Article 1 of the Act apply to intermediary services?"
    question = question if mode in ("multi-step", "delegate") else "Who pays the fee?"
    if mode in ("advisor", "zero-shot"):  # the way of an event loop, too
        return asyncio.run(answer_async(question, HITS, **asked))
    return answer(question, HITS, **asked)


def check(quirk: Quirk, mode: str, *, streamed: bool) -> tuple[Answer, Script]:
    """Ask, and look at what every combination has in common."""
    said = "Settling the fee falls upon everybody [1]." if mode == "judged" else SAID
    heard: list[str] | None = [] if streamed else None
    with serve(by=lambda request: quirk(request, model_says(request, said))) as script:
        result = ask(script, mode, heard)
    shown = said.removesuffix(" [1].") if mode == "zero-shot" else said
    assert result.text.startswith(shown)
    assert not {"cut", "repeated", "leaked", "unfinished"} & {one.kind for one in result.warnings}
    if heard is not None and result.trace and not result.trace.to_json()["report"]:
        assert "".join(heard) == result.text
    seen = f"{result.text} {''.join(heard or [])} {result.citations} {result.verification}"
    for thought in ("Okay", "draft", "5,000", "<", "‹", "channel", "analysis"):
        assert thought not in seen.replace("<Hit", "")
    if mode == "judged":
        assert result.verification
        assert [one.verdict for one in result.verification.statements] == ["supported"]
    return result, script


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("quirk", REASONING)
def test_reasoning_is_parted_from_the_answer_and_kept(
    quirk: str, mode: str, streamed: bool
) -> None:
    result, _ = check(REASONING[quirk], mode, streamed=streamed)
    assert result.trace
    thoughts = [call.completion.reasoning for call in result.trace.calls if call.completion]
    if quirk != "think, empty":
        assert any(THOUGHT in thought for thought in thoughts)
        assert "reasoning> " in result.trace.to_text()


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("mode", ["rag", "zero-shot", "delegate"])
@pytest.mark.parametrize("quirk", SHAPES)
def test_every_shape_of_a_reply_is_read(quirk: str, mode: str, streamed: bool) -> None:
    check(SHAPES[quirk], mode, streamed=streamed)


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("mode", ["rag", "multi-step", "delegate", "judged"])
@pytest.mark.parametrize("quirk", REFUSALS)
def test_what_a_server_refuses_is_asked_in_another_way(
    quirk: str, mode: str, streamed: bool
) -> None:
    result, script = check(REFUSALS[quirk], mode, streamed=streamed)
    assert result.trace
    calls = len(result.trace.calls)
    assert len(script.asked) - calls <= 6, "what is refused once is not sent again"
