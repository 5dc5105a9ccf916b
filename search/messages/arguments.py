"""What callers of the Python API can mistake, refused at the door in a sentence."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from typing import Any, SupportsFloat

from search.errors import InputError
from search.records import Hit, Passage


def text_or_path(given: str | os.PathLike[str], what: str) -> str:
    """Return a name, or the path of a file or folder, as text.

    Raises:
        InputError: it is neither a text nor a path.
    """
    text = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(text, str):
        raise InputError(
            f"{what} must be a text or a path, not {given!r:.80}", code="argument.invalid"
        )
    return text


def whole_number(value: Any, what: str, least: int, most: int | None = None) -> int:
    """Return a whole number, of Python or numpy, within its range.

    Args:
        value: that was given.
        what: how the error calls it.
        least: smallest that is allowed.
        most: largest; None: any.

    Raises:
        InputError: it is not a whole number, or out of the range.
    """
    allowed = f"{least} or more" if most is None else f"between {least} and {most}"
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(
            f"{what} must be a whole number, {allowed}, not {value!r}", code="argument.out-of-range"
        ) from None
    if number < least or (most is not None and number > most):
        raise InputError(f"{what} must be {allowed}, not {number}", code="argument.out-of-range")
    return number


def number(value: Any, what: str, least: float, most: float) -> float:
    """Return a number, of Python or numpy, within its range.

    Args:
        value: that was given.
        what: how the error calls it.
        least: smallest that is allowed.
        most: largest.

    Raises:
        InputError: it is not a number, or out of the range.
    """
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise InputError(
            f"{what} must be a number between {least:g} and {most:g}, not {value!r}",
            code="argument.out-of-range",
        )
    if not least <= float(value) <= most:  # not a number is in no range
        raise InputError(
            f"{what} must be between {least:g} and {most:g}, not {float(value):g}",
            code="argument.out-of-range",
        )
    return float(value)


def several_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Return IDs; a text is a single one, and not its characters.

    Raises:
        InputError: they are not several texts.
    """
    if isinstance(ids, str):
        return (ids,)
    several = tuple(ids) if isinstance(ids, Iterable) else (None,)
    if not all(isinstance(one, str) for one in several):
        raise InputError(f"IDs must be a list of texts, not {ids!r:.80}", code="argument.invalid")
    return several


def passage_of(given: Passage | Hit) -> Passage:
    """Return the passage that is meant by a passage or a hit.

    Raises:
        InputError: it is neither.
    """
    if isinstance(given, Hit):
        return given.passage
    if not isinstance(given, Passage):
        raise InputError(
            f"expected a passage or a hit, not {given!r:.80}; `index.passage(ID)` "
            "returns a passage",
            code="argument.invalid",
        )
    return given


def several_hits(given: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits of a search.

    Raises:
        InputError: this is not several of them.
    """
    hits = tuple(given) if isinstance(given, Iterable) else None
    if hits is None or not all(isinstance(one, Hit) for one in hits):
        raise InputError(
            f"expected hits, best first, as in `index.search(question).hits`, not {given!r:.80}",
            code="argument.invalid",
        )
    return hits


def passages_of(given: Iterable[Passage | Hit]) -> list[Passage]:
    """Return the passages that are meant by passages and hits.

    Raises:
        InputError: this is not several of them.
    """
    if not isinstance(given, Iterable):
        raise InputError(
            f"expected a list of passages or hits, not {given!r:.80}",
            code="argument.invalid",
        )
    return [passage_of(one) for one in given]
