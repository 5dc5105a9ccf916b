"""`rirag ask` for one question: extractive, with a language model, and without evidence."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import Run, run
from scripted_llm import Reply, Script, says, serve, streams

QUESTION = "Within how many business days must we send a final response to a complaint?"
A6 = ("QuestionID", "Question", "RetrievedPassages", "RetrievedIDs", "Answer")
KEYS = (
    *A6, "as_of", "mode", "state", "insufficient_evidence", "refused_by", "decisions", "citations",
    "statements", "left_out", "not_stated", "passages", "warnings", "verification", "filter",
    "trace", "notes",
)  # fmt: skip


def with_model(script: Script) -> tuple[str, ...]:
    return ("--llm-url", script.url, "--llm-model", "m")


def test_without_a_model_the_rules_are_quoted_word_for_word(rulebook: Path, tmp_path: Path) -> None:
    shown = run("ask", QUESTION, "--index", rulebook, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    answer, sources = shown.out.split("\n\nSources:\n")
    assert "Conduct Rulebook (COND)" in answer
    assert "**Conduct Rulebook (COND) 6.2.2** (Time limits and responses)" in answer
    assert "final response" in answer
    assert "[1]" in answer
    assert sources.startswith("[1] Conduct Rulebook (COND) 6.2.2, Time limits")


def test_json_has_the_fields_of_the_paper_and_more(rirag: Run, rulebook: Path) -> None:
    shown = rirag("ask", QUESTION, "--json", "--index", rulebook)
    assert (shown.code, shown.err) == (0, "")
    answer = shown.json
    assert tuple(answer) == KEYS
    assert (answer["QuestionID"], answer["Question"]) == (None, QUESTION)
    assert (answer["mode"], answer["insufficient_evidence"]) == ("extractive", False)
    assert len(answer["RetrievedPassages"]) == len(answer["RetrievedIDs"]) > 0
    for citation in answer["citations"]:
        assert list(citation) == [
            "marker", "id", "document_id", "passage_id", "document_title", "breadcrumb", "quote",
            "version_id", "valid_from", "valid_to", "status", "standing",
            "names_days", "later",
        ]  # fmt: skip
        assert citation["marker"] in answer["Answer"]
        assert citation["id"] in answer["RetrievedIDs"]
        passage = answer["RetrievedPassages"][answer["RetrievedIDs"].index(citation["id"])]
        assert citation["quote"] in " ".join(passage.split())


def test_streamed_or_not_the_text_is_the_same(rirag: Run, rulebook: Path) -> None:
    streamed = rirag("ask", QUESTION, "--stream", "--index", rulebook)
    whole = rirag("ask", QUESTION, "--no-stream", "--index", rulebook)
    assert streamed.out == whole.out


def test_the_filter_is_set_by_options(rirag: Run, rulebook: Path) -> None:
    command = ("ask", QUESTION, "--json", "--index", rulebook)
    one = rirag(*command, "--filter-limit", 1, "--filter-floor", 0, "--filter-drop", 1).json
    assert one["filter"]["kept"] == 1
    many = rirag(*command, "--filter-limit", 20, "--filter-floor", 0, "--filter-drop", 1).json
    assert len(many["RetrievedIDs"]) == 20
    assert (many["filter"]["max_passages"], many["filter"]["min_score"]) == (20, 0.0)


def test_no_more_passages_are_used_than_were_asked_for(rirag: Run, rulebook: Path) -> None:
    command = ("ask", QUESTION, "--filter-floor", 0, "--filter-drop", 1, "--index", rulebook)
    assert len(rirag(*command, "--json").json["RetrievedIDs"]) == 10
    few = rirag(*command, "-k", 2, "--json").json
    assert (len(few["RetrievedIDs"]), few["filter"]["considered"]) == (2, 2)
    many = rirag(*command, "-k", 30, "--json").json
    assert len(many["RetrievedIDs"]) == 10


def test_a_language_model_that_is_to_judge_must_be_named(rirag: Run, rulebook: Path) -> None:
    for mode in ((), ("--mode", "extractive")):
        refused = rirag("ask", QUESTION, "--judge", "llm", *mode, "--index", rulebook).refused(2)
        assert "a language model needs both --llm-url and --llm-model" in refused
        assert refused.endswith("without one use another --judge")


def test_the_options_of_search_choose_the_passages(rirag: Run, rulebook: Path) -> None:
    options = ("--filter", "document=GLOS", "--filter-floor", 0, "--json", "--index", rulebook)
    answer = rirag("ask", "client", *options).json
    assert {citation["document_id"] for citation in answer["citations"]} == {"GLOS"}


def test_too_little_evidence_is_said_and_no_model_is_asked(rirag: Run, rulebook: Path) -> None:
    with serve(says("never")) as script:
        command = ("ask", "the of and", "--index", rulebook, *with_model(script))
        answer = rirag(*command, "--json").json
        assert answer["insufficient_evidence"] is True
        assert (answer["RetrievedIDs"], answer["citations"]) == ([], [])
        assert answer["Answer"].startswith("Insufficient evidence: ")
        assert rirag(*command).out.startswith("Insufficient evidence: ")
        assert script.asked == []


def test_with_a_model_its_answer_is_shown_with_the_sources_it_cites(
    rirag: Run, rulebook: Path
) -> None:
    with serve(streams("Within the time ", "of the rule [1].")) as script:
        shown = rirag("ask", QUESTION, "--index", rulebook, *with_model(script))
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("Within the time of the rule [1].\n\nSources:\n[1] Conduct Rule")
    prompt = "".join(one["content"] for one in script.asked[0]["messages"])
    assert QUESTION in prompt
    assert script.asked[0]["model"] == "m"


def test_a_model_in_the_settings_makes_rag_the_mode_and_a_flag_unmakes_it(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(says("As the rule says [1].")) as script:
        monkeypatch.setenv("RIRAG_LLM_URL", script.url)
        monkeypatch.setenv("RIRAG_LLM_MODEL", "m")
        monkeypatch.setenv("RIRAG_LLM_API_KEY", "sk-secret")
        command = ("ask", QUESTION, "--json", "--index", rulebook)
        assert rirag(*command).json["mode"] == "rag"
        assert script.asked[0]["authorization"] == "Bearer sk-secret"
        assert rirag(*command, "--mode", "extractive").json["mode"] == "extractive"
        assert len(script.asked) == 1


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("So it is [99].", "0 of 1 statements supported:\n- unsupported: “So it is [99].”"),
        ("# Rules [99]\n\nAs the rule says [1].", "\n\nTake care:\n- "),
    ],
)
def test_a_citation_of_nothing_is_warned_of(
    rirag: Run, rulebook: Path, reply: str, told: str
) -> None:
    with serve(says(reply)) as script:
        shown = rirag("ask", QUESTION, "--no-stream", "--index", rulebook, *with_model(script))
        answer = rirag("ask", QUESTION, "--json", "--index", rulebook, *with_model(script)).json
    assert told in shown.out
    assert "unmapped" in {warning["kind"] for warning in answer["warnings"]}


def test_the_trace_shows_what_the_model_was_asked(rirag: Run, rulebook: Path) -> None:
    with serve(says("As the rule says [1].")) as script:
        options = ("--trace", "--no-stream", "--index", rulebook, *with_model(script))
        shown = rirag("ask", QUESTION, *options)
    assert "\nmode rag: 1 model call, " in shown.out
    assert QUESTION in shown.out.split("mode rag")[1]
    assert "reply> As the rule says [1]." in shown.out


def test_mode_rag_without_a_model_is_refused(rirag: Run, rulebook: Path) -> None:
    sentence = rirag("ask", QUESTION, "--mode", "rag", "--index", rulebook).refused(2)
    assert sentence.startswith("a language model needs both --llm-url and --llm-model")


def test_a_model_that_cannot_be_reached_is_told(rirag: Run, rulebook: Path) -> None:
    with serve(says("gone")) as script:
        gone = with_model(script)
    sentence = rirag("ask", QUESTION, "--index", rulebook, *gone).refused(8)
    assert sentence.startswith(f"The language model at {gone[1]} cannot be reached; check that")


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (Reply({"error": {"message": "no"}}, status=401), "rejected the key (401: "),
        (
            Reply("<html>hello</html>", content_type="text/html"),
            "does not have an OpenAI-compatible API",
        ),
        (says(""), "returned an empty answer"),
    ],
    ids=["key", "html", "empty"],
)
def test_what_a_model_does_wrong_is_told_in_a_sentence(
    rirag: Run, rulebook: Path, reply: Reply, sentence: str
) -> None:
    with serve(reply) as script:
        refused = rirag("ask", QUESTION, "--no-stream", "--index", rulebook, *with_model(script))
    assert sentence in refused.refused(8)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fees", "--questions", "q.jsonl"], "give one QUESTION, or a file of them with --quest"),
        (["fees", "--mode", "poetry"], "--mode poetry cannot be used: it must be 'extract"),
        (
            ["fees", "--filter-floor", "7"],
            "--filter-floor 7.0 cannot be used: it must be at mo",
        ),
        (["fees", "--filter-drop", "nan"], "--filter-drop nan cannot be used"),
        (
            ["fees", "--filter-limit", "0"],
            "--filter-limit 0 cannot be used: it must be at le",
        ),
        (["fees", "--llm-url", "host"], "--llm-url host cannot be used"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options_are_refused_in_a_sentence(
    rirag: Run, rulebook: Path, arguments: list[str], sentence: str
) -> None:
    refused = rirag("ask", *arguments, "--index", rulebook).refused(2)
    assert refused.startswith(sentence)


@pytest.mark.parametrize("flag", ["--llm-url=http://127.0.0.1:9/v1", "--llm-model=m", "--mode=rag"])
def test_half_a_language_model_is_refused(rirag: Run, rulebook: Path, flag: str) -> None:
    refused = rirag("ask", QUESTION, flag, "--index", rulebook)
    assert refused.code == 2
    assert "a language model needs both --llm-url and --llm-model" in refused.err


def test_an_output_of_another_kind_is_refused(rirag: Run, rulebook: Path) -> None:
    refused = rirag("ask", QUESTION, "--output", "x", "--index", rulebook)
    assert refused.code == 2
    assert "x: the name of an answer file must end in .md, .html or .docx" in refused.err


def test_a_rule_that_does_not_exist_is_no_evidence(rirag: Run, rulebook: Path) -> None:
    shown = rirag("ask", "What does COND 6.2.99 say?", "--index", rulebook)
    assert shown.out.startswith("Insufficient evidence")
    assert "note: 6.2.99: no passage of Conduct Rulebook (COND) has this number" in shown.err
