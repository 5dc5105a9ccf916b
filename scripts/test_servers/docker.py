"""The same servers from their official images, where a Docker engine runs."""

from __future__ import annotations

import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from test_servers.account import server_account, servers_home
from test_servers.certificates import make_certificate
from test_servers.configuration import java_options, shared_settings
from test_servers.health import is_healthy
from test_servers.options import ServerOptions
from test_servers.products import Product
from test_servers.refusal import MissingError, RefusalError
from test_servers.security import SETTINGS, Credentials, write_password

PATIENCE_S = 240
CERTIFICATES = "/usr/share/elasticsearch/config/certificates"
IN_CONTAINER = 9200
"""Both products answer there inside their containers."""


def engine_runs() -> bool:
    """Return whether a Docker engine answers."""
    docker = shutil.which("docker")
    return docker is not None and _docker("version").returncode == 0


@dataclass(frozen=True)
class Container:
    """One server in a container; the twin of `Instance`."""

    product: Product
    options: ServerOptions
    home: Path

    @classmethod
    def of(cls, product: Product, options: ServerOptions) -> Container:
        """Return the container that the options mean.

        Raises:
            MissingError: no Docker engine answers.
        """
        if not engine_runs():
            raise MissingError("no Docker engine answers; start it, or leave --docker out")
        return cls(product, options, servers_home(server_account()))

    @property
    def name(self) -> str:
        """What Docker calls it."""
        mode = "-secure" if self.options.secure else ""
        return f"rirag-{self.product.name}-{self.options.port}{mode}"

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http{'s' if self.options.secure else ''}://127.0.0.1:{self.options.port}"

    @property
    def credentials(self) -> Credentials | None:
        """What opens a server with security."""
        return Credentials(self.home / "containers" / self.name) if self.options.secure else None

    def pid(self) -> int | None:
        """Return the process of the server as this machine sees it, if it runs."""
        pid = _docker("inspect", "--format", "{{.State.Pid}}", self.name).stdout.strip()
        return int(pid) or None if pid.isdigit() else None

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RefusalError: Docker could not run it, or it does not come up.
        """
        if self.options.fresh:
            self.stop()
        exists = _docker("inspect", self.name).returncode == 0
        done = _docker("start", self.name) if exists else _docker(*self._run_arguments())
        if done.returncode:
            raise RefusalError(f"docker could not run {self.product.title}: {done.stderr.strip()}")
        deadline = time.monotonic() + PATIENCE_S
        while not is_healthy(self.url, self.credentials):
            if self.pid() is None or time.monotonic() > deadline:
                raise RefusalError(
                    f"{self.product.title} does not answer; see: docker logs {self.name}"
                )
            time.sleep(0.5)

    def fetch(self) -> None:
        """Pull the image."""
        done = _docker("pull", f"{self.product.image}:{self.product.version}")
        if done.returncode:
            raise MissingError(f"docker could not pull the image: {done.stderr.strip()}")

    def stop(self) -> bool:
        """Stop it; with `fresh` forget its data too. Return whether it ran."""
        ran = self.pid() is not None
        _docker("stop", self.name)
        if self.options.fresh:
            _docker("rm", "--volumes", self.name)
        return ran

    def kill(self) -> bool:
        """End it at once, as a crash would. Return whether it ran."""
        return _docker("kill", self.name).returncode == 0

    def _run_arguments(self) -> list[str]:
        credentials = self.credentials
        if credentials is not None:
            _make_credentials(credentials)
        return run_arguments(self.product, self.options, self.name, credentials)


def run_arguments(
    product: Product, options: ServerOptions, name: str, credentials: Credentials | None
) -> list[str]:
    """Return what follows `docker` to run a server in a new container."""
    settings = {
        **shared_settings(options),
        f"{product.prefix}_JAVA_OPTS": " ".join(java_options([], options.heap, options.quick)),
    }
    mounts: list[str] = []
    if credentials is None:
        settings |= product.open_image_settings
    else:
        settings |= {name: _below(value) for name, value in SETTINGS.items()}
        settings["ELASTIC_PASSWORD"] = credentials.password_file.read_text()
        mounts = ["--volume", f"{credentials.folder}:{CERTIFICATES}:ro"]
    variables = [part for name, value in settings.items() for part in ("--env", f"{name}={value}")]
    publish = f"127.0.0.1:{options.port}:{IN_CONTAINER}"
    image = f"{product.image}:{product.version}"
    return ["run", "--detach", "--name", name, "--publish", publish, *mounts, *variables, image]


def _below(value: str) -> str:
    """Return the value of a setting; a file is looked up in the mounted folder."""
    return f"certificates/{value}" if value.endswith(".pem") else value


def _make_credentials(credentials: Credentials) -> None:
    credentials.folder.mkdir(parents=True, exist_ok=True)
    make_certificate(credentials.folder / "certificate.pem", credentials.folder / "key.pem")
    credentials.ca_file.write_bytes((credentials.folder / "certificate.pem").read_bytes())
    # Read by the account inside the container.
    (credentials.folder / "key.pem").chmod(0o644)
    write_password(credentials)


def _docker(*arguments: str) -> subprocess.CompletedProcess[str]:
    docker = shutil.which("docker") or "docker"
    return subprocess.run([docker, *arguments], check=False, capture_output=True, text=True)
