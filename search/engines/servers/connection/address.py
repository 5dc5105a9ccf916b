"""Where an index lives on a server: `elasticsearch+https://host:9200/NAME`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import IPv6Address
from unicodedata import category
from urllib.parse import SplitResult, urlsplit

from search.errors import InputError
from search.messages.redaction import without_secrets

PRODUCTS = {"elasticsearch": "Elasticsearch", "opensearch": "OpenSearch"}
"""Scheme of a URL → the product as people write it."""
EXAMPLE = "elasticsearch+http://localhost:9200/rulebook"
MAX_NAME_BYTES = 200
"""Both servers take 255 bytes; the names of generations add up to 34, and 10 more in an index
beside another one."""

BESIDE = "-questions"
"""How an index beside another one ends."""

_STAMP = "%Y%m%dt%H%M%S%fz"
_STAMP_PATTERN = r"\d{8}t\d{12}z"
_PART = re.compile(rf"(.+)-(documents|load|load-1|{_STAMP_PATTERN})")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A checked index URL."""

    url: str
    """As the user wrote it."""
    product: str
    """`elasticsearch` or `opensearch`."""
    node: str
    """Where the server answers: `https://host:9200`."""
    name: str
    """The index's name, an alias on the server."""

    @classmethod
    def parse(cls, url: str) -> ServerAddress:
        """Take an index URL apart.

        Raises:
            InputError: the URL is of another kind, holds a user or password, or names no index or
                no host.
        """
        if "@" in url:  # valid in no host and no name, so that it ends a password
            raise _refused(
                f"{without_secrets(url)} must not hold a user or password; set RIRAG_SERVER_USER "
                "and RIRAG_SERVER_PASSWORD, or RIRAG_SERVER_API_KEY, instead"
            )
        scheme, _, transport = url.partition("://")[0].lower().partition("+")
        if scheme not in PRODUCTS or transport not in ("http", "https"):
            raise _unusable(url)
        try:
            parts = urlsplit(f"{transport}://{url.partition('://')[2]}")
            port = 9200 if parts.port is None else parts.port
        except ValueError as error:
            raise _refused(f"{without_secrets(url)} is not a URL ({error})") from error
        _check(url, parts, port)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        return cls(url, scheme, f"{transport}://{host}:{port}", _name(url, parts.path.strip("/")))

    @property
    def is_secure(self) -> bool:
        """Whether the connection has TLS."""
        return self.node.startswith("https:")

    @property
    def aliases(self) -> tuple[str, str]:
        """What is searched: the passages, and the whole documents."""
        return self.name, f"{self.name}-documents"

    @property
    def of_load(self) -> tuple[str, str]:
        """Alias and index of what the processes of a load tell each other."""
        return f"{self.name}-load", f"{self.name}-load-1"

    def indices(self, generation: str) -> tuple[str, str]:
        """Return the names of the two indices of a generation, behind `aliases`."""
        passages, documents = self.aliases
        return f"{passages}-{generation}", f"{documents}-{generation}"


def _check(url: str, parts: SplitResult, port: int) -> None:
    if not parts.hostname or parts.query or parts.fragment:
        raise _unusable(url)
    if not _is_host(parts.hostname):
        raise _unusable(url, f": {parts.hostname!r} is not a host name or address")
    if port == 0:
        raise _unusable(url, ": no server answers at port 0")


def _is_host(name: str) -> bool:
    """Return whether a network can know a host by a name, of any alphabet, or an address."""
    try:
        if ":" in name:
            return IPv6Address(name).scope_id is None  # the clients cannot call one of a zone
        name.encode("idna")
    except ValueError:  # an empty label, or one of more than 63 characters
        return False
    return all(one in "-._" or category(one)[0] in "LMN" for one in name)


def _unusable(url: str, reason: str = "") -> InputError:
    return _refused(f"{without_secrets(url)} cannot be used{reason}; write it like {EXAMPLE}")


def _refused(what: str) -> InputError:
    return InputError(f"the index {what}", code="index.invalid-name")


def _name(url: str, name: str) -> str:
    if not name:
        raise _refused(f"{url} has no name; write it like {EXAMPLE}")
    if not _NAME.fullmatch(name) or len(name.removesuffix(BESIDE)) > MAX_NAME_BYTES:
        raise _refused(
            f"name {name!r} cannot be used: it must be lower-case letters, digits, '-', "
            f"'_' and '.', begin with a letter or digit, and have at most {MAX_NAME_BYTES} of them"
        )
    if part := part_of(name):
        raise _refused(
            f"name {name!r} cannot be used: a part of an index {part[0]!r} "
            f"has this name; choose a name that does not end in {part[1]}"
        )
    return name


def new_generation() -> str:
    """Return the time stamp of a new generation; later ones sort after earlier ones."""
    return datetime.now(UTC).strftime(_STAMP)


def is_generation(text: str) -> bool:
    """Return whether a text is the time stamp of a generation."""
    return re.fullmatch(_STAMP_PATTERN, text) is not None


def part_of(name: str) -> tuple[str, str] | None:
    """Return the index that something of this name is a part of, and the ending that says so.

    None: no index has such a part, so that one may be called so itself.
    """
    found = _PART.fullmatch(name)
    return (found[1], f"-{found[2]}") if found else None
