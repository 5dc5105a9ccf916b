"""What callers of the Python API can mistake, refused at the door in a sentence."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from typing import Any

from search.errors import InputError
from search.records import Hit, Passage


def whole_number(value: Any, what: str, least: int, most: int | None = None) -> int:
    """Return a whole number, of Python or numpy, within its range.

    Args:
        value: that was given.
        what: how the error calls it.
        least: smallest that is allowed.
        most: largest; None: any.

    Raises:
        InputError: it is no whole number, or out of the range.
    """
    allowed = f"{least} or more" if most is None else f"between {least} and {most}"
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{what} must be a whole number, {allowed}, not {value!r}") from None
    if number < least or (most is not None and number > most):
        raise InputError(f"{what} must be {allowed}, not {number}")
    return number


def several_ids(ids: Collection[str]) -> Collection[str]:
    """Return IDs; a text is a single one, and not its characters.

    Raises:
        InputError: they are no collection of texts.
    """
    if isinstance(ids, str):
        return (ids,)
    if not isinstance(ids, Collection) or not all(isinstance(one, str) for one in ids):
        raise InputError(f"IDs must be a list of texts, not {ids!r:.80}")
    return ids


def passage_of(given: Passage | Hit) -> Passage:
    """Return the passage that is meant by a passage or a hit.

    Raises:
        InputError: it is neither.
    """
    if isinstance(given, Hit):
        return given.passage
    if not isinstance(given, Passage):
        raise InputError(
            f"a passage or a hit is needed, not {given!r:.80}; `index.passage(ID)` has a passage"
        )
    return given


def passages_of(given: Iterable[Passage | Hit]) -> list[Passage]:
    """Return the passages that are meant by passages and hits.

    Raises:
        InputError: this is not several of them.
    """
    if not isinstance(given, Iterable):
        raise InputError(f"several passages or hits are needed, as a list, not {given!r:.80}")
    return [passage_of(one) for one in given]
