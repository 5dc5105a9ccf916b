"""Who sends a request, and what they may do."""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from rirag.server.access.keys import SCOPES, Key, KeysFile, Scope
from rirag.server.problems import Problem, busy
from search.errors import InputError

COOKIE = "rirag_session"
CALLER = "rirag.caller"
"""Where a request keeps who sends it."""
SESSION_SECONDS = 12 * 3600

AT_ONCE = 10.0
"""Requests that a key may send at once if it may send as many in a minute."""

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="rirag"'}


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
        """The filters in one form, to compare callers by what they see."""
        return bound_text(self.filters)

    def may(self, scope: Scope) -> bool:
        """Return whether the caller has a scope."""
        return scope in self.scopes

    def need(self, scope: Scope) -> None:
        """Refuse a caller without a scope.

        Raises:
            Problem: the caller lacks it.
        """
        if not self.may(scope):
            raise Problem(
                "key.scope",
                f"the key {self.name!r} may not do this: it needs the scope {scope!r}.",
                scope=scope,
            )


def bound_text(filters: Mapping[str, Sequence[str]]) -> str:
    """Return filters in the one form that is stored; empty: no filters."""
    ordered = {name: sorted(values) for name, values in sorted(filters.items())}
    return json.dumps(ordered) if ordered else ""


def filters_of(bound: str) -> dict[str, tuple[str, ...]]:
    """Return the filters that `bound_text` was made of."""
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
        self._names[_digest(token)] = (key.name, key.sha256, now + SESSION_SECONDS)
        return token

    def end(self, token: str) -> None:
        """Forget a session."""
        self._names.pop(_digest(token), None)

    def key(self, token: str, keys: KeysFile) -> Key | None:
        """Return the key of a session, as long as the file has it."""
        name, digest, until = self._names.get(_digest(token), ("", "", 0.0))
        if until <= time.monotonic():
            return None
        found = keys.named(name)
        return found if found is not None and found.sha256 == digest else None


class Rates:
    """Token buckets of keys, by name; a full bucket holds the requests of ten seconds, and at least
    ten requests, or all of a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._answers: Counter[str] = Counter()

    def take(self, key: Key) -> None:
        """Count one request.

        Raises:
            Problem: the key has sent too many.
        """
        per_second = key.requests_per_minute / 60
        most = max(min(key.requests_per_minute, AT_ONCE), key.requests_per_minute / 6)
        now = self._clock()
        left, since = self._buckets.get(key.name, (most, now))
        left = min(most, left + (now - since) * per_second)
        if left < 1:
            self._buckets[key.name] = left, now
            seconds = math.ceil((1 - left) / per_second)
            raise busy(
                f"the key may send {key.requests_per_minute} requests per minute; try "
                f"again in {seconds} s.",
                "limit.rate",
                seconds,
            )
        self._buckets[key.name] = left - 1, now

    @contextmanager
    def answer(self, key: Key | None) -> Iterator[None]:
        """Hold one of the answers that a key may have running.

        Raises:
            Problem: it has as many as it may.
        """
        if key is None:
            yield
            return
        if self._answers[key.name] >= key.answers_at_once:
            raise busy(
                f"the key may have {key.answers_at_once} answers running at the same "
                "time; wait for one to end.",
                "limit.answers",
                2,
            )
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
        detail = "the server cannot read its keys; whoever runs it finds the reason in its log."
        raise Problem("keys-file.invalid", detail, status=503) from None


class Gate:
    """Finds out who sends a request."""

    def __init__(self, keys: KeysFile | None) -> None:
        self.keys = keys
        self.sessions = Sessions()
        self.rates = Rates()

    def caller(self, request: HTTPConnection) -> Caller:
        """Return who sends an API request; one that was asked before counts once.

        Raises:
            Problem: there is no key, it is not in the file, or it has sent too many requests.
        """
        found = request.scope.get(CALLER)
        if not isinstance(found, Caller):
            with _of_the_server():
                found = request.scope[CALLER] = self._caller(request)
        return found

    def _caller(self, request: HTTPConnection) -> Caller:
        """Return who sends an API request, by its `Authorization` header alone.

        Raises:
            Problem: there is no key, it is not in the file, or it has sent too many requests.
        """
        if self.keys is None:
            return LOCAL
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise Problem(
                "key.missing",
                "the request needs a key: send the header Authorization: Bearer rk_…",
                headers=_CHALLENGE,
            )
        key = self.keys.find(secret.strip())
        if key is None:
            raise Problem(
                "key.unknown",
                "the key is unknown or was revoked; ask for a new one.",
                headers={"WWW-Authenticate": 'Bearer realm="rirag", error="invalid_token"'},
            )
        return self._admitted(key)

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

    def _admitted(self, key: Key) -> Caller:
        self.rates.take(key)
        return Caller(key.name, frozenset(key.scopes), key.filters, key)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
