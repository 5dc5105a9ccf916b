"""How to reach a server, and how indices are made there."""

from __future__ import annotations

import os
import ssl
from base64 import b64encode
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from search.errors import InputError
from search.models.endpoints import is_sendable

PREFIX = "RIRAG_SERVER_"
SECRETS = ("api_key", "password")
"""Options that may also be read from the file that `RIRAG_SERVER_…_FILE` names."""
FILES = ("ca_file", "client_certificate", "client_key")
"""Options that name a file."""
NUMBERS: dict[str, type[int] | type[float]] = {
    "timeout_s": float, "shards": int, "replicas": int, "exact_up_to": int, "keep_minutes": float,
}  # fmt: skip
"""Options that are no text."""
MAX_TIMEOUT_S = 86_400
"""A day; the system's clocks cannot wait for some larger numbers."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Credentials and limits; their environment variables are `RIRAG_SERVER_` and the name."""

    api_key: str | None = field(default=None, repr=False)
    """Encoded API key (Elasticsearch)."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca_file: str | None = None
    """PEM file of the authority that signed the server's certificate; None: the system's."""
    client_certificate: str | None = None
    """PEM file that proves who we are, where the server asks for one."""
    client_key: str | None = None
    """PEM file of its private key."""
    timeout_s: float = 30.0
    """Seconds to wait for an answer to a search; loads wait longer for their bulk requests."""
    shards: int | None = None
    """Primary shards of a new index, or of one that is rebuilt; None: as many as it has, or one."""
    replicas: int | None = None
    """Copies of each shard; None: as many as the index has. A new one then has one copy where the
    cluster has a second node, else none."""
    exact_up_to: int = 100_000
    """Most passages whose vectors are compared one by one; larger indices use an HNSW graph."""
    keep_minutes: float = 60.0
    """How long a replaced generation stays for those who have it open; the last one always does."""

    @classmethod
    def from_environment(cls) -> ServerOptions:
        """Read the variables `RIRAG_SERVER_*`.

        Raises:
            InputError: a value cannot be used, or a file cannot be read.
        """
        given = {one.name: _read(one.name) for one in fields(cls)}
        return cls(**{name: _value(name, text) for name, text in given.items() if text})

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None or one.default is not None:
                _check_kind(one.name, value)
        self._check_credentials()
        if not (0 < self.timeout_s <= MAX_TIMEOUT_S and self.exact_up_to >= 0) or (
            self.shards is not None and self.shards < 1
        ):
            raise _unusable_option(
                f"TIMEOUT_S and {PREFIX}SHARDS must be above 0, "
                f"and {PREFIX}EXACT_UP_TO at least 0; a time-out has at most {MAX_TIMEOUT_S:,} s"
            )
        if not self.keep_minutes >= 0 or (self.replicas or 0) < 0:
            raise _unusable_option(f"KEEP_MINUTES and {PREFIX}REPLICAS must be at least 0")

    def _check_credentials(self) -> None:
        """Refuse what no header can carry, and what excludes each other; no secret is repeated."""
        if self.api_key and self.user:
            raise _unusable_credentials(
                f"both {PREFIX}API_KEY and {PREFIX}USER are set; a server takes only one of them"
            )
        if bool(self.user) != bool(self.password):
            raise _unusable_credentials(f"{PREFIX}USER and {PREFIX}PASSWORD must be set together")
        if self.api_key and not is_sendable(self.api_key):
            raise _unusable_credentials(
                f"{PREFIX}API_KEY cannot be used: it must be one word of letters, digits "
                "and '=', which the server's reply calls 'encoded'"
            )
        if self.user and ":" in self.user:
            raise _unusable_credentials(
                f"{PREFIX}USER cannot be used: a user name must not hold ':'"
            )
        for name, text in (("USER", self.user), ("PASSWORD", self.password)):
            try:
                (text or "").encode()  # invalid bytes of the environment are surrogates
            except UnicodeEncodeError:
                raise _unusable_credentials(
                    f"{PREFIX}{name} cannot be used: it is not UTF-8; set it in UTF-8"
                ) from None

    def authorization(self) -> dict[str, str]:
        """Return the header of an API key, or of a user and password; empty without any.

        The libraries make one too, but not of every password: both servers read UTF-8.
        """
        if self.api_key:
            return {"authorization": f"ApiKey {self.api_key}"}
        if not self.user:
            return {}
        pair = f"{self.user}:{self.password}".encode()
        return {"authorization": f"Basic {b64encode(pair).decode('ascii')}"}


def _unusable_credentials(text: str) -> InputError:
    return InputError(text, code="engine.credentials")


def _unusable_option(text: str) -> InputError:
    return InputError(PREFIX + text, code="engine.option")


def _read(name: str) -> str | None:
    variable = PREFIX + name.upper()
    value = os.environ.get(variable)
    path = os.environ.get(f"{variable}_FILE") if name in SECRETS else None
    if value or not path:
        return value
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        told = f"{name.upper()}_FILE={path} cannot be read: {error}"
        raise _unusable_option(told) from error


def _value(name: str, text: str) -> Any:
    """Turn the text of a variable into what the option is."""
    try:
        return NUMBERS.get(name, str)(text)
    except ValueError:
        raise _no_number(name, text) from None


def _check_kind(name: str, value: object) -> None:
    """Refuse what is given from Python for a number or a text and is none."""
    if name not in NUMBERS:
        _check_text(name, value)
    elif isinstance(value, bool) or not isinstance(
        value, Integral if NUMBERS[name] is int else Real
    ):
        raise _no_number(name, value)


def _check_text(name: str, value: object) -> None:
    """Refuse what is not text, or names no file where one is to be named; no value is repeated."""
    if name in FILES and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise _unusable_option(f"{name.upper()} must be a text, not {type(value).__name__}")
    if name in FILES and "\0" in value:
        raise _unusable_option(
            f"{name.upper()} must name a file; a file name cannot contain a null character"
        )


def _no_number(name: str, value: object) -> InputError:
    word = "whole number" if NUMBERS[name] is int else "number"
    return _unusable_option(f"{name.upper()}={value!r} must be a {word}")


def tls_context(options: ServerOptions) -> ssl.SSLContext:
    """Return a context that trusts the authority of the options, or the system's.

    Raises:
        InputError: a certificate or key cannot be used.
    """
    context = ssl.create_default_context()
    if options.ca_file:
        _readable("CA_FILE", options.ca_file)
        try:
            context.load_verify_locations(cafile=options.ca_file)
        except ssl.SSLError as error:
            raise _unusable_file("CA_FILE", options.ca_file, error) from error
    if options.client_certificate:
        _readable("CLIENT_CERTIFICATE", options.client_certificate)
        if options.client_key:
            _readable("CLIENT_KEY", options.client_key)
        try:
            # The password is there so that OpenSSL never asks for one at the terminal.
            context.load_cert_chain(options.client_certificate, options.client_key, password="")
        except (ssl.SSLError, ValueError) as error:
            raise _unusable_file("CLIENT_CERTIFICATE", options.client_certificate, error) from error
    return context


def _readable(name: str, path: str) -> None:
    try:
        Path(path).read_bytes()
    except OSError as error:
        raise _unusable_file(name, path, error) from error


def _unusable_file(name: str, path: str, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return _unusable_option(
        f"{name}={path} cannot be used ({reason}); it must name a readable PEM file"
    )
