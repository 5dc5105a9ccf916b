"""Make the certificate of a server, and hand each service just the secrets that it needs.

    python3 credentials.py elasticsearch|opensearch

Compose mounts a secret with the owner and the mode that its file has on the host, so that the
users inside the containers could not read it. This runs once before the server does: it reads the
passwords in /run/secrets, copies them to the volumes below, each file readable by one user only,
and makes a certificate when there is none. The key of the authority that signs the certificate is
thrown away, so that nobody can sign another; delete the volumes to have new ones made.

    /server   for the server: ca.pem, server.pem, server-key.pem, admin-password
    /client   for rirag: ca.pem, rirag-password
    /security for OpenSearch: the configuration of its security plugin, with hashed passwords
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bcrypt_hash import bcrypt_hash

SECRETS = Path("/run/secrets")
SERVER = Path("/server")
CLIENT = Path("/client")
SECURITY = Path("/security")
SNAPSHOTS = Path("/snapshots")
TEMPLATES = Path("/templates")

SERVER_USER = 1000
"""Runs the server in the images of both products."""
RIRAG_USER = 10001
"""Runs rirag in docker/Dockerfile."""
DAYS = 730
"""How long a certificate is valid."""


def main(product: str) -> None:
    """Hand out everything that a product and its client need."""
    if not (SERVER / "server.pem").exists():
        make_certificate(product, SERVER)
    admin, rirag = (secret(name) for name in ("admin-password", "rirag-password"))
    write(SERVER / "admin-password", admin)
    hand_over(SERVER, SERVER_USER)
    shutil.copy(SERVER / "ca.pem", CLIENT)
    write(CLIENT / "rirag-password", rirag)
    hand_over(CLIENT, RIRAG_USER)
    os.chown(SNAPSHOTS, SERVER_USER, SERVER_USER)
    if product == "opensearch":
        configure_security(admin, rirag)


def secret(name: str) -> str:
    """Return a password; end the program with a sentence when there is none."""
    path = SECRETS / name
    text = path.read_text(encoding="utf-8").strip() if path.is_file() else ""
    if not text:
        sys.exit(f"docker/secrets/{name} is missing or empty; run docker/make-secrets first")
    return text


def make_certificate(host: str, folder: Path) -> None:
    """Write a key, a certificate for `host` and localhost, and the authority that signed it."""
    with tempfile.TemporaryDirectory() as scratch:
        authority, key, request = (Path(scratch) / name for name in ("ca.key", "key", "request"))
        extensions = Path(scratch) / "extensions"
        extensions.write_text(
            f"subjectAltName = DNS:{host}, DNS:localhost, IP:127.0.0.1\n"
            "basicConstraints = critical, CA:false\n"
            "keyUsage = critical, digitalSignature\n"
            "extendedKeyUsage = serverAuth, clientAuth\n"
            "authorityKeyIdentifier = keyid\n"
        )
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"]
        openssl(
            "req", "-x509", *curve, "-keyout", authority, "-out", folder / "ca.pem",
            "-days", DAYS, "-subj", f"/CN=rirag authority for {host}",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        )  # fmt: skip
        openssl("req", *curve, "-keyout", key, "-out", request, "-subj", f"/CN={host}")
        openssl(
            "x509", "-req", "-in", request, "-CA", folder / "ca.pem", "-CAkey", authority,
            "-days", DAYS, "-extfile", extensions, "-out", Path(scratch) / "certificate",
        )  # fmt: skip
        shutil.copyfile(key, folder / "server-key.pem")
        # Last, because it is what a later run looks for.
        shutil.copyfile(Path(scratch) / "certificate", folder / "server.pem")


def openssl(*arguments: object) -> None:
    """Run openssl; end the program with its words when it fails."""
    command = ["openssl", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"openssl {arguments[0]} failed: {done.stderr.strip()}")


def configure_security(admin: str, rirag: str) -> None:
    """Write the security plugin's configuration with the hashes of both passwords."""
    hashes = {"ADMIN_HASH": bcrypt_hash(admin), "RIRAG_HASH": bcrypt_hash(rirag)}
    for template in TEMPLATES.glob("*.yml"):
        text = template.read_text(encoding="utf-8")
        for name, value in hashes.items():
            text = text.replace(f"${{{name}}}", value)
        write(SECURITY / template.name, text)
    hand_over(SECURITY, SERVER_USER)


def write(path: Path, text: str) -> None:
    """Write a file that a later run may replace."""
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")


def hand_over(folder: Path, user: int) -> None:
    """Let one user read a folder, and nobody else."""
    for path in (*folder.iterdir(), folder):
        path.chmod(0o500 if path.is_dir() else 0o400)
        os.chown(path, user, user)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("elasticsearch", "opensearch"):
        sys.exit("usage: credentials.py elasticsearch|opensearch")
    main(sys.argv[1])
