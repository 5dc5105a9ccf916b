"""What a person knows of the questions of an index: synonyms, and rules pinned to questions.

docs/tuning.md describes the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from search.errors import InputError
from search.messages.plain_errors import plain_error
from search.text.analyzer import tokens
from search.text.phrases import Phrase, Phrases
from search.toml_file import changed_at, read_toml

WHAT, CODE = "the tuning file", "tuning.invalid"

LAST_PLACE = 100
"""Where a pinned rule may come at most: further down nobody sees it."""


def _searched(text: str) -> str:
    if not tokens(text):
        raise ValueError(f"it must have words that are searched, not {text!r:.80}")
    return text


Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Words = Annotated[Text, AfterValidator(_searched)]
Group = Annotated[tuple[Words, ...], Field(min_length=2, strict=False)]
Others = Annotated[tuple[Words, ...], Field(min_length=1, strict=False)]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Pin(_Table):
    """Rules that come first for some questions."""

    words: Words
    """What a question must have."""
    phrase: bool = False
    """Whether the words must follow each other."""
    rules: Annotated[tuple[Text, ...], Field(min_length=1, strict=False)]
    """Each by its `ID`, or by document and number."""
    place: int = Field(1, ge=1, le=LAST_PLACE)
    """Of the first of them."""


class _File(_Table):
    synonyms: list[Group] = []
    one_way: dict[Words, Others] = {}
    pins: list[Pin] = []


@dataclass(frozen=True, slots=True)
class Tuning:
    """The content of a tuning file, ready to be compared with questions."""

    synonyms: Phrases[tuple[str, ...]] = field(default_factory=Phrases)
    """Words → what is searched too; they may be among it themselves."""
    pins: Phrases[Pin] = field(default_factory=Phrases)
    state: str = ""
    """Changes with the file."""


NO_TUNING = Tuning()


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
        file = _File.model_validate(tables)
    except ValidationError as error:
        first = error.errors()[0]
        place = " ".join(str(one + 1 if isinstance(one, int) else one) for one in first["loc"])
        raise InputError(f"{place}: {plain_error(first)}.", path, code=CODE) from None
    others: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for group in file.synonyms:
        for form in group:
            others[form] |= dict.fromkeys(group)
    for form, meant in file.one_way.items():
        others[form] |= dict.fromkeys(meant)
    synonyms = [Phrase(form, tuple(meant)) for form, meant in others.items()]
    pins = [Phrase(pin.words, pin, pin.phrase) for pin in file.pins]
    return Tuning(Phrases(synonyms, languages), Phrases(pins, languages), state)
