"""Texts that are fit to be shown: without what only their owner may know."""

from __future__ import annotations

import re


def without_secrets(url: str) -> str:
    """Return a URL without user, password, and what follows `?` or `#`; other texts as they are."""
    shown = re.sub(r"://.*@", "://***@", url)
    return re.sub(r"[?#].*", "?***", shown) if "://" in shown else shown


LONGEST_WORDS = 200
"""Characters of a server's own words that a message repeats."""


def server_words(text: str, key: str = "") -> str:
    """Return what a server said as one printable line: bounded, and without the key.

    Args:
        text: its own words.
        key: that it was called with, which some servers repeat.
    """
    if key:
        text = text.replace(key, "***")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line[:LONGEST_WORDS].rstrip(". ") or "no reason given"
