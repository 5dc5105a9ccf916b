"""What a client of a server can be given: an address, and a key."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_web_address(url: str) -> bool:
    """Tell whether a client can call a URL; whether somebody answers there is another matter."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname and parts.hostname.encode("idna")) and parts.port != 0
    except ValueError:
        return False
    return named and parts.scheme in ("http", "https") and url.isprintable()


def is_sendable(key: str) -> bool:
    """Tell whether a header can carry a key: one word of ASCII."""
    return key.isascii() and key.isprintable() and " " not in key
