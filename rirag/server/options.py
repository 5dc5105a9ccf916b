"""The options of `rirag serve`, with their defaults."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from rirag.refusals import unusable
from search.errors import InputError

CORES = os.cpu_count() or 1

_HOST = r"(?:\[[0-9a-fA-F:.]+\]|[^\s/?#@:\[\]]+)(?::\d+)?"
ROOT_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)+/?")
"""A root path, of characters that need no percent-encoding."""
_URL = re.compile(rf"https?://{_HOST}(?:{ROOT_PATH.pattern}|/)?")
_ORIGIN = re.compile(rf"[a-z][a-z0-9+.-]*://{_HOST}")


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
    waiting: int = 256
    """Searches, and answers, that wait in line; keys and addresses take turns."""
    waiting_seconds: float = 15.0
    answers: int = 32
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
    public_url: str = ""
    """Where readers reach the server; empty: where it listens."""
    root_path: str = ""
    """Path of the public address; empty: that of `public_url`."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose `X-Forwarded-*` headers are read."""
    origins: tuple[str, ...] = ()
    """Origins of programs in browsers that may use the API with a key."""
    keep_days: int = 0
    """After how many days stored answers, their questions and feedback are deleted; 0: never."""
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
    def root(self) -> str:
        """The path below which readers reach the server; empty: none."""
        return (self.root_path or urlsplit(self.public_url).path).rstrip("/")

    @property
    def named_hosts(self) -> frozenset[str]:
        """The host names, without port, that the options give to this server alone."""
        own = "" if self.is_local or self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        names = (own, *self.hosts, urlsplit(self.public_url).netloc)
        return frozenset(filter(None, map(host_name, names)))

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names that a Host header may have, without port."""
        local = ("localhost", "127.0.0.1", "::1", *([self.host] if self.is_local else ()))
        return self.named_hosts | frozenset(map(host_name, local))

    def networks(self) -> list[IPv4Network | IPv6Network]:
        """Return the networks whose `X-Forwarded-*` headers are read."""
        return [ip_network(one) for one in self.proxies]

    def _problem(self) -> InputError | None:
        """Return what is wrong with the public addresses; None: nothing."""
        for option, values, pattern, form in (
            ("--public-url", [self.public_url], _URL, "a URL such as https://example.com/law"),
            ("--root-path", [self.root_path], ROOT_PATH, "a path such as /law"),
            ("--allow-host", self.hosts, re.compile(r"[^/]+"), "a host name without https://"),
            ("--allow-origin", self.origins, _ORIGIN, "scheme, host and port alone"),
        ):
            for value in filter(None, values):
                if not pattern.fullmatch(value):
                    return unusable("option.invalid/address", option=option, value=value, form=form)
        try:
            self.networks()
        except ValueError as error:
            return unusable("option.invalid/proxy", why=error)
        return None

    def check(self) -> None:
        """Refuse an address that others can reach while nobody needs a key."""
        if problem := self._problem():
            raise problem
        if self.keys is None:
            if not self.is_local:
                raise unusable("server.needs-keys", host=self.host)
            return
        from rirag.server.access.keys import KeysFile

        if not KeysFile(self.keys).keys():
            raise unusable("keys-file.empty", self.keys, path=self.keys)


def host_name(host: str) -> str:
    """Return the name of a Host header, or of the host of an address, without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host if host.count(":") > 1 else host.partition(":")[0].rstrip(".")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
