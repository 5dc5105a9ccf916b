"""Encode with a server that speaks OpenAI's embeddings interface: `openai:MODEL`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from search.errors import InputError, MissingDependencyError, ModelError
from search.messages.redaction import server_words
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.models.endpoints import is_sendable, is_web_address

if TYPE_CHECKING:
    from openai import OpenAI

PREFIX = "openai"
URL_VARIABLE = "RIRAG_EMBEDDING_URL"
KEY_VARIABLES = ("RIRAG_EMBEDDING_API_KEY", "OPENAI_API_KEY")
"""The first that is set is used; a server that wants no key needs neither."""
TEXTS_AT_ONCE = 32
MAX_CHARACTERS = 2000
"""Texts are cut here, about 512 tokens of English: the server's own tokenizer is not known."""
MAX_CHARACTERS_VARIABLE = "RIRAG_EMBEDDING_MAX_CHARACTERS"
"""Environment variable that sets another cut."""
RETRIES = 4
TIMEOUT_SECONDS = 60.0


class OpenAIEncoder:
    """A model behind an endpoint; texts leave this machine for wherever RIRAG_EMBEDDING_URL is.

    Whoever runs the server may change the model behind the name: the revision covers the name,
    the dimension and the cut only.
    """

    def __init__(self, model: str) -> None:
        """Connect, and ask for one vector to learn the dimension.

        Args:
            model: the name that the server knows it by.

        Raises:
            InputError: RIRAG_EMBEDDING_URL is not set, or one of the variables cannot be used.
            ModelError: the server cannot be reached, refuses, or gives no vectors.
        """
        self.name = f"{PREFIX}:{model}"
        self._name_at_server = model
        self._cut = _max_characters()
        self._client, self._place = _connect(self.name)
        self.dimension = 0
        self.dimension = self._request(["probe"]).shape[1]
        identity = f"{model}\n{self.dimension}\n{self._cut}"
        self.revision = hashlib.sha256(identity.encode()).hexdigest()[:16]

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Encode questions."""
        return self.encode_passages(texts).vectors

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages, and tell which were cut.

        Raises:
            ModelError: the server failed, after retries, or gave something else than vectors.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            some = slice(start, start + TEXTS_AT_ONCE)
            # Servers refuse empty input; a blank is the closest thing they take.
            vectors[some] = self._request([text[: self._cut] or " " for text in texts[some]])
        return EncodedPassages(vectors, tuple(len(text) > self._cut for text in texts))

    def _request(self, texts: list[str]) -> Vectors:
        from openai import OpenAIError

        try:
            response = self._client.embeddings.create(
                model=self._name_at_server, input=texts, encoding_format="float"
            )
        except OpenAIError as error:
            raise ModelError(_explain(error, self._place)) from error
        return self._vectors(response, len(texts))

    def _vectors(self, response: Any, expected: int) -> Vectors:
        """Check what the server sent; shape (expected, dimension), each row of length 1."""
        try:
            rows = sorted(response.data, key=lambda row: row.index)
            vectors = np.array([row.embedding for row in rows], dtype=np.float32)
        except (AttributeError, TypeError, ValueError) as error:
            raise ModelError(f"{self._place} answered with something else than vectors.") from error
        if vectors.ndim != 2 or len(vectors) != expected:
            raise ModelError(
                f"{self._place} answered with vectors of shape {vectors.shape} to {expected} texts."
            )
        if self.dimension and vectors.shape[1] != self.dimension:
            raise ModelError(
                f"{self._place} changed its dimension from {self.dimension} to {vectors.shape[1]}."
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            raise ModelError(f"{self._place} answered with a vector that is zero or not finite.")
        unit: Vectors = vectors / lengths
        return unit


def _max_characters() -> int:
    wanted = os.environ.get(MAX_CHARACTERS_VARIABLE) or str(MAX_CHARACTERS)
    if not wanted.isdecimal() or int(wanted) < 1:
        raise InputError(
            f"{MAX_CHARACTERS_VARIABLE} must be a whole number above 0, not {wanted!r}."
        )
    return int(wanted)


def _connect(name: str) -> tuple[OpenAI, str]:
    """Return the client, and the address as error messages may show it."""
    url = os.environ.get(URL_VARIABLE, "")
    if not url:
        raise InputError(
            f"The encoder {name} needs the address of its server: set {URL_VARIABLE}, "
            "for example to http://localhost:8080/v1."
        )
    if not is_web_address(url):
        raise InputError(
            f"{URL_VARIABLE} must be the URL of a server, such as http://localhost:8080/v1."
        )
    key = _checked_key()
    try:
        from openai import OpenAI
    except ImportError as error:
        raise MissingDependencyError(f"The encoder {name}", "openai") from error
    client = OpenAI(
        base_url=url, api_key=key or "none", max_retries=RETRIES, timeout=TIMEOUT_SECONDS
    )
    parts = urlsplit(url)
    # Without user and password, which a URL may hold.
    place = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return client, f"The embedding server {place}"


def _key() -> str:
    return os.environ.get(_key_variable(), "")


def _key_variable() -> str:
    """Return the variable that is used, or would be."""
    return next((name for name in KEY_VARIABLES if os.environ.get(name)), KEY_VARIABLES[0])


def _checked_key() -> str:
    key = _key()
    if not is_sendable(key):
        raise InputError(f"{_key_variable()} cannot be used: a key must be one word of ASCII.")
    return key


def _explain(error: Exception, place: str) -> str:
    """Return one sentence for an error of the client."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError, AuthenticationError

    if isinstance(error, AuthenticationError):
        return f"{place} refused the key; set {KEY_VARIABLES[0]} to one that it accepts."
    if isinstance(error, APITimeoutError):
        return f"{place} did not answer within {TIMEOUT_SECONDS:.0f} seconds; try again later."
    if isinstance(error, APIConnectionError):
        return f"{place} cannot be reached; start it, or correct {URL_VARIABLE}."
    if isinstance(error, APIStatusError):
        return (
            f"{place} refused with status {error.status_code}: {_reason(error)} "
            f"(if a text is too long for it, lower {MAX_CHARACTERS_VARIABLE})"
        )
    return f"{place} failed: {type(error).__name__}."


def _reason(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    return server_words(str(body.get("message") or error.response.reason_phrase), _key())
