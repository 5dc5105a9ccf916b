"""The command that installs an extra, for messages."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import urlsplit
from urllib.request import url2pathname


def installing(extra: str = "", workbench: bool = False) -> str:
    """Return the command that installs an extra from where rirag itself was installed.

    Where that is a folder or a wheel, a package of the same name elsewhere is not rirag.

    Args:
        extra: of the package; empty: the package alone.
        workbench: the package is the workbench, in a folder of rirag's, and not rirag.
    """
    try:
        origin = json.loads(distribution("rirag").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    local = urlsplit(origin.get("url", ""))
    package = "rirag-workbench" if workbench else "rirag"
    if local.scheme == "file" and (not workbench or "dir_info" in origin):
        package = url2pathname(local.path) + ("/workbench" if workbench else "")
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f"pip install {editable}{shlex.quote(package + (extra and f'[{extra}]'))}"
