"""What of a reply is passed on while it is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from effort import no_runaway
from hits import make_hits
from hypothesis import given
from hypothesis import strategies as st
from scripted_modes import ScriptedLLM

from generation import answer, answer_async
from generation.llm.protocol import Prompt
from generation.replies.stream import Stream
from generation.text.markup import MarkupFilter, without_markup

CODE = "c0dec0dec0de"
MARK = f"<<{CODE} begin passage 1 (COBS 1.1)>>\n"


def heard(pieces: Sequence[str], code: str = CODE) -> list[str]:
    passed: list[str] = []
    stream = Stream(passed.append, code)
    for piece in pieces:
        stream(piece)
    stream.finish()
    return passed


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 500])
def test_marks_are_taken_out_however_the_text_is_cut(size: int) -> None:
    text = f"{MARK}A firm must pay [1].\n<<{CODE} end passage 1>>\nIf a < b or a << b, stop.<"
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join(heard(pieces)) == "A firm must pay [1].\nIf a < b or a << b, stop.<"


def test_text_is_passed_on_as_it_comes() -> None:
    assert heard(["A firm ", "must ", "pay."]) == ["A firm ", "must ", "pay."]
    assert heard(["A < b", " and", " more <", "< c"]) == ["A < b", " and", " more ", "<< c"]


def test_a_mark_without_end_is_not_waited_for_longer_than_marks_are() -> None:
    assert heard([f"Pay. <<{CODE} begin", " x" * 300])[0] == "Pay. "
    assert heard([f"Pay. <<{CODE} begin passage"]) == ["Pay. "]


def test_without_a_fence_no_mark_is_waited_for() -> None:
    assert heard([f"a <<{CODE}", " b"], code="") == [f"a <‹{CODE}", " b"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 500])
def test_markup_has_no_force_however_the_text_is_cut(size: int) -> None:
    text = "Pay![x](http://a.b)! [1]<b>now</b> <<!--\n[d]: http://c\n![e]: f\n[1]: g! < 2 ]<"
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join(heard(pieces)) == without_markup(text)


@given(st.lists(st.text(alphabet="<!]:([/a \n", max_size=6)))
def test_however_a_text_is_cut_it_is_passed_on_as_the_whole_would_be(pieces: list[str]) -> None:
    stream = MarkupFilter()
    passed = [stream.feed(piece) for piece in pieces] + [stream.finish()]
    assert "".join(passed) == without_markup("".join(pieces))


@pytest.mark.parametrize("piece", ["abcd", "!!!!", "<]![", "a]: "])
def test_a_long_reply_is_passed_on_as_fast_at_its_end_as_at_its_beginning(piece: str) -> None:
    with no_runaway():
        assert "".join(heard([piece] * 60_000))


def test_escapes_are_never_passed_on() -> None:
    assert heard(["a\x1b[2J", "\u202eb"]) == ["a[2J", "b"]


@pytest.mark.parametrize("mode", ["rag", "advisor", "zero-shot"])
def test_what_is_heard_is_what_is_shown(mode: str) -> None:
    def repeat_marks(prompt: Prompt) -> str:
        return prompt.messages[1].content.partition("\n")[0] + "\nA Person must pay now."

    pieces: list[str] = []
    llm = ScriptedLLM(repeat_marks)
    hits = make_hits("A Person must pay.")
    result = answer("Who pays?", hits, mode=mode, llm=llm, on_text=pieces.append)
    assert "".join(pieces) == result.text == "A Person must pay now."
    assert "leaked" in {warning.kind for warning in result.warnings}


@pytest.mark.parametrize("reply", ["Pay within a day. [1]", "Pay!", "Pay <"])
async def test_the_last_piece_is_heard_in_the_loop_of_the_asker(reply: str) -> None:
    loop, heard_in = asyncio.get_running_loop(), []
    firm = ScriptedLLM(lambda _: reply)
    hits = make_hits("A firm must pay within a day.")
    await answer_async(
        "Who pays?", hits, mode="rag", llm=firm,
        on_text=lambda _: heard_in.append(asyncio.get_running_loop()),
    )  # fmt: skip
    assert heard_in
    assert set(heard_in) == {loop}


@pytest.mark.parametrize(
    "error", [ValueError("no"), json.JSONDecodeError("no", "", 0), OSError("no")]
)
def test_what_a_listener_raises_is_its_own(error: Exception) -> None:
    def hear(_: str) -> None:
        raise error

    firm = ScriptedLLM(lambda _: "Pay [1].")
    with pytest.raises(type(error)) as raised:
        answer("Who?", make_hits("Pay."), mode="rag", llm=firm, on_text=hear)
    assert raised.value is error
