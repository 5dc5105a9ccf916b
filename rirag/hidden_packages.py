"""Refuse to start where another folder or file hides a package of rirag."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
PACKAGES = ("search", "indexer", "generation")


def refuse_hidden_packages() -> None:
    """Check that the packages beside this one are those that Python imports."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            continue
        found = Path(spec.origin)
        if found.resolve() == HOME / name / "__init__.py":
            continue
        hiding = found.parent if found.name == "__init__.py" else found
        message = (
            f"{hiding} hides the package {name!r} of rirag; rename it, or remove "
            f"{hiding.parent} from the Python path"
        )
        if Path(sys.argv[0]).stem in ("rirag", "-m"):
            sys.exit(f"rirag: {message}")
        raise ImportError(message, name=name, path=str(found))
