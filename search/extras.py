"""The command that installs an extra, for messages."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import urlsplit
from urllib.request import url2pathname


def installing(extra: str) -> str:
    """Return the command that installs an extra from where rirag itself was installed.

    Where that is a folder or a wheel, a package of the same name elsewhere is not rirag.
    """
    try:
        origin = json.loads(distribution("rirag").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    local = urlsplit(origin.get("url", ""))
    source = url2pathname(local.path) if local.scheme == "file" else "rirag"
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f"pip install {editable}{shlex.quote(f'{source}[{extra}]')}"
