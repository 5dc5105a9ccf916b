"""What docker/setup makes: certificates that hold, hashes that match, an account."""

from __future__ import annotations

import base64
import ctypes
import json
import os
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from compose_files import DOCKER

sys.path.insert(0, str(DOCKER / "setup"))

import account
import credentials
from bcrypt_hash import bcrypt_hash

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="libcrypt.so.1 is Linux's")


@needs_linux
def test_a_hash_matches_its_password_only() -> None:
    crypt = ctypes.CDLL("libcrypt.so.1").crypt
    crypt.restype = ctypes.c_char_p
    made = bcrypt_hash("of the administrator")

    assert made.startswith("$2y$12$")
    assert crypt(b"of the administrator", made.encode()).decode() == made
    assert crypt(b"of somebody else", made.encode()).decode() != made
    assert bcrypt_hash("of the administrator") != made, "the salt is always the same"


@needs_linux
def test_a_password_that_bcrypt_would_cut_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 72 bytes"):
        bcrypt_hash("é" * 37)


@needs_openssl
def test_the_certificate_is_the_hosts_and_no_other_authority_may_sign(tmp_path: Path) -> None:
    credentials.make_certificate("opensearch", tmp_path)

    for host, holds in (("opensearch", True), ("localhost", True), ("example.com", False)):
        checked = subprocess.run(
            ["openssl", "verify", "-x509_strict", "-verify_hostname", host,
             "-CAfile", str(tmp_path / "ca.pem"), str(tmp_path / "server.pem")],
            capture_output=True, check=False,
        )  # fmt: skip
        assert (checked.returncode == 0) is holds, host
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "ca.pem", "server-key.pem", "server.pem",
    ]  # fmt: skip


@needs_linux
def test_hashes_take_the_place_of_their_names_in_the_security_configuration(
    tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(credentials, "TEMPLATES", DOCKER / "opensearch" / "security")
    monkeypatch.setattr(credentials, "SECURITY", tmp_path)
    monkeypatch.setattr(credentials, "SERVER_USER", os.getuid())
    credentials.configure_security("of the administrator", "of rirag")

    users = (tmp_path / "internal_users.yml").read_text()
    assert users.count("hash: $2y$12$") == 2
    assert "${" not in users
    assert "of rirag" not in users
    assert {path.name for path in tmp_path.iterdir()} >= {"config.yml", "roles.yml"}
    assert all(path.stat().st_mode & 0o777 == 0o400 for path in tmp_path.iterdir())


def test_a_missing_password_is_told_with_the_command_that_makes_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(credentials, "SECRETS", tmp_path)

    with pytest.raises(SystemExit, match="docker/make-secrets"):
        credentials.secret("admin-password")


def test_passwords_are_made_once_and_are_for_their_owner_only(tmp_path: Path) -> None:
    script = shutil.copy(DOCKER / "make-secrets", tmp_path)
    subprocess.run([script], check=True, capture_output=True)
    secrets = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    (tmp_path / "secrets" / "rirag-password").write_text("of my own")
    again = subprocess.run([script], check=True, capture_output=True, text=True)

    assert sorted(secrets) == ["admin-password", "rirag-password"]
    assert all(len(one) == 32 and one.isalnum() for one in secrets.values())
    assert secrets["admin-password"] != secrets["rirag-password"]
    assert (tmp_path / "secrets" / "rirag-password").read_text() == "of my own"
    assert again.stdout.count("kept") == 2
    assert (tmp_path / "secrets" / "admin-password").stat().st_mode & 0o777 == 0o600


class Recorder(BaseHTTPRequestHandler):
    """Takes the administrator's requests and remembers them; refuses everybody else."""

    server: Recorded

    def do_PUT(self) -> None:
        expected = "Basic " + base64.b64encode(b"elastic:of admin").decode()
        allowed = self.headers["Authorization"] == expected
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if allowed:
            self.server.requests[self.path] = json.loads(body)
        self.send_response(200 if allowed else 401)
        self.end_headers()
        self.wfile.write(b"{}" if allowed else b"unable to authenticate")

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


class Recorded(ThreadingHTTPServer):
    """An HTTPS server with a certificate of credentials.py."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Recorder)
        self.requests: dict[str, Any] = {}
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem", folder / "server-key.pem")
        self.socket = context.wrap_socket(self.socket, server_side=True)


@pytest.fixture
def server(tmp_path: Path, monkeypatch) -> Iterator[Recorded]:
    credentials.make_certificate("elasticsearch", tmp_path)
    (tmp_path / "admin-password").write_text("of admin\n")
    (tmp_path / "rirag-password").write_text("of rirag\n")
    with Recorded(tmp_path) as recorded:
        threading.Thread(target=recorded.serve_forever, daemon=True).start()
        monkeypatch.setattr(account, "SERVER", f"https://localhost:{recorded.server_port}")
        monkeypatch.setattr(account, "AUTHORITY", tmp_path / "ca.pem")
        monkeypatch.setattr(account, "SECRETS", tmp_path)
        yield recorded
        recorded.shutdown()


@needs_openssl
def test_the_account_gets_its_password_and_a_role_that_makes_no_accounts(server) -> None:
    account.main()

    assert server.requests["/_security/user/rirag"] == {"password": "of rirag", "roles": ["rirag"]}
    assert server.requests["/_security/role/rirag"]["cluster"] == ["monitor"]


@needs_openssl
def test_a_wrong_administrators_password_is_told_in_the_servers_words(server, tmp_path) -> None:
    (tmp_path / "admin-password").write_text("wrong")

    with pytest.raises(SystemExit, match="401 unable to authenticate"):
        account.main()
    assert server.requests == {}


@needs_openssl
def test_a_server_with_another_certificate_gets_no_password(server, tmp_path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    credentials.make_certificate("elasticsearch", other)
    shutil.copy(other / "ca.pem", tmp_path / "ca.pem")

    with pytest.raises(SystemExit, match="cannot be reached"):
        account.main()
    assert server.requests == {}
