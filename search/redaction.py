"""Texts that are fit to be shown: without what only their owner may know."""

from __future__ import annotations

import re


def without_secrets(url: str) -> str:
    """Return a URL without user, password, and what follows `?` or `#`; other texts as they are."""
    shown = re.sub(r"://.*@", "://***@", url)
    return re.sub(r"[?#].*", "?***", shown) if "://" in shown else shown
