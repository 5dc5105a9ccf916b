"""What happens when the server of the language model misbehaves."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from coded import coded
from hits import make_hits
from scripted_llm import Reply, Script, says, sends, serve, streams

from generation import (
    Answer,
    AnswerSettings,
    FilterSettings,
    LLMSettings,
    OpenAILLM,
    answer,
    answer_async,
    answer_text,
)
from search.errors import InputError, LLMError

THERE = {"url": "http://127.0.0.1:1/v1", "model": "m"}
HITS = make_hits("A Person must pay the fee.", "A Person must keep records for six years.")
KEY = "sk-very-secret"
OK = says("A Person must pay the fee [1].")
BUSY = Reply({"error": {"message": "slow down"}}, 429, headers={"retry-after-ms": "5"})


def model(script: Script, **more: Any) -> OpenAILLM:
    fixed = {"url": script.url, "model": "m", "api_key": KEY, "context_tokens": 4096}
    return OpenAILLM(LLMSettings(**{**fixed, "timeout_s": 5, **more}))


def ask(llm: OpenAILLM, how: str, heard: list[str] | None = None) -> Answer:
    """Ask in one of the ways: whole or streamed, blocking or in an event loop."""
    on_text = None if "whole" in how else (heard if heard is not None else []).append
    if "async" in how:
        return asyncio.run(answer_async("Who pays?", HITS, mode="rag", llm=llm, on_text=on_text))
    return answer("Who pays?", HITS, mode="rag", llm=llm, on_text=on_text)


WAYS = ["whole", "whole async", "streamed", "streamed async"]
WHOLE, STREAMED = WAYS[:2], WAYS[2:]


@pytest.mark.parametrize("how", WAYS)
def test_good_reply_is_an_answer_with_citations_and_trace(how: str) -> None:
    heard: list[str] = []
    text = "A Person must pay the fee [1]. Records must be kept for six years [1, 2]."
    reply = says(text) if "whole" in how else streams(text[:10], text[10:])
    with serve(reply) as script:
        result = ask(model(script), how, heard)
    assert result.text == text.replace("[1, 2]", "[1][2]")
    assert [(c.marker, c.quote) for c in result.citations] == [
        ("[1]", "A Person must pay the fee."),
        ("[2]", "A Person must keep records for six years."),
    ]
    assert not result.warnings
    assert "".join(heard) in ("", text)
    (call,) = result.trace.calls if result.trace else ()
    assert "A Person must pay the fee." in call.prompt.messages[1].content
    assert call.completion.prompt_tokens == (11 if "whole" in how else None)
    assert "1. answer: m, " in result.trace.to_text() if result.trace else False
    assert script.asked[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("how", STREAMED)
def test_streamed_text_cannot_steer_the_terminal(how: str) -> None:
    heard: list[str] = []
    with serve(streams("A Person \x1b]0;", "must pay\u202e the fee [1].")) as script:
        ask(model(script), how, heard)
    assert heard == ["A Person ]0;", "must pay the fee [1]."]


@pytest.mark.parametrize("how", WAYS)
def test_time_out_says_how_long_it_waited(how: str) -> None:
    expected = pytest.raises(LLMError, check=coded("llm.timeout"))
    with serve(Reply("{}", wait_s=30)) as script, expected:
        ask(model(script, timeout_s=0.2, retries=0), how)


@pytest.mark.parametrize("how", WHOLE)
def test_refused_for_now_is_tried_again(how: str) -> None:
    with serve(BUSY, Reply("oops", 503, headers={"retry-after-ms": "5"}), OK) as script:
        result = ask(model(script), how)
    assert result.citations
    assert len(script.asked) == 3


@pytest.mark.parametrize("how", WAYS)
def test_refused_for_good_says_so_after_the_last_attempt(how: str) -> None:
    with (
        serve(BUSY) as script,
        pytest.raises(LLMError, match=r"\(429: slow down\) after 3 attempts"),
    ):
        ask(model(script), how)
    assert len(script.asked) == 3


@pytest.mark.parametrize("how", STREAMED)
@pytest.mark.parametrize(
    "reply",
    [
        streams("A Person must ", "pay the fee [1].", finish=None),
        streams("A Person must ", "pay the fee [1].", finish=None, cut=True),
        Reply(
            streams("A Person must pay the fee [1].", finish=None).body + "data: {broken\n\n",
            content_type="text/event-stream",
        ),
    ],
    ids=["ends early", "connection lost", "broken chunk"],
)
def test_cut_stream_keeps_what_came_and_says_so(how: str, reply: Reply) -> None:
    with serve(reply) as script:
        result = ask(model(script, retries=0), how)
    assert result.text == "A Person must pay the fee [1]."
    assert [w.kind for w in result.warnings] == ["cut"]
    assert "Take care:\n- The connection broke" in answer_text(result)


@pytest.mark.parametrize("how", STREAMED)
def test_stream_cut_before_the_first_word_is_an_error(how: str) -> None:
    with serve(streams(finish=None, cut=True)) as script, pytest.raises(LLMError):
        ask(model(script, retries=0), how)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(
    ("whole", "streamed", "code"),
    [
        (Reply({"id": "1", "choices": []}), streams(), "llm.empty"),
        (says(None), streams(""), "llm.empty"),
        (says(" \n"), streams(" ", "\n"), "llm.empty"),
        (Reply("<html>hello</html>", content_type="text/html"),) * 2 + ("llm.no-api",),
        (Reply("{nonsense"),) * 2 + ("llm.no-api",),
        (Reply([1, 2]),) * 2 + ("llm.no-api",),
        (Reply({"hello": "world"}),) * 2 + ("llm.no-api",),
    ],
    ids=["no choice", "no text", "blank", "web page", "broken json", "list", "other json"],
)
def test_empty_and_senseless_replies_are_one_clear_sentence(
    how: str, whole: Reply, streamed: Reply, code: str
) -> None:
    reply = whole if "whole" in how else streamed
    with serve(reply) as script, pytest.raises(LLMError, check=coded(code)):
        ask(model(script, retries=0), how)


def choice(part: str, value: object, **more: object) -> dict[str, object]:
    return {"choices": [{"index": 0, part: value, **more}]}


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(
    "shape",
    [
        lambda part: {"choices": "x"},
        lambda part: {"choices": {"0": "x"}},
        lambda part: {"choices": 5},
        lambda part: {"choices": ["x"]},
        lambda part: {"choices": [None]},
        lambda part: {"choices": [[]]},
        lambda part: choice(part, [1]),
        lambda part: choice(part, {"content": 5}),
        lambda part: choice(part, {"content": "a"}, finish_reason=[1]),
        lambda part: "text",
        lambda part: None,
        lambda part: 5,
    ],
)  # fmt: skip
def test_reply_of_another_shape_is_one_clear_sentence(how: str, shape: Any) -> None:
    reply = Reply(shape("message")) if "whole" in how else sends(shape("delta"))
    expected = pytest.raises(LLMError, check=coded("llm.no-api"))
    with serve(reply) as script, expected:
        ask(model(script, retries=0), how)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("value", [None, {}, {"content": None}])
def test_reply_without_a_message_or_delta_is_empty(how: str, value: object) -> None:
    parts = choice("message", value), choice("delta", value)
    reply = Reply(parts[0]) if "whole" in how else sends({"choices": [{}]}, parts[1])
    with serve(reply) as script, pytest.raises(LLMError, check=coded("llm.empty")):
        ask(model(script, retries=0), how)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("body", [b'{"choices": "\xff"}', b"[" * 100_000], ids=["bytes", "deep"])
def test_reply_that_cannot_be_decoded_is_one_clear_sentence(how: str, body: bytes) -> None:
    whole, streamed = (
        Reply(body),
        Reply(b"data: " + body + b"\n\n", content_type="text/event-stream"),
    )
    expected = pytest.raises(LLMError, check=coded("llm.no-api"))
    with serve(whole if "whole" in how else streamed) as script, expected:
        ask(model(script, retries=0), how)


@pytest.mark.parametrize("how", STREAMED)
def test_senseless_chunk_after_text_cuts_the_reply(how: str) -> None:
    text = choice("delta", {"content": "A Person must pay the fee [1]."})
    with serve(sends(text, {"choices": "x"})) as script:
        result = ask(model(script, retries=0), how)
    assert result.text == "A Person must pay the fee [1]."
    assert [w.kind for w in result.warnings] == ["cut"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("usage", ["many", 5, [], {"prompt_tokens": "many"}, {"prompt_tokens": []}])
def test_senseless_usage_counts_as_not_told(how: str, usage: object) -> None:
    said = {"content": OK.body["choices"][0]["message"]["content"]}
    parts = choice("message", said), choice("delta", said, finish_reason="stop")
    whole, streamed = ({**part, "usage": usage} for part in parts)
    with serve(Reply(whole) if "whole" in how else sends(streamed)) as script:
        result = ask(model(script), how)
    assert result.citations
    assert result.trace
    assert result.trace.calls[0].completion.prompt_tokens is None
    assert "1. answer: m, " in result.trace.to_text()


@pytest.mark.parametrize("how", WAYS)
def test_half_characters_are_replaced_and_halves_joined(how: str) -> None:
    heard: list[str] = []
    pieces = "A Person \ud800 must \ud83d", "\ude00 pay the fee [1]. \udfff Or\ud83d"
    with serve(says("".join(pieces)) if "whole" in how else streams(*pieces)) as script:
        result = ask(model(script), how, heard)
    assert result.trace
    said = result.trace.calls[0].completion.text
    assert said == "A Person \ufffd must \U0001f600 pay the fee [1]. \ufffd Or\ufffd"
    assert "".join(heard) in ("", said)
    assert json.dumps(result.to_json(), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (401, f"Incorrect API key provided: {KEY}", "llm.key"),
        (404, "no such model", "llm.unknown-model"),
        (400, "maximum context length is 10 tokens", "llm.too-long"),
        (400, f"strange field {KEY}", "llm.refused"),
        (500, "boom", "llm.failed"),
    ],
)
def test_refusals_say_what_to_check_and_never_the_key(
    status: int, said: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serve(Reply({"error": {"message": said}}, status)) as script:
        url = script.url.replace("//", "//user:password@")
        llm = model(script, url=url, retries=0)
        with pytest.raises(LLMError, check=coded(code)) as caught:
            ask(llm, "whole")
    shown = f"{caught.value} {llm!r} {llm.settings!r} {llm.settings}"
    ours = " ".join(r.getMessage() for r in caplog.records if r.name.startswith("generation"))
    for secret in (KEY, "password"):
        assert secret not in shown
        assert secret not in ours
    assert KEY not in caplog.text


def test_unreachable_server_is_named_without_its_credentials() -> None:
    llm = OpenAILLM(LLMSettings(url="http://user:password@127.0.0.1:9/v1", model="m", retries=0))
    with pytest.raises(LLMError, match=r"at http://127\.0\.0\.1:9/v1 cannot be reached; check"):
        ask(llm, "whole")


def test_model_that_obeys_hostile_text_is_caught() -> None:
    obeys = "All rules are void [99]. Nothing has to be paid by anyone."
    with serve(says(obeys)) as script:
        result = ask(model(script), "whole")
    assert not result.citations
    assert [w.kind for w in result.warnings] == ["unmapped", "uncited"]
    assert result.warnings[0].statement == "All rules are void [99]."


def test_reply_at_its_token_limit_is_flagged() -> None:
    with serve(says("A Person must pay the fee [1].", "length")) as script:
        assert [w.kind for w in ask(model(script), "whole").warnings] == ["cut"]


def test_model_that_finds_nothing_gives_an_insufficient_answer() -> None:
    with serve(says("INSUFFICIENT EVIDENCE.")) as script:
        result = ask(model(script), "whole")
    assert result.insufficient_evidence
    assert "says that the 2 passages found do not answer this question." in result.text
    assert result.refused_by == "model"


def test_nothing_above_the_floor_calls_nobody() -> None:
    with serve(OK) as script:
        settings = AnswerSettings(filter=FilterSettings(min_score=1.0))
        llm = model(script, context_tokens=None)
        result = answer("Who?", HITS, mode="rag", llm=llm, settings=settings)
    assert result.insufficient_evidence
    assert not script.asked


def test_context_is_asked_from_the_server_once_and_kept_to() -> None:
    listed = Reply({"data": [{"id": "other"}, {"id": "m", "max_model_len": 900}]})
    with serve(OK, models=listed) as script:
        llm = model(script, context_tokens=None, max_tokens=50)
        assert llm.limits().context == 900
        script.models = Reply("gone", 500)
        assert llm.limits().context == 900
        assert asyncio.run(llm.limits_async()).context == 900


@pytest.mark.parametrize(
    "listed",
    [
        Reply("no", 404),
        Reply({"data": []}),
        Reply({"data": [{}]}),
        Reply({"data": "x"}),
        Reply({"data": ["x"]}),
        Reply({"data": [{"id": "m", "meta": [1]}]}),
        Reply({"data": [{"id": "m", "meta": "x", "max_model_len": "long"}]}),
        Reply({"data": [{"id": "m", "max_model_len": True}]}),
        Reply("<html>", content_type="text/html"),
        Reply([1]),
        Reply("null"),
        Reply(5),
    ],
)
def test_server_that_does_not_tell_its_context_gets_a_careful_guess(listed: Reply) -> None:
    with serve(OK, models=listed) as script:
        llm = model(script, context_tokens=None, retries=0)
        assert llm.limits().context == 4096
        assert asyncio.run(llm.limits_async()).context == 4096


def test_mode_rag_without_a_model_is_refused() -> None:
    with pytest.raises(InputError, check=coded("mode.needs-llm")):
        answer("Who?", HITS, mode="rag")


@pytest.mark.parametrize(
    "settings",
    [{"url": "localhost:8080"}, {"url": "http://[::1"}, {"model": " "}, {"timeout_s": 0},
     {"max_tokens": 0}, {"context_tokens": -1}, {"retries": -1}, {"timeout_s": float("inf")}],
)  # fmt: skip
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        LLMSettings(**{"url": "http://127.0.0.1:1/v1", "model": "m", **settings})


@pytest.mark.parametrize(
    "address",
    ["http://exa\x07mple/v1", "http://127.0.0.1:1/v1\n", "http://a b/v1", "http://127.0.0.1:1/v 1",
     f"http://{'a' * 64}.com/v1", "http://127.0.0.1:99999/v1"],
)  # fmt: skip
def test_an_address_that_no_client_can_call_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="is not a web address; write it like"):
        LLMSettings(url=address, model="m")


@pytest.mark.parametrize(
    "url",
    ["http://user:s3c/ret@host/v1", "user:s3cret@host:8080/v1", "https:/user:s3cret@host/v1",
     "http://user:s3#cret@host/v1", "http://user:s3?cret@host/v1"],
)  # fmt: skip
def test_a_password_in_what_is_no_address_is_not_shown(url: str) -> None:
    with pytest.raises(InputError, match=r"host.* is not a web address") as refused:
        LLMSettings(url=url, model="m")
    assert not any(part in str(refused.value) for part in ("user", "s3", "cret", "ret@"))


@pytest.mark.parametrize("key", ["schlüssel-geheim", "sk-geheim\n", "sk geheim", "sk-geheim\ud800"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(InputError) as refused:
        LLMSettings(**THERE, api_key=key)
    assert str(refused.value) == (
        "The language model's API key cannot be used: a key must be one word of ASCII."
    )
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "The language model's url is missing; give it to LLMSettings."),
        ({**THERE, "timeout": 5},
         "The language model's settings: unknown field 'timeout'; did you mean 'timeout_s'?"),
        ({**THERE, "url": None},
         "The language model's url cannot be used: input should be a valid string."),
        ({**THERE, "timeout_s": "soon"}, "The language model's timeout_s cannot be used: input "
         "should be a valid number, unable to parse string as a number."),
    ],
)  # fmt: skip
def test_settings_of_the_wrong_shape_are_refused_in_a_sentence(
    settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError) as refused:
        LLMSettings(**settings)
    assert str(refused.value) == sentence


def test_a_key_may_be_plain_text_and_is_shown_nowhere() -> None:
    settings = LLMSettings(url="http://127.0.0.1:1/v1", model="m", api_key="sk-1234")
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-1234"
    assert "sk-1234" not in repr(settings)
    with pytest.raises(InputError) as refused:
        LLMSettings(**THERE, api_key="sk-1234", retries="often")  # type: ignore[arg-type]
    assert "sk-1234" not in str(refused.value)
    assert refused.value.__cause__ is None
