"""What a person knows of the questions of an index: synonyms, and rules pinned to questions.

docs/tuning.md describes the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from search.errors import InputError
from search.messages.refusals import unknown_name
from search.ranking.toml_file import changed_at, read_toml
from search.text.analyzer import tokens
from search.text.phrases import Phrase, Phrases

WHAT, CODE = "the tuning file", "tuning.invalid"

TABLES = ("synonyms", "one_way", "pins")
FIELDS = ("words", "phrase", "rules", "place")

LAST_PLACE = 100
"""Where a pinned rule may come at most: further down nobody sees it."""


class Pin(NamedTuple):
    """Rules that come first for some questions."""

    condition: str
    """The words or the phrase that a question must have."""
    rules: tuple[str, ...]
    """Each by its `ID`, or by document and number."""
    place: int = 1
    """Of the first of them."""


Others = tuple[str, tuple[str, ...]]
"""Words of a question, and what else to search for: the words themselves may be among it."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The content of a tuning file, ready to be compared with questions."""

    synonyms: Phrases[Others] = field(default_factory=Phrases)
    pins: Phrases[Pin] = field(default_factory=Phrases)
    state: str = ""
    """Changes with the file."""


NO_TUNING = Tuning()


class _MistakeError(Exception):
    pass


def state_of(path: Path | None) -> str:
    """Return the `Tuning.state` that reading a file would give; None: no file.

    Raises:
        InputError: the file cannot be read.
    """
    return "" if path is None else str(changed_at(path, WHAT, CODE))


def read_tuning(path: Path | None, languages: Collection[str] = ()) -> Tuning:
    """Read a tuning file.

    Args:
        path: of the file; None: there is none.
        languages: codes of those of the index.

    Raises:
        InputError: the file cannot be read, or has a mistake.
    """
    if path is None:
        return NO_TUNING
    state, (_, tables) = state_of(path), read_toml(path, WHAT, CODE)
    try:
        _check_names("key", tables, TABLES)
        synonyms, pins = list(_synonyms(tables)), list(_pins(tables))
    except _MistakeError as mistake:
        raise InputError(str(mistake), path, code=CODE) from None
    return Tuning(Phrases(synonyms, languages), Phrases(pins, languages), state)


def _synonyms(tables: Mapping[str, Any]) -> Iterator[Phrase[Others]]:
    groups = tables.get("synonyms", [])
    if not isinstance(groups, list):
        raise _MistakeError('synonyms must be a list of groups, such as [["fee", "charge"]].')
    for number, group in enumerate(groups, start=1):
        forms = _texts(f"group {number} of synonyms", group, least=2)
        yield from (Phrase(form, (form, forms)) for form in forms)
    one_way = tables.get("one_way", {})
    if not isinstance(one_way, dict):
        raise _MistakeError('one_way must be a table of lines such as gift = ["inducement"].')
    for form, others in one_way.items():
        name = f"{form!r} of one_way"
        yield Phrase(_text(name, form), (form, _texts(name, others)))


def _pins(tables: Mapping[str, Any]) -> Iterator[Phrase[Pin]]:
    pins = tables.get("pins", [])
    if not (isinstance(pins, list) and all(isinstance(one, dict) for one in pins)):
        raise _MistakeError("pins must be tables that begin with [[pins]].")
    for number, given in enumerate(pins, start=1):
        name = f"pin {number}"
        _check_names(f"field of {name}:", given, FIELDS)
        if ("words" in given) == ("phrase" in given):
            raise _MistakeError(f"{name} must have either words or phrase.")
        condition = _text(f"{name}: it", given.get("words", given.get("phrase")))
        rules = _texts(f"rules of {name}", given.get("rules"), with_terms=False)
        place = given.get("place", 1)
        if type(place) is not int or not 1 <= place <= LAST_PLACE:
            raise _MistakeError(f"{name}: place must be a whole number from 1 to {LAST_PLACE}.")
        yield Phrase(condition, Pin(condition, rules, place), "phrase" in given)


def _check_names(kind: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise _MistakeError(unknown_name(kind, name, known))


def _texts(name: str, given: object, least: int = 1, *, with_terms: bool = True) -> tuple[str, ...]:
    texts = given if isinstance(given, list) else []
    if len(texts) < least:
        raise _MistakeError(f"{name}: it must be a list of at least {least} texts.")
    return tuple(dict.fromkeys(_text(name, one, with_terms=with_terms) for one in texts))


def _text(name: str, given: object, *, with_terms: bool = True) -> str:
    if not isinstance(given, str) or not given.strip():
        raise _MistakeError(f"{name} must have texts that are not empty, not {given!r:.80}.")
    if with_terms and not tokens(given):
        raise _MistakeError(f"{name} must have words that are searched, not {given!r:.80}.")
    return given
