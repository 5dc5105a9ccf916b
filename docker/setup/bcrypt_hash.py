"""Hash a password as OpenSearch's security plugin takes it, with the system's own libcrypt."""

from __future__ import annotations

import ctypes

ROUNDS = 12
"""2 to the power of it; what the plugin's own tool uses."""
LONGEST = 72
"""Bytes that bcrypt looks at."""


def bcrypt_hash(password: str) -> str:
    """Return the bcrypt hash of a password, with a new salt.

    Raises:
        ValueError: the password is longer than what bcrypt looks at.
        OSError: the system's libcrypt knows no bcrypt.
    """
    if len(password.encode()) > LONGEST:
        raise ValueError(f"a password has at most {LONGEST} bytes")
    library = ctypes.CDLL("libcrypt.so.1")
    library.crypt_gensalt.restype = library.crypt.restype = ctypes.c_char_p
    # Without random bytes of ours, the library asks the system for some.
    salt = library.crypt_gensalt(b"$2y$", ctypes.c_ulong(ROUNDS), None, 0)
    found = library.crypt(password.encode(), salt) if salt else None
    if not found or not found.startswith(b"$2y$"):
        raise OSError("the system's libcrypt knows no bcrypt")
    return bytes(found).decode()
