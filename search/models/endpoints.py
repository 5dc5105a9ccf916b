"""What a client of a server can be given: an address, and a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

_AZURE = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")


def is_web_address(url: str) -> bool:
    """Return whether a client can call a URL; whether somebody answers there is another matter."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname and parts.hostname.encode("idna")) and parts.port != 0
    except ValueError:
        return False
    return named and parts.scheme in ("http", "https") and url.isprintable()


def is_sendable(key: str) -> bool:
    """Return whether a header can carry a key: one word of ASCII."""
    return key.isascii() and key.isprintable() and " " not in key


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible API as users name it: base, query, and where its key goes."""

    base: str
    """The URL below which the API's paths lie."""
    query: Mapping[str, str]
    """What is sent with every request, such as Azure's `api-version`."""
    key_header: str
    """Header that carries the key; empty: `Authorization`."""

    @classmethod
    def of(cls, url: str, path: str) -> Endpoint:
        """Return what a URL means.

        Args:
            url: a web address; `path` may come after the base.
            path: of the requests that are to be made, such as `/embeddings`.
        """
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        base = parts.path.rstrip("/").removesuffix(path).rstrip("/")
        azure = "api-version" in query or (parts.hostname or "").endswith(_AZURE)
        whole = urlunsplit((parts.scheme, parts.netloc, base, "", ""))
        return cls(whole, query, "api-key" if azure else "")

    def client_options(self, key: str, key_header: str | None = None) -> dict[str, Any]:
        """Return the arguments of the `openai` client.

        Args:
            key: empty: the server wants none.
            key_header: where the key goes; None: as usual for this server. The client sends it as
                `Authorization` too, unless its requests go through `only_key_header`.
        """
        header = self._header(key_header)
        return {
            "base_url": self.base,
            # The client insists on a key; servers without one ignore it. Naming it here also
            # keeps a key of the environment from being sent to a server it is not meant for.
            "api_key": key or "none",
            "organization": "",
            "project": "",
            "default_query": dict(self.query),
            "default_headers": {header: key} if header and key else {},
        }

    def only_key_header(self, key_header: str | None = None) -> Callable[[Any], None]:
        """Return an event hook for requests that leaves the key in its own header alone."""

        def clean(request: Any) -> None:
            if self._header(key_header):
                request.headers.pop("Authorization", None)

        return clean

    def _header(self, key_header: str | None) -> str:
        header = self.key_header if key_header is None else key_header
        return "" if header.casefold() == "authorization" else header
