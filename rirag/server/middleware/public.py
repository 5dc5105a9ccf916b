"""Serve under the public address: its scheme, host and path, as configured or as a proxy says."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rirag.server.options import ServeOptions
from rirag.server.root_path import PATTERN, ROOT

HTTPS_ONLY = "max-age=31536000"
"""A year, in seconds, during which browsers do not use plain HTTP again."""


class PublicAddress:
    """Gives requests the address that the reader has used, and responses the root path."""

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self.app = app
        self._scheme = options.public.scheme
        self._root = options.root
        self._proxies = options.proxy_networks()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = self._forwarded(scope)
        scheme, root = self._scheme or scope["scheme"], self._root
        if said.get("proto") in ("http", "https"):
            scheme = said["proto"]
        if PATTERN.fullmatch(said.get("prefix", "")):
            root = said["prefix"].rstrip("/")
        scope = _below(root, {**scope, "scheme": scheme})
        if "host" in said:
            others = [pair for pair in scope["headers"] if pair[0] != b"host"]
            scope["headers"] = [(b"host", said["host"].encode("latin-1")), *others]
        ROOT.set(root)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if (location := headers.get("location", "")).startswith("/"):
                    headers["Location"] = root + location
                if scheme == "https":
                    headers["Strict-Transport-Security"] = HTTPS_ONLY
            await send(message)

        await self.app(scope, receive, sent)

    def _forwarded(self, scope: Scope) -> dict[str, str]:
        """Return what a trusted proxy says of the request: `proto`, `host` and `prefix`."""
        if not self._proxies or not scope.get("client"):
            return {}
        client = ip_address(scope["client"][0])
        if isinstance(client, IPv6Address):
            client = client.ipv4_mapped or client
        if not any(client in network for network in self._proxies):
            return {}
        headers = Headers(scope=scope)
        names = ("proto", "host", "prefix")
        # Of several values the last one comes from the proxy that is trusted.
        found = {name: headers.getlist(f"x-forwarded-{name}")[-1:] for name in names}
        return {name: one[0].rpartition(",")[2].strip() for name, one in found.items() if one}


def _below(root: str, scope: Scope) -> Scope:
    """Return a request without the root path, which some proxies take away and others keep."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    if root and (raw == root.encode() or raw.startswith(f"{root}/".encode())):
        scope["path"] = scope["path"].removeprefix(root) or "/"
        scope["raw_path"] = raw.removeprefix(root.encode()) or b"/"
    return scope
