"""Write the description of the HTTP API: python scripts/openapi.py > docs/openapi.json."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from rirag.server.app import create_app
from rirag.server.options import ServeOptions
from rirag.settings import Settings


def description() -> str:
    """Return the description as it is kept in `docs/openapi.json`."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(), ServeOptions(data=Path(folder)))
        text = json.dumps(app.openapi(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        app.state.server.database.close()
    return text


if __name__ == "__main__":
    sys.stdout.write(description())
