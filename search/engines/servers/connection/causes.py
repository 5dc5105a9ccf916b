"""What lies beneath an exception of a client library: they wrap one another several deep."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NOISE = re.compile(r"^\[SSL[^\]]*\] |^\[Errno -?\d+\] | \(_ssl\.c:\d+\)$")


def causes(error: BaseException) -> list[BaseException]:
    """Return the exception and all that it wraps, outermost first."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            waiting.extend(_wrapped(one))
    return found


def plain(error: BaseException) -> str:
    """Return what happened in the fewest words: those of the innermost exception."""
    told = [_words(one) for one in causes(error)]
    return next((words for words in reversed(told) if words), type(error).__name__)


def _wrapped(error: BaseException) -> Iterator[BaseException]:
    # elastic_transport keeps causes in `errors`, opensearch-py in `info`, urllib3 in `args`.
    candidates = [
        *(getattr(error, "errors", None) or ())[:1],
        getattr(error, "info", None),
        *error.args,
        error.__cause__,
    ]
    yield from (one for one in candidates if isinstance(one, BaseException))


def _words(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return _NOISE.sub("", _NOISE.sub("", str(text))).strip()
