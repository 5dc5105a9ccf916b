"""What a question asks for that its passages do not have: names, words, and kinds of value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generation.extract.asked import AskedKind, kinds_asked_outright
from generation.extract.elsewhere import laws_of
from generation.extract.features import Subject
from generation.library import Library
from generation.text.labels import document_label
from generation.text.phrases import NOT_INDEXED, NOT_MENTIONED, NOT_STATED
from generation.text.sentences import split_sentences
from generation.text.subject import subject_terms
from generation.text.values import ACRONYM, ValueKind, values_in
from search.json_form import Record
from search.provisions.documents.names import DocumentNames
from search.provisions.jurisdictions import is_law_of, states_in
from search.records import Hit
from search.text.analyzer import term_set, tokens
from search.text.characters import without_accents
from search.text.languages import english
from search.text.plain_words import WORD

MOST_WORDS = 3
"""Words that are listed, the rarest first."""

LEAST_SHARE = 0.25
"""Part of a question's subject in the passages read from which on no word of it is listed: people
ask in words of their own."""

STATES: Mapping[AskedKind, frozenset[ValueKind]] = {
    "time": frozenset({"time", "date"}),
    "money": frozenset({"money", "percent"}),
    "percent": frozenset({"percent", "number"}),
    "number": frozenset({"number", "percent", "money", "time"}),
}
"""Kind that is asked for → the values that state it."""

MOST_RARE = 10.0
"""What a word weighs that no passage of the index has."""

_ENDING = 2
"""Letters in which two forms of a word may differ."""
LEAST_STEM = 6
"""Letters that two forms of a word have in common at least."""
_PARTICIPLE = re.compile(r"ge(\w{4,}?)(?:e?t|en)")
"""German participles: gemeldet, gelöscht."""

_IRREGULAR = {"children": "child", "child": "children", "people": "person", "person": "peopl",
              "men": "man", "women": "woman", "man": "men", "woman": "women"}  # fmt: skip
"""Words of a question → the index term of their other number, which no stem joins."""

_EXAMPLE = re.compile(
    r"\b(?:examples?|such as|e\.g\.|for instance|includ(?:e|es|ing)|zum Beispiel|insbesondere|"
    r"z\. ?B\.)",
    re.I,
)
_FORM = re.compile(
    r"\b(?:forms?|writing|written|electronic\w*|templates?|portal|e-?mail|formats?|schriftlich|"
    r"Textform)\b",
    re.I,
)
_FEES = re.compile(
    r"\b(?:fees?|fines?|prices?|charges?|costs?|amounts?|Gebühren?|Betr[aä]ge?)\b", re.I
)
_FIGURE = re.compile(r"[|\t]\s*\d[\d.,  ]*\s*(?:[|\t]|$)", re.M)
"""A cell of a table that holds a figure alone."""

_VERB = (
    r"(?:must|may|should|shall|does|do|did|is|are|was|were|can|could|will|would|has|have|had|needs?|"
    r"apply|muss|müssen|darf|dürfen|ist|sind|kann|können|hat|haben|gilt|gelten)"
)
_THING = re.compile(
    r"(?:^|[.?!,;:]\s+(?:and\s+)?)(?:(?:in|to|for|from|by|on|with|at|under)\s+)?"
    r"(?:which|what|how (?:many|much)|welche[rsnm]?|wie viele?)\s+"
    rf"(?!{_VERB}\b)((?:[\w-]+\s+){{1,3}}?)({_VERB}|[a-z]+s)\b",
    re.I,
)
"""What is asked for by its name: `which software must`, `how many trees must`."""

_LITTLE = """
ago ask asked begin begins begun bring call called came come comes do get gets give given gives go
goes going gone got happen keep keeps kept know known left let like look make makes made mean means
need needs put puts run see start started take takes taken think told took try turn use used uses
using want wants went work works anybody anything anyone somebody something someone two three four
five six seven eight nine ten still already yet just really even hour hours day days week weeks
month months year years compare compared compares comparison differ differs difference versus
"""
_SAYS_LITTLE = frozenset(_LITTLE.split())
"""Words of a question that no rule need have."""

_KINDS_OF_THING = frozenset(
    tokens(
        "measure factor information documentation role step obligation practice criteria detail "
        "requirement document condition element record data type kind case circumstance right duty "
        "particular activity procedure process action consideration consequence specific precise "
        "potential best other additional exact main key way method purpose approach mechanism "
        "scenario situation standard provision rule section implication guideline guidance "
        "principle difference aspect control policy responsibility limit threshold period time "
        "prerequisite qualification precondition rationale reason explanation characteristic "
        "feature attribute methodology method protocol indicator metric evidence entity following "
        "form format solution system arrangement framework strategy option alternative "
        "deadline amount fee angaben unterlagen pflichten maßnahmen voraussetzungen"
    )
)
"""Words for what rules hold, which rules need not name: a list is not called `criteria`."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names and acronyms of a question that no passage of the index has."""

    unknown: tuple[str, ...] = ()
    """Those that name nothing in the index."""
    of_documents: tuple[str, ...] = ()
    """Those that name a document of it, by title, short code or DocumentID."""


NO_NAMES = Names()


@dataclass(frozen=True, slots=True)
class NotStated(Record):
    """What is absent."""

    names: tuple[str, ...] = ()
    """Names and acronyms that no passage of the index has, and that name no document of it."""
    words: tuple[str, ...] = ()
    """Words of the subject that no passage read has, rarest first."""
    kinds: tuple[AskedKind, ...] = ()
    """Kinds of thing asked for that no passage read states."""

    def sentences(self) -> list[str]:
        """Return what an answer says of it, a sentence each."""
        listed = {NOT_INDEXED: self.names, NOT_MENTIONED: self.words}
        said = [f"{lead} {', '.join(words)}." for lead, words in listed.items() if words]
        return said + [NOT_STATED[kind] for kind in self.kinds]


def not_stated(
    question: str,
    quoted: Sequence[Hit],
    kept: Sequence[Hit],
    rarities: Mapping[str, float] | None,
    names: Names,
) -> NotStated:
    """Return what a question asks for that the passages read do not have.

    Args:
        question: as it was asked.
        quoted: whose passages are quoted.
        kept: whose passages the filter kept; what one of them states is stated.
        rarities: of the question's terms in the index; None: not known.
        names: of the question, that no passage of the index has.
    """
    texts = [*map(_read, quoted)]
    have = frozenset(term for text in texts for term in term_set(text))
    asked = _asked_in(question)
    missing = (*_things(asked, have), *_missing(asked, have, rarities or {}, names))
    told = {*names.unknown, *names.of_documents}
    words = [
        word
        for word in dict.fromkeys(missing)
        if word not in told and word.lower() not in _SAYS_LITTLE and not _is_named(word, quoted)
    ]
    languages = {english(text) for text in texts}
    if english(question) is False and languages <= {True}:
        words = []  # of a question in another language, no word is expected
    elif languages == {False}:
        # Only nouns, which German writes with a capital, have few other forms.
        words = [word for word in words if word[0].isupper() and not _is_plural(word, texts)]
    return NotStated(
        names.unknown, tuple(words[:MOST_WORDS]), absent_kinds(question, [*quoted, *kept])
    )


def _asked_in(text: str) -> str:
    """Return the sentences of a text that ask; without any, all: a story has words of its own."""
    asked = [one for one in split_sentences(text) if one.rstrip(" \"'”’)").endswith("?")]
    return " ".join(asked) or text


def _is_plural(word: str, texts: Sequence[str]) -> bool:
    """Return whether a text has a word that only an ending and an umlaut make another."""
    stem = without_accents(word)[:-1] if len(word) > LEAST_STEM else without_accents(word)
    return any(stem in without_accents(text) for text in texts)


def speaks_of(
    question: str, quoted: Sequence[Hit], rarities: Mapping[str, float], names: Names
) -> float:
    """Return which part of a question's subject the quoted passages have a word of, 0 to 1.

    A word that no passage of the index has weighs most. Of a question in another language than the
    passages no word is expected: 1.
    """
    if english(question) is False and all(english(hit.text) for hit in quoted):
        return 1.0
    have = frozenset().union(*(term_set(_read(hit)) for hit in quoted))
    documents = {term for word in names.of_documents for term in tokens(word)}
    about = Subject(question, {term: rare or MOST_RARE for term, rare in rarities.items()
                               if term not in documents})  # fmt: skip
    forms = {
        term
        for word in WORD.findall(question)
        if _has_another_form(word.casefold(), have)
        for term in tokens(word)
    }
    return about.share(have | forms) if any(about.weights.values()) else 1.0


def _read(hit: Hit) -> str:
    """Return a passage with all that is written above it."""
    return " ".join((document_label(hit.passage), hit.document_title, *hit.breadcrumb, hit.text))


def _is_named(word: str, hits: Sequence[Hit]) -> bool:
    """Return whether a word is a name of a state whose law the passages are, or that they name."""
    states = states_in(word).keys()
    if not states:
        return False
    is_law_there = any(is_law_of(law, state) for law in laws_of(hits) for state in states)
    return is_law_there or any(states & states_in(_read(hit)).keys() for hit in hits)


def absent_names(question: str, rarities: Mapping[str, float], library: Library) -> Names:
    """Return the names and acronyms of a question that no passage of the index has."""
    found = []
    for word in WORD.findall(question):
        terms = [*tokens(word), *tokens(word.removesuffix("s"))]
        if ACRONYM.fullmatch(word) and terms and not any(rarities.get(term) for term in terms):
            found.append(word)
    if not found:
        return NO_NAMES
    known = DocumentNames(library.documents())
    here = [
        word for word in found if known.has_name(word) or known.has_name(word.removesuffix("s"))
    ]
    return Names(tuple(dict.fromkeys(word for word in found if word not in here)), tuple(here))


def _missing(
    question: str, have: frozenset[str], rarities: Mapping[str, float], names: Names
) -> tuple[str, ...]:
    documents = {term for word in names.of_documents for term in tokens(word)}
    about = Subject(question, {term: rare or MOST_RARE for term, rare in rarities.items()
                               if term not in documents})  # fmt: skip
    if not rarities or about.share(have) >= LEAST_SHARE:
        return ()
    weight = {
        word: max((rarities.get(term, 0.0) or MOST_RARE for term in tokens(word)), default=0.0)
        for word in dict.fromkeys(WORD.findall(question))
        if {*tokens(word)} & about.weights.keys() - have
        and not word[0].isdigit()
        and not _has_another_form(word.casefold(), have)
    }
    return tuple(sorted(weight, key=lambda word: -weight[word]))


def _has_another_form(word: str, terms: frozenset[str]) -> bool:
    """Return whether a term begins as a word does, whose stem in other languages is not known."""
    if _IRREGULAR.get(word.removesuffix("'s").removesuffix("’s")) in terms:
        return True
    word, found = without_accents(word), [without_accents(term) for term in terms]
    if len(word) >= LEAST_STEM and any(
        term.startswith(word) and len(term) <= len(word) + _ENDING for term in found
    ):
        return True
    participle = _PARTICIPLE.fullmatch(word)
    if participle is None and len(word) < LEAST_STEM + _ENDING:
        return False
    start = participle[1] if participle else word[:-_ENDING]
    return any(term.startswith(start) for term in found)


def _things(question: str, have: frozenset[str]) -> list[str]:
    """Return the words for the thing asked for, such as `software`, that no passage has."""
    return [
        word
        for found in _THING.finditer(question)
        if not _KINDS_OF_THING.intersection(tokens(found[0]))
        for word in re.findall(r"[\w-]+", found[1])
        if subject_terms(word) and not subject_terms(word) & have
    ]


def absent_kinds(question: str, hits: Sequence[Hit]) -> tuple[AskedKind, ...]:
    """Return the kinds of thing that a question asks for and that no passage states."""
    asked = kinds_asked_outright(question)
    wanted = frozenset(value for kind in asked for value in STATES.get(kind, ()))
    texts = list(dict.fromkeys(hit.text for hit in hits))
    have = frozenset(value for text in texts for value in values_in(text, wanted))
    absent: dict[AskedKind, bool] = {
        **{kind: not have & values for kind, values in STATES.items()},
        "money": not (have & STATES["money"] or any(map(_has_fees, hits))),
        "example": not any(map(_EXAMPLE.search, texts)),
        "form": not any(map(_FORM.search, texts)),
    }
    return tuple(kind for kind, is_absent in absent.items() if is_absent and kind in asked)


def _has_fees(hit: Hit) -> bool:
    """Return whether a passage has a table of amounts that names no currency."""
    return bool(_FIGURE.search(hit.text) and _FEES.search(hit.text))
