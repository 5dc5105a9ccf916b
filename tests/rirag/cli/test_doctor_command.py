"""`rirag doctor`: what is installed and used, what is wrong, and where each setting came from."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import scripted_llm
from cli_support import Run, run
from sample import PASSAGES, change_manifest, write_lines
from scripted_llm import Reply

import indexer
from search.models.encoders import DEFAULT_ENCODER


def findings(data: dict[str, Any], what: str) -> list[dict[str, Any]]:
    return [one for one in data["findings"] if one["what"] == what]


def setting(data: dict[str, Any], name: str) -> tuple[str, str]:
    (found,) = (one for one in data["settings"] if one["name"] == name)
    return found["value"], found["origin"]


def test_a_healthy_index_is_well(rulebook: Path, tmp_path: Path) -> None:
    shown = run("doctor", "--index", rulebook, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert "BAD" not in shown.out
    assert f"ok   index: {rulebook}: {PASSAGES} passages of 4 documents, " in shown.out
    assert "ok   engine: embedded, vectors exact\n" in shown.out
    assert f"ok   encoder: {DEFAULT_ENCODER}, 384 dimensions, revision " in shown.out
    assert ", questions by regulation-minilm-l6-questions-int8\n" in shown.out
    assert "ok   language model: none\n" in shown.out
    assert "ok   answers: mode extractive\n" in shown.out
    assert f"{rulebook}  (flag --index)" in shown.out
    values, _, names = shown.out.partition("  not set: ")
    assert "llm_model" in names
    assert "llm_model" not in values


def test_documents_in_a_language_that_the_encoder_hardly_reads_are_named(
    rirag: Run, tmp_path: Path
) -> None:
    text = "Der Vorstand hat den Aufsichtsrat über die beabsichtigte Geschäftspolitik zu melden, "
    record = {"ID": "1", "DocumentID": "aktg", "PassageID": "1", "Passage": f"{text * 2}."}
    source = write_lines(tmp_path / "aktg.jsonl", record)
    indexer.ingest([source], str(tmp_path / "german"))
    (found,) = findings(rirag("doctor", "--json", "--index", tmp_path / "german").json, "documents")
    assert found["ok"]
    assert found["detail"].startswith("1 in a language that the encoder hardly reads: ")


def test_json_holds_findings_and_settings(rirag: Run, rulebook: Path) -> None:
    shown = rirag("doctor", "--json", "--index", rulebook)
    assert (shown.code, shown.err) == (0, "")
    assert list(shown.json) == ["findings", "settings"]
    for one in shown.json["findings"]:
        assert list(one) == ["what", "ok", "detail", "mend"]
    assert {"python", "rirag", "tantivy", "onnxruntime"} <= {
        one["what"] for one in shown.json["findings"]
    }
    assert list(shown.json["settings"][0]) == ["name", "value", "origin"]


def test_flag_beats_environment_beats_file_beats_default(
    rirag: Run, rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rirag.toml").write_text('index = "file"\nprofile = "even"\nk = 7\n')
    data = rirag("doctor", "--json").json
    assert setting(data, "index") == ("file", "rirag.toml:1")
    assert setting(data, "k") == ("7", "rirag.toml:3")
    assert setting(data, "filter_floor") == ("0.7", "default")
    monkeypatch.setenv("RIRAG_INDEX", "environment")
    monkeypatch.setenv("RIRAG_PROFILE", "dense")
    data = rirag("doctor", "--json").json
    assert setting(data, "index") == ("environment", "environment RIRAG_INDEX")
    assert setting(data, "profile") == ("dense", "environment RIRAG_PROFILE")
    data = rirag("doctor", "--json", "--index", rulebook).json
    assert setting(data, "index") == (str(rulebook), "flag --index")
    assert setting(data, "k") == ("7", "rirag.toml:3")


def test_what_doctor_shows_is_what_search_uses(
    rirag: Run, rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rirag.toml").write_text(f'index = "{rulebook}"\nprofile = "even"\nk = 3\n')
    data = rirag("search", "fees", "--json").json
    assert (data["plan"]["profile"], len(data["hits"])) == ("even", 3)
    monkeypatch.setenv("RIRAG_K", "2")
    assert len(rirag("search", "fees", "--json").json["hits"]) == 2
    assert len(rirag("search", "fees", "-k", 1, "--json").json["hits"]) == 1


def test_keys_and_passwords_are_never_shown(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_API_KEY", "sk-very-secret")
    monkeypatch.setenv("RIRAG_LLM_URL", "http://me:pass@localhost:1/v1")
    monkeypatch.setenv("RIRAG_LLM_MODEL", "m")
    for options in ((), ("--json",)):
        shown = rirag("doctor", "--index", rulebook, *options)
        assert shown.code == 1  # nobody answers there
        assert "sk-very-secret" not in shown.out + shown.err
        assert "me:pass" not in shown.out + shown.err
    assert setting(shown.json, "llm_api_key") == ("set", "environment RIRAG_LLM_API_KEY")


def test_a_missing_index_is_a_problem_with_the_command_that_mends_it(rirag: Run) -> None:
    shown = rirag("doctor")
    assert shown.code == 1
    assert "BAD  index: the index rirag-index does not exist; make it with: rirag ing" in shown.out


@pytest.mark.parametrize(
    ("url", "detail"),
    [
        ("solr+http://localhost:9200/rules", "unknown engine solr+http://; give --index a"),
        ("opensearch+http://localhost:1", "the index opensearch+http://localhost:1 has no name"),
        (".", "the index . is not a rirag index; make it with: rirag ingest SOURCE --index ."),
    ],
)
def test_an_index_that_cannot_be_opened_is_a_problem(rirag: Run, url: str, detail: str) -> None:
    shown = rirag("doctor", "--index", url, "--json")
    (index,) = findings(shown.json, "index")
    assert (shown.code, index["ok"]) == (1, False)
    assert index["detail"].startswith(detail)


def test_every_damaged_file_is_named(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(rulebook, tmp_path / "copy")
    (file,) = copy.rglob("vectors.i8")
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    shown = rirag("doctor", "--index", copy)
    assert shown.code == 1
    assert "BAD  index: " in shown.out
    assert "vectors.i8 is damaged" in shown.out


def test_a_newer_index_and_an_unknown_encoder_are_problems(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(rulebook, tmp_path / "copy")
    change_manifest(copy, schema_version=99)
    shown = rirag("doctor", "--index", copy, "--encoder", "nope")
    assert shown.code == 1
    assert "BAD  encoder: unknown encoder 'nope'" in shown.out
    assert "BAD  index: " in shown.out


def test_a_model_server_without_a_model_is_a_problem(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_URL", "http://localhost:1/v1")
    shown = rirag("doctor", "--index", rulebook)
    assert shown.code == 1
    assert "BAD  language model: a language model needs both --llm-url and --llm-m" in shown.out


def test_a_model_server_that_is_down_is_a_problem(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("RIRAG_LLM_MODEL", "m")
    shown = rirag("doctor", "--index", rulebook)
    assert shown.code == 1
    assert "BAD  language model: The language model at http://127.0.0.1:9/v1 cannot be" in shown.out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('profile = "nope"', "BAD  profile: unknown profile 'nope'; choose one of"),
        ('reranker = "nope"', "BAD  reranker: unknown "),
        ('judge = "nope"', "BAD  judge: unknown "),
        ('tuning = "missing.toml"', "BAD  index: missing.toml: the tuning file cannot be read"),
        ('mode = "rag"', "BAD  answers: a language model needs both --llm-url and --llm-model"),
        ('regime = "sharia"', "BAD  answers: "),
        ('prompts = "missing"', "BAD  answers: missing: "),
    ],
)
def test_what_the_settings_name_and_cannot_be_used_is_a_problem(
    rirag: Run, rulebook: Path, tmp_path: Path, line: str, told: str
) -> None:
    (tmp_path / "rirag.toml").write_text(f"{line}\n", encoding="utf-8")
    shown = rirag("doctor", "--index", rulebook)
    assert shown.code == 1
    assert told in shown.out
    assert shown.out.count("BAD ") == 1


def test_pinned_rules_that_the_index_lacks_are_named(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    pins = '[[pins]]\nwords = "fee"\nrules = ["GOVN 6.1.2", "GOVN 99.1", "6.1.2"]\n'
    (tmp_path / "tuning.toml").write_text(f'synonyms = [["a1", "a2"]]\n{pins}', encoding="utf-8")
    shown = rirag("doctor", "--index", rulebook, "--tuning", tmp_path / "tuning.toml")
    lacks = "words with synonyms: 2, 1 pin; not in the index: GOVN 99.1, 6.1.2"
    assert (shown.code, shown.out.count("BAD ")) == (1, 1)
    assert f"BAD  tuning: {lacks}" in shown.out


def model_lines(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if "language model" in line]


def point_to(url: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_LLM_URL", url)
    monkeypatch.setenv("RIRAG_LLM_MODEL", model)


def test_a_reasoning_model_is_asked_and_what_its_server_wants_is_told(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by(request: Mapping[str, Any]) -> Reply:
        if "max_tokens" in request:
            said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return Reply({"error": {"message": said}}, 400)
        duty = '{"duty": true}' if "response_format" in request else "Six years [1]."
        return scripted_llm.says(f"Okay, let me see.</think>{duty}")

    with scripted_llm.serve(by=lambda request: streamed(by(request), request)) as script:
        point_to(script.url, "m", monkeypatch)
        shown = rirag("doctor", "--index", rulebook)
    assert shown.code == 0
    told = "\n".join(model_lines(shown.out))
    for part in (
        f"ok   language model: m at {script.url} answers in ", "context 4,096 tokens, from",
        "reasons before it answers (4 words here)", "cites as requested",
        "gives JSON in the requested",
        "max_tokens is sent as max_completion_tokens", "its reasoning is closed and not opened",
    ):  # fmt: skip
        assert part in told


def streamed(reply: Reply, request: Mapping[str, Any]) -> Reply:
    if not request.get("stream") or reply.status != 200:
        return reply
    return scripted_llm.streams(reply.body["choices"][0]["message"]["content"])


def test_a_model_that_the_list_lacks_is_a_problem_with_the_names_that_it_has(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Reply({"data": [{"id": "llama3.2:latest"}, {"id": "other"}]})
    with scripted_llm.serve(scripted_llm.says("Yes."), models=listed) as script:
        point_to(script.url, "llama3.2", monkeypatch)
        shown = rirag("doctor", "--index", rulebook)
    assert shown.code == 1
    assert not script.asked
    assert "BAD  language model: llama3.2 at" in shown.out
    assert "the server lists no model of this name, but llama3.2:latest, other" in shown.out
    assert "did you mean llama3.2:latest?" in shown.out


def test_a_model_that_does_not_answer_is_a_problem(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Reply("404 page not found", 404, content_type="text/plain")
    with scripted_llm.serve(missing, models=missing) as script:
        point_to(script.url.removesuffix("/v1"), "m", monkeypatch)
        shown = rirag("doctor", "--index", rulebook)
    assert shown.code == 1
    assert "BAD  language model: The address " in shown.out
    assert f"try {script.url}" in shown.out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('llm_extra = "[1]"', "it must be a JSON object"),
        ('llm_without = "messages"', "unknown optional part of a request 'messages'"),
        ("llm_temperature = 3", "it must be at most 2"),
    ],
)
def test_settings_of_requests_that_cannot_be_used_are_refused(
    rirag: Run, tmp_path: Path, line: str, told: str
) -> None:
    (tmp_path / "rirag.toml").write_text(f"{line}\n", encoding="utf-8")
    assert told in rirag("doctor").refused(2)
