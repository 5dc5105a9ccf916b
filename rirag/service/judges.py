"""The judge of the verifier that the settings name."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generation.verify import Judge

LLM_JUDGE = "llm"
NO_JUDGE = "none"

_LOADED: dict[str, Judge] = {}
_LOADING = threading.Lock()


def wants_llm(judge: str | None) -> bool:
    """Return whether the language model is the judge."""
    return judge == LLM_JUDGE


def load_judge(name: str | None, default: str = "cross-encoder") -> Judge | None:
    """Return the judge of a name; the default one loads its model when it is first asked.

    Args:
        name: None: the default.
        default: what is used without a name.
    """
    if (name or default) in (NO_JUDGE, LLM_JUDGE):
        return None
    return _WhenAsked(default) if name is None else _loaded(name)


class _WhenAsked:
    """A judge whose model is loaded with the first question."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reads_meaning = name.startswith("nli:")

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        return _loaded(self.name).support(pairs)


def _loaded(name: str) -> Judge:
    from generation.verify import load_judge as load

    with _LOADING:  # once, whoever asks first
        if name not in _LOADED:
            _LOADED[name] = load(name)
        return _LOADED[name]
