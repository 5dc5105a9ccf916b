"""The words of laws and questions by language: units, numbers, months, modal verbs and the like.

A language is one file, `en.toml` and its neighbours; it is read when somebody asks for its words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

COMMON = "common"
"""Name of the file of what all languages write alike."""
_OF_NO_LANGUAGE = frozenset({"units.toml", f"{COMMON}.toml"})
_STRUCTURED = frozenset({"number_first", "units", "links", "numbers", "ordinals", "acts"})
"""What language files have in tables of its own kind."""

Kind = Literal["attachment", "division", "rule", "aside", "inner", "text"]
"""What a unit is; `units.toml` describes each."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that laws are divided into, such as `article`."""

    name: str
    kind: Kind
    rank: int
    """How far inside it is: 0 for a schedule, more for a paragraph. Equal ranks: side by side."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A word that means a unit."""

    word: str
    """In lower case, without the full stop of an abbreviation."""
    unit: str
    language: str
    """The name of its file, such as `en`."""
    plural: bool
    short: bool
    """Whether it is an abbreviation."""


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language."""

    code: str
    spellings: tuple[Spelling, ...]
    number_first: bool
    """Whether the word for a rule comes after its number: `5. cikk`."""
    links: Mapping[str, tuple[str, ...]]
    """`and`, `to` and `of` → the words that mean it between numbers."""
    numbers: Mapping[str, str]
    """Spelt-out number → its digits."""
    ordinals: Mapping[str, str]
    """Spelt-out ordinal → its digits."""
    acts: tuple[str, ...]
    """Words for a kind of law: `Act`, `Verordnung`, `Loi`."""
    acts_first: bool
    """Whether such a word begins a name: `Loi n° 78-17`."""
    acts_last: tuple[str, ...]
    """Those that may end one all the same: `Burgerlijk Wetboek`."""
    acts_joined: tuple[str, ...]
    """Ends of single words that name a law: `gesetz` in Kreditwesengesetz."""
    acts_of_union: tuple[str, ...]
    """Words for the acts of the European Union: `Richtlinie`."""


@cache
def units() -> Mapping[str, Unit]:
    """Return name → unit, outermost first."""
    tables = _tables("units.toml")
    return {name: Unit(name, one["kind"], one["rank"]) for name, one in tables.items()}


def units_of(*kinds: Kind) -> frozenset[str]:
    """Return the names of the units of some kinds."""
    return frozenset(one.name for one in units().values() if one.kind in kinds)


@cache
def languages() -> Mapping[str, Language]:
    """Return code → language; English is the first, and decides what a word of several means."""
    names = sorted(one.name for one in files(__package__).iterdir() if one.name.endswith(".toml"))
    codes = [name.removesuffix(".toml") for name in names if name not in _OF_NO_LANGUAGE]
    return {code: _language(code) for code in sorted(codes, key=lambda code: code != "en")}


def words(key: str, language: str = "") -> tuple[str, ...]:
    """Return the words that language files have under a key, such as `modals.duty`.

    Args:
        key: of a list, or of a table, whose lists are joined: `months`, `measures.time`.
        language: code of the one language to take, or `common`; empty: all of them.

    Raises:
        KeyError: no file has this key.
    """
    sources = [language] if language else [COMMON, *languages()]
    found = dict.fromkeys(
        word
        for source in sources
        for name, listed in _lists(source).items()
        if name == key or name.startswith(f"{key}.")
        for word in listed
    )
    if not found:
        raise KeyError(f"no words under {key!r} in {language or 'any language'}")
    return tuple(found)


def any_of(key: str, language: str = "") -> str:
    """Return a regular expression for one of the `words` of a key."""
    return alternatives(words(key, language))


def forms(key: str, language: str = "") -> str:
    """Return a regular expression for one of those that are listed under a key."""
    return f"(?:{'|'.join(words(key, language))})"


def alternatives(words: Iterable[str]) -> str:
    """Return a regular expression for one of some words, whatever white space they have.

    It has no group to refer to and no word boundaries.
    """
    pattern = f"(?:{'|'.join(map(re.escape, longest_first(words)))})"
    return pattern.replace("\\ ", r"\s+").replace("'", "['’]")


@cache
def behind_numbers() -> tuple[str, ...]:
    """Return the words for rules that laws print behind a number: `3. člen`; longest first."""
    rules, chosen = units_of("rule"), languages()
    codes = (code for code, one in chosen.items() if one.number_first)
    return longest_first(word for code in codes for word in spellings(rules, code))


@cache
def spelling(word: str) -> Spelling | None:
    """Return what a word means as a unit: `Abs.` is a German `paragraph`; None for other words."""
    return _by_word().get(word.casefold().rstrip("."))


def unit_of(word: str) -> str | None:
    """Return the unit that a word means: `article` for `Arts.` and `Artikel`; None for others."""
    found = spelling(word)
    return found.unit if found else None


def spellings(
    names: Iterable[str], language: str = "", *, short: bool = True, plural: bool | None = None
) -> tuple[str, ...]:
    """Return how the units of some names are written, in lower case, longest first.

    Args:
        names: of units.
        language: code of the one language to take; empty: all of them.
        short: whether to take abbreviations too.
        plural: whether to take words for many or for one; None: both.
    """
    wanted = set(names)
    chosen = [languages()[language]] if language else languages().values()
    return longest_first(
        one.word
        for written in chosen
        for one in written.spellings
        if one.unit in wanted and (short or not one.short) and plural in {None, one.plural}
    )


def words_for(names: Iterable[str], language: str = "en") -> tuple[str, ...]:
    """Return the words for one of the units of some names, written in full, longest first."""
    return spellings(names, language, short=False, plural=False)


def pattern(
    names: Iterable[str], language: str = "", *, short: bool = True, plural: bool | None = None
) -> str:
    """Return a regular expression that matches how the units of some names are written.

    It has no group and no word boundaries, takes the full stop of an abbreviation, and is in lower
    case: use it with `re.IGNORECASE`. The arguments are those of `spellings`.
    """
    words = "|".join(map(re.escape, spellings(names, language, short=short, plural=plural)))
    return rf"(?:{words})\.?" if short else f"(?:{words})"


def printed(words: Iterable[str]) -> str:
    """Return a regular expression that matches words as titles print them: `Part`, `PART`."""
    both = (form for one in words for form in (one.capitalize(), one.upper()))
    return f"(?:{'|'.join(map(re.escape, both))})"


def longest_first(words: Iterable[str]) -> tuple[str, ...]:
    """Return words, each once, in the order in which a regular expression must try them."""
    return tuple(sorted(set(words), key=lambda word: (-len(word), word)))


def kinds_of_law(language: str = "en") -> str:
    """Return a regular expression for a word for a kind of law, as names have it: `Act`."""
    return alternatives(languages()[language].acts)


@cache
def months(language: str = "") -> Mapping[str, int]:
    """Return month in lower case → its number: `may` → 5; of all languages, or of one."""
    return {
        word.casefold(): number
        for number in range(12, 0, -1)
        for word in words(f"months.{number}", language)
    }


@cache
def number_words(language: str = "") -> Mapping[str, str]:
    """Return spelt-out number → digits: `three` → `3`; of all languages, or of one."""
    chosen = [languages()[language]] if language else reversed([*languages().values()])
    return {word: digits for one in chosen for word, digits in one.numbers.items()}


@cache
def ordinals(language: str = "") -> Mapping[str, str]:
    """Return spelt-out ordinal → digits: `first` → `1`; of all languages, or of one."""
    chosen = [languages()[language]] if language else reversed([*languages().values()])
    return {word: digits for one in chosen for word, digits in one.ordinals.items()}


@cache
def link_words(role: Literal["and", "to", "of"]) -> tuple[str, ...]:
    """Return the words of all languages that mean `and`, `to` or `of` between numbers."""
    return tuple(dict.fromkeys(word for one in languages().values() for word in one.links[role]))


@cache
def _by_word() -> Mapping[str, Spelling]:
    found: dict[str, Spelling] = {}
    for language in languages().values():
        for one in language.spellings:
            found.setdefault(one.word, one)
    return found


@cache
def _language(code: str) -> Language:
    tables = _tables(f"{code}.toml")
    acts = tables["acts"]
    return Language(
        code,
        tuple(_spellings(code, tables["units"])),
        tables.get("number_first", False),
        {role: tuple(words) for role, words in tables["links"].items()},
        _digits_of(tables["numbers"]),
        _digits_of(tables["ordinals"]),
        tuple(acts["kinds"]),
        acts.get("first", False),
        tuple(acts.get("last", ())),
        tuple(acts.get("joined", ())),
        tuple(acts.get("union", ())),
    )


@cache
def _lists(source: str) -> Mapping[str, tuple[str, ...]]:
    """Return key → words of one file, of all its tables that are mere lists."""
    tables = _tables(f"{source}.toml")
    return dict(_keyed({name: tables[name] for name in tables.keys() - _STRUCTURED}))


def _keyed(tables: Mapping[str, Any], around: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, inside in tables.items():
        if isinstance(inside, dict):
            yield from _keyed(inside, f"{around}{name}.")
        else:
            yield f"{around}{name}", tuple(inside)


def _spellings(code: str, written: Mapping[str, Mapping[str, list[str]]]) -> Iterator[Spelling]:
    for unit, words in written.items():
        for name in ("one", "many", "short", "short_many"):
            plural, short = name.endswith("many"), name.startswith("short")
            yield from (Spelling(word, unit, code, plural, short) for word in words.get(name, ()))


def _digits_of(words: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: digits for digits, spelt in words.items() for word in spelt}


@cache
def _tables(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text(encoding="utf-8"))


LATIN_SUFFIXES = words("suffixes.latin", COMMON)
"""What comes after the number of an inserted article in any language: 5 bis."""
