"""Requests for vectors to OpenAI's embeddings interface, and what comes back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from search.errors import ModelError
from search.models.encoders.protocol import Vectors
from search.models.faults import Fault, ServerError
from search.models.server import ModelServer, RefusedError

PATH = "/embeddings"
OPTIONAL = ("encoding_format",)
"""Fields that are left out once a server refuses them."""


class Requests:
    """Asks one model of one server for vectors."""

    def __init__(self, server: ModelServer, model: str) -> None:
        """Prepare; `model` is its name on the server."""
        self._server, self._model = server, model
        self.dimension = 0
        """Of its vectors; 0: not known yet."""
        self.left_out: tuple[str, ...] = ()
        """Fields that it refused."""

    def send(self, texts: list[str]) -> Vectors:
        """Return the vectors of texts, shape (texts, dimension), each row of length 1.

        Raises:
            RefusedError: the server refused or failed, and may take another request.
            ModelError: no request can help.
        """
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        body = {name: value for name, value in body.items() if name not in self.left_out}
        try:
            answer = self._server.post(body)
        except ServerError as error:
            return self._without_field(error.fault, texts)
        except ValueError:
            raise self._nonsense() from None
        return self._vectors(answer, len(texts))

    def _without_field(self, fault: Fault, texts: list[str]) -> Vectors:
        """Ask again without a field that was refused; else raise the refusal."""
        said = " ".join((*fault.names, fault.said))
        refused = [one for one in OPTIONAL if one in said and one not in self.left_out]
        if refused:
            self.left_out = (*self.left_out, *refused)
            return self.send(texts)
        raise self._server.refusal(fault)

    def _vectors(self, answer: Any, expected: int) -> Vectors:
        """Check what the server sent."""
        rows = answer.get("data") if isinstance(answer, Mapping) else answer
        if isinstance(answer, Mapping) and rows is None:
            rows = answer.get("embeddings")
        try:
            ordered = _in_order(list(rows or ()))
            vectors = np.array([_numbers(row) for row in ordered], dtype=np.float32)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise self._nonsense() from None
        if vectors.ndim != 2 or len(vectors) != expected:
            told = f"returned vectors of shape {vectors.shape} for {expected} texts"
            raise ModelError(f"{self._server.place} {told}.")
        if self.dimension and vectors.shape[1] != self.dimension:
            told = f"changed its dimension from {self.dimension} to {vectors.shape[1]}"
            raise ModelError(f"{self._server.place} {told}.")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            told = f"{self._server.place} returned a vector that is zero or not finite"
            raise RefusedError(Fault(0, ""), told)
        unit: Vectors = vectors / lengths
        return unit

    def _nonsense(self) -> ModelError:
        return ModelError(f"{self._server.place} did not return vectors.")


def _in_order(rows: list[Any]) -> list[Any]:
    """Return rows by their index; as they came where they have none, or not each its own."""
    found = [row.get("index") if isinstance(row, Mapping) else None for row in rows]
    if sorted(one for one in found if isinstance(one, int)) != list(range(len(rows))):
        return rows
    return sorted(rows, key=lambda row: row["index"])


def _numbers(row: Any) -> Any:
    """Return the vector of a row: a list, a row that is one itself, or floats as base64."""
    vector = row["embedding"] if isinstance(row, Mapping) else row
    if isinstance(vector, str):
        return np.frombuffer(base64.b64decode(vector, validate=True), dtype="<f4")
    return vector
