"""Prompts and models of the user's own: what would be ignored is refused."""

from __future__ import annotations

import pytest
from hits import make_hits
from scripted_modes import ScriptedLLM

from generation import AnswerSettings, answer
from generation.prompts import prompt_names, shipped
from generation.settings import check_prompt
from search.errors import InputError


def says(text: str) -> ScriptedLLM:
    return ScriptedLLM(lambda _: text)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("rag_system", "$code", "unknown prompt 'rag_system'; did you mean 'rag-system'?"),
        ("rag-system", " ", "rag-system.txt: is empty; write a prompt, or remove the file."),
        ("rag-user", "$passages $questoin $question",
         ("rag-user.txt: unknown placeholder $questoin; this prompt has $passages, "
"$question. Write $$ for a dollar sign.")),
    ],
)  # fmt: skip
def test_prompts_that_cannot_be_used_are_refused(name: str, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        AnswerSettings(prompts={name: text})
    assert str(refused.value) == sentence


def test_every_prompt_that_ships_could_be_ones_own() -> None:
    for name in prompt_names():
        check_prompt(name, shipped(name).template)


def test_a_dollar_sign_in_a_prompt_of_ones_own_reaches_the_model() -> None:
    llm = says("Pay [1].")
    own = AnswerSettings(prompts={"rag-system": "Fees are in US$$, such as $5. $code"})
    answer("Who?", make_hits("A Person must pay."), mode="rag", llm=llm, settings=own)
    assert llm.asked[0].messages[0].content.startswith("Fees are in US$, such as $5. ")


def test_a_model_for_a_role_that_there_is_not_is_refused() -> None:
    models: dict[str, ScriptedLLM] = {"": says("Pay [1]."), "civil law": says("never")}
    with pytest.raises(InputError) as refused:
        answer("Who?", make_hits("A Person must pay."), mode="advisor", llm=models)
    assert str(refused.value) == (
        "unknown role of a language model 'civil law'; did you mean 'civil-law'? "
        'Use "" for all roles.'
    )
