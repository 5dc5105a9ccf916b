"""Asks a server whether it is ready."""

from __future__ import annotations

import base64
import ssl
import urllib.request

from test_servers.security import USER, Credentials

READY = "/_cluster/health?wait_for_status=yellow&timeout=1s"


def is_healthy(url: str, credentials: Credentials | None) -> bool:
    """Return whether the server answers and can be searched."""
    request = urllib.request.Request(url + READY)
    context = None
    try:
        if credentials is not None:
            context = ssl.create_default_context(cafile=str(credentials.ca_file))
            login = f"{USER}:{credentials.password_file.read_text()}".encode()
            request.add_header("Authorization", "Basic " + base64.b64encode(login).decode())
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
        )
        with opener.open(request, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
