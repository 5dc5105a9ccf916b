"""Settings of a server: where they come from, what the engine is given, and what nobody sees."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import pytest

from rirag.service.server_settings import server_options
from rirag.settings import SECRET_FILES, Settings, provenance
from search import ServerOptions
from search.errors import InputError

URL = "elasticsearch+https://host:9200/rules"
SECRET = "very-secret"


@pytest.fixture(autouse=True)
def clean_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory and an environment without settings."""
    for name in list(os.environ):
        if name.upper().startswith("RIRAG_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def options() -> ServerOptions:
    found = server_options(Settings(index=URL))
    assert found is not None
    return found


def test_every_option_is_a_setting_with_the_same_default() -> None:
    named = {name for name in Settings.model_fields if name.startswith("server_")}
    expected = {f"server_{one.name}" for one in fields(ServerOptions)}
    assert named == expected | set(SECRET_FILES.values())
    assert options() == ServerOptions()


def test_a_folder_has_no_server() -> None:
    assert server_options(Settings(index="rirag-index")) is None


def test_the_file_and_the_environment_reach_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rirag.toml").write_text(
        'server_user = "me"\nserver_shards = 3\nserver_timeout_s = 5\nserver_ca_file = "ca.pem"\n'
    )
    monkeypatch.setenv("RIRAG_SERVER_PASSWORD", SECRET)
    monkeypatch.setenv("RIRAG_SERVER_SHARDS", "4")
    found = options()
    assert (found.user, found.password, found.shards) == ("me", SECRET, 4)
    assert (found.timeout_s, found.ca_file, found.replicas) == (5.0, "ca.pem", None)
    origins = {one.name: one.origin for one in provenance(Settings())}
    assert origins["server_user"] == "rirag.toml:1"
    assert origins["server_shards"] == "environment RIRAG_SERVER_SHARDS"


def test_a_secret_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{SECRET}\n")
    (tmp_path / "rirag.toml").write_text('server_api_key_file = "key"')
    assert options().api_key == SECRET


def test_the_environment_beats_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("other")
    monkeypatch.setenv("RIRAG_SERVER_API_KEY_FILE", "key")
    monkeypatch.setenv("RIRAG_SERVER_API_KEY", SECRET)
    assert options().api_key == SECRET


def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_SERVER_USER", "me")
    monkeypatch.setenv("RIRAG_SERVER_PASSWORD", SECRET)
    settings = Settings(index=URL)
    shown = {one.name: one.value for one in provenance(settings)}
    assert (shown["server_password"], shown["server_api_key"]) == ("set", "not set")
    assert SECRET not in repr(settings) + repr(provenance(settings)) + repr(options())


@pytest.mark.parametrize("name", SECRET_FILES)
def test_a_secret_in_the_file_or_a_flag_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"let {name}_file name a file") as caught:
        Settings(**{name: SECRET})
    (tmp_path / "rirag.toml").write_text(f'{name} = "{SECRET}"')
    with pytest.raises(InputError, match=rf"^rirag\.toml:1: .*set RIRAG_{name.upper()} in") as file:
        Settings()
    assert SECRET not in f"{caught.value}{file.value}"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "server_password_file = secret cannot be read: no such file or directory"),
        (b"\xff\xfe", "server_password_file = secret is not UTF-8; save the file as UTF-8"),
        (b" \n", "server_password_file = secret is empty; write the secret into the file"),
    ],
)
def test_a_file_of_a_secret_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, problem: str
) -> None:
    monkeypatch.setenv("RIRAG_SERVER_USER", "me")
    monkeypatch.setenv("RIRAG_SERVER_PASSWORD_FILE", "secret")
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    with pytest.raises(InputError) as caught:
        options()
    assert str(caught.value) == problem


def test_a_user_without_a_password_and_two_ways_to_log_in_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RIRAG_SERVER_USER", "me")
    with pytest.raises(InputError, match="must be set together"):
        options()
    monkeypatch.setenv("RIRAG_SERVER_PASSWORD", SECRET)
    monkeypatch.setenv("RIRAG_SERVER_API_KEY", SECRET)
    with pytest.raises(InputError, match="takes only one of them"):
        options()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("SHARDS", "0", "it must be at least 1."),
        ("SHARDS", "many", "it must be a whole number of at least 1."),
        ("TIMEOUT_S", "0", "it must be more than 0."),
        ("REPLICAS", "-1", "it must be at least 0."),
        ("EXACT_UP_TO", "-1", "it must be at least 0."),
        ("KEEP_MINUTES", "inf", "it must be a number of at least 0."),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, problem: str
) -> None:
    monkeypatch.setenv(f"RIRAG_SERVER_{name}", value)
    with pytest.raises(InputError) as caught:
        Settings()
    assert str(caught.value) == f"RIRAG_SERVER_{name}={value} cannot be used: {problem}"
