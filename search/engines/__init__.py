"""Store passages and vectors, with one folder or module per engine.

An engine knows nothing of how candidates are ranked."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from search.engines.protocol import Backend
from search.errors import InputError

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")


def url_of(index: str | os.PathLike[str]) -> str:
    """Return the URL of an index, which callers may name by a path too.

    Raises:
        InputError: it is not a name of a folder or server.
    """
    url = os.fspath(index) if isinstance(index, str | os.PathLike) else None
    if not isinstance(url, str) or not url.strip() or "\0" in url:
        raise InputError(
            f"an index is a folder or a URL, such as rirag-index, not {index!r:.80}",
            code="index.invalid-name",
        )
    return url


def locate(url: str | os.PathLike[str], options: ServerOptions | None = None) -> Backend:
    """Return the backend for an index URL.

    Args:
        url: a folder, `elasticsearch+http(s)://host:9200/NAME` or `opensearch+http(s)://…`.
        options: how to reach a server; None: the environment's `RIRAG_SERVER_*`.

    Raises:
        InputError: no engine has this scheme, no index can have this name, or the options are none.
    """
    _check_options(options)
    scheme = _SCHEME.match(url_of(url))
    if scheme is None:
        from search.engines.embedded import EmbeddedBackend

        return EmbeddedBackend()
    product = scheme[1].lower().partition("+")[0]
    if product in ("elasticsearch", "opensearch"):
        from search.engines.servers import ServerBackend, ServerOptions

        return ServerBackend(options or ServerOptions.from_environment())
    raise InputError(
        f"unknown engine {scheme[1]}://; give --index a folder, such as rirag-index, "
        "or elasticsearch+http://HOST:9200/NAME, or opensearch+http://HOST:9200/NAME",
        code="engine.unknown",
    )


def _check_options(options: object) -> None:
    if options is None:
        return
    from search.engines.servers import ServerOptions  # whoever has made some has loaded it

    if not isinstance(options, ServerOptions):
        raise InputError(
            "server must be a search.ServerOptions, such as "
            f"ServerOptions(user=…, password=…), or None, not {type(options).__name__}",
            code="argument.invalid",
        )
