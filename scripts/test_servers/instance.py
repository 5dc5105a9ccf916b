"""One server in a folder of its own: started, found running again, stopped, killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from test_servers.account import Account, instances_home, server_account, servers_home
from test_servers.configuration import write_configuration
from test_servers.health import is_healthy
from test_servers.java import find_jdk
from test_servers.options import ServerOptions
from test_servers.products import Product
from test_servers.refusal import RefusalError
from test_servers.security import Credentials, make_credentials

PATIENCE_S = 240
"""From start to health; 8 to 35 s seen on two cores."""
FAREWELL_S = 30
"""A server that has not stopped by then is killed."""


@dataclass(frozen=True)
class Instance:
    """Where one server lives, and who runs it."""

    product: Product
    options: ServerOptions
    account: Account
    home: Path

    @classmethod
    def of(cls, product: Product, options: ServerOptions) -> Instance:
        """Return the instance that the options mean.

        Raises:
            RefusalError: its folder has something else in it.
        """
        account = server_account()
        instance = cls(product, options, account, servers_home(account))
        folder = instance.folder
        if folder.exists() and any(folder.iterdir()) and not (folder / "config").is_dir():
            raise RefusalError(f"{folder} holds no server; give --data an empty folder")
        return instance

    @property
    def folder(self) -> Path:
        """Its settings, data and logs."""
        if self.options.data is not None:
            return self.options.data.absolute()
        mode = "-secure" if self.options.secure else ""
        instances = instances_home(self.home, self.options.quick)
        return instances / f"{self.product.name}-{self.options.port}{mode}"

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http{'s' if self.options.secure else ''}://127.0.0.1:{self.options.port}"

    @property
    def credentials(self) -> Credentials | None:
        """What opens a server with security."""
        return Credentials(self.folder) if self.options.secure else None

    def pid(self) -> int | None:
        """Return the process of this server, if it runs."""
        try:
            pid = int((self.folder / "pid").read_text())
        except (OSError, ValueError):
            return None
        shown = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", str(pid)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        # The number may belong to another process by now.
        return pid if f"-Djava.io.tmpdir={self.folder / 'tmp'} " in shown.stdout else None

    def start(self) -> None:
        """Start it and wait until it answers; nothing happens when it runs already.

        Raises:
            RefusalError: something that it needs is missing, or it does not come up.
        """
        with self._alone():
            if self.options.fresh:
                self.stop()
            if self.pid() is None:
                self._launch()

    def fetch(self) -> None:
        """Fetch and unpack the server, so that a start needs no network.

        Raises:
            RefusalError: something that it needs is missing.
        """
        with self._alone():
            self.product.install(self.home, find_jdk(self.account))

    def stop(self) -> bool:
        """Stop it; with `fresh` forget its data too. Return whether it ran."""
        pid = self.pid()
        if pid is not None:
            os.kill(pid, signal.SIGTERM)
            self._wait_for_end()
        if self.options.fresh:
            shutil.rmtree(self.folder, ignore_errors=True)
        return pid is not None

    def kill(self) -> bool:
        """End it at once, as a crash would. Return whether it ran."""
        pid = self.pid()
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            self._wait_for_end()
        return pid is not None

    def _wait_for_end(self) -> None:
        deadline = time.monotonic() + FAREWELL_S
        while (pid := self.pid()) is not None:
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)
        (self.folder / "pid").unlink(missing_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one caller at a time fetch and start; the server must not inherit the lock."""
        with (self.home / ".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _launch(self) -> None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", self.options.port)) == 0:
                raise RefusalError(
                    f"something else answers on port {self.options.port}; stop it or give --port"
                )
        jdk = find_jdk(self.account)
        software = self.product.install(self.home, jdk)
        for name in ("config", "data", "logs", "tmp"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        if not self.account.may_enter(self.folder):
            raise RefusalError(
                f"the account that runs the server may not enter {self.folder}; choose another "
                "with --data"
            )
        security = make_credentials(self.folder, software, jdk) if self.options.secure else {}
        write_configuration(self.product, self.options, software, self.folder, security)
        self.account.own(self.folder)
        self._wait_for_start(self._process(software, jdk))

    def _process(self, software: Path, jdk: Path) -> subprocess.Popen[bytes]:
        prefix, pid_file = self.product.prefix, self.folder / "pid"
        variables = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.folder),
            f"{prefix}_JAVA_HOME": str(jdk),
            f"{prefix}_PATH_CONF": str(self.folder / "config"),
            f"{prefix}_TMPDIR": str(self.folder / "tmp"),
        }
        with (self.folder / "logs" / "start.log").open("wb") as log:
            return subprocess.Popen(
                [software / "bin" / self.product.name, *self.product.background, "-p", pid_file],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables, cwd=self.folder,
                start_new_session=True, **self.account.process(),
            )  # fmt: skip

    def _wait_for_start(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not is_healthy(self.url, self.credentials):
            ended = process.poll() is not None and self.pid() is None
            if ended or time.monotonic() > deadline:
                sys.stderr.write((self.folder / "logs" / "start.log").read_text()[-4000:])
                raise RefusalError(
                    f"{self.product.title} {'ended' if ended else 'does not answer'}; its last "
                    f"lines are above, and all of them in {self.folder / 'logs'}"
                )
            time.sleep(0.25)
