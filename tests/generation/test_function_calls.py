"""Function calls and shaped replies, on servers that know them and on those that do not."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from scripted_llm import Reply, Script, says, serve

from generation import LLMSettings, OpenAILLM
from generation.llm.json_in_prompt import calls_in
from generation.llm.protocol import Completion, Message, Prompt, ReplySchema, Tool, ToolCall
from search.errors import LLMError

READ = Tool(
    "read",
    "Reads a part of the law.",
    {"type": "object", "properties": {"part": {"type": "string"}}, "required": ["part"]},
)
SHAPE = ReplySchema(
    "plan",
    {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": {"type": "string"}}},
        "required": ["steps"],
    },
)
START = (Message("system", "You plan."), Message("user", "What is a proxy?"))
CALLING = Prompt(START, 50, tools=(READ,), tools_required=True)
SHAPED = Prompt(START, 50, schema=SHAPE)
START_ONLY = Prompt(START, 50)
AS_TEXT = '{"calls": [{"name": "read", "arguments": {"part": "Annex III"}}]}'
GOOD_PLAN = '{"steps": ["Read Annex III."]}'


def calls(*given: tuple[str, Any], text: str | None = None) -> Reply:
    """A reply with function calls; their arguments as the server writes them."""
    made = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(given, start=1)
    ]
    reply = says(text, "tool_calls")
    reply.body["choices"][0]["message"]["tool_calls"] = made
    return reply


def refuses(status: int, reason: str) -> Reply:
    return Reply({"error": {"message": reason}}, status, headers={"retry-after-ms": "1"})


def model(script: Script, **more: Any) -> OpenAILLM:
    fixed: dict[str, Any] = {"url": script.url, "model": "m", "context_tokens": 4096}
    return OpenAILLM(LLMSettings(**{**fixed, "timeout_s": 5, "retries": 0, **more}))


def complete(llm: OpenAILLM, prompt: Prompt, how: str) -> Completion:
    if how == "async":
        return asyncio.run(llm.complete_async(prompt))
    return llm.complete(prompt)


both = pytest.mark.parametrize("how", ["whole", "async"])


@both
def test_calls_of_the_model_come_back_as_calls(how: str) -> None:
    reply = calls(("read", '{"part": "Annex III"}'), ("read", '{"part": "Article 3"}'))
    with serve(reply) as script:
        done = complete(model(script), CALLING, how)
    assert done.tool_calls == (
        ToolCall("c1", "read", {"part": "Annex III"}),
        ToolCall("c2", "read", {"part": "Article 3"}),
    )
    assert (done.text, done.finish, done.notes) == ("", "stop", ())
    (sent,) = script.asked
    assert sent["tool_choice"] == "required"
    assert sent["tools"][0]["function"]["parameters"] == READ.parameters


def test_turns_with_calls_and_results_are_sent_as_the_api_wants_them() -> None:
    turns = (
        *START,
        Message("assistant", "", (ToolCall("c1", "read", {"part": "Annex III"}),)),
        Message("tool", "The text.", tool_call_id="c1"),
    )
    with serve(says("Done.")) as script:
        done = model(script).complete(Prompt(turns, 50, tools=(READ,)))
    assert done.text == "Done."
    assert script.asked[0]["tool_choice"] == "auto"
    *_, called, result = script.asked[0]["messages"]
    assert called["tool_calls"][0]["function"] == {
        "name": "read", "arguments": '{"part": "Annex III"}',
    }  # fmt: skip
    assert result == {"role": "tool", "content": "The text.", "tool_call_id": "c1"}


@pytest.mark.parametrize(
    ("arguments", "problem"), [("{broken", "not valid JSON"), ("[1]", "not a JSON object")]
)
def test_arguments_that_cannot_be_read_are_a_call_with_a_problem(
    arguments: str, problem: str
) -> None:
    with serve(calls(("read", arguments))) as script:
        (call,) = model(script).complete(CALLING).tool_calls
    assert (call.name, call.arguments) == ("read", {})
    assert problem in call.problem


@pytest.mark.parametrize("broken", ["x", [1], [{}], [{"function": {"name": 5}}], [{"id": "c"}]])
def test_calls_of_another_shape_are_one_clear_sentence(broken: Any) -> None:
    reply = says("text")
    reply.body["choices"][0]["message"]["tool_calls"] = broken
    with serve(reply) as script, pytest.raises(LLMError, match="have an OpenAI-compatible"):
        model(script).complete(CALLING)


@both
@pytest.mark.parametrize(
    "refusal",
    [
        refuses(400, "Unrecognized request argument supplied: tools"),
        refuses(422, "extra fields not permitted"),
        refuses(500, "tools param requires --jinja flag"),
        says("I would read Annex III."),
    ],
    ids=["unknown field", "no reason", "failing", "ignored"],
)
def test_server_without_function_calls_is_told_in_words_and_remembered(
    how: str, refusal: Reply
) -> None:
    with serve(refusal, says(AS_TEXT)) as script:
        llm = model(script)
        first = complete(llm, CALLING, how)
        second = complete(llm, CALLING, how)
    for done in (first, second):
        assert [(c.name, c.arguments) for c in done.tool_calls] == [("read", {"part": "Annex III"})]
        assert any("no function calling" in note for note in done.notes)
    assert ["tools" in sent for sent in script.asked] == [True, False, False]
    described = script.asked[1]["messages"][0]["content"]
    assert "Reads a part of the law." in described
    assert '"required": ["part"]' in described


@both
def test_an_empty_reply_is_asked_for_again_and_tells_nothing_of_the_server(how: str) -> None:
    good = calls(("read", '{"part": "Annex III"}'))
    with serve(says(None), good) as script:
        done = complete(model(script), CALLING, how)
    assert [call.arguments for call in done.tool_calls] == [{"part": "Annex III"}]
    assert done.notes == ()
    assert ["tools" in sent for sent in script.asked] == [True, True]


@both
def test_a_reply_that_stays_empty_is_asked_for_in_words_and_not_remembered(how: str) -> None:
    with serve(says(None), says(""), says(AS_TEXT)) as script:
        llm = model(script)
        first = complete(llm, CALLING, how)
        assert first.tool_calls == complete(llm, CALLING, how).tool_calls
    assert first.notes == (
        "The model replied with nothing twice; the functions or schema were "
        "described in the prompt.",
    )
    assert ["tools" in sent for sent in script.asked] == [True, True, False, True]


@both
@pytest.mark.parametrize(("prompt", "asked"), [(CALLING, 3), (SHAPED, 3), (START_ONLY, 1)])
def test_nothing_but_empty_replies_is_one_clear_sentence(
    how: str, prompt: Prompt, asked: int
) -> None:
    with serve(says("")) as script, pytest.raises(LLMError, match="returned an empty answer"):
        complete(model(script), prompt, how)
    assert len(script.asked) == asked


def test_calls_and_results_of_earlier_turns_are_put_into_words_too() -> None:
    turns = (
        *START,
        Message("assistant", "", (ToolCall("a", "read", {"part": "1"}),)),
        Message("tool", "One.", tool_call_id="a"),
        Message("tool", "Two.", tool_call_id="b"),
    )
    with serve(refuses(400, "no tools here"), says("The end.")) as script:
        done = model(script).complete(Prompt(turns, 50, tools=(READ,)))
    assert (done.text, done.tool_calls) == ("The end.", ())
    sent = script.asked[1]["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "user"]
    assert json.loads(sent[2]["content"])["calls"][0]["name"] == "read"
    assert sent[3]["content"] == "Result of a:\nOne.\n\nResult of b:\nTwo."


@both
def test_earlier_calls_are_put_into_words_where_none_may_be_made_now(how: str) -> None:
    turns = (
        *START,
        Message("assistant", "", (ToolCall("a", "read", {"part": "1"}),)),
        Message("tool", "One.", tool_call_id="a"),
        Message("user", "Conclude."),
    )
    with serve(refuses(400, "unknown role: tool"), says("The end.")) as script:
        done = complete(model(script), Prompt(turns, 50), how)
    assert (done.text, done.notes) == ("The end.", ())
    system, _, called, told = script.asked[1]["messages"]
    assert system["content"] == "You plan."
    assert json.loads(called["content"])["calls"][0]["name"] == "read"
    assert told["content"] == "Result of a:\nOne.\n\nConclude."


@both
def test_a_reply_that_could_not_be_used_counts_among_the_tokens_and_costs(how: str) -> None:
    with serve(says("No plan."), says(GOOD_PLAN)) as script:
        done = complete(model(script, prompt_price=1, reply_price=2), SHAPED, how)
        once = complete(model(script, prompt_price=1, reply_price=2), START_ONLY, how)
    assert len(script.asked) == 3
    assert done.prompt_tokens == 2 * (once.prompt_tokens or 0) > 0
    assert done.completion_tokens == 2 * (once.completion_tokens or 0)
    assert done.cost == pytest.approx(2 * (once.cost or 0))


def nested(levels: int) -> str:
    return '{"part": ' * levels + "1" + "}" * levels


def test_arguments_nested_without_end_are_a_call_with_a_problem() -> None:
    with serve(calls(("read", nested(600)))) as script:
        (native,) = model(script).complete(CALLING).tool_calls
    (written,) = calls_in(f'{{"name": "read", "arguments": {nested(600)}}}', [READ])
    for call in (native, written):
        assert (call.arguments, call.problem) == ({}, "the arguments are nested too deeply")
    (shallow,) = calls_in(f'{{"name": "read", "arguments": {nested(30)}}}', [READ])
    assert not shallow.problem


def test_calls_that_a_server_lets_through_as_text_are_taken_as_calls() -> None:
    leaked = '<tool_call>\n{"name": "read", "arguments": {"part": "Article 3"}}\n</tool_call>'
    with serve(says(leaked)) as script:
        done = model(script).complete(CALLING)
    assert done.tool_calls[0].arguments == {"part": "Article 3"}
    assert "as text" in done.notes[0]
    assert len(script.asked) == 1


@pytest.mark.parametrize("name", [["read"], {"name": "read"}, None, 7])
def test_a_name_of_another_kind_is_no_call(name: object) -> None:
    bad, good = ({"name": one, "arguments": {"part": "1"}} for one in (name, "read"))
    assert [call.name for call in calls_in(json.dumps({"calls": [bad, good]}), [READ])] == ["read"]
    assert calls_in(json.dumps(bad), [READ]) == ()


def test_a_name_that_is_no_function_is_text() -> None:
    text = '{"name": "delete", "arguments": {}}'
    with serve(says(text)) as script:
        done = model(script).complete(Prompt(START, 50, tools=(READ,)))
    assert (done.text, done.tool_calls) == (text, ())


@both
def test_shaped_reply_is_asked_of_the_server(how: str) -> None:
    with serve(says(GOOD_PLAN)) as script:
        done = complete(model(script), SHAPED, how)
    assert (done.text, done.notes) == (GOOD_PLAN, ())
    assert script.asked[0]["response_format"]["json_schema"]["schema"] == SHAPE.schema


@both
@pytest.mark.parametrize(
    "refusal",
    [
        refuses(400, "response_format is not supported"),
        says("First I would read Annex III."),
        says('{"plan": []}'),
    ],
    ids=["refused", "ignored", "another shape"],
)
def test_server_without_structured_output_is_told_in_words_and_remembered(
    how: str, refusal: Reply
) -> None:
    with serve(refusal, says(f"Sure:\n```json\n{GOOD_PLAN}\n```")) as script:
        llm = model(script)
        first, second = complete(llm, SHAPED, how), complete(llm, SHAPED, how)
    assert GOOD_PLAN in first.text
    assert GOOD_PLAN in second.text
    assert any("no structured output" in note for note in second.notes)
    assert ["response_format" in sent for sent in script.asked] == [True, False, False]
    assert '"required": ["steps"]' in script.asked[1]["messages"][-1]["content"]


def test_a_shaped_reply_that_was_cut_is_not_asked_for_in_words() -> None:
    with serve(says('{"steps": ["Read', "length")) as script:
        done = model(script).complete(SHAPED)
    assert (done.finish, len(script.asked)) == ("length", 1)


def test_nothing_is_remembered_of_a_server_when_words_do_not_help_either() -> None:
    with serve(says("no"), says("no"), says(GOOD_PLAN)) as script:
        llm = model(script)
        assert llm.complete(SHAPED).text == "no"
        assert llm.complete(SHAPED).text == GOOD_PLAN
    assert ["response_format" in sent for sent in script.asked] == [True, False, True]


@pytest.mark.parametrize(
    ("status", "reason", "message"),
    [
        (400, "maximum context length is 10 tokens", "longer than the context"),
        (401, "bad key", "rejected the key"),
        (404, "no such model", "has no model"),
        (500, "boom", "failed"),
    ],
)
def test_other_refusals_are_told_at_once(status: int, reason: str, message: str) -> None:
    expected = pytest.raises(LLMError, match=message)
    with serve(refuses(status, reason)) as script, expected:
        model(script).complete(CALLING)
    assert len(script.asked) == 1


def test_the_second_refusal_is_the_one_that_is_told() -> None:
    refusals = refuses(400, "no tools"), refuses(400, "strange field")
    with serve(*refusals) as script, pytest.raises(LLMError, match="strange field"):
        model(script).complete(CALLING)


def test_calls_cost_what_the_prices_say() -> None:
    with serve(says("Hello.")) as script:
        prompt = Prompt(START, 50)
        priced = model(script, prompt_price=1000.0, reply_price=2000.0).complete(prompt)
        free = model(script).complete(prompt)
    assert priced.cost == pytest.approx((11 * 1000 + 7 * 2000) / 1_000_000)
    assert free.cost is None


def test_a_hurried_call_waits_no_longer_and_is_not_repeated() -> None:
    expected = pytest.raises(LLMError, match=r"did not answer within 0\.2 s")
    with serve(Reply("{}", wait_s=30)) as script, expected:
        model(script, retries=2).complete(Prompt(START, 50, timeout_s=0.2))
    assert len(script.asked) == 1


def test_text_of_a_shaped_reply_is_heard_whole() -> None:
    heard: list[str] = []
    with serve(says(GOOD_PLAN)) as script:
        model(script).complete(SHAPED, heard.append)
    assert heard == [GOOD_PLAN]
