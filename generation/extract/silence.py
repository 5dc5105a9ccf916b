"""Find what a question asks for that its passages do not state: kinds of value, things, names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generation.extract.asked import AskedKind, kinds_asked_outright
from generation.library import Library
from generation.statements.values import ACRONYM, ValueKind, has_other_figure, values_in
from generation.text.labels import document_label
from generation.text.phrases import NOT_INDEXED, NOT_STATED
from generation.text.subject import subject_terms
from search.json_form import Record
from search.provisions.documents.asked import absent_laws, laws_asked_by, spoken_name
from search.provisions.documents.names import DocumentNames
from search.provisions.jurisdictions import is_law_of, state_of, states_in
from search.records import JURISDICTION, PROBABLE_JURISDICTION, Hit
from search.text.analyzer import term_set, tokens
from search.text.languages import english
from search.text.plain_words import WORD

STATES: Mapping[AskedKind, frozenset[ValueKind]] = {
    "time": frozenset({"time", "date"}),
    "money": frozenset({"money", "percent"}),
    "percent": frozenset({"percent", "number"}),
    "number": frozenset({"number", "percent", "money", "time"}),
}
"""Kind that is asked for → the values that state it."""

MOST_READ = 5
"""Hits that are read for a state."""

_WORDS = tomllib.loads(Path(__file__).with_name("silence.toml").read_text("utf-8"))
_PATTERNS = {name: re.compile(way, re.I | re.M) for name, way in _WORDS["patterns"].items()}
_KINDS_OF_THING = term_set(" ".join(_WORDS["kinds_of_thing"]))
"""Words for what rules hold, which rules need not name: a list is not called `criteria`."""


@dataclass(frozen=True, slots=True)
class NotStated(Record):
    """What is absent."""

    names: tuple[str, ...] = ()
    """Names and acronyms that no passage of the index has, and that name no document of it."""
    words: tuple[str, ...] = ()
    """The thing asked for by its name, as the question has it: `which software`."""
    kinds: tuple[AskedKind, ...] = ()
    """Kinds of thing asked for that no passage read states."""

    def sentences(self) -> list[str]:
        """Return what an answer says of it, a sentence each."""
        said = [f"{NOT_INDEXED} {', '.join(self.names)}."] if self.names else []
        things = self.words or tuple(NOT_STATED[kind] for kind in self.kinds)
        return said + [f"The provisions found do not state {thing}." for thing in things]


def not_stated(
    question: str, quoted: Sequence[Hit], kept: Sequence[Hit], names: Sequence[str] = ()
) -> NotStated:
    """Return what a question asks for that the passages read do not have."""
    kinds = absent_kinds(question, [*quoted, *kept])
    return NotStated(tuple(names), _things(question, quoted), kinds)


def absent_kinds(question: str, hits: Sequence[Hit]) -> tuple[AskedKind, ...]:
    """Return the kinds of thing that a question asks for and that no passage states."""
    asked = kinds_asked_outright(question)
    wanted = frozenset(value for kind in asked for value in STATES.get(kind, ()))
    texts = list(dict.fromkeys(hit.text for hit in hits))
    have = frozenset(value for text in texts for value in values_in(text, wanted))
    lines = (line for text in texts for line in text.split("\n"))
    plain = (line for line in lines if not _PATTERNS["figure"].search(line))
    has_figure = bool(wanted) and any(map(has_other_figure, plain))  # it may be what is asked for
    has_fees = any(_PATTERNS["figure"].search(one) and _PATTERNS["fees"].search(one)
                   for one in texts)  # fmt: skip
    absent: dict[AskedKind, bool] = {
        **{kind: not (has_figure or have & values) for kind, values in STATES.items()},
        "money": not (has_figure or have & STATES["money"] or has_fees),
        "example": not any(map(_PATTERNS["example"].search, texts)),
        "form": not any(map(_PATTERNS["form"].search, texts)),
    }
    return tuple(kind for kind, is_absent in absent.items() if is_absent and kind in asked)


def absent_names(question: str, rarities: Mapping[str, float], library: Library) -> list[str]:
    """Return the names and acronyms of a question that no passage or document of the index has."""
    found = []
    for word in WORD.findall(question):
        terms = [*tokens(word), *tokens(word.removesuffix("s"))]
        if ACRONYM.fullmatch(word) and terms and not any(rarities.get(term) for term in terms):
            found += [] if states_in(word) else [word]  # a text may have UK in full
    if not found:
        return []
    known = DocumentNames(library.documents())
    return [
        word for word in dict.fromkeys(found)
        if not (known.has_name(word) or known.has_name(word.removesuffix("s")))
    ]  # fmt: skip


def elsewhere(question: str, hits: Sequence[Hit], library: Library) -> str:
    """Return why a question is about a law or state that no passage found is about; else ""."""
    return _of_an_absent_law(question, hits, library) or _of_another_state(question, hits, library)


def _of_an_absent_law(question: str, hits: Sequence[Hit], library: Library) -> str:
    if not laws_asked_by(question):
        return ""  # most questions: the names of all documents are not read for them
    laws = absent_laws(question, DocumentNames(library.documents()))
    said = " ".join(map(_read, hits)).casefold()
    absent = [law for law in laws if spoken_name(law).casefold() not in said]
    return f"no document of the index is named {absent[0]}." if absent else ""


def _of_another_state(question: str, hits: Sequence[Hit], library: Library) -> str:
    """Return why none of the states that a question names is where a passage is law.

    A story of several sentences, or about the own affairs, names places for other reasons.
    """
    named = states_in(question)
    if not named or _PATTERNS["place"].search(question):
        return ""
    hits = hits[:MOST_READ]
    titles = " ".join(one.title for one in library.documents())
    titles += " " + titles.title()  # "LAMP CODE OF MARYLAND"
    fields = (JURISDICTION, PROBABLE_JURISDICTION)
    laws = {state_of(hit.passage.metadata.get(field)) for hit in hits for field in fields} - {""}
    said = {*states_in(" ".join(map(_read, hits))), *states_in(titles), *laws}
    if any(is_law_of(law, state) for law in said for state in named):
        return ""
    return f"no passage that was found mentions {' or '.join(named.values())}, or is law there."


def _things(question: str, read: Sequence[Hit]) -> tuple[str, ...]:
    """Return the thing asked for by its name, such as `which court room`, if no passage has one of
    its words.
    """
    texts = [*map(_read, read)]
    if not english(question) or any(english(text) is False for text in texts):
        return ()  # words of other languages have other forms
    have = frozenset(term for text in texts for term in term_set(text))
    return tuple(
        f"{found['asks']} {found['thing']}".casefold().strip()
        for found in _PATTERNS["thing"].finditer(question)
        if not _KINDS_OF_THING & term_set(found[0])
        and any((terms := subject_terms(word)) and not terms & have
                for word in found["thing"].split())
    )  # fmt: skip


def _read(hit: Hit) -> str:
    return " ".join((document_label(hit.passage), hit.document_title, *hit.breadcrumb, hit.text))
