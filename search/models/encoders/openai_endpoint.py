"""Encode with a server that speaks OpenAI's embeddings interface: `openai:MODEL`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

import numpy as np

from search.errors import InputError, ModelError
from search.models.encoders.embedding_requests import PATH, Requests
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.models.encoders.splitting import AT_ONCE, Splitting
from search.models.server import ModelServer

PREFIX = "openai"
MORE_KEYS = ("OPENAI_API_KEY",)
"""Variables of the key, after RIRAG_EMBEDDING_API_KEY."""
MAX_CHARACTERS = 2000
"""Texts are cut here, about 512 tokens of English: the server's own tokenizer is not known."""
MAX_CHARACTERS_VARIABLE = "RIRAG_EMBEDDING_MAX_CHARACTERS"
"""Environment variable that sets another cut."""


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
        self._cut = _max_characters()
        server = ModelServer(f"The encoder {self.name}", "embedding", PATH, MORE_KEYS)
        self._requests = Requests(server, model)
        self._requests.dimension = self._requests.send(["probe"]).shape[1]
        self.dimension = self._requests.dimension
        self._splitting = Splitting(self._requests.send)
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
        encoded = self.encode_what_it_takes(texts)
        if told := next(filter(None, encoded.failed), ""):
            raise ModelError(f"{told}.", code="model.endpoint")
        return encoded

    def encode_what_it_takes(self, texts: Sequence[str]) -> EncodedPassages:
        """Do the same, but leave out single texts that the server fails on.

        Raises:
            ModelError: the server fails whatever it is sent.
        """
        # Servers refuse empty input; a blank is the closest thing they take.
        sent = [text[: self._cut] or " " for text in texts]
        done = self._splitting.encode(sent)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for place, vector in done.vectors.items():
            vectors[place] = vector
        cut = tuple(len(text) > self._cut or n in done.cut for n, text in enumerate(texts))
        failed = tuple(done.failed.get(place, "") for place in range(len(texts)))
        return EncodedPassages(vectors, cut, failed if done.failed else ())

    def findings(self) -> tuple[str, ...]:
        """Return what was found out about the server: for `rirag doctor`."""
        found = [f"{name} is not sent" for name in self._requests.left_out]
        if self._splitting.at_once != AT_ONCE:
            found.append(f"at most {self._splitting.at_once} texts are sent at once")
        return tuple(found)


def _max_characters() -> int:
    wanted = os.environ.get(MAX_CHARACTERS_VARIABLE) or str(MAX_CHARACTERS)
    if not wanted.isdecimal() or int(wanted) < 1:
        raise InputError(
            f"{MAX_CHARACTERS_VARIABLE} must be a whole number above 0, not {wanted!r}.",
            code="setting.invalid",
        )
    return int(wanted)
