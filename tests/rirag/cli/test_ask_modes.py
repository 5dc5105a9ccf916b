"""`rirag ask --mode`: advisor and the baselines, with their models, prompts and examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run
from scripted_llm import Script, says, serve

QUESTION = "Within how many business days must we send a final response to a complaint?"
GIVEN = "Within 40 Business Days [1]."


def with_model(script: Script) -> tuple[str, ...]:
    return ("--llm-url", script.url, "--llm-model", "m", "--no-stream")


def system(script: Script) -> str:
    return str(script.asked[-1]["messages"][0]["content"])


def user(script: Script) -> str:
    return str(script.asked[-1]["messages"][1]["content"])


def test_advisor_shows_what_it_chose(rirag: Run, rulebook: Path) -> None:
    with serve(says(GIVEN)) as script:
        command = ("ask", QUESTION, "--mode", "advisor", "--index", rulebook)
        shown = rirag(*command, *with_model(script))
        answer = rirag(*command, *with_model(script), "--json").json
    assert "\n\nChosen:\n- regime: common law (the documents' regime is common law)" in shown.out
    assert "\n- model: m (for any regime)" in shown.out
    assert [one["name"] for one in answer["decisions"]] == ["regime", "model", "weights"]
    assert "in a jurisdiction of the common law" in system(script)


def test_a_regime_can_be_chosen_and_has_a_model_and_a_key_of_its_own(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_API_KEY", "sk-for-all")
    with serve(says(GIVEN)) as script, serve(says(GIVEN)) as other:
        monkeypatch.setenv("RIRAG_LLM_URL_CIVIL_LAW", other.url)
        monkeypatch.setenv("RIRAG_LLM_MODEL_CIVIL_LAW", "code-reader")
        command = ("ask", QUESTION, "--mode", "advisor", "--regime", "civil-law", "--json")
        answer = rirag(*command, "--index", rulebook, *with_model(script)).json
        assert [one["value"] for one in answer["decisions"][:2]] == ["civil law", "code-reader"]
        assert (len(script.asked), len(other.asked)) == (0, 1)
        # The key of one server is not shown to another.
        assert other.asked[0]["authorization"] == "Bearer none"
        monkeypatch.setenv("RIRAG_LLM_API_KEY_CIVIL_LAW", "sk-civil")
        rirag(*command, "--index", rulebook, *with_model(script))
        assert other.asked[1]["authorization"] == "Bearer sk-civil"


def test_a_second_model_of_the_same_server_needs_no_second_key(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_API_KEY", "sk-for-all")
    monkeypatch.setenv("RIRAG_LLM_MODEL_COMMON_LAW", "case-reader")
    with serve(says(GIVEN)) as script:
        rirag("ask", QUESTION, "--mode", "advisor", "--index", rulebook, *with_model(script))
    assert script.asked[0]["model"] == "case-reader"
    assert script.asked[0]["authorization"] == "Bearer sk-for-all"


def test_a_server_of_another_regime_that_is_down_does_not_matter(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_URL_CIVIL_LAW", "http://127.0.0.1:9/v1")
    with serve(says(GIVEN)) as script:
        command = ("ask", QUESTION, "--mode", "advisor", "--index", rulebook)
        assert rirag(*command, *with_model(script)).code == 0
        sentence = rirag(*command, "--regime", "civil law", *with_model(script)).refused(8)
    assert "127.0.0.1:9/v1 cannot be reached" in sentence


def test_a_key_in_the_settings_file_is_refused(
    rirag: Run, rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('llm_api_key_civil_law = "sk-secret"\n')
    monkeypatch.setenv("RIRAG_CONFIG", str(file))
    refused = rirag("ask", QUESTION, "--index", rulebook).refused(2)
    assert "llm_api_key_civil_law is a secret" in refused
    assert "sk-secret" not in refused


def test_own_prompts_are_used(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    (tmp_path / "rag-system.txt").write_text("You are terse. Marks begin with <<$code.")
    with serve(says(GIVEN)) as script:
        command = ("ask", QUESTION, "--index", rulebook, *with_model(script))
        assert rirag(*command, "--prompts", tmp_path).code == 0
        assert system(script).startswith("You are terse.")
        (tmp_path / "rag-system.txt").write_text("You are terse.")
        refused = rirag(*command, "--prompts", tmp_path).refused(2)
        assert refused.startswith("rag-system.txt: The prompt has no place for $code;")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("rag-sistem.txt", "x", "unknown prompt 'rag-sistem'; did you mean 'rag-system'?"),
        ("rag-system.txt", " \n", "is empty; write a prompt, or remove the file."),
        (
            "rag-system.txt",
            "$cod",
            "unknown placeholder $cod; this prompt has $code. Write $$ for a dollar sign.",
        ),
    ],
)
def test_prompts_that_cannot_be_used_are_refused(
    rirag: Run, rulebook: Path, tmp_path: Path, name: str, content: str, sentence: str
) -> None:
    file = tmp_path / name
    file.write_text(content)
    refused = rirag("ask", QUESTION, "--index", rulebook, "--prompts", tmp_path).refused(2)
    assert refused == f"{file}: {sentence}"


def test_a_prompt_that_is_not_utf8_is_refused_with_its_line(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    file = tmp_path / "rag-system.txt"
    file.write_bytes(b"You are terse.\n\xff")
    refused = rirag("ask", QUESTION, "--index", rulebook, "--prompts", tmp_path).refused(2)
    assert refused == f"{file}:2: this line is not UTF-8; save the file as UTF-8."


def test_a_folder_of_prompts_that_is_not_there_is_refused(rirag: Run, rulebook: Path) -> None:
    refused = rirag("ask", QUESTION, "--index", rulebook, "--prompts", "nowhere").refused(2)
    assert refused.startswith("nowhere: this folder of prompts")


def test_zero_shot_shows_the_model_no_passage_and_says_so(rirag: Run, rulebook: Path) -> None:
    with serve(says("Within eight weeks.")) as script:
        shown = rirag(
            "ask", QUESTION, "--mode", "zero-shot", "--index", rulebook, *with_model(script)
        )
    assert shown.out.startswith(
        "Within eight weeks.\n\nTake care:\n- Mode zero-shot gives the model"
    )
    assert "40 Business Days" not in user(script)


def test_few_shot_takes_examples_of_a_file(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    file = tmp_path / "answered.jsonl"
    file.write_text(json.dumps({"question": "What is due?", "answer": "The fee.", "id": 7}) + "\n")
    with serve(says("Within eight weeks.")) as script:
        command = ("ask", QUESTION, "--mode", "few-shot", "--examples", file, "--index", rulebook)
        shown = rirag(*command, *with_model(script))
    assert shown.code == 0
    assert "The fee." in user(script)
    assert "- examples: 1 (the most similar answered questions" in shown.out


def test_few_shot_takes_answered_questions_with_the_words_of_their_passages(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    from shutil import copytree

    index = tmp_path / "index"
    copytree(rulebook, index)
    known = {"QuestionID": "k1", "Question": "When is a final response to a complaint due?",
             "Passages": [{"DocumentID": "COND", "PassageID": "6.2.2"}]}  # fmt: skip
    file = tmp_path / "known.json"
    file.write_text(json.dumps([known]))
    assert rirag("questions", "add", file, "--index", index).code == 0
    with serve(says("Within eight weeks.")) as script:
        command = ("ask", QUESTION, "--mode", "few-shot", "--index", index, *with_model(script))
        assert rirag(*command).code == 0
        assert "(COND) 6.2.2: A Licensed Firm must send the Client a final response" in user(script)
        asked = tmp_path / "asked.jsonl"
        asked.write_text(json.dumps({"question_id": "k1", "question": QUESTION}))
        file_command = ("ask", "--questions", asked, *command[2:])
        assert "knows none" in rirag(*file_command).refused(2)


def test_few_shot_falls_back_on_questions_that_are_less_alike(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    from shutil import copytree

    index = tmp_path / "index"
    copytree(rulebook, index)
    known = [
        {"QuestionID": "k1", "Question": QUESTION,
         "Passages": [{"DocumentID": "COND", "PassageID": "6.2.2"}]},
        {"QuestionID": "k2", "Question": "Which register must a trustee of a fund keep?",
         "Passages": [{"DocumentID": "GOVN", "PassageID": "4.2.1"}]},
    ]  # fmt: skip
    file = tmp_path / "known.json"
    file.write_text(json.dumps(known))
    assert rirag("questions", "add", file, "--index", index).code == 0
    with serve(says("Within eight weeks.")) as script:
        command = ("ask", QUESTION, "--mode", "few-shot", "--index", index, *with_model(script))
        assert rirag(*command).code == 0
    assert "Which register must a trustee" in user(script)


def test_few_shot_without_any_example_is_refused(rirag: Run, rulebook: Path) -> None:
    with serve(says("never")) as script:
        command = ("ask", QUESTION, "--mode", "few-shot", "--index", rulebook)
        refused = rirag(*command, *with_model(script)).refused(2)
    assert refused.startswith("mode few-shot needs answered questions, and ")
    assert "rirag questions add" in refused
    assert script.asked == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"question": "What?"}', ":1: field 'answer' is missing or empty; an example needs"),
        ('{"question": "What?", "answer": "This."}\n[1]', ":2: an example must be a JSON object."),
        ("no", ":1: this is not valid JSON"),
        ("", ": the file is empty."),
    ],
)
def test_examples_that_cannot_be_used_are_refused_with_file_and_line(
    rirag: Run, rulebook: Path, tmp_path: Path, content: str, sentence: str
) -> None:
    file = tmp_path / "answered.jsonl"
    file.write_text(content)
    with serve(says("never")) as script:
        command = ("ask", QUESTION, "--mode", "few-shot", "--examples", file, "--index", rulebook)
        assert rirag(*command, *with_model(script)).refused(2).startswith(f"{file}{sentence}")


@pytest.mark.parametrize("mode", ["rag", "advisor", "zero-shot", "few-shot"])
def test_a_mode_that_needs_a_model_is_refused_without_one(
    rirag: Run, rulebook: Path, mode: str
) -> None:
    refused = rirag("ask", QUESTION, "--mode", mode, "--index", rulebook).refused(2)
    assert refused.startswith("a language model needs both --llm-url and --llm-model")
    assert refused.endswith("; without one use --mode extractive")


def test_a_regime_that_there_is_not_is_refused(rirag: Run, rulebook: Path) -> None:
    llm = ("--llm-url", "http://127.0.0.1:9", "--llm-model", "m")
    given = ("--mode", "advisor", "--regime", "roman", "--index", rulebook)
    refused = rirag("ask", QUESTION, *given, *llm).refused(2)
    assert refused == "Unknown regime 'roman'; choose common law or civil law."


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--regime", "civil law"), "--regime is for mode advisor, but the mode is extractive"),
        (("--background", "We lend."), "--background is for mode multi-step, but the mode is ext"),
        (("--document", "COND"), "--document is for mode delegate or multi-step, but the mode is"),
    ],
)
def test_an_option_that_the_mode_would_pass_over_is_refused(
    rirag: Run, rulebook: Path, option: tuple[str, str], told: str
) -> None:
    assert rirag("ask", QUESTION, *option, "--index", rulebook).refused(2).startswith(told)


@pytest.mark.parametrize("mode", ["extractive", "rag", "advisor"])
def test_a_question_in_another_language_gets_a_marked_answer(
    rirag: Run, rulebook: Path, mode: str
) -> None:
    arabic = "متى يجب إخطار الهيئة بحادث جوهري؟"
    with serve(says("يجب الإخطار خلال 24 ساعة [1].")) as script:
        command = ("ask", arabic, "--mode", mode, "--index", rulebook, "--filter-floor", 0)
        answer = rirag(*command, *with_model(script), "--json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json["Answer"]
    assert answer.json["Question"] == arabic
