"""Real servers for tests: started with `scripts/servers`, asked over plain HTTP, killed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[4]
COMMAND = (sys.executable, str(ROOT / "scripts" / "servers"))
MISSING = 3
"""Exit code of `scripts/servers` where this machine lacks Maven, Java or the network."""


@dataclass
class TestServer:
    """A server of this test run."""

    __test__ = False

    product: str
    port: int
    options: tuple[str, ...] = ()
    report: dict[str, str] = field(default_factory=dict)
    """What `scripts/servers start` printed."""

    @classmethod
    def started(cls, product: str, *options: str) -> TestServer:
        """Start a new one on a free port; skip the test where that is impossible."""
        server = cls(product, free_port(), ("--quick", *options))
        server.start("--fresh")
        return server

    @classmethod
    def running(cls, product: str, url: str) -> TestServer:
        """One that somebody else started, and stops."""
        return cls(product, int(url.rpartition(":")[2].strip("/")), (), {"url": url.rstrip("/")})

    def start(self, *more: str) -> None:
        """Start it, or start it again with the data of the last time."""
        done = self._command("start", *more)
        if done.returncode == MISSING:
            missing(done.stderr.strip())
        assert done.returncode == 0, done.stderr
        self.report = dict(line.split("=", 1) for line in done.stdout.splitlines())

    def ensure_running(self) -> None:
        """Start it again if a test has left it dead."""
        if "pid" in self.report and self._command("status").returncode:
            self.start()

    def kill(self) -> None:
        """End it as a crash would."""
        assert self._command("kill").stdout == "stopped\n"

    def stop(self) -> None:
        """Stop it and forget its data."""
        self._command("stop", "--fresh")

    def _command(self, action: str, *more: str) -> subprocess.CompletedProcess[str]:
        arguments = [action, self.product, "--port", str(self.port), *self.options, *more]
        return subprocess.run([*COMMAND, *arguments], check=False, capture_output=True, text=True)

    @property
    def http_url(self) -> str:
        """Where it answers, as `http(s)://127.0.0.1:PORT`."""
        return self.report["url"]

    @property
    def url(self) -> str:
        """The same as an index URL begins: `elasticsearch+http://127.0.0.1:PORT`."""
        return f"{self.product}+{self.http_url}"

    @property
    def password(self) -> str:
        """Of the user `elastic`."""
        return Path(self.report["password_file"]).read_text()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the JSON answer; None for 404."""
        request = urllib.request.Request(self.http_url + path, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        context = None
        if "ca_file" in self.report:
            context = ssl.create_default_context(cafile=self.report["ca_file"])
            login = base64.b64encode(f"elastic:{self.password}".encode()).decode()
            request.add_header("Authorization", f"Basic {login}")
        try:
            with urllib.request.urlopen(request, timeout=60, context=context) as answer:
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            with error:
                said = error.read().decode()
            if error.code == 404:
                return None
            raise AssertionError(f"{method} {path}: {error.code} {said}") from None

    def accepts(self, method: str, path: str) -> bool:
        """Return whether a request is taken."""
        request = urllib.request.Request(self.http_url + path, method=method)
        try:
            urllib.request.urlopen(request, timeout=60).close()
        except urllib.error.HTTPError as error:
            error.close()
            return False
        return True

    def set(self, settings: dict[str, Any]) -> None:
        """Change settings of the cluster; None: back to what it was."""
        self.call("PUT", "/_cluster/settings", {"persistent": settings})

    def indices(self, name: str) -> dict[str, list[str]]:
        """The indices whose names begin with `name`, and the aliases of each."""
        found = self.call("GET", f"/{name}*/_alias?expand_wildcards=all") or {}
        return {index: sorted(more["aliases"]) for index, more in sorted(found.items())}

    def wipe(self, name: str) -> None:
        """Delete every index whose name begins with `name`."""
        for index in self.indices(name):
            self.call("DELETE", f"/{index}")


def on(product: str) -> pytest.MarkDecorator:
    """Run a test on one of the products: what it is about is the same on the other."""
    return pytest.mark.parametrize("server", [product], indirect=True)


def missing(reason: str) -> None:
    """Skip the test, or fail it where servers are demanded."""
    if os.environ.get("RIRAG_REQUIRE_SERVERS") == "1":
        pytest.fail(f"{reason}, and RIRAG_REQUIRE_SERVERS=1 demands it", pytrace=False)
    pytest.skip(reason)


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def openssl() -> str:
    """The program that makes certificates."""
    found = shutil.which("openssl")
    if found is None:
        missing("openssl is not installed")
    return str(found)
