"""Mode `advisor`: the regime, its model and prompt, and passages by weight."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hits import make_hit, make_hits
from scripted_modes import ScriptedLLM

from generation import Answer, AnswerContext, AnswerSettings, answer, answer_text
from generation.advisor.shares import CUT_MARK
from generation.llm.protocol import Limits, estimate_tokens
from generation.records import Decision
from search.errors import InputError, LLMError
from search.records import Hit

HITS = make_hits("A Person must pay the fee.", "A Person must keep records for six years.")
SENTENCE = "A Person must keep every record of every client for six years. "


def says(text: str, **more: int) -> ScriptedLLM:
    return ScriptedLLM(lambda _: text, **more)


def ask(llm: object, hits: list[Hit] = HITS, **more: object) -> Answer:
    return answer("Who pays?", hits, mode="advisor", llm=llm, **more)


def under(regime: str) -> list[Hit]:
    return [replace(hit, passage=replace(hit.passage, metadata={"regime": regime})) for hit in HITS]


def test_answer_cites_its_passages_and_tells_what_was_chosen() -> None:
    result = ask(says("A Person must pay the fee [1], and keep records [2]."), under("civil law"))
    assert [one.passage.passage_id for one in result.citations] == ["1.1", "1.2"]
    assert result.warnings == ()
    assert result.decisions == (
        Decision("regime", "civil law", "the documents' regime is civil law"),
        Decision("model", "scripted", "for any regime"),
        Decision("weights", "[1] 0.50, [2] 0.50", "by score"),
    )
    assert "Chosen:\n- regime: civil law (the documents' regime is" in answer_text(result)
    assert result.to_json()["decisions"][0] == {
        "name": "regime", "value": "civil law", "reason": "the documents' regime is civil law",
    }  # fmt: skip


@pytest.mark.parametrize("regime", ["common law", "civil law"])
def test_each_regime_has_its_prompt_and_its_model(regime: str) -> None:
    models = {name: says("Pay [1].") for name in ("", "common-law", "civil-law")}
    result = ask(models, under(regime))
    asked = {name: len(model.asked) for name, model in models.items()}
    assert asked == {"": 0, "common-law": 0, "civil-law": 0, regime.replace(" ", "-"): 1}
    system = models[regime.replace(" ", "-")].asked[0].messages[0].content
    assert f"in a jurisdiction of the {regime}" in system
    assert result.decisions[1] == Decision("model", "scripted", f"that of {regime}")


def test_a_regime_without_a_model_of_its_own_has_the_default_one() -> None:
    models = {"": says("Pay [1]."), "common-law": says("never")}
    ask(models, context=AnswerContext(regime="civil"))
    assert len(models[""].asked) == 1


def test_a_model_that_does_not_tell_its_size_is_still_that_of_its_regime() -> None:
    class Silent(ScriptedLLM):
        def limits(self) -> Limits:
            raise LLMError("no word")

    models = {"": says("never"), "civil-law": Silent(lambda _: "Pay [1].")}
    result = ask(models, context=AnswerContext(regime="civil"))
    assert result.decisions[1] == Decision("model", "scripted", "that of civil law")


def test_a_chosen_regime_counts_and_a_wrong_one_is_refused() -> None:
    llm = says("Pay [1].")
    chosen = ask(llm, under("common law"), context=AnswerContext(regime="civil-law")).decisions[0]
    assert chosen == Decision("regime", "civil law", "chosen")
    with pytest.raises(InputError, match="regime 'canon'"):
        ask(llm, context=AnswerContext(regime="canon"))


def test_passages_stand_in_the_order_of_their_weights_which_the_model_is_shown() -> None:
    light, heavy = make_hit("Light.", "1.1", 0.75), make_hit("Heavy.", "1.2", 0.9, rank=2)
    hits = [replace(light, relevance=0.2), replace(heavy, relevance=0.6)]
    llm = says("It is so [1].")
    result = ask(llm, hits)
    user = llm.asked[0].messages[1].content
    labels = re.findall(r"begin passage (\d) \(weight ([\d.]+); COBS ([\d.]+)\)", user)
    assert labels == [("1", "0.75", "1.2"), ("2", "0.25", "1.1")]
    assert [one.passage.passage_id for one in result.citations] == ["1.2"]


def test_a_passage_longer_than_its_share_is_cut_and_that_is_told() -> None:
    hits = make_hits(SENTENCE * 60, "A Person must pay the fee.", SENTENCE * 60)
    llm = says("Pay [2].", context=2500)
    result = ask(llm, hits)
    prompt = llm.asked[0]
    spent = sum(estimate_tokens(message.content) for message in prompt.messages)
    assert spent + prompt.max_tokens <= 2500
    assert prompt.messages[1].content.count(CUT_MARK) == 2
    (warning,) = result.warnings
    assert warning.kind == "left-out"
    assert "Only the beginning" in warning.message
    assert "COBS 1.1, COBS 1.3" in warning.message


def test_a_passage_that_ends_in_the_mark_itself_is_not_told_as_cut() -> None:
    result = ask(says("Pay [1]."), make_hits(f"A Person must pay the fee. {CUT_MARK}"))
    assert result.warnings == ()


def test_the_lightest_passages_are_left_out_where_shares_become_too_small() -> None:
    hits = make_hits(*[SENTENCE * 20] * 10)
    result = ask(says("Pay [1].", context=1600), hits)
    kinds = [warning.kind for warning in result.warnings]
    assert kinds == ["left-out", "left-out"]
    assert "COBS 1.10" in result.warnings[1].message
    weights = [float(one) for one in re.findall(r"0\.\d+", result.decisions[2].value)]
    assert sum(weights) == pytest.approx(1, abs=0.03)


def test_a_context_too_small_for_one_passage_is_told() -> None:
    with pytest.raises(LLMError, match="of 512 tokens is too small for even one passage, COBS"):
        ask(says("never", context=512))


def test_a_model_that_finds_nothing_is_believed() -> None:
    result = ask(says("INSUFFICIENT EVIDENCE"))
    assert (result.insufficient_evidence, result.refused_by) == (True, "model")
    assert result.decisions[0].name == "regime"


def test_own_prompts_replace_those_of_a_regime() -> None:
    own = {"advisor-common-law-system": "You are brief. Marks begin with <<$code."}
    llm = says("Pay [1].")
    ask(llm, settings=AnswerSettings(prompts=own))
    assert llm.asked[0].messages[0].content.startswith("You are brief. Marks begin with <<")
