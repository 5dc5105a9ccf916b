"""What every request passes before an endpoint sees it: host, origin, body, headers, log.

It must not know endpoints; each class is one plain ASGI wrapper.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import re
import secrets
import time
import tomllib
from collections.abc import Callable
from importlib.resources import files
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

import h11
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from rirag.server.addresses import ORIGIN, ROOT
from rirag.server.options import ROOT_PATH, Limits, ServeOptions, host_name
from rirag.server.problems import Problem, refusal, refuse
from rirag.server.state import Metrics
from rirag.server.strict import NO_KEY

LOG = logging.getLogger("rirag.server")

HTTPS_ONLY = "max-age=31536000"
"""A year, in seconds, during which browsers do not use plain HTTP again."""
UPLOADS = ("/v1/documents", "/upload")
CLOSE = {"Connection": "close"}
SLOWER = 10
"""An upload may take so many times longer than another body."""
READS = ("GET", "HEAD", "OPTIONS")
BY_KEY = ("/v1/", "/mcp")
"""Where only a key counts, which no other site can send: there an allowed origin may write."""
FOREIGN = ("cross-site", "same-site")
"""Values of `Sec-Fetch-Site` with which a browser says that another origin asks."""

_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_TABLE = tomllib.loads((files("rirag.server") / "headers.toml").read_text("utf-8"))
_POLICY: dict[str, str] = _TABLE["Content-Security-Policy"]


class TimedConnection(H11Protocol):
    """Closes the connection when the head of a request takes too long."""

    head_seconds = 20.0
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Take a piece; what is left of it may be the beginning of a head."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._expect()
        else:
            self._got()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer."""
        self._got()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.head_seconds, self.transport.close)

    def _got(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Wrapper:
    """Passes on to the application what is no HTTP."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take an event of any kind."""
        await (self.http if scope["type"] == "http" else self.app)(scope, receive, send)

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a request."""
        raise NotImplementedError


def _changing(send: Send, change: Callable[[MutableHeaders, int], object]) -> Send:
    """Return `send` with a change of the headers, which gets the status, too."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            change(MutableHeaders(scope=message), message["status"])
        await send(message)

    return sent


class PublicAddress(Wrapper):
    """Gives requests the address that the reader has used, and responses root path and `HEADERS`.

    Scheme, host and path are those of the options, or as a trusted proxy says.
    """

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        super().__init__(app)
        self._public = urlsplit(options.public_url)
        self._root = options.root
        self._proxies = options.networks()

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        scope = {**scope, "scheme": self._public.scheme or scope["scheme"]}
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
        host = self._public.netloc or Headers(scope=scope).get("host", "")
        ORIGIN.set(f"{scope['scheme']}://{host}" if host else "")

        def change(headers: MutableHeaders, _: int) -> None:
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if (location := headers.get("location", "")).startswith("/"):
                headers["Location"] = root + location
            if scope["scheme"] == "https":
                headers["Strict-Transport-Security"] = HTTPS_ONLY

        await self.app(scope, receive, _changing(send, change))

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


def policy_of(html: str) -> str:
    """Return the policy for a page of ours with styles in it, which it allows by their hashes."""
    digests = (hashlib.sha256(style.encode()).digest() for style in _STYLE.findall(html))
    hashes = (f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)
    return _policy(**{"style-src": " ".join((_POLICY["style-src"], *hashes))})


def _policy(**changed: str) -> str:
    return "; ".join(f"{name} {value}" for name, value in {**_POLICY, **changed}.items())


HEADERS = {**_TABLE, "Content-Security-Policy": _policy(), "Cache-Control": "no-store"}
"""Limit what a browser lets a page do; caches do not store what is not static."""


class Observed(Wrapper):
    """Gives each request an ID, counts, times and logs it, and lets no defect out as a traceback:
    whatever happens inside ends in one response and one line.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        super().__init__(app)
        self._metrics = metrics

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _ID.fullmatch(given) else secrets.token_hex(8)
        state: dict[str, Any] = scope.setdefault("state", {})
        state["request_id"], state["method"] = request_id, scope["method"]
        # The server sends the same headers for HEAD, and no body.
        scope = {**scope, "method": scope["method"].replace("HEAD", "GET")}
        started, status = time.perf_counter(), 0

        def note(headers: MutableHeaders, sent: int) -> None:
            nonlocal status
            status, headers["X-Request-ID"] = sent, request_id

        send = _changing(send, note)
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            if isinstance(error, Problem):
                problem = error
            else:
                LOG.exception("request failed", extra={"request_id": request_id})
                problem = refusal("server.failed/request", request_id=request_id)
            if status:  # a response has begun, which can only be broken off
                raise problem from None
            await refuse(problem, scope, receive, send)
        finally:
            seconds = time.perf_counter() - started
            # Names instead of values, which may be anybody's.
            path = str(getattr(scope.get("route"), "path", "")) or "(none)"
            self._metrics.request(state["method"], path, status, seconds)
            facts = {"method": state["method"], "path": path, "status": status}
            facts |= {"ms": round(seconds * 1000, 1), **state.get("log", {})}
            LOG.info("request", extra={"request_id": request_id, **facts})


class HostCheck(Wrapper):
    """Lets through requests for an allowed host, and writes of no other origin.

    The first is against DNS rebinding, the second against forged requests (CSRF).
    """

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        super().__init__(app)
        self._allowed = options.allowed_hosts
        self._named = options.named_hosts
        self._origins = options.origins

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        problem = self._problem(scope)
        if problem is not None:
            await refuse(problem, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        if scope["path"] in NO_KEY:
            return None  # a probe names the address of the machine
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or host_name(host) not in self._allowed:
            return refusal("request.host", host=host_name(host)[:80])
        if scope["method"] in READS or self._is_ours(headers, scope["path"]):
            return None
        origin = headers.get("origin", "")[:80]
        return refusal("request.origin", origin=f", {origin!r}" if origin else "")

    def _is_ours(self, headers: Headers, path: str) -> bool:
        """Return whether a browser sends a request from a page of this server, or may anyway."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") not in FOREIGN
        if origin in self._origins and path.startswith(BY_KEY):
            return True
        # A proxy may have changed name and port of Host; a name of this server alone is enough.
        netloc = origin.lower().partition("://")[2]
        return netloc == headers["host"].lower() or host_name(netloc) in self._named


class BodyLimits(Wrapper):
    """Counts the bytes of a body as they arrive, and gives up on one that is late."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        super().__init__(app)
        self._limits = limits

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a body, or pass the request on."""
        if scope["method"] == "GET":
            await self.app(scope, receive, send)
            return
        is_upload = scope["method"] == "POST" and scope["path"] in UPLOADS
        most = self._limits.upload_bytes if is_upload else self._limits.body_bytes
        until = time.monotonic() + self._limits.body_seconds * (SLOWER if is_upload else 1)
        too_large = refusal("request.too-large", headers=CLOSE, most_bytes=most)
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal():
            await refuse(refusal("request.malformed/length"), scope, receive, send)
            return
        if int(declared) > most:
            await refuse(too_large, scope, receive, send)
            return
        left, has_ended = most, False

        async def counted() -> Message:
            nonlocal left, has_ended
            if has_ended:
                return await receive()
            try:
                async with asyncio.timeout(max(until - time.monotonic(), 0.001)):
                    message = await receive()
            except TimeoutError:
                raise refusal("request.too-slow", headers=CLOSE) from None
            left -= len(message.get("body", b""))
            has_ended = not message.get("more_body", False)
            if left < 0:
                raise too_large
            return message

        await self.app(scope, counted, send)
