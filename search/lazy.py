"""The public names of a package that load when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    Its public names are those below `if TYPE_CHECKING:`, each on a line of its own:
    `from module import name as name`.

    Args:
        package: its name.
    """
    module = sys.modules[package]
    source = module.__loader__.get_source(package) or ""  # type: ignore[union-attr]
    imports = [line.split() for line in source.splitlines() if line.startswith("    from ")]
    places = {words[3]: words[1] for words in imports if words[4:6] == ["as", words[3]]}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places[name]), name)

    return get, lambda: sorted({*vars(module), *places}), sorted(places)
