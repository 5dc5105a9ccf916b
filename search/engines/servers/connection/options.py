"""How to reach a server, and how indices are made there."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any, get_type_hints

from search.engines.servers.connection.credentials import check_credentials
from search.errors import InputError

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
