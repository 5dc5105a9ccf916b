"""Requests for vectors to OpenAI's embeddings interface, and what comes back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from search.errors import ModelError
from search.messages.redaction import server_words
from search.models.encoders.protocol import Vectors
from search.models.encoders.splitting import RefusedError
from search.models.faults import Fault, fault_in, fault_of_error

if TYPE_CHECKING:
    from openai import OpenAI

PATH = "/embeddings"
OPTIONAL = ("encoding_format",)
"""Fields that are left out once a server refuses them."""
FAILING = 500
"""Status of a server that fails on what it was sent; asked for once more, and not again."""


class Requests:
    """Asks one model of one server for vectors."""

    def __init__(self, client: OpenAI, model: str, place: str, key: str, advice: str) -> None:
        """Prepare.

        Args:
            client: connected to the server.
            model: as the server calls it.
            place: the server, as messages name it.
            key: that it is called with, which no message may show.
            advice: what to do where the server cannot be reached.
        """
        self._client = client
        self._model = model
        self._place = place
        self._key = key
        self._advice = advice
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
        from openai import OpenAIError

        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        body = {name: value for name, value in body.items() if name not in self.left_out}
        try:
            answer = self._client.post(PATH, body=body, cast_to=object)
        except OpenAIError as error:
            return self._refused(error, texts)
        except (ValueError, RecursionError):
            raise self._nonsense() from None
        if fault := fault_in(answer):
            return self._without_field(fault, texts)
        return self._vectors(answer, len(texts))

    def _refused(self, error: Exception, texts: list[str]) -> Vectors:
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        if isinstance(error, APITimeoutError):
            raise ModelError(f"{self._place} did not answer in time; try again later.") from error
        if isinstance(error, APIConnectionError):
            raise ModelError(f"{self._place} cannot be reached; {self._advice}.") from error
        if not isinstance(error, APIStatusError):
            raise ModelError(f"{self._place} failed: {type(error).__name__}.") from error
        return self._without_field(fault_of_error(error), texts)

    def _without_field(self, fault: Fault, texts: list[str]) -> Vectors:
        """Ask again without a field that was refused; else raise the refusal."""
        said = " ".join((*fault.names, fault.said))
        refused = [one for one in OPTIONAL if one in said and one not in self.left_out]
        if refused:
            self.left_out = (*self.left_out, *refused)
            return self.send(texts)
        raise self._error(fault)

    def _error(self, fault: Fault) -> Exception:
        words = server_words(fault.reason, self._key)
        status = f"status {fault.status}: " if fault.status else ""
        told = f"{self._place} rejected the request with {status}{words}"
        if fault.is_a("key"):
            return ModelError(
                f"{self._place} rejected the key ({status}{words}); set "
                "RIRAG_EMBEDDING_API_KEY to a valid one."
            )
        if fault.status in (404, 405) or fault.is_a("unknown-model"):
            return ModelError(f"{told}; check the URL and the name of the model.")
        if fault.is_a("quota") or fault.status in (408, 429, 502, 503, 504):
            return ModelError(f"{told}; try again later.")
        return RefusedError(fault, told)

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
            raise ModelError(
                f"{self._place} returned vectors of shape {vectors.shape} for {expected} texts."
            )
        if self.dimension and vectors.shape[1] != self.dimension:
            raise ModelError(
                f"{self._place} changed its dimension from {self.dimension} to {vectors.shape[1]}."
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            told = f"{self._place} returned a vector that is zero or not finite"
            raise RefusedError(Fault(0, ""), told)
        unit: Vectors = vectors / lengths
        return unit

    def _nonsense(self) -> ModelError:
        return ModelError(f"{self._place} did not return vectors.")


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


def once_more_at_most(response: Any) -> None:
    """Keep the client from asking again and again what a server fails on; an event hook."""
    tried = response.request.headers.get("x-stainless-retry-count", "0")
    if response.status_code == FAILING and tried != "0":
        response.headers["x-should-retry"] = "false"
