"""Who sends a request, and what they may do."""

from __future__ import annotations

import json
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from rirag.server.access.keys import SCOPES, Key, KeysFile, Scope, digest
from rirag.server.problems import busy, refusal
from search.errors import InputError

COOKIE = "rirag_session"
CALLER = "rirag.caller"
"""Where a request keeps who sends it."""
SESSION_SECONDS = 12 * 3600

AT_ONCE = 10.0
"""Requests that a key may send at once if it may send as many in a minute."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Someone who may do some things; without a keys file the local user, who may do all."""

    name: str = ""
    scopes: frozenset[Scope] = frozenset(SCOPES)
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Conditions on everything that the caller sees."""
    key: Key | None = None
    is_visitor: bool = False
    """Whether a session of the page asks: only its searches and questions count, not its reads."""

    @property
    def bound(self) -> str:
        """The filters in the one form that is stored, to compare callers; empty: no filters."""
        ordered = {name: sorted(values) for name, values in sorted(self.filters.items())}
        return json.dumps(ordered) if ordered else ""

    def may(self, scope: Scope) -> bool:
        """Return whether the caller has a scope."""
        return scope in self.scopes

    def need(self, scope: Scope) -> None:
        """Refuse a caller without a scope."""
        if not self.may(scope):
            raise refusal("key.scope", name=self.name, scope=scope)


def filters_of(bound: str) -> dict[str, tuple[str, ...]]:
    """Return the filters that `Caller.bound` was made of."""
    return {name: tuple(values) for name, values in json.loads(bound or "{}").items()}


LOCAL = Caller()


class Sessions:
    """Who is signed in on the page: a random cookie stands for a key until it is revoked."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, str, float]] = {}

    def start(self, key: Key) -> str:
        """Return the cookie of a new session."""
        now = time.monotonic()
        self._names = {one: held for one, held in self._names.items() if held[2] > now}
        token = secrets.token_urlsafe(32)
        self._names[digest(token)] = (key.name, key.sha256, now + SESSION_SECONDS)
        return token

    def end(self, token: str) -> None:
        """Forget a session."""
        self._names.pop(digest(token), None)

    def key(self, token: str, keys: KeysFile) -> Key | None:
        """Return the key of a session, as long as the file has it."""
        name, hashed, until = self._names.get(digest(token), ("", "", 0.0))
        if until <= time.monotonic():
            return None
        found = keys.named(name)
        return found if found is not None and found.sha256 == hashed else None


class Rates:
    """Token buckets of keys, by name; a full bucket holds the requests of ten seconds, and at least
    ten requests, or all of a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._answers: Counter[str] = Counter()

    def take(self, key: Key) -> None:
        """Count one request."""
        per_second = key.requests_per_minute / 60
        most = max(min(key.requests_per_minute, AT_ONCE), key.requests_per_minute / 6)
        now = self._clock()
        left, since = self._buckets.get(key.name, (most, now))
        left = min(most, left + (now - since) * per_second)
        if left < 1:
            self._buckets[key.name] = left, now
            seconds = math.ceil((1 - left) / per_second)
            raise busy("limit.rate", seconds, most=key.requests_per_minute)
        self._buckets[key.name] = left - 1, now

    @contextmanager
    def answer(self, key: Key | None) -> Iterator[None]:
        """Hold one of the answers that a key may have running."""
        if key is None:
            yield
            return
        if self._answers[key.name] >= key.answers_at_once:
            raise busy("limit.answers", 2, most=key.answers_at_once)
        self._answers[key.name] += 1
        try:
            yield
        finally:
            self._answers[key.name] -= 1


@contextmanager
def _of_the_server() -> Iterator[None]:
    """Refuse with the status of a fault of the server where its keys file cannot be used."""
    try:
        yield
    except InputError:
        raise refusal("keys-file.invalid", status=503) from None


class Gate:
    """Finds out who sends a request."""

    def __init__(self, keys: KeysFile | None) -> None:
        self.keys = keys
        self.sessions = Sessions()
        self.rates = Rates()

    def caller(self, request: HTTPConnection) -> Caller:
        """Return who sends an API request; one that was asked before counts once."""
        found = request.scope.get(CALLER)
        if not isinstance(found, Caller):
            with _of_the_server():
                found = request.scope[CALLER] = self._by_header(request)
        return found

    def _by_header(self, request: HTTPConnection) -> Caller:
        if self.keys is None:
            return LOCAL
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise refusal("key.missing", headers=_challenge())
        key = self.keys.find(secret.strip())
        if key is None:
            raise refusal("key.unknown", headers=_challenge(', error="invalid_token"'))
        self.rates.take(key)
        return Caller(key.name, frozenset(key.scopes), key.filters, key)

    def visitor(self, request: HTTPConnection) -> Caller | None:
        """Return who asks for a page, by the session cookie or a key; None: nobody signed in."""
        if self.keys is None:
            return LOCAL
        token = request.cookies.get(COOKIE, "")
        with _of_the_server():
            key = self.sessions.key(token, self.keys) if token else None
        if key is not None:
            return Caller(key.name, frozenset(key.scopes), key.filters, key, is_visitor=True)
        return self.caller(request) if "authorization" in request.headers else None


def _challenge(more: str = "") -> dict[str, str]:
    return {"WWW-Authenticate": f'Bearer realm="rirag"{more}'}
