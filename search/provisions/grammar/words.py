"""Read the words of a text that take part in naming a rule: numbers, containers, documents.

The text is read once, from left to right. A word is looked up in the vocabulary and decides how
what follows is read: behind `section` a number, behind a number its brackets and levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from search.language import vocabulary
from search.provisions.act_numbers import act_numbers
from search.provisions.documents.described import ANY_YEAR
from search.provisions.documents.law_names import (
    RULE_BEHIND,
    LawName,
    beside_number,
    law_names,
)
from search.provisions.documents.names import DocumentNames
from search.provisions.documents.titles import GENRES
from search.provisions.grammar.gaps import continues, tokens
from search.provisions.grammar.numbers import (
    LINKS,
    TEXT_BEFORE,
    Number,
    american_number_at,
    below,
    brackets,
    number_at,
)
from search.provisions.jurisdictions import places_in
from search.provisions.numbering import (
    ATTACHMENTS,
    CONTAINER_WORDS,
    COUNTED,
    DIVISIONS,
    ORDINALS,
    segments,
)
from search.text.analyzer import FUNCTION_WORDS
from search.text.characters import LETTERS, compatible

Role = Literal["document", "unknown", "container", "number", "guidance", "heading", "other"]


@dataclass(frozen=True, slots=True)
class Word:
    """One piece of a text, as far as rule numbers go."""

    role: Role
    start: int
    end: int
    segments: tuple[str, ...] = ()
    """Normalised as `search.provisions.numbering.segments` does it."""
    core: int = 0
    """How many of the segments come before the first bracket: 3 in `3.4.2(b)`."""
    unit: str = ""
    """The rule word before a number, singular: `section`, `article`, `paragraph`, …"""
    plural: bool = False
    """Whether that word, or the container's, was plural, so that "and 6" continues it."""
    document_ids: tuple[str, ...] = ()
    suffix: str = ""
    """The letter at the end of the core, which may be no part of the number: `R` in `4.2.4R`, which
    says that 4.2.4 is a rule, or `b` in `6.2.4b`, which may be 6.2.4(b)."""
    firm: bool = True
    """False for a document code in lower case, which may be an ordinary word, and for capitals
    that may be the name of a law or anything else."""


_SAID_AS = {"subsection": "section", "subparagraph": "paragraph", "item": "point"}
"""Units that questions name as if they were others: `subsection 5`."""
_NUMBERED = vocabulary.units_of("rule", "inner") | {"recital", "subparagraph"}
"""Units that come before a number without dots; parts, annexes and the like are containers."""
_GROUPS = DIVISIONS | ATTACHMENTS
LONGEST_LINK = 24
"""Characters from one numeral to the end of the next."""
SHORTEST_FOREIGN = 3
"""Letters of a word of another language than English: `al` and `e` are ordinary words."""

_UNITS = {
    one.word: (_SAID_AS.get(one.unit, one.unit), one.plural)
    for language in reversed([*vocabulary.languages().values()])
    for one in language.spellings
    if one.unit in _NUMBERED
    and one.word[:2] not in {"n.", "nº"}
    and not (language.code != "en" and len(one.word) < SHORTEST_FOREIGN)
}
"""How people write the word before a number → its one name, and whether it means many."""
_CONTAINERS = {
    word: (vocabulary.unit_of(word) or word, word not in CONTAINER_WORDS)
    for word in {*CONTAINER_WORDS, *vocabulary.spellings(_GROUPS, plural=True)} - _UNITS.keys()
}
_GLUING = vocabulary.units_of("rule") | {"chapter", "paragraph", "part"}
GLUE_WORDS = frozenset({
    *vocabulary.words("glue", "en"), *vocabulary.spellings(_GLUING, "en", short=False),
    *vocabulary.words("asked.own_before", "en"),
    *(
        word
        for language in vocabulary.languages().values()
        for words in language.links.values()
        for phrase in words
        for word in phrase.replace("'", " ").split()
        if language.code != "en"
    ),
})  # fmt: skip
"""Words that may be between the pieces of one reference."""

NOT_CODES = frozenset({
    *map(str.upper, FUNCTION_WORDS), *vocabulary.words("money.codes", vocabulary.COMMON),
    *vocabulary.words("abbreviations.ordinary", "en"),
})  # fmt: skip
"""Capitals that do not name a document, so that "Rule 3.4.2, EUR" is not a rule of one."""

_FEW = vocabulary.alternatives(vocabulary.number_words("en"))

_RAISED = re.compile(r"(?<=\d)\.?[º°ª](?!\w)")
"""In Portuguese and Spanish a number may be an ordinal: `artigo 5.º`."""
_NEXT = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d|§+|\(|[?!]|\.(?=\s|$)")
"""What a piece may begin with."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?(?:\s[IVX]{2,3}(?!\w))?")
_NUMERAL = re.compile(
    rf"\.?\s?(?P<value>\d{{1,3}}[A-Za-z]?|(?<=[\s–—-])(?:[IVXL]{{1,6}}|[ivxl]{{1,6}}|[A-H]|(?i:{_FEW})))(?!\w)"
)
_OF_GUIDANCE = vocabulary.pattern(("paragraph", "item", "point"), "en")
_GUIDED = re.compile(
    rf"(?:\s(?:{_OF_GUIDANCE}|note))?"
    r"(?:[\s.]?\(?(?P<number>\d{1,3}(?!\.?\w)|[ivx]{1,5}(?=\))))?\)?",
    re.IGNORECASE,
)
_GUIDANCE_ON = re.compile(rf"\son\s[^,;?.]{{3,90}},\s{_OF_GUIDANCE}\s(\d{{1,3}})(?![\w.])")
_CAPITALS = re.compile(
    r"(?![IVX]+$)[A-Z][A-Za-z]*[A-Z][A-Za-z0-9]*(?: [IVX]+)?"
    r"|(?!Mrs|Ltd|Plc|Pty)[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-xz]{2,5}"
)
"""A code such as COBS, and one without vowels such as the Dutch Wft."""
_GLUED_CODE = re.compile(r"([A-Z]{2,8}(?=[-–_.]?\d+\.\w)|[a-z]{2,8}(?=[-–_.]?\d+\.\d+\.\d))[-–_.]?")
_LONGER_NAME = re.compile(rf"(?: [a-z]+){{1,4}} (?:{'|'.join(sorted(GENRES))})s?\b")
_BEFORE_LAW = frozenset({"the", "of", "under"})
"""What leads to the name of a law in the text of another one."""
_SECTION_ROMAN = re.compile(
    r"\s(?P<roman>[IVX]{1,5}(?!\w)(?:[.\s]\s?[A-H](?!\w))?(?:\.\d{1,2}(?!\w))*|[A-H](?!['’\w]))"
)
_FREE = re.compile(r"[^\w.,/£$€’'-]|(?<=\d)[–—-]|(?<=\d[A-Za-z])[–—-](?=\d+[A-Za-z])")
"""What may be before a number."""
_SLASHED = re.compile(r"/(?=\d{1,3}\.\d{1,3}\.\d|(?!(?:19|20)\d\d\b)\d{1,5}[a-z]?(?![\w/]|\.\d))")
_SHORT_END = re.compile(r"[–—-](\d{1,3})(?![\w(-]|\.\w)")
_NORDIC = re.compile(r"(\d{1,5})(?:\s?([a-z])(?=\s?§))?\s?§(?!\s?\d|§)")
"""`4 a §`, as Finnish and Swedish acts number their sections."""
_STEMS = (word[: max(4, len(word) - 2)] for word in vocabulary.behind_numbers())
_NUMBER_FIRST = re.compile(
    rf"(\d{{1,5}})(?:\.?([a-z]{{1,2}}))?\.?\s?(?:{'|'.join(_STEMS)})\w{{0,3}}(?!\w)", re.IGNORECASE
)
"""`3. člen`, `po 3. členu`: languages that print the word behind the number inflect it."""
_HEADING = re.compile(r"[A-Z][a-z]{3,30}(?=\s?\((?:[a-z]|\d{1,2})\)|\s[gG]uidance\b)")
_MEASURE = re.compile(
    rf"\s?(?:{vocabulary.any_of('measures.share', 'en')}"
    rf"|(?:{vocabulary.any_of('measures.size', 'en')}|{vocabulary.any_of('months', 'en')}"
    rf"|(?:{vocabulary.any_of('measures.days', 'en')} )?"
    rf"{vocabulary.any_of('measures.time', 'en')}s?)\b)",
    re.IGNORECASE,
)
_BEFORE_AMOUNT = re.compile(
    rf"(?:\b(?:{vocabulary.any_of('money.codes', vocabulary.COMMON)}|US\$"
    rf"|{vocabulary.any_of('measures.before', 'en')}\.?)"
    rf"|{vocabulary.any_of('money.signs', vocabulary.COMMON)})\s?$",
    re.IGNORECASE,
)
_IN_FIGURES = re.compile(r"\d|\([a-z]")
_GUIDANCE = "guidance"


def tidy(question: str) -> str:
    """Return a question with one form of each character and single blanks."""
    return " ".join(compatible(_RAISED.sub("", question)).split())


def may_name_a_rule(question: str) -> bool:
    """Return whether a tidy question can name a rule: most have not even a digit."""
    return has_number(question) or _GUIDANCE in question.lower()


def has_number(text: str) -> bool:
    """Return whether a text has a number that may be a rule's or a part's: `3.4.2`, `Part II`."""
    if _IN_FIGURES.search(text):
        return True
    named = (found for found in LETTERS.finditer(text) if vocabulary.unit_of(found[0]))
    return any(_NUMERAL.match(text, one.end()) for one in named) or bool(COUNTED.search(text))


def read_words(question: str, names: DocumentNames, *, in_rules: bool = False) -> Iterator[Word]:
    """Yield the pieces of a tidy question in its order; glue words are left out.

    A piece that cannot belong to a reference has the role `other`: references end there.

    Args:
        question: a question, or a line of a passage.
        names: of the documents that are held.
        in_rules: whether it is a line of a passage, where other laws are named in full and "Rules"
            or "Regulations" may be the own ones.
    """
    reader, place, name = _Reader(question, names), 0, ""
    for document in _documents(question, names, in_rules):
        yield from reader.between(place, document.start, name)
        name = question[document.start : document.end]
        glued, digit = question[document.end :][:1], question[document.end :][1:2]
        place = document.end + (glued in {"-", "–", "_", "."} and digit.isdecimal())
        yield replace(document, end=place)
    yield from reader.between(place, len(question), name)


def _documents(question: str, names: DocumentNames, in_rules: bool) -> list[Word]:
    sure = names.mentions(question)
    known = [
        Word("document", one.start, one.end, document_ids=one.document_ids)
        for one in names.all_mentions(question)
        if one in sure or beside_number(question, one.start, one.end)
    ]
    for start, end, _ in act_numbers(question):
        if _apart(start, end, known):
            known.append(Word("unknown", start, end))
    if not in_rules:
        known = [_as_another_law(question, one, names) for one in known]
    for law in law_names(question, in_full=in_rules):
        overlapped = [one for one in known if one.start < law.end and law.start < one.end]
        if in_rules and not _led_to(question, law):
            continue
        name = question[law.start : law.end]
        if _is_no_code(name.replace(".", ""), names):
            continue
        if not overlapped and not _is_held(name, law.full, names):
            known.append(Word("unknown", law.start, law.end, firm=law.full))
        elif not in_rules and len(overlapped) == 1:
            one, more = overlapped[0], question[law.start : overlapped[0].start]
            if places_in(behind := question[one.end : law.end]):  # "Lamp Act of Ontario"
                more += behind
            if names.has_other_words(more, one.document_ids):
                known.remove(one)
                known.append(Word("unknown", min(law.start, one.start), max(law.end, one.end)))
    return sorted(known, key=lambda word: word.start)


def _as_another_law(question: str, word: Word, names: DocumentNames) -> Word:
    if word.role != "document":
        return word
    end = names.end_of_another_year(question, word.start, word.end, word.document_ids)
    return Word("unknown", word.start, end) if end else word


def _is_held(name: str, full: bool, names: DocumentNames) -> bool:
    """Return whether a name that no document bears may still mean one: it says less or shortens."""
    if any(word[-1].isdigit() and names.with_code(word) for word in name.split()):
        return True  # "Policy HR-07"
    if " " in name and (not full or any(map(str.isdigit, name))):
        return (not full or name[0].isdigit()) and names.title_with(name)
    return not (" " in name and "." not in name) and names.has_name(name)


def _led_to(text: str, law: LawName) -> bool:
    dated = ANY_YEAR.search(text, law.start, law.end) is not None
    if dated and RULE_BEHIND.match(text, law.end):
        return True
    before = text[max(0, law.start - 20) : law.start - 1].rpartition(" ")[2].rstrip(",")
    return before in _BEFORE_LAW or (dated and (before[-1:].isdigit() or before[-1:] == ")"))


def _apart(start: int, end: int, words: Sequence[Word]) -> bool:
    return all(end <= word.start or start >= word.end for word in words)


class _Reader:
    """One text while it is read."""

    def __init__(self, text: str, names: DocumentNames) -> None:
        self._text = text
        self._names = names
        self._at = 0
        """Where reading goes on."""
        self._open = -1
        """Where a number may begin although something is before it, such as the code in COBS3.4."""
        self._in_series = False
        """Whether what is before that is a series such as `17 CFR`, whose numbers are sections."""

    def between(self, start: int, end: int, behind: str = "") -> Iterator[Word]:
        """Yield the pieces of a stretch that names no document by more than a word.

        Args:
            start: of the stretch.
            end: of the stretch.
            behind: the name of a document that is before it.
        """
        self._in_series = behind[:1].isdigit() and self._text[start : start + 1] == " "
        self._at = self._open = start + self._in_series
        cut = False  # whether the last word was another one: a second one says no more
        while found := _NEXT.search(self._text, self._at, end):
            self._at = found.end()
            for word in self._pieces(found):
                self._at = max(self._at, word.end)
                if word.role != "other" or not cut:
                    yield word
                cut = word.role == "other"

    def _pieces(self, first: re.Match[str]) -> Iterator[Word]:
        at, sign = first.start(), first[0]
        if sign == "(":
            return self._bracketed(at)
        if sign in {"?", "!", "."}:
            return iter([Word("other", at, at + 1)])
        if sign.isdecimal():
            return self._figures(at)
        return self._worded(first)

    def _figures(self, at: int) -> Iterator[Word]:
        text = self._text
        if not self._is_free(at):
            yield from self._plain(at)
        elif at == self._open and self._in_series:
            yield from self._numbered(at, at, "§")
        elif first := _NORDIC.match(text, at) or _NUMBER_FIRST.match(text, at):
            core, word = (first[1] + (first[2] or ""),), "§" if "§" in first[0] else "article"
            yield from self._number(at, below(text, first.end(), core, word), word)
        elif american := american_number_at(text, at):
            unit = "§" if "." in text[at : american.end].partition("(")[0] else ""
            yield from self._number(at, american, unit)
        elif (number := number_at(text, at)) is None:
            yield from self._plain(at)
        elif _MEASURE.match(text, number.end) or _BEFORE_AMOUNT.search(text[max(0, at - 12) : at]):
            yield Word("other", at, number.end)
        else:
            yield from self._number(at, number)

    def _numbered(self, start: int, at: int, word: str) -> Iterator[Word]:
        """Yield the number at a place behind a word for a unit; nothing where there is none."""
        number = american_number_at(self._text, at, word) or number_at(self._text, at, word)
        if number:
            yield from self._number(start, number, word)

    def _number(self, start: int, number: Number, word: str = "") -> Iterator[Word]:
        text, end = self._text, number.end
        unit, plural = _UNITS[word] if word else ("", False)
        core, suffix = number.core, number.suffix
        yield Word("number", start, end, number.segments, core, unit, plural, suffix=suffix)
        for place, last, value in number.more:
            yield Word("number", place, last, (value,))
            end = last
        short = _SHORT_END.match(text, end)
        if (
            short
            and core == len(number.segments) > 2
            and number.segments[-1].isdecimal()
            and int(number.segments[-1]) < int(short[1])
        ):
            shortened = (*number.segments[:-1], short[1])
            yield Word("number", *short.span(1), shortened, core)
            end = short.end()
        if (core > 1 or word) and (slash := _SLASHED.match(text, end)):
            self._open = slash.end()

    def _bracketed(self, at: int) -> Iterator[Word]:
        """Yield brackets that are in a list, or lead to what they are in: "(b) of 3.4.2"."""
        found, more, end = brackets(self._text, at)
        if not found:
            return
        last = more[-1][1] if more else end
        leading = self._leads(last) and not (at and self._text[at - 1].islower())
        if leading or self._is_led(at):
            yield Word("number", at, end, tuple(found))
            for start, stop, value in more:
                yield Word("number", start, stop, (value,))

    def _is_led(self, at: int) -> bool:
        before, link = ("", "", *tokens(self._text[max(0, at - 16) : at]))[-2:]
        return (link in LINKS and before != ";") or (before == ")" and link in ",–—/-")

    def _leads(self, end: int) -> bool:
        """Return whether "of", or a link and a further bracket, come behind a bracket."""
        links = [*tokens(self._text[end : end + 16]), "", ""]
        if links[0] in {"of", "in"}:
            return True
        first = 1 + (links[0] == "," and links[1] in LINKS)
        return links[0] in {",", *LINKS} and links[first] == "("

    def _worded(self, first: re.Match[str]) -> Iterator[Word]:
        text, at = self._text, first.start()
        spelt, end = first[0].lower(), first.end()
        second = _NEXT.match(text, end + 1) if text[end : end + 1] == "-" else None
        if second and (longer := f"{spelt}-{second[0].lower()}") in _UNITS:
            spelt, end = longer, second.end()
        free = self._is_free(at)
        if len(spelt) == 1 and free and (number := number_at(text, at)):
            yield from self._number(at, number)
        elif spelt in _UNITS and free:
            yield from [*self._unit(at, end, spelt)] or self._plain(at)
        elif spelt in _CONTAINERS and (free or text[at - 1] == "."):
            yield from [*self._container(at, end, spelt)] or self._plain(at)
        elif spelt == _GUIDANCE:
            yield from self._guidance(at, end)
        elif spelt in ORDINALS and (counted := COUNTED.match(text, at)):
            yield Word("container", at, counted.end(), segments(counted[0]))
        elif text[max(0, at - 1) : at] == " " and (before := TEXT_BEFORE.match(text, at)):
            self._at = before.end()
        elif heading := _HEADING.match(text, at):
            inner, _, end = brackets(text, heading.end())
            yield Word("heading", at, end, (spelt, *inner))
        elif free and (glued := _GLUED_CODE.match(text, at)):
            yield self._code(glued[1], at, glued.end())
            self._at = self._open = glued.end()
        else:
            yield from self._plain(at)

    def _code(self, text: str, at: int, end: int) -> Word:
        if ids := self._names.with_code(text):
            return Word("document", at, end, document_ids=ids)
        role: Role = "unknown" if text.isupper() else "other"
        return Word(role, at, at + len(text), firm=False)

    def _unit(self, at: int, end: int, spelt: str) -> Iterator[Word]:
        text = self._text
        end += text[end : end + 1] == "."
        section = vocabulary.unit_of(spelt) == "section"
        if section and (roman := _SECTION_ROMAN.match(text, end)):
            yield from self._numerals(at, *roman.span("roman"))
            return
        end += text[end : end + 1] == " "
        recital = _UNITS[spelt][0] == "recital" and text[end : end + 1] == "("
        yield from self._numbered(at, end + recital, spelt)

    def _numerals(self, at: int, start: int, end: int) -> Iterator[Word]:
        """Yield "Section IV.A", and the other members of "Sections A and B"."""
        pieces = re.findall(r"[a-z0-9]+", self._text[start:end].lower())
        inner, _, last = brackets(self._text, end)
        first, *rest = pieces
        yield Word("number", at, last, (f"section {first}", *rest, *inner), 1, "section")
        for place, stop in self._more_numerals(last):
            value = self._text[place:stop].lower()
            yield Word("number", place, stop, (f"section {value}",), 1, "section")

    def _more_numerals(self, end: int) -> Iterator[tuple[int, int]]:
        while more := _NUMERAL.search(self._text, end, end + LONGEST_LINK):
            if more["value"][0].isdigit() or not continues(self._text[end : more.start("value")]):
                return
            end = more.end()
            yield more.span("value")

    def _container(self, at: int, end: int, spelt: str) -> Iterator[Word]:
        """Yield "Part 5", and 13.3.9 of "Part 5.13.3.9" or II of "Parts I and II" behind it."""
        text = self._text
        numeral = _NUMERAL.match(text, end)
        if numeral is None:
            return
        unit, plural = _CONTAINERS[spelt]
        roman = not numeral["value"][0].isdigit()
        listed = list(self._more_numerals(numeral.end())) if plural and roman else []
        last = numeral.end()
        named = segments(f"{unit} {numeral['value']}")
        yield Word("container", at, last, named, plural=plural and not listed)
        if text[last : last + 1] == "." and (inner := number_at(text, last + 1)):
            self._at = inner.end
            yield Word(
                "number", last + 1, inner.end, inner.segments, inner.core, suffix=inner.suffix
            )
        for start, stop in listed:
            yield Word("container", start, stop, segments(f"{unit} {text[start:stop]}"))

    def _guidance(self, at: int, end: int) -> Iterator[Word]:
        text = self._text
        if on := _GUIDANCE_ON.match(text, end):
            heading = text[at : on.end()].rsplit(", ", 1)[0]
            yield Word("guidance", at, on.end(), (*segments(heading), on[1]))
            return
        guided = _GUIDED.match(text, end)
        inner, _, end = brackets(text, guided.end() if guided else end)
        number = [guided["number"]] if guided and guided["number"] else []
        yield Word("guidance", at, end, (_GUIDANCE, *number, *inner))

    def _plain(self, at: int) -> Iterator[Word]:
        word = _WORD.match(self._text, at)
        if word is None:
            return
        text, span = word[0], word.span()
        self._at = word.end()
        capitals = _CAPITALS.fullmatch(text) is not None
        if ids := self._names.with_code(text):  # "AktG" is no ordinary word
            yield Word("document", *span, document_ids=ids, firm=capitals)
        elif (
            capitals
            and not _is_no_code(text, self._names)
            and not _LONGER_NAME.match(self._text, word.end())
        ):
            yield Word("unknown", *span, firm=False)
        elif text.lower() not in GLUE_WORDS and not self._names.is_publisher(text):
            yield Word("other", *span)

    def _is_free(self, at: int) -> bool:
        return not at or at == self._open or _FREE.match(self._text, at - 1) is not None


def _is_no_code(text: str, names: DocumentNames) -> bool:
    return text in NOT_CODES or names.is_publisher(text)
