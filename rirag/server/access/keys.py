"""The keys file: who may use the server, for what, and what they see.

Only the SHA-256 of a key is stored. A key has 256 random bits, so that no slow hash is needed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import json
import logging
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rirag.refusals import failed, unusable
from search.errors import InputError

Scope = Literal["search", "ask", "ingest", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

LOG = logging.getLogger("rirag.server")

PREFIX = "rk_"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")

REQUESTS_PER_MINUTE = 600
ANSWERS_AT_ONCE = 4


def digest(secret: str) -> str:
    """Return what is stored of a key, or kept of the cookie of a session."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Key(BaseModel):
    """One key, without the key itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=f"^{NAME.pattern}$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    scopes: tuple[Scope, ...] = Field(min_length=1)
    filters: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Conditions on everything that the key sees."""
    requests_per_minute: int = Field(REQUESTS_PER_MINUTE, ge=1)
    answers_at_once: int = Field(ANSWERS_AT_ONCE, ge=1)
    created: str = ""


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    keys: tuple[Key, ...] = ()


class KeysFile:
    """The keys of a file; a change of the file counts from the next request on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[tuple[int, int, int], tuple[Key, ...]] | None = None
        self._good: tuple[Key, ...] | None = None
        self.problem = ""
        """Why the file as it is now cannot be used; empty: it can."""

    def keys(self) -> tuple[Key, ...]:
        """Return the keys, in the order they were added."""
        try:
            stat = self.path.stat()
            version = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if self._read is None or self._read[0] != version:
                self._read = version, self._load()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise unusable("key.invalid/file", self.path, reason=reason, path=self.path) from None
        return self._read[1]

    def in_use(self) -> tuple[Key, ...]:
        """Return the keys for a running server: of a broken file, those that are whole.

        Where no key can be read, those of its last good state go on.
        """
        try:
            found, problem = self.keys(), ""
        except InputError as error:
            problem = str(error)
            whole = self._whole() if self.path.exists() else None
            if whole is None and (self._good is None or not self.path.exists()):
                self.problem = problem
                raise
            found = whole if whole is not None else self._good or ()
            if problem != self.problem:
                LOG.error("keys file broken", extra={"detail": problem, "keys": len(found)})
        self.problem, self._good = problem, found
        return found

    def _whole(self) -> tuple[Key, ...] | None:
        """Return the keys of a broken file whose entries are whole; None: it is no list of keys."""
        found = []
        try:
            entries = json.loads(self.path.read_bytes())["keys"]
            for one in entries:
                with contextlib.suppress(ValidationError):
                    found.append(Key.model_validate_json(json.dumps(one)))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return tuple(found)

    def find(self, secret: str) -> Key | None:
        """Return the key that a secret opens; the time does not say how much of it was right."""
        hashed, found = digest(secret), None
        for key in self.in_use():
            if hmac.compare_digest(key.sha256, hashed):
                found = key
        return found

    def named(self, name: str) -> Key | None:
        """Return the key of a name."""
        return next((key for key in self.in_use() if key.name == name), None)

    def add(
        self,
        name: str,
        scopes: Sequence[Scope],
        filters: Mapping[str, Sequence[str]] | None = None,
        requests_per_minute: int = REQUESTS_PER_MINUTE,
        answers_at_once: int = ANSWERS_AT_ONCE,
    ) -> str:
        """Add a key and return its secret, which is stored nowhere."""
        if not NAME.fullmatch(name):
            raise unusable("key.invalid/name", name=name)
        if not scopes:
            raise unusable("key.invalid/scope", names=", ".join(SCOPES))
        secret = PREFIX + secrets.token_urlsafe(32)
        with self._locked():
            keys = self.keys() if self.path.exists() else ()
            if any(key.name == name for key in keys):
                raise unusable("key.taken", name=name, path=self.path)
            made = Key(
                name=name,
                sha256=digest(secret),
                scopes=tuple(dict.fromkeys(scopes)),
                filters={field: tuple(values) for field, values in (filters or {}).items()},
                requests_per_minute=requests_per_minute,
                answers_at_once=answers_at_once,
                created=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            self._write((*keys, made))
        return secret

    def revoke(self, name: str) -> None:
        """Remove a key; a running server refuses it from the next request on."""
        with self._locked():
            keys = self.keys()
            left = tuple(key for key in keys if key.name != name)
            if len(left) == len(keys):
                known = ", ".join(key.name for key in keys) or "none"
                raise unusable("key.no-such-name", name=name, known=known)
            self._write(left)

    def _load(self) -> tuple[Key, ...]:
        try:
            return _File.model_validate_json(self.path.read_bytes()).keys
        except ValidationError as error:
            first = error.errors()[0]
            place, why = ".".join(map(str, first["loc"])) or "the file", first["msg"].lower()
            raise unusable("keys-file.invalid/entry", self.path, place=place, why=why) from None

    def _write(self, keys: Sequence[Key]) -> None:
        """Write the file whole or not at all, for its owner alone."""
        content = json.dumps(_File(keys=tuple(keys)).model_dump(mode="json"), indent=1)
        partial = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(partial, flags, 0o600), "w") as file:
                file.write(content + "\n")
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self.path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise failed("storage.failed/keys", path=self.path, error=error) from None
        self._read = None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one process at a time change the file."""
        lock = self.path.with_name(f".{self.path.name}.lock")
        try:
            file = os.fdopen(os.open(lock, os.O_WRONLY | os.O_CREAT, 0o600), "w")
        except OSError as error:
            raise failed("storage.failed/keys", path=self.path, error=error) from None
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
