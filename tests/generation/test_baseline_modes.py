"""Modes `zero-shot` and `few-shot`: answers without passages, which say so."""

from __future__ import annotations

import pytest
from hits import make_hits
from scripted_modes import ScriptedLLM

from generation import Answer, AnswerContext, Example, answer, answer_text
from generation.prompts.examples import nearest_examples
from generation.replies.question_echo import without_echo
from generation.replies.stream import Stream
from search.errors import InputError, LLMError

HITS = make_hits("A Person must pay the fee.")
EXAMPLES = tuple(
    Example(f"What must a firm do about {thing}?", f"It must {verb} {thing}.")
    for thing, verb in [
        ("fees", "pay"), ("records", "keep"), ("complaints", "answer"), ("breaches", "report"),
        ("client money", "segregate"), ("gifts", "refuse"), ("audits", "pass"),
    ]
)  # fmt: skip


def ask(mode: str, llm: ScriptedLLM, question: str = "Who pays?", **given: object) -> Answer:
    return answer(question, HITS, mode=mode, llm=llm, context=AnswerContext(**given))


def says(text: str, **more: int) -> ScriptedLLM:
    return ScriptedLLM(lambda _: text, **more)


@pytest.mark.parametrize("mode", ["zero-shot", "few-shot"])
def test_no_passage_is_shown_and_the_answer_says_so(mode: str) -> None:
    llm = says("The firm must pay.")
    result = ask(mode, llm, examples=EXAMPLES)
    prompt = "".join(message.content for message in llm.asked[0].messages)
    assert "A Person must pay the fee" not in prompt
    assert "Who pays?" in prompt
    assert result.text == "The firm must pay."
    assert result.citations == ()
    assert [(one.kind, one.statement) for one in result.warnings] == [("uncited", "")]
    assert f"Mode {mode} gives the model no passages:" in answer_text(result)


@pytest.mark.parametrize("mode", ["zero-shot", "few-shot"])
def test_a_citation_that_is_made_up_stands_for_nothing(mode: str) -> None:
    result = ask(mode, says("The firm must pay its fees [1, 2]."), examples=EXAMPLES)
    assert result.citations == ()
    assert [one.kind for one in result.warnings] == ["uncited", "unmapped"]


def test_an_answer_is_given_where_the_search_finds_nothing() -> None:
    result = answer("Who pays?", [], mode="zero-shot", llm=says("The firm must pay."))
    assert (result.text, result.insufficient_evidence) == ("The firm must pay.", False)


def test_examples_that_are_nearest_to_the_question_are_shown_the_nearest_last() -> None:
    llm = says("It must.")
    result = ask("few-shot", llm, "What about client money and audits?", examples=EXAMPLES)
    user = llm.asked[0].messages[1].content
    shown = [example for example in EXAMPLES if example.answer in user]
    assert len(shown) == 5
    places = {user.index(example.answer): example.answer for example in shown}
    assert places[max(places)] == "It must segregate client money."
    assert places[sorted(places)[-2]] == "It must pass audits."
    assert result.decisions[0].to_json()["value"] == "5"


def test_the_question_itself_is_no_example() -> None:
    question = EXAMPLES[0].question.upper()
    assert EXAMPLES[0] not in nearest_examples(question, EXAMPLES, 5)
    assert EXAMPLES[0] not in nearest_examples(question, EXAMPLES[:2], 5)


def test_examples_that_do_not_fit_are_left_out_the_farthest_first() -> None:
    long = [Example(one.question, one.answer + " It must do so." * 100) for one in EXAMPLES[:5]]
    llm = says("It must.", context=1800)
    result = ask("few-shot", llm, "What must a firm do about records?", examples=tuple(long[2:]))
    assert result.decisions[0].value == "1 of 3"


def test_few_shot_without_examples_is_refused_with_what_to_do() -> None:
    with pytest.raises(InputError, match="needs answered questions as examples"):
        ask("few-shot", says("never"))


@pytest.mark.parametrize("mode", ["zero-shot", "few-shot"])
def test_a_context_too_small_for_the_prompt_is_told(mode: str) -> None:
    with pytest.raises(LLMError, match="context of 300 tokens is too small for this prompt"):
        ask(mode, says("never", context=300), examples=EXAMPLES)


@pytest.mark.parametrize("mode", ["zero-shot", "few-shot"])
def test_streamed_text_is_the_answer(mode: str) -> None:
    heard: list[str] = []
    given = AnswerContext(examples=EXAMPLES)
    result = answer(
        "Who pays?", HITS, mode=mode, llm=says("Pay."), context=given, on_text=heard.append
    )
    assert "".join(heard) == result.text == "Pay."


ECHOES = [
    "Who pays?\nThe firm must pay.",
    "**Who pays?**\n\nThe firm must pay.",
    "Question: who pays\nAnswer: The firm must pay.",
    "New question: Who pays?\n**Answer:** The firm must pay.",
    "\nQ: Who\npays?\nA: The firm must pay.",
]
NO_ECHOES = [
    "Who pays? The firm must pay.",
    "Who pays must be asked first.\nThen the firm must pay.",
    "The firm must pay.\nWho pays?\nThe firm.",
    "Who pays?",
    "Answer: The firm must pay.",
]


@pytest.mark.parametrize("mode", ["zero-shot", "few-shot"])
@pytest.mark.parametrize("reply", [*ECHOES, *NO_ECHOES])
def test_the_question_is_no_part_of_the_answer(mode: str, reply: str) -> None:
    heard: list[str] = []
    given = AnswerContext(examples=EXAMPLES)
    result = answer(
        "Who pays?", HITS, mode=mode, llm=says(reply), context=given, on_text=heard.append
    )
    shown = "The firm must pay." if reply in ECHOES else reply
    assert "".join(heard) == result.text == shown


@pytest.mark.parametrize("size", [1, 2, 3, 7, 500])
@pytest.mark.parametrize("reply", [*ECHOES, *NO_ECHOES])
def test_an_echo_is_dropped_however_the_text_is_cut(reply: str, size: int) -> None:
    heard: list[str] = []
    stream = Stream(heard.append, echo="Who pays?")
    for start in range(0, len(reply), size):
        stream(reply[start : start + size])
    stream.finish()
    assert "".join(heard) == without_echo(reply, "Who pays?")


def test_a_question_without_a_word_has_no_echo() -> None:
    assert without_echo("???\nPay.", "???") == "???\nPay."


def test_few_examples_are_sorted_too() -> None:
    examples = [Example("Dogs?", "No."), Example("What about cats?", "No."),
                Example("How is capital reported by banks?", "In a form.")]  # fmt: skip
    first, *_ = nearest_examples("Is capital reported?", examples, 5)
    assert first.question == "How is capital reported by banks?"
