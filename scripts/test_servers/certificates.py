"""Makes a certificate for this machine that is its own authority."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from test_servers.refusal import MissingError, RefusalError

EXTENSIONS = (
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
    "extendedKeyUsage=serverAuth",
    # Python from 3.13 on takes no authority without the right to sign certificates.
    "keyUsage=critical,digitalSignature,keyEncipherment,keyCertSign",
)


def make_certificate(certificate: Path, key: Path) -> None:
    """Write a PEM certificate for localhost and its private key.

    Raises:
        MissingError: openssl is missing.
        RefusalError: it failed.
    """
    openssl = shutil.which("openssl")
    if openssl is None:
        raise MissingError("openssl is needed to make a certificate; install it")
    added = [part for extension in EXTENSIONS for part in ("-addext", extension)]
    done = subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650",
         "-subj", "/CN=localhost", *added, "-keyout", key, "-out", certificate],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RefusalError(f"openssl could not make a certificate: {done.stderr.strip()}")
