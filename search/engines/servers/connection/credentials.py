"""The header that proves to a server who is asking."""

from __future__ import annotations

from base64 import b64encode

from search.errors import InputError
from search.models.endpoints import is_sendable


def check_credentials(prefix: str, key: str | None, user: str | None, password: str | None) -> None:
    """Refuse what no header can carry; `prefix` begins the names of the variables.

    Raises:
        InputError: a key or name cannot be sent, or two of them exclude each other; no secret is
            repeated.
    """
    if key and user:
        raise InputError(
            f"both {prefix}API_KEY and {prefix}USER are set; a server takes only one of them",
            code="engine.credentials",
        )
    if bool(user) != bool(password):
        raise InputError(
            f"{prefix}USER and {prefix}PASSWORD must be set together", code="engine.credentials"
        )
    if key and not is_sendable(key):
        raise InputError(
            f"{prefix}API_KEY cannot be used: it must be one word of letters, digits "
            "and '=', which the server's reply calls 'encoded'",
            code="engine.credentials",
        )
    if user and ":" in user:
        raise InputError(
            f"{prefix}USER cannot be used: a user name must not hold ':'", code="engine.credentials"
        )
    for name, text in (("USER", user), ("PASSWORD", password)):
        if text and not _is_unicode(text):
            raise InputError(
                f"{prefix}{name} cannot be used: it is not UTF-8; set it in UTF-8",
                code="engine.credentials",
            )


def authorization(key: str | None, user: str | None, password: str | None) -> dict[str, str]:
    """Return the header of an API key, or of a user and password; empty without any.

    The libraries make one too, but not of every password: both servers read UTF-8.
    """
    if key:
        return {"authorization": f"ApiKey {key}"}
    if not user:
        return {}
    pair = f"{user}:{password}".encode()
    return {"authorization": f"Basic {b64encode(pair).decode('ascii')}"}


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written in UTF-8: invalid bytes become surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
