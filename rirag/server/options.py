"""The options of `rirag serve`, with their defaults."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from search.errors import InputError

CORES = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a request may bring, and that may run at once."""

    body_bytes: int = 32 * 1024 * 1024
    upload_bytes: int = 200 * 1024 * 1024
    body_seconds: float = 60.0
    """Time for a body to arrive; an upload has ten times as long."""
    request_seconds: float = 60.0
    """Time for everything but answers and uploads."""
    answer_seconds: float = 900.0
    question_words: int = 10_000
    searches: int = CORES
    searches_waiting: int = CORES
    """Pages, tools and reads; searches of the API are refused when no place is free."""
    answers: int = 32
    answers_waiting: int = 8
    uploads: int = 4
    """Uploads received, and files looked at before loading, at once."""
    jobs_waiting: int = 1000


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How a server listens, and what it keeps."""

    host: str = "127.0.0.1"
    port: int = 8080
    keys: Path | None = None
    read_only: bool = False
    data: Path = Path("rirag-server")
    """Folder of stored answers, feedback, jobs and uploads."""
    hosts: tuple[str, ...] = ()
    """Further names that the Host header may have."""
    audit: Path | None = None
    log_questions: bool = False
    fresh_every_s: float = 2.0
    """How often to look for a newer state of the index."""
    limits: Limits = field(default_factory=Limits)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the address."""
        return is_loopback(self.host)

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names that a Host header may have, without port."""
        own = () if self.host in ("0.0.0.0", "::") else (self.host,)  # noqa: S104 - compared only
        return frozenset(
            name.strip("[]").lower()
            for name in ("localhost", "127.0.0.1", "::1", *own, *self.hosts)
        )

    def check(self) -> None:
        """Refuse an address that others can reach while nobody needs a key.

        Raises:
            InputError: no keys are configured for it, or the keys file holds none.
        """
        if self.keys is None:
            if not self.is_local:
                raise InputError(
                    f"other machines can reach {self.host}, which requires keys: make "
                    "one with rirag keys add NAME --scope search --scope ask --keys "
                    "keys.json, and start with --keys keys.json",
                    code="server.needs-keys",
                )
            return
        from rirag.server.access.keys import KeysFile

        if not KeysFile(self.keys).keys():
            raise InputError(
                "the file contains no key; add one with: rirag keys add NAME --scope "
                f"search --keys {self.keys}",
                self.keys,
                code="keys-file.empty",
            )


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
