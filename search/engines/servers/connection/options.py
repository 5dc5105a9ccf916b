"""How to reach a server, and how indices are made there."""

from __future__ import annotations

import os
import ssl
from base64 import b64encode
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any, get_type_hints

from search.errors import InputError
from search.models.endpoints import is_sendable

PREFIX = "RIRAG_SERVER_"
SECRETS = ("api_key", "password")
"""Options that may also be read from the file that `RIRAG_SERVER_…_FILE` names."""
FILES = ("ca_file", "client_certificate", "client_key")
"""Options that name a file."""
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
        kinds = get_type_hints(cls)
        given = {one.name: _read(one.name) for one in fields(cls)}
        values = {name: _number(name, text, kinds[name]) for name, text in given.items() if text}
        return cls(**values)

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(ServerOptions).items():
            _check_kind(name, getattr(self, name), kind)
        check_credentials(PREFIX, self.api_key, self.user, self.password)
        if not (0 < self.timeout_s <= MAX_TIMEOUT_S and self.exact_up_to >= 0) or (
            self.shards is not None and self.shards < 1
        ):
            raise InputError(
                f"{PREFIX}TIMEOUT_S and {PREFIX}SHARDS must be above 0, "
                f"and {PREFIX}EXACT_UP_TO at least 0; a time-out has at most {MAX_TIMEOUT_S:,} s",
                code="engine.option",
            )
        if not self.keep_minutes >= 0 or (self.replicas or 0) < 0:
            raise InputError(
                f"{PREFIX}KEEP_MINUTES and {PREFIX}REPLICAS must be at least 0",
                code="engine.option",
            )


def _read(name: str) -> str | None:
    variable = PREFIX + name.upper()
    value = os.environ.get(variable)
    path = os.environ.get(f"{variable}_FILE") if name in SECRETS else None
    if value or not path:
        return value
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{variable}_FILE={path} cannot be read: {error}", code="engine.option"
        ) from error


def _number(name: str, text: str, kind: Any) -> Any:
    """Turn the text of a variable into what the option is."""
    wanted = _number_kind(kind) or str
    try:
        return wanted(text)
    except ValueError:
        raise _no_number(name, text, kind) from None


def _check_kind(name: str, value: Any, kind: Any) -> None:
    """Refuse what is given from Python for a number or a text and is none."""
    wanted = _number_kind(kind)
    if value is None and kind != wanted:
        return
    if wanted is None:
        _check_text(name, value)
        return
    allowed = Integral if wanted is int else Real
    if isinstance(value, bool) or not isinstance(value, allowed):
        raise _no_number(name, value, kind)


def _check_text(name: str, value: object) -> None:
    """Refuse what is not text, or names no file where one is to be named; no value is repeated."""
    if name in FILES and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise InputError(
            f"{PREFIX}{name.upper()} must be a text, not {type(value).__name__}",
            code="engine.option",
        )
    if name in FILES and "\0" in value:
        raise InputError(
            f"{PREFIX}{name.upper()} must name a file; a file name cannot contain a null character",
            code="engine.option",
        )


def _number_kind(kind: Any) -> type[int] | type[float] | None:
    """Return which kind of number an option is; None: it is a text."""
    return next((one for one in (int, float) if kind in (one, one | None)), None)


def _no_number(name: str, value: object, kind: Any) -> InputError:
    word = "whole number" if _number_kind(kind) is int else "number"
    return InputError(f"{PREFIX}{name.upper()}={value!r} must be a {word}", code="engine.option")


def check_credentials(prefix: str, key: str | None, user: str | None, password: str | None) -> None:
    """Refuse what no header can carry; `prefix` begins the names of the variables.

    Raises:
        InputError: a key or name cannot be sent, or two of them exclude each other; no secret is
            repeated.
    """
    if key and user:
        raise InputError(
            f"both {prefix}API_KEY and {prefix}USER are set; a server takes only one of them",
            code="engine.credentials",
        )
    if bool(user) != bool(password):
        raise InputError(
            f"{prefix}USER and {prefix}PASSWORD must be set together", code="engine.credentials"
        )
    if key and not is_sendable(key):
        raise InputError(
            f"{prefix}API_KEY cannot be used: it must be one word of letters, digits "
            "and '=', which the server's reply calls 'encoded'",
            code="engine.credentials",
        )
    if user and ":" in user:
        raise InputError(
            f"{prefix}USER cannot be used: a user name must not hold ':'", code="engine.credentials"
        )
    for name, text in (("USER", user), ("PASSWORD", password)):
        if text and not _is_unicode(text):
            raise InputError(
                f"{prefix}{name} cannot be used: it is not UTF-8; set it in UTF-8",
                code="engine.credentials",
            )


def authorization(key: str | None, user: str | None, password: str | None) -> dict[str, str]:
    """Return the header of an API key, or of a user and password; empty without any.

    The libraries make one too, but not of every password: both servers read UTF-8.
    """
    if key:
        return {"authorization": f"ApiKey {key}"}
    if not user:
        return {}
    pair = f"{user}:{password}".encode()
    return {"authorization": f"Basic {b64encode(pair).decode('ascii')}"}


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written in UTF-8: invalid bytes become surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


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
            raise _unusable("CA_FILE", options.ca_file, error) from error
    if options.client_certificate:
        _readable("CLIENT_CERTIFICATE", options.client_certificate)
        if options.client_key:
            _readable("CLIENT_KEY", options.client_key)
        try:
            # The password is there so that OpenSSL never asks for one at the terminal.
            context.load_cert_chain(options.client_certificate, options.client_key, password="")
        except (ssl.SSLError, ValueError) as error:
            raise _unusable("CLIENT_CERTIFICATE", options.client_certificate, error) from error
    return context


def _readable(name: str, path: str) -> None:
    try:
        Path(path).read_bytes()
    except OSError as error:
        raise _unusable(name, path, error) from error


def _unusable(name: str, path: str, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(
        f"{PREFIX}{name}={path} cannot be used ({reason}); it must name a readable PEM file",
        code="engine.option",
    )
