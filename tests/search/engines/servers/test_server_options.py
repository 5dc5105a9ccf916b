"""Credentials and limits come from the environment, and mistakes in them are told."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search.engines.servers.connection.options import ServerOptions
from search.errors import InputError


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ServerOptions.__slots__:
        monkeypatch.delenv(f"RIRAG_SERVER_{name.upper()}", raising=False)
        monkeypatch.delenv(f"RIRAG_SERVER_{name.upper()}_FILE", raising=False)


def test_an_empty_environment_gives_the_defaults() -> None:
    assert ServerOptions.from_environment() == ServerOptions()


def test_every_option_has_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "USER": "me", "PASSWORD": "s3cret", "CA_FILE": "ca.pem", "CLIENT_CERTIFICATE": "c.pem",
        "CLIENT_KEY": "k.pem", "TIMEOUT_S": "2.5", "SHARDS": "3", "REPLICAS": "0",
        "EXACT_UP_TO": "10", "KEEP_MINUTES": "0.5",
    }  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(f"RIRAG_SERVER_{name}", value)
    assert ServerOptions.from_environment() == ServerOptions(
        user="me", password="s3cret", ca_file="ca.pem", client_certificate="c.pem",
        client_key="k.pem", timeout_s=2.5, shards=3, replicas=0, exact_up_to=10, keep_minutes=0.5,
    )  # fmt: skip


def test_a_secret_may_stand_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("s3cret\n")
    monkeypatch.setenv("RIRAG_SERVER_API_KEY_FILE", str(tmp_path / "key"))
    assert ServerOptions.from_environment().api_key == "s3cret"


def test_a_secret_file_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_SERVER_API_KEY_FILE", "/no/such/file")
    with pytest.raises(InputError, match="RIRAG_SERVER_API_KEY_FILE=/no/such/file cannot be read"):
        ServerOptions.from_environment()


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("SHARDS", "many", "RIRAG_SERVER_SHARDS='many' must be a whole number"),
        ("REPLICAS", "1.5", "must be a whole number"),
        ("TIMEOUT_S", "soon", "must be a number"),
        ("TIMEOUT_S", "0", "above 0"),
        ("SHARDS", "0", "above 0"),
        ("EXACT_UP_TO", "-1", "at least 0"),
        ("TIMEOUT_S", "nan", "above 0"),
        ("TIMEOUT_S", "1e300", "at most 86,400 s"),
        ("REPLICAS", "-1", "RIRAG_SERVER_REPLICAS must be at least 0"),
        ("KEEP_MINUTES", "nan", "RIRAG_SERVER_KEEP_MINUTES and .* at least 0"),
        ("USER", "me", "RIRAG_SERVER_PASSWORD must be set together"),
    ],
)
def test_a_value_that_cannot_be_used_is_told(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, told: str
) -> None:
    monkeypatch.setenv(f"RIRAG_SERVER_{variable}", value)
    with pytest.raises(InputError, match=told):
        ServerOptions.from_environment()


def test_a_key_and_a_user_together_are_refused() -> None:
    with pytest.raises(InputError, match="a server takes only one of them"):
        ServerOptions(api_key="k", user="me", password="p")


@pytest.mark.parametrize("key", ["s3cret\nx", "s3cret x", "s3cret…"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(InputError, match="RIRAG_SERVER_API_KEY cannot be used") as error:
        ServerOptions(api_key=key)
    assert "s3cret" not in str(error.value)


def test_a_user_name_with_a_colon_is_refused() -> None:
    with pytest.raises(InputError, match="must not hold ':'"):
        ServerOptions(user="me:you", password="p")


@pytest.mark.parametrize(
    ("user", "password", "told"), [("me", "s3cret\udcff", "PASSWORD"), ("m\udcff", "p", "USER")]
)
def test_credentials_that_are_not_utf_8_are_refused_and_not_repeated(
    user: str, password: str, told: str
) -> None:
    with pytest.raises(InputError, match=f"RIRAG_SERVER_{told} cannot be used: it is") as error:
        ServerOptions(user=user, password=password)
    assert "s3cret" not in str(error.value)


def test_credentials_of_any_alphabet_become_a_header() -> None:
    sent = ServerOptions(user="jürgen", password="gehëim…").authorization()["authorization"]
    assert b64decode(sent.removeprefix("Basic ")).decode() == "jürgen:gehëim…"
    assert ServerOptions(api_key="k3y==").authorization() == {"authorization": "ApiKey k3y=="}
    assert ServerOptions().authorization() == {}


def test_no_secret_is_shown() -> None:
    shown = repr(ServerOptions(user="me", password="s3cret")) + repr(ServerOptions(api_key="k3y"))
    assert "s3cret" not in shown
    assert "k3y" not in shown


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"timeout_s": "x"}, "RIRAG_SERVER_TIMEOUT_S='x' must be a number"),
        ({"timeout_s": None}, "RIRAG_SERVER_TIMEOUT_S=None must be a number"),
        ({"keep_minutes": True}, "RIRAG_SERVER_KEEP_MINUTES=True must be a number"),
        ({"shards": 1.5}, "RIRAG_SERVER_SHARDS=1.5 must be a whole number"),
        ({"replicas": "1"}, "RIRAG_SERVER_REPLICAS='1' must be a whole number"),
        ({"api_key": 5}, "RIRAG_SERVER_API_KEY must be a text, not int"),
        ({"api_key": b"abc"}, "RIRAG_SERVER_API_KEY must be a text, not bytes"),
        ({"user": 5, "password": "p"}, "RIRAG_SERVER_USER must be a text, not int"),
        ({"user": "me", "password": b"x"}, "RIRAG_SERVER_PASSWORD must be a text, not bytes"),
        ({"ca_file": 5}, "RIRAG_SERVER_CA_FILE must be a text, not int"),
        ({"client_certificate": 7}, "RIRAG_SERVER_CLIENT_CERTIFICATE must be a text, not int"),
        ({"ca_file": "\0"}, "RIRAG_SERVER_CA_FILE must name a file"),
    ],
)
def test_options_of_a_wrong_kind_are_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        ServerOptions(**given)


def test_numbers_of_numpy_are_numbers() -> None:
    assert ServerOptions(timeout_s=np.float64(2.5), shards=np.int64(2)).shards == 2


def test_a_path_names_a_file_as_well_as_a_text() -> None:
    assert ServerOptions(ca_file=Path("ca.pem")).ca_file == Path("ca.pem")  # type: ignore[arg-type]
