"""`rirag doctor`: what is installed and used, what is wrong, and where each setting came from."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_support import Run, run
from sample import PASSAGES, change_manifest

import search
from rirag.cli import doctor
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
    assert "ok   dense leg: finds 100.00% of the 100 nearest vectors (50 stored ones" in shown.out
    assert f"ok   encoder: {DEFAULT_ENCODER}, 384 dimensions, revision " in shown.out
    assert "ok   language model: none\n" in shown.out
    assert "ok   answers: mode extractive\n" in shown.out
    assert f"{rulebook}  (flag --index)" in shown.out


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
        ("solr+http://localhost:9200/rules", "no engine is known for solr+http://; give --index a"),
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


def test_a_dense_leg_that_misses_vectors_comes_with_the_command_that_mends_it(
    rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search.Index, "dense_recall", lambda *_: 0.5)
    with search.open(rulebook) as index:
        found = doctor._dense_leg(index)
    assert (found.ok, found.what) == (False, "dense leg")
    assert found.detail.startswith("finds 50.00% of the 100 nearest vectors")
    assert found.mend == f"RIRAG_SERVER_EXACT_UP_TO={PASSAGES} rirag reindex --index {rulebook}"


def test_a_newer_index_and_an_unknown_encoder_are_problems(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(rulebook, tmp_path / "copy")
    change_manifest(copy, schema_version=99)
    shown = rirag("doctor", "--index", copy, "--encoder", "nope")
    assert shown.code == 1
    assert "BAD  encoder: There is no encoder 'nope'" in shown.out
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
        ('reranker = "nope"', "BAD  reranker: There is no "),
        ('judge = "nope"', "BAD  judge: There is no "),
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


def test_a_bad_settings_file_is_refused_with_its_line(rirag: Run, tmp_path: Path) -> None:
    (tmp_path / "rirag.toml").write_text("\nk = 0\n", encoding="utf-8")
    sentence = rirag("doctor").refused(2)
    assert sentence.startswith("rirag.toml:2: k = 0 cannot be used: it must be at least 1.")
