"""Settings: which source wins, where a value came from, and how bad values are refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from coded import coded

from generation import DelegateSettings, FilterSettings
from rirag.service.answering import Answering
from rirag.settings import MOST_HITS, MOST_THREADS, Settings, provenance, unknown_variables
from search.errors import InputError


@pytest.fixture(autouse=True)
def clean_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory and an environment without settings."""
    for name in list(os.environ):
        if name.upper().startswith("RIRAG_") or name == "OPENAI_API_KEY":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str) -> None:
    (folder / "rirag.toml").write_text(text, encoding="utf-8")


def origin(settings: Settings, name: str) -> str:
    return next(source.origin for source in provenance(settings) if source.name == name)


def shown(settings: Settings, name: str) -> str:
    return next(source.value for source in provenance(settings) if source.name == name)


def test_a_configured_language_model_makes_rag_the_default_mode() -> None:
    model = {"llm_url": "http://127.0.0.1:8080/v1", "llm_model": "small"}
    assert Settings(**model).answer_mode == "rag"
    assert Settings(**model, mode="extractive").answer_mode == "extractive"
    assert Settings(llm_url=model["llm_url"]).answer_mode == "extractive"


def test_defaults_are_those_documented() -> None:
    settings = Settings()
    assert (settings.index, settings.profile, settings.k) == ("rirag-index", "default", 10)
    assert (settings.encoder, settings.reranker, settings.rerank) == (None, None, True)
    assert (settings.mode, settings.answer_mode) == (None, "extractive")
    assert (settings.filter_limit, settings.filter_drop, settings.filter_floor) == (10, 0.2, 0.7)
    assert {source.origin for source in provenance(settings)} == {"default"}


def test_bounds_are_those_of_the_packages() -> None:
    from search.models.encoders import onnx
    from search.pipeline import MAX_K

    assert (MOST_HITS, MOST_THREADS) == (MAX_K, onnx.MOST_THREADS)


def test_limits_of_answers_are_those_of_the_package() -> None:
    settings, limits = Settings(), FilterSettings()
    assert Answering(settings, None).settings.delegate == DelegateSettings()
    assert (settings.filter_limit, settings.filter_drop) == (limits.max_passages, limits.max_drop)
    assert (settings.filter_floor, settings.filter_score) == (limits.min_score, limits.score)
    assert settings.filter_answerable == limits.min_answerable
    assert settings.filter_margin == limits.margin


def test_flag_beats_environment_beats_file_beats_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, '# mine\nindex = "from-file"\nprofile = "from-file"\nk = 7\n')
    monkeypatch.setenv("RIRAG_INDEX", "from-environment")
    monkeypatch.setenv("RIRAG_PROFILE", "from-environment")
    settings = Settings(index="from-flag", profile=None)
    assert settings.index == "from-flag"
    assert settings.profile == "from-environment"
    assert settings.k == 7
    assert settings.filter_floor == 0.7
    assert origin(settings, "index") == "flag --index"
    assert origin(settings, "profile") == "environment RIRAG_PROFILE"
    assert origin(settings, "k") == "rirag.toml:4"
    assert origin(settings, "filter_floor") == "default"


def test_switched_off_flag_is_named_as_it_is_typed() -> None:
    settings = Settings(rerank=False, k=3)
    assert origin(settings, "rerank") == "flag --no-rerank"
    assert origin(settings, "k") == "flag -k"


def test_named_config_file_replaces_the_one_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "k = 3")
    other = tmp_path / "other.toml"
    other.write_text("\n\nk = 4")
    monkeypatch.setenv("RIRAG_CONFIG", str(other))
    settings = Settings()
    assert settings.k == 4
    assert origin(settings, "k") == f"{other}:3"


def test_named_config_file_must_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_CONFIG", "nowhere.toml")
    with pytest.raises(InputError, match=r"nowhere\.toml: the file cannot be read: no such"):
        Settings()


def test_empty_environment_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_K", "")
    settings = Settings()
    assert settings.k == 10
    assert origin(settings, "k") == "default"


@pytest.mark.parametrize("variable", ["RIRAG_LLM_API_KEY", "OPENAI_API_KEY"])
def test_key_comes_from_the_environment_and_is_never_shown(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown(Settings(), "llm_api_key") == "not set"
    monkeypatch.setenv(variable, "sk-very-secret")
    settings = Settings()
    assert settings.llm_api_key is not None
    assert settings.llm_api_key.get_secret_value() == "sk-very-secret"
    assert shown(settings, "llm_api_key") == "set"
    assert origin(settings, "llm_api_key") == f"environment {variable}"
    assert "sk-very-secret" not in repr(provenance(settings)) + repr(settings)


def test_own_key_beats_the_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    monkeypatch.setenv("RIRAG_LLM_API_KEY", "own")
    settings = Settings()
    assert settings.llm_api_key is not None
    assert settings.llm_api_key.get_secret_value() == "own"
    assert origin(settings, "llm_api_key") == "environment RIRAG_LLM_API_KEY"


def test_key_in_the_file_is_refused_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, 'k = 3\nllm_api_key = "sk-very-secret"')
    with pytest.raises(InputError, match=r"rirag\.toml:2: .*RIRAG_LLM_API_KEY") as caught:
        Settings()
    assert "sk-very-secret" not in str(caught.value)


def test_key_as_a_flag_is_refused() -> None:
    with pytest.raises(InputError, match="set RIRAG_LLM_API_KEY in the environment") as caught:
        Settings(llm_api_key="sk-very-secret")
    assert "sk-very-secret" not in str(caught.value)


def test_passwords_in_urls_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(index="elasticsearch+http://me:pass@host:9200/rules")
    assert shown(settings, "index") == "elasticsearch+http://***@host:9200/rules"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('k = 3\nindx = "a"', 2, "unknown setting 'indx'; did you mean 'index'"),
        ("\n[llm]\nurl = 1", 2, "unknown setting 'llm'"),
        ("zzzzzz = 1", 1, "choose one of index, encoder"),
        ("# k = 1\nk = 0", 2, "k = 0 cannot be used: it must be at least 1"),
        ('k = "many"', 1, "k = many cannot be used: it must be a whole number between 1 and 1000."),
        ("index = 5", 1, "index = 5 cannot be used: it must be a text."),
        ('mode = "poetry"', 1, "mode = poetry cannot be used: it must be 'extractive', 'rag'"),
        ("filter_floor = 7", 1, "filter_floor = 7 cannot be used"),
        ('llm_url = "host:8080"', 1, "cannot be used: it must begin with http:// or https://"),
        ('index = ""', 1, "index = '' cannot be used: it must not be empty."),
        ("k = 1.5", 1, "k = 1.5 cannot be used: it must be a whole number between 1 and 1000."),
        ("k = true", 1, "it must be a number, not true or false"),
        ("encoder_threads = true", 1, "it must be a number, not true or false"),
        ("filter_drop = false", 1, "it must be a number, not true or false"),
        ("k = 1001", 1, "it must be at most 1000."),
        ("encoder_threads = 100000", 1, "it must be at most 1024."),
        ("rerank = 7", 1, "rerank = 7 cannot be used: it must be true or false."),
        ("filter_drop = [1]", 1, "it must be a number between 0 and 1."),
        ("llm_timeout_s = inf", 1, "it must be a number above 0."),
        ("server_timeout_s = inf", 1, "it must be a number above 0, at most 86400."),
        ("server_timeout_s = 1e300", 1, "it must be at most 86400."),
        ("k = 3\nk = ", 2, "this is not valid TOML"),
    ],
)
def test_bad_file_is_refused_with_file_and_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        Settings()
    assert str(caught.value).startswith(f"rirag.toml:{line}: ")
    assert message in str(caught.value)
    assert caught.value.line == line


def test_file_of_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rirag.toml").write_bytes(b'index = "R\xe8gles"')
    with pytest.raises(InputError, check=coded("file.encoding")):
        Settings()


def test_file_with_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "rirag.toml").write_bytes(b"\xef\xbb\xbfk = 4")
    assert Settings().k == 4


def test_bad_flag_and_bad_variable_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"^-k 0 cannot be used: it must be at least 1"):
        Settings(k=0)
    monkeypatch.setenv("RIRAG_FILTER_DROP", "big")
    with pytest.raises(InputError, match=r"^RIRAG_FILTER_DROP=big cannot be used: it must be"):
        Settings()


def test_what_is_no_number_is_told_what_it_must_be() -> None:
    reason = "^--filter-floor nan cannot be used: it must be a number between 0 and 1\\.$"
    with pytest.raises(InputError, match=reason):
        Settings(filter_floor=float("nan"))


def test_bad_value_in_the_file_is_refused_where_a_flag_is_stronger(tmp_path: Path) -> None:
    write(tmp_path, "k = 3\nindex = 5")
    with pytest.raises(InputError, match=r"^rirag\.toml:2: index = 5 cannot be used"):
        Settings(index="from-flag")


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ("RIRAG_KK", "unknown variable 'RIRAG_KK'; did you mean 'RIRAG_K'?"),
        ("RIRAG_EMBEDING_URL", "did you mean 'RIRAG_EMBEDDING_URL'?"),
        ("RIRAG_ZZZZZZ", "unknown variable 'RIRAG_ZZZZZZ'; choose one of RIRAG_INDEX, "),
    ],
)
def test_unknown_variable_is_told_and_ignored(
    variable: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "3")
    (told,) = [one for one in unknown_variables() if variable in one]
    assert message in told
    assert Settings().k == 10
    monkeypatch.setenv(variable, "")
    assert not any(variable in one for one in unknown_variables())


def test_variables_that_are_no_settings_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EMBEDDING_URL", "EMBEDDING_API_KEY", "EMBEDDING_MAX_CHARACTERS"):
        monkeypatch.setenv(f"RIRAG_{name}", "x")
    assert not any("EMBEDDING" in one for one in unknown_variables())


def test_answer_must_fit_the_context() -> None:
    with pytest.raises(InputError, match=r"^llm_max_tokens \(4096\) must be smaller than llm_con"):
        Settings(llm_max_tokens=4096, llm_context_tokens=4096)


def test_unknown_flag_is_refused() -> None:
    with pytest.raises(InputError, match="unknown setting 'indx'"):
        Settings(indx="a")


def test_settings_cannot_be_changed() -> None:
    settings = Settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.k = 3


def test_importing_settings_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'onnxruntime', 'openai', 'tantivy', 'ir_measures'}"
    code = f"import rirag.settings, sys; print(sorted({heavy} & set(sys.modules)))"
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.strip() == "[]"
