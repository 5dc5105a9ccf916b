"""Certificate and password of an Elasticsearch with security."""

from __future__ import annotations

import os
import secrets
import subprocess
from dataclasses import dataclass
from pathlib import Path

from test_servers.certificates import make_certificate

USER = "elastic"
SETTINGS = {
    "xpack.security.enabled": "true",
    "xpack.security.http.ssl.enabled": "true",
    "xpack.security.http.ssl.certificate": "certificate.pem",
    "xpack.security.http.ssl.key": "key.pem",
}


@dataclass(frozen=True)
class Credentials:
    """Where the secrets of an instance are."""

    folder: Path

    @property
    def ca_file(self) -> Path:
        """The certificate, which is its own authority."""
        return self.folder / "ca.pem"

    @property
    def password_file(self) -> Path:
        """The password of the user `elastic`."""
        return self.folder / "password"


def make_credentials(folder: Path, software: Path, jdk: Path) -> dict[str, str]:
    """Make certificate and password unless they exist; return the settings that use them.

    Raises:
        RefusalError: openssl is missing.
    """
    credentials, config = Credentials(folder), folder / "config"
    if not (config / "elasticsearch.keystore").exists():
        make_certificate(config / "certificate.pem", config / "key.pem")
        credentials.ca_file.write_bytes((config / "certificate.pem").read_bytes())
        _store_password(write_password(credentials), config, software, jdk)
    return SETTINGS


def write_password(credentials: Credentials) -> str:
    """Make up a password, keep it in its file, and return it."""
    password = secrets.token_urlsafe(18)
    credentials.password_file.touch(0o600)
    credentials.password_file.write_text(password)
    return password


def _store_password(password: str, config: Path, software: Path, jdk: Path) -> None:
    variables = {**os.environ, "ES_PATH_CONF": str(config), "ES_JAVA_HOME": str(jdk)}
    keystore = software / "bin" / "elasticsearch-keystore"
    for arguments in (["create"], ["add", "--stdin", "bootstrap.password"]):
        subprocess.run(
            [keystore, *arguments],
            input=password.encode(), env=variables, check=True, capture_output=True,
        )  # fmt: skip
