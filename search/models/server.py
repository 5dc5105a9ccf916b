"""A server of models: the address and key that the environment names, requests, refusals."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from search.errors import InputError, MissingDependencyError, ModelError
from search.messages.redaction import server_words
from search.models.endpoints import Endpoint, is_sendable, is_web_address
from search.models.faults import Fault, ServerError, fault_in, fault_of_error

if TYPE_CHECKING:
    from openai import OpenAI

RETRIES = 4
TIMEOUT_SECONDS = 60.0


class RefusedError(ModelError):
    """A server refused a request, in a way that another request may not meet."""

    def __init__(self, fault: Fault, told: str) -> None:
        super().__init__(f"{told}.", code="model.endpoint")
        self.fault, self.told = fault, told


class ModelServer:
    """Asks one server for what its models make."""

    def __init__(self, name: str, kind: str, path: str, more_keys: tuple[str, ...] = ()) -> None:
        """Prepare; nothing is sent.

        Args:
            name: of the model, as messages give it.
            kind: `embedding` or `rerank`: `RIRAG_<KIND>_URL` and `RIRAG_<KIND>_API_KEY` are read.
            path: of the requests, such as `/embeddings`.
            more_keys: other variables of the key; the first that is set is used, and a server that
                wants no key needs none.

        Raises:
            InputError: the variable of the address is not set, or one cannot be used.
        """
        self._path, own_key = path, f"RIRAG_{kind.upper()}_API_KEY"
        self._variable = f"RIRAG_{kind.upper()}_URL"
        keys = (own_key, *more_keys)
        self._key_variable = next((one for one in keys if os.environ.get(one)), own_key)
        self._key = os.environ.get(self._key_variable, "")
        self._client, place = self._connect(name)
        self.place = f"The {kind} server {place}"
        """The server, as messages name it."""
        weakref.finalize(self, self._client.close)

    def post(self, body: Mapping[str, Any]) -> Any:
        """Return the JSON of a reply.

        Raises:
            ServerError: the server refused or failed.
            ModelError: it cannot be reached.
            ValueError: the reply is not JSON.
        """
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        try:
            answer: Any = self._client.post(self._path, body=body, cast_to=object)
        except APITimeoutError as error:
            raise ModelError(f"{self.place} did not answer in time; try again later.") from error
        except APIConnectionError as error:
            advice = f"start it, or correct {self._variable}"
            raise ModelError(f"{self.place} cannot be reached; {advice}.") from error
        except APIStatusError as error:
            raise ServerError(fault_of_error(error)) from None
        except OpenAIError as error:
            raise ModelError(f"{self.place} failed: {type(error).__name__}.") from error
        except RecursionError:
            raise ValueError from None
        if fault := fault_in(answer):
            raise ServerError(fault)
        return answer

    def refusal(self, fault: Fault) -> ModelError:
        """Return the error for a refusal: `RefusedError` where another request may help."""
        words = server_words(fault.reason, self._key)
        status = f"status {fault.status}: " if fault.status else ""
        told = f"{self.place} rejected the request with {status}{words}"
        if fault.is_a("key"):
            return ModelError(
                f"{self.place} rejected the key ({status}{words}); set "
                f"{self._variable.replace('_URL', '_API_KEY')} to a valid one."
            )
        if fault.status in (404, 405) or fault.is_a("unknown-model"):
            return ModelError(f"{told}; check the URL and the name of the model.")
        if fault.is_a("quota") or fault.status in (408, 429, 502, 503, 504):
            return ModelError(f"{told}; try again later.")
        return RefusedError(fault, told)

    def _connect(self, name: str) -> tuple[OpenAI, str]:
        """Return the client, and the address as error messages may show it."""
        url = os.environ.get(self._variable, "")
        if not is_web_address(url):
            raise InputError(
                f"{name} needs the URL of its server in {self._variable}, such as "
                "http://localhost:8080/v1.",
                code="setting.invalid",
            )
        if not is_sendable(self._key):
            raise InputError(
                f"{self._key_variable} cannot be used: a key must be one word of ASCII.",
                code="setting.invalid",
            )
        try:
            from openai import DefaultHttpxClient, OpenAI
        except ImportError as error:
            raise MissingDependencyError(name, "openai") from error
        endpoint = Endpoint.of(url, self._path)
        hooks: dict[str, list[Any]] = {
            "request": [endpoint.only_key_header()],
            "response": [_once_more_at_most],
        }
        client = OpenAI(
            **endpoint.client_options(self._key),
            max_retries=RETRIES,
            timeout=TIMEOUT_SECONDS,
            http_client=DefaultHttpxClient(event_hooks=hooks),
        )
        parts = urlsplit(endpoint.base)
        # Without user and password, which a URL may hold.
        return client, f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _once_more_at_most(response: Any) -> None:
    """Keep the client from asking again and again what a server fails on; an event hook."""
    tried = response.request.headers.get("x-stainless-retry-count", "0")
    if response.status_code == 500 and tried != "0":
        response.headers["x-should-retry"] = "false"
