"""Serve under the public address: its scheme, host and path, as configured or as a proxy says."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rirag.server.options import ROOT_PATH, ServeOptions
from rirag.server.root_path import ROOT

HTTPS_ONLY = "max-age=31536000"
"""A year, in seconds, during which browsers do not use plain HTTP again."""


class PublicAddress:
    """Gives requests the address that the reader has used, and responses the root path."""

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self.app = app
        self._scheme = urlsplit(options.public_url).scheme
        self._root = options.root
        self._proxies = options.networks()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = {**scope, "scheme": self._scheme or scope["scheme"]}
        root, said = self._root, self._forwarded(scope)
        if said.get("proto") in ("http", "https"):
            scope["scheme"] = said["proto"]
        if ROOT_PATH.fullmatch(said.get("prefix", "")):
            root = said["prefix"].rstrip("/")
        if "host" in said:
            others = [pair for pair in scope["headers"] if pair[0] != b"host"]
            scope["headers"] = [(b"host", said["host"].encode("latin-1")), *others]
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        if root and f"{raw.decode('latin-1')}/".startswith(f"{root}/"):  # else a proxy took it away
            scope["path"] = scope["path"].removeprefix(root) or "/"
            scope["raw_path"] = raw[len(root) :] or b"/"
        ROOT.set(root)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if (location := headers.get("location", "")).startswith("/"):
                    headers["Location"] = root + location
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = HTTPS_ONLY
            await send(message)

        await self.app(scope, receive, sent)

    def _forwarded(self, scope: Scope) -> dict[str, str]:
        """Return what a trusted proxy says of the request: `proto`, `host` and `prefix`."""
        if not self._proxies or not scope.get("client"):
            return {}
        client = ip_address(scope["client"][0])
        client = (client.ipv4_mapped if isinstance(client, IPv6Address) else None) or client
        if not any(client in network for network in self._proxies):
            return {}
        headers, names = Headers(scope=scope), ("proto", "host", "prefix")
        # Of several values the last one comes from the proxy that is trusted.
        found = {name: headers.getlist(f"x-forwarded-{name}")[-1:] for name in names}
        return {name: one[0].rpartition(",")[2].strip() for name, one in found.items() if one}
