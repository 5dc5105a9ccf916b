"""Make the account with which rirag uses Elasticsearch; runs once the server answers.

    python3 account.py

Making it again changes nothing but the password, which is how a new one comes into force. The
account may do everything with indices, and see how the cluster is; it cannot make accounts.
"""

from __future__ import annotations

import base64
import json
import ssl
import sys
import urllib.error
import urllib.request
from pathlib import Path

SERVER = "https://elasticsearch:9200"
AUTHORITY = Path("/client/ca.pem")
SECRETS = Path("/run/secrets")

ROLE = {
    "cluster": ["monitor"],
    "indices": [{"names": ["*"], "privileges": ["all"], "allow_restricted_indices": False}],
}


def main() -> None:
    """Put the role, then the user that has it."""
    put("/_security/role/rirag", ROLE)
    put("/_security/user/rirag", {"password": secret("rirag-password"), "roles": ["rirag"]})


def put(path: str, body: dict[str, object]) -> None:
    """Send one request as the administrator; end the program with the server's words if refused."""
    credentials = base64.b64encode(f"elastic:{secret('admin-password')}".encode()).decode()
    request = urllib.request.Request(
        SERVER + path,
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Basic {credentials}"},
        method="PUT",
    )
    trusted = ssl.create_default_context(cafile=str(AUTHORITY))
    try:
        with urllib.request.urlopen(request, context=trusted, timeout=30):
            return
    except urllib.error.HTTPError as error:
        sys.exit(f"Elasticsearch refused {path}: {error.code} {error.read().decode()[:500]}")
    except OSError as error:
        sys.exit(f"Elasticsearch cannot be reached for {path}: {error}")


def secret(name: str) -> str:
    """Return a password that Compose mounted."""
    return (SECRETS / name).read_text(encoding="utf-8").strip()


if __name__ == "__main__":
    main()
