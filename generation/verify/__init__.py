"""Verify every statement of an answer against the passages that it cites.

It knows modes by their protocol alone, and does not know who wrote an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generation.verification import Finding, MissingObligation, StatementCheck, Verification
    from generation.verify.judges.judging import Judge
    from generation.verify.judges.local import load_judge
    from generation.verify.report import verification_text
    from generation.verify.settings import VerifySettings
    from generation.verify.verifying import verify

_MODULES = {
    "generation.verify.judges.local": ("load_judge",),
    "generation.verify.judges.judging": ("Judge",),
    "generation.verification": ("Finding", "MissingObligation", "StatementCheck", "Verification"),
    "generation.verify.report": ("verification_text",),
    "generation.verify.settings": ("VerifySettings",),
    "generation.verify.verifying": ("verify",),
}
"""Module → the public names in it."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'generation.verify' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Finding",
    "Judge",
    "MissingObligation",
    "StatementCheck",
    "Verification",
    "VerifySettings",
    "load_judge",
    "verification_text",
    "verify",
]
