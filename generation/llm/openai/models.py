"""What a server's list of models says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Where vLLM, hosted gateways and desktop servers give a model's context in `/v1/models`."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A server's list of models, as far as it concerns one of them."""

    names: tuple[str, ...] = ()
    """All that it lists; empty: it has no list."""
    context: int | None = None
    """The model's context in tokens; None: the list does not give it."""

    def lacks(self, model: str) -> bool:
        """Return whether the list shows that the server does not have a model.

        A server with a single model serves that one under any name.
        """
        return len(self.names) > 1 and model not in self.names


def listed(models: Any, name: str) -> Listed:
    """Return what a list (as JSON) says of a model; llama.cpp has the context in `meta`."""
    data = models.get("data") if isinstance(models, dict) else None
    every = [m for m in data if isinstance(m, dict)] if isinstance(data, list) else []
    names = tuple(m["id"] for m in every if isinstance(m.get("id"), str))
    ours = [m for m in every if m.get("id") == name] or (every if len(every) == 1 else [])
    for model in ours:
        meta = model.get("meta")
        in_meta = meta.get("n_ctx") if isinstance(meta, dict) else None
        for value in (in_meta, *(model.get(field) for field in _CONTEXT_FIELDS)):
            if type(value) is int and value > 0:
                return Listed(names, value)
    return Listed(names)
