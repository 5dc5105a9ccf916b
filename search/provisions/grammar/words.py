"""The words of a question that take part in naming a rule: numbers, containers, documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from search.language import vocabulary
from search.provisions import numbered_titles
from search.provisions.act_numbers import act_numbers
from search.provisions.documents.law_names import LawName, law_names
from search.provisions.documents.names import DocumentNames, Mention
from search.provisions.documents.titles import GENRES
from search.provisions.grammar.levels import with_bracketed_levels, with_roman_paragraphs
from search.provisions.numbering import (
    ATTACHMENTS,
    CONTAINER_WORDS,
    DIVISIONS,
    segments,
    with_counted_attachments,
)
from search.text.characters import compatible
from search.text.stop_words import FUNCTION_WORDS

Role = Literal["document", "unknown", "container", "number", "guidance", "heading", "other"]


_NUMBERED = vocabulary.units_of("rule", "inner") | {"recital", "subparagraph"}
"""Units that come before a number without dots; parts, annexes and the like are containers."""

SHORTEST_FOREIGN = 3
"""Letters of a word of another language than English: `al` and `e` are ordinary words."""


@dataclass(frozen=True, slots=True)
class Word:
    """One piece of a question, as far as rule numbers go."""

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

UNIT_WORDS = {
    one.word: _SAID_AS.get(one.unit, one.unit)
    for language in vocabulary.languages().values()
    for one in language.spellings
    if one.unit in _NUMBERED
    and one.word[:2] not in {"n.", "nº"}
    and not (language.code != "en" and len(one.word) < SHORTEST_FOREIGN)
}
"""How people write the word before a number → its one name."""

_PLURAL_WORDS = frozenset(
    one.word
    for language in vocabulary.languages().values()
    for one in language.spellings
    if one.plural
)

NOT_CODES = frozenset({
    *map(str.upper, FUNCTION_WORDS), *vocabulary.words("money.codes", vocabulary.COMMON),
    *vocabulary.words("abbreviations.ordinary", "en"),
})  # fmt: skip
"""Capitals that do not name a document, so that "Rule 3.4.2, EUR" is not a rule of one."""

_BRACKETS = r"(?:\s?\.?\s?\((?:\d{1,3}[A-Za-z]{0,2}|[ivxlc]{1,6}|[a-z]{1,2}|[A-Z])\)){0,8}"
"""Brackets after a number: nobody nests as many."""
_FREE = r"(?<![\w.,/£$€’'-])"
_AFTER_DOT = r"(?<![\w,/£$€’'-])"
_BRACKET = r"\((?:[a-z]{1,2}|\d{1,2}|[ivx]{1,5})\)"
_ROMAN = r"(?:[IVXL]{1,6}|[ivxl]{1,6})"
_LATIN = rf"(?:[ -]?(?:{'|'.join(vocabulary.LATIN_SUFFIXES)})(?!\s\d))"
"""But "§§ 3 bis 5" is a German range."""
_INTEGER = (
    rf"(?!(?:19|20)\d\d/\d)\d{{1,5}}(?:{_LATIN}|[A-Z]{{1,2}}|[a-z]|[ac][a-z]|b[a-moqr-z])?"
    r"(?![\w%]|[.,]\d|/\d{4}(?!\d))"
)
_HYPHENATED_CODE = r"\s?\d{1,4}(?:-\d{1,3}){1,4}(?![\w-])"
_FRENCH_CODE = rf"[LRDA]\.?{_HYPHENATED_CODE}"
"""Articles of French codes: L. 511-1, of the laws; R, D and A of orders."""
_DOTTED = (
    r"(?:[A-UW-Za-uw-z]?(?!0)\d{1,3}[A-Za-z]?(?:\.(?!0)\d{1,3}(?:[A-Z][REG]|[A-Za-z])?(?!\w)){1,6}"
    r"(?:\.(?:[a-z]|[ivx]{2,4})(?![\w.]))?"
    r"|(?!0)\d{1,3}[A-Z]?(?:\.(?:[a-z]|[ivx]{2,4})(?![\w.])){1,2}"
    r"|[A-Z](?:\.\d{1,3}(?!\w)){1,3})"
)
_HYPHENS = r"(?:-\d{1,4}[A-Za-z]{0,2}){1,2}(?!\w|\.\d)"
_WITHIN_PART = rf"\d{{1,4}}[A-Za-z]{{1,2}}\d{{0,2}}{_HYPHENS}"
_RULE, _RULES, _EITHER = (
    f"(?i:{vocabulary.pattern(['rule', 'section'], 'en', short=False, plural=plural)})"
    for plural in (False, True, None)
)
_SHORT_RULE = f"(?i:{vocabulary.pattern(['rule', 'section'], 'en')})"
_CFR_NUMBER = (
    rf"(?:(?:§§?\s?|{_SHORT_RULE}\.?\s)?(?<!-)\d{{1,3}}\.\d{{1,2}}-\d{{3,4}}(?:\.\d{{1,2}})?(?![\w-]|\.\d)"
    rf"|§§?\s?\d{{1,5}}\.(?:{_WITHIN_PART}|\d{{1,4}}(?:{_HYPHENS}|(?!\w|\.\d)))"
    rf"|(?:(?:{_EITHER}\s)?\d{{1,5}}\.|{_RULE}\s){_WITHIN_PART}"
    rf"|{_RULES}\s{_WITHIN_PART}(?=(?:,|,?\s(?:and|or|to|through))\s{_WITHIN_PART})"
    rf"|(?:(?<=and\s)|(?<=or\s)|(?<=to\s)|(?<=through\s)|(?<=,\s)){_WITHIN_PART})"
)
"""Numbers of American codes: § 240.10b-5 of the federal regulations, Rule 10b-5 without its part,
and section 59.1-580 of a state.
A hyphen between plain numbers is that of a range, but for § 240.0-1; and so may that of "sections
5a-7" be, but for "sections 5a-7 and 5a-8"."""
_SECTION_ROMAN = r"(?:[IVX]{1,5}(?!\w)(?:[.\s]\s?[A-H](?!\w))?(?:\.\d{1,2}(?!\w))*|[A-H](?!['’\w]))"
_COLON = r"\d{1,2}:\d{1,3}[a-z]{0,2}(?![\w:]|\.\d)"
"""Articles of Dutch codes, with the number of their book: 3:15."""
_HYPHENATED = (
    r"(?:\d{1,4}(?:-\d{1,4}){2,3}|\d-\d{3,4}|\d\d-\d{4}"
    + "".join(rf"|\d{{1,3}}{last}-[1-{last}]" for last in range(1, 10))
    + r"|(?<![a-z]s\s)(?<!§§\s)(?<!§§)(?:\d\d-\d|\d{3}-\d\d?|\d{4}-\d{1,3}))(?![\w-]|\.\d)"
)
"""Numbers with a hyphen that are no range by their length: § 34-1507, Article 22-2, § 10-1-393; but
"sections 112-15" are those up to 115."""
_INDIVISIBLE = re.compile(
    rf"(?:{_FRENCH_CODE}|{_HYPHENATED}|{_COLON}|\d{{1,5}}(?P<latin>{_LATIN})(?!\w))"
)
"""Numbers of one piece although they have a hyphen or blank inside."""
_LOOSE_LETTER = r"(?:\s(?:[b-hj-z](?!\w)|[ai](?=\s*[?.]?\s*$)))?"
_UNIT = rf"(?:(?i:{'|'.join(map(re.escape, vocabulary.longest_first(UNIT_WORDS)))})\.?)"
_BEFORE_DIGIT = r"(?=(?:[^\W\d_]{1,16}(?:[.-][a-z]{1,12})?|§§?)\.?\s?(?:[A-Za-z]\.?\s?)?\d)"
_FEW = rf"(?i:{'|'.join(vocabulary.number_words('en'))})"
_BEFORE_NUMBER = rf"(?=[^\W\d_]{{2,16}}\.?(?:\s?\d|\s(?:{_ROMAN}|[A-H]|{_FEW})(?!\w)))"
"""What is seen at once, before a word is held against all that mean a unit."""
_MANY = vocabulary.spellings(DIVISIONS | ATTACHMENTS, plural=True)
_CONTAINERS = {*CONTAINER_WORDS, *_MANY} - set(UNIT_WORDS)
_CONTAINER = rf"(?i:{'|'.join(vocabulary.longest_first(_CONTAINERS))})\.?"
_SECTION = f"(?i:{vocabulary.pattern(['section'], 'en', short=False)})"
_OF_GUIDANCE = ("paragraph", "item", "point")
_GUIDED = f"(?i:{vocabulary.pattern(_OF_GUIDANCE, 'en')})"

_PATTERN = re.compile(
    rf"""
    (?=[^\s,])(?:
    (?P<plain>\b(?!guidance\b)[a-z]+(?=\s(?!(?:{_FEW}|[ivxl]+)\b)[a-z]{{2}}))
  | (?P<section>{_FREE}{_SECTION}\s(?P<roman>{_SECTION_ROMAN}){_BRACKETS})
  | (?P<cfr>{_FREE}{_CFR_NUMBER}{_BRACKETS})
  | (?P<unit>{_FREE}{_BEFORE_DIGIT}{_UNIT})\s?
      (?P<of_unit>(?:{_FRENCH_CODE}|{_HYPHENATED}|{_COLON}|{_DOTTED}{_LOOSE_LETTER}|{_INTEGER}){_BRACKETS})
  | (?P<container>{_AFTER_DOT}{_BEFORE_NUMBER}{_CONTAINER}
      (?:\s?\d{{1,3}}[A-Za-z]?|\s(?:{_ROMAN}|[A-H]|{_FEW}))
      (?!\w))(?:\.(?P<in_container>(?:{_DOTTED}|{_INTEGER}){_BRACKETS}))?
  | (?P<guidance_on>(?i:guidance\son\s)[^,;?.]{{3,90}},\s
      {_GUIDED}\s\d{{1,3}}(?![\w.]))
  | (?P<guidance>{_AFTER_DOT}(?i:guidance)(?:\s(?:{_GUIDED}|(?i:note)))?
      (?:[\s.]?\(?(?:\d{{1,3}}(?!\.?\w)|[ivx]{{1,5}}(?=\))))?\)?{_BRACKETS})
  | (?P<heading>(?=[A-Z][a-z]{{3,30}}(?:\s?\(|\s[gG]))(?!{_UNIT}\b)[A-Z][a-z]{{3,30}}
      (?=\s?\((?:[a-z]|\d{{1,2}})\)|\s(?i:guidance)\b){_BRACKETS})
  | (?P<number>(?:{_FREE}|(?<=\d[-–—])|(?<=\d[A-Za-z][-–—])(?=\d+[A-Za-z]))
      (?:[LRDA]\.{_HYPHENATED_CODE}|{_HYPHENATED}|{_DOTTED}{_LOOSE_LETTER}|{_COLON}|{_INTEGER}){_BRACKETS})
  | (?P<brackets>(?<!;\sand\s)(?<!;\sor\s)(?:(?<=and\s)|(?<=or\s)|(?<=\sto\s)|(?<=\),\s))
      {_BRACKET}{_BRACKETS}
      |(?<![a-z]){_BRACKET}{_BRACKETS}(?=\s(?:of|in)\s|(?:,|,?\s(?:and|or|to))\s\(\w))
  | (?P<word>[^\W_]+(?:['’][^\W_]+)?(?:\s[IVX]{{2,3}}(?!\w))?)
  | (?P<stop>[?!]|\.(?=\s|$)))
    """,
    re.VERBOSE,
)
_IN_FIGURES = re.compile(r"\d|\([a-z]")
_SPELT_NUMBER = re.compile(rf"\s(?:{_ROMAN}|[A-H]|{_FEW})(?!\w)")
_HAS_GUIDANCE = re.compile("guidance", re.IGNORECASE)
_OF_NUMBERS = re.compile(r"[\d(]")
"""What every form of a number that `_with_tidy_numbers` changes has in it."""
_CAPITALS = re.compile(
    r"(?![IVX]+$)[A-Z][A-Za-z]*[A-Z][A-Z0-9]*(?: [IVX]+)?"
    r"|(?!Mrs|Ltd|Plc|Pty)[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-xz]{2,5}"
)
"""A code such as COBS, and one without vowels such as the Dutch Wft."""
_GLUED_CODE = re.compile(
    r"\b([A-Z]{2,8}(?=[-–_.]?\d+\.\w)|[a-z]{2,8}(?=[-–_.]?\d+\.\d+\.\d))[-–_.]?"
)
_SHORT_RANGE = re.compile(
    r"(?<![\w.])((?:\d{1,3}\.){2,})(\d{1,3})([-–—])(?=(\d{1,3})(?![\w(-]|\.\w))"
)
_SPACED_DOTS = re.compile(r"(?<![\w.,])\d{1,3}(?:(?:\s\.\s?|\.\s)\d{1,3}){2,}")
_NAMED_CFR = re.compile(
    rf"{numbered_titles.CFR_TITLE},? ?"
    rf"(?:(?:§§? ?|{_SECTION} )?(?=(\d{{1,5}}\.))|(?=(?i:{vocabulary.pattern(['part'], 'en')}) \d))"
)
_LAST_UNIT = re.compile(r"([^\W\d_]+|§+)\.?\s?$")
_RAISED = re.compile(r"(?<=\d)\.?[º°ª](?!\w)")
"""In Portuguese and Spanish a number may be an ordinal: `artigo 5.º`."""
_SPACED_LETTER = re.compile(
    r"(?<=[ .§])(\d{1,5})(?:-([A-Z])(?!\w)|\s([A-Z])(?=$|[^\w\s.]|\s[A-Z(])"
    r"|\s([a-z])(?=[?.!,]?\s*$|\s?\(|\s(?:Abs|Satz|Nr)\b))"
)
"""`section 5 A RKA`, `section 5-A` and `§ 5 a Abs. 1`; but `section 5 A firm must`."""
_BEFORE_SIGN = re.compile(r"(?<![\w.,§-])(\d{1,5})(?:\s?([a-z])(?=\s?§))?\s?§(?!\s?\d|§)")
"""`4 a §`, as Finnish and Swedish acts number their sections."""
_AND_FOLLOWING = re.compile(r"(?<=\d)\s?ff\b\.?")
_SLASH = re.compile(r"(?<=[\w)])/(?=\d{1,3}\.\d{1,3}\.\d)|(?<=[a-z§] \d)/(?=\d{1,2}(?![\w/]))")
_OF_A_YEAR = r"(?:19|20)\d\d"
_MANY_RULES = vocabulary.pattern(vocabulary.units_of("rule"), plural=True)
_PARTED = re.compile(
    rf"(?<!\w)({_MANY_RULES} (?!{_OF_A_YEAR}/)\d{{1,5}}[a-z]?)/(?=(?!{_OF_A_YEAR}\b)\d{{1,5}}[a-z]?"
    r"(?![\w/]))",
    re.IGNORECASE,
)
"""`ss 30101/30102`; but `Regulations 2016/679` is an act."""
_IN_BRACKETS = re.compile(r"(?<=[^\W\d_]) \((\d{1,3})\)")
_SPACED_SUFFIX = re.compile(r"(?<=\d)(\.\d{1,3}[A-Z]?) ([REG])(?![\w'’-])")
_BRACKET_RANGE = re.compile(r"(?<=\w)\((\w{1,3})\s?(?:[–—-]|\sto\s)\s?(\w{1,3})\)")
_BETWEEN_BRACKETS = re.compile(r"(?<=\w\)) ?([–—/-]) ?(?=\(\w{1,3}\))")
_NUMERAL = rf"(?:[IVXL]{{1,6}}|[A-H]|{_FEW})(?!\w)"
_MORE = r"(?:(?:,|,? (?:and|or|to)|,? &) | ?[–-] ?)"
_DASHES = frozenset("–-")
_AND_NUMERAL = re.compile(rf"{_MORE}(?={_NUMERAL})")
_GROUPS = vocabulary.pattern(DIVISIONS | ATTACHMENTS | {"section"}, "en", short=False, plural=True)
_NUMERALS = re.compile(rf"\b((?i:{_GROUPS})) ({_NUMERAL}(?:{_MORE}{_NUMERAL})+)")
_POINT = re.compile(
    rf"(?<=[\d)])(?:,? {vocabulary.pattern(['point', 'subparagraph'], 'en')}"
    rf"|(?P<aside>,)? {vocabulary.pattern(['paragraph', 'subsection', 'item'], 'en')})"
    r" (?=\(\w{1,4}\)(?>(?:(?:,|,? (?:and|or|to))? ?\(\w{1,4}\))*)(?! (?:of|in)\b)"
    r"(?(aside)(?:[^\w\s(]|$)))"
)
_POINT_NUMBER = re.compile(
    rf"(\b{vocabulary.pattern(vocabulary.units_of('rule'), 'en', plural=False)}"
    r" \d[\w.]*(?:\(\w{1,4}\))*)(?P<aside>,)?"
    rf" {vocabulary.pattern(['paragraph', 'subsection'], 'en', plural=False)} (\d{{1,2}}[a-z]?)"
    r"(?![\w.(]| (?:of|in)\b)(?(aside)(?=[^\w\s]|$))",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"\.\d+[A-Z]?([REG]|(?<=\d)[a-z])$")
_ANY_UNIT = vocabulary.pattern(vocabulary.units_of("division", "rule", "inner"), "en")
_AFTER_NAME = re.compile(rf"[,:]? (?:{_ANY_UNIT} \d|[A-Z]?\d+\.\d)", re.IGNORECASE)
_BEFORE_NAME = re.compile(r"\d[\w.()]*,? (?:(?:of|in|to|under) )?(?:the )?$")
_LONGER_NAME = re.compile(rf"(?: [a-z]+){{1,4}} (?:{'|'.join(sorted(GENRES))})s?\b")
_BEFORE_LAW = re.compile(r"(?:\s(?:the|of|under)|[\d)],?)\s$")
"""What leads to the name of a law in the text of another one."""
_NUMBER_BEHIND = re.compile(
    rf"(?:,? |,? \()(?:{_ANY_UNIT}|{vocabulary.pattern(ATTACHMENTS, 'en')})\s?\d", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CONTAINER_PARTS = re.compile(r"([^\W\d_]+?)\.?\s?(\d+[a-z]?|(?<=[\s.])[a-z]+)$")
_MEASURE = re.compile(
    r"\s?(?:%|per ?cent|percent|basis points|bps|million|billion|thousand|bn\b|times\b"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|(?:business |working |calendar )?(?:minute|hour|day|week|month|year)s?\b)",
    re.IGNORECASE,
)
_CURRENCY = re.compile(
    r"(?:\b(?:USD|AED|EUR|GBP|US\$|ISO|versions?|ver\.?|v\.?|basel|level|tier)|[$£€])\s?$",
    re.IGNORECASE,
)

_SILENT = {*vocabulary.spellings(_OF_GUIDANCE, "en"), "note"}

_FOREIGN_LINKS = frozenset(
    word
    for language in vocabulary.languages().values()
    for words in language.links.values()
    for phrase in words
    for word in phrase.replace("'", " ").split()
    if language.code != "en"
)

_GLUING = vocabulary.units_of("rule") | {"chapter", "paragraph", "part"}
GLUE_WORDS = frozenset({
    "a", "and", "at", "from", "in", "its", "of", "on", "or", "rulebook", "the", "through",
    "thru", "to", "under", "until",
    *_FOREIGN_LINKS, *vocabulary.spellings(_GLUING, "en", short=False),
})  # fmt: skip
"""Words that may be between the pieces of one reference."""


def tidy(question: str) -> str:
    """Return a question with one form of each character, single blanks, and numbers in one form.

    "COBS3.4.2" and "COBS-3.4.2" are parted, "3. 4. 2" and "3.4.2 R" are joined, "3.4.2ff" is
    3.4.2, "3.4.2/3.4.3" are two, and "3.4.2-4" is "3.4.2-3.4.4". "129b(4-6)" and "129b(4)-(6)" are
    "129b(4) to (6)", and "92(1), point (a)" and "section 92, subsection 1" are "92(1)(a)" and
    "section 92(1)". "The First Schedule" is "the Schedule 1", "Annexes I and II" are "Annex I and
    Annex II", and "17 CFR 240.10b-5" is "§ 240.10b-5".
    """
    plain = " ".join(compatible(_RAISED.sub("", question)).split())
    numbers = _with_tidy_numbers(plain) if _OF_NUMBERS.search(plain) else plain
    return with_counted_attachments(_NUMERALS.sub(_with_each_its_word, numbers))


def _with_tidy_numbers(question: str) -> str:
    """Return a question whose numbers in digits and brackets have one form."""
    signed = _BEFORE_SIGN.sub(lambda match: f"§ {match[1]}{match[2] or ''}", question)
    joined = _SPACED_DOTS.sub(lambda match: match.group().replace(" ", ""), signed)
    joined = _NAMED_CFR.sub(lambda match: "§ " if match[1] else "", joined)
    parted = _SHORT_RANGE.sub(_with_whole_end, _GLUED_CODE.sub(r"\1 ", joined))
    plain = _SLASH.sub(" and ", _AND_FOLLOWING.sub("", parted))
    plain = _PARTED.sub(r"\1 and ", plain) if "/" in plain else plain
    plain = _IN_BRACKETS.sub(_without_brackets, plain)
    ranges = _BRACKET_RANGE.sub(r"(\1) to (\2)", _BETWEEN_BRACKETS.sub(_spelt, plain))
    ranges = with_roman_paragraphs(ranges)
    levels = with_bracketed_levels(_SPACED_LETTER.sub(_with_its_letter, ranges))
    points = _POINT_NUMBER.sub(r"\1(\3)", _POINT.sub("", levels))
    return _SPACED_SUFFIX.sub(r"\1\2", points)


def _without_brackets(number: re.Match[str]) -> str:
    """Return the number alone where it is that of a recital: `recital (12)`, as in EU acts."""
    return f" {number[1]}" if _unit_before(number) == "recital" else number[0]


def _unit_before(number: re.Match[str]) -> str | None:
    before = _LAST_UNIT.search(number.string, max(0, number.start() - 20), number.start())
    return vocabulary.unit_of(before[1]) if before else None


def _with_its_letter(number: re.Match[str]) -> str:
    if _unit_before(number) not in _NUMBERED:
        return number[0]
    return f"{number[1]}{number[2] or number[3] or number[4]}"


def _with_each_its_word(numerals: re.Match[str]) -> str:
    """Return "Annex I and Annex II" for "Annexes I and II"."""
    plural = numerals[1]
    unit = vocabulary.unit_of(plural) or ""
    word = vocabulary.languages()["en"].name_of(unit)
    word = word.capitalize() if plural[0].isupper() else word
    return _AND_NUMERAL.sub(
        lambda link: f"{' to ' if link[0].strip() in _DASHES else link[0]}{word} ",
        f"{word} {numerals[2]}",
    )


def _with_whole_end(start: re.Match[str]) -> str:
    """Return the start of "3.4.2-4" as far as the 4, so that "3.4.2-3.4.4" comes of it."""
    before, first, sign, last = start.groups()
    return f"{before}{first}{sign}{before}" if int(first) < int(last) else start.group()


def _spelt(sign: re.Match[str]) -> str:
    """Return what stands for a dash or slash between brackets."""
    return " and " if sign[1] == "/" else " to "


def may_name_a_rule(question: str) -> bool:
    """Return whether a tidy question can name a rule: most have not even a digit."""
    return has_number(question) or _HAS_GUIDANCE.search(question) is not None


def has_number(text: str) -> bool:
    """Return whether a text has a number that may be a rule's or a part's: `3.4.2`, `Part II`."""
    if _IN_FIGURES.search(text):
        return True
    return any(map(_unit_before, _SPELT_NUMBER.finditer(text)))


def read_words(question: str, names: DocumentNames, *, in_rules: bool = False) -> Iterator[Word]:
    """Yield the pieces of a tidy question in its order; glue words are left out.

    A piece that cannot belong to a reference has the role `other`: references end there.

    Args:
        question: a question, or a line of a passage.
        names: of the documents that are held.
        in_rules: whether it is a line of a passage, where other laws are named in full and "Rules"
            or "Regulations" may be the own ones.
    """
    place = 0
    for document in _documents(question, names, in_rules):
        yield from _between(question, place, document.start, names)
        yield document
        place = document.end
    yield from _between(question, place, len(question), names)


def _documents(question: str, names: DocumentNames, in_rules: bool) -> list[Word]:
    """Return the documents named in capitals or by title, and names of documents not indexed."""
    known = [
        Word("document", m.start, m.end, document_ids=m.document_ids)
        for m in names.mentions(question)
    ]
    known += [
        Word("document", m.start, m.end, document_ids=m.document_ids)
        for m in names.partly_named(question)
        if _beside_number(question, m) and _apart(m.start, m.end, known)
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
        whole = " " in name and ("." not in name or name[0].isdigit())
        if not overlapped and (whole or not names.has_name(name)):
            known.append(Word("unknown", law.start, law.end, firm=law.full))
        elif not in_rules and len(overlapped) == 1 and law.start < overlapped[0].start:
            more = question[law.start : overlapped[0].start]
            if names.has_other_words(more, overlapped[0].document_ids):
                known.remove(overlapped[0])
                known.append(Word("unknown", law.start, max(law.end, overlapped[0].end)))
    return sorted(known, key=lambda word: word.start)


def _as_another_law(question: str, word: Word, names: DocumentNames) -> Word:
    """Return a document as unknown where the name has the year of another one."""
    if word.role != "document":
        return word
    end = names.end_of_another_year(question, word.start, word.end, word.document_ids)
    return Word("unknown", word.start, end) if end else word


def _led_to(text: str, law: LawName) -> bool:
    dated = _YEAR.search(text, law.start, law.end) is not None
    if dated and _NUMBER_BEHIND.match(text, law.end):
        return True
    before = _BEFORE_LAW.search(text[max(0, law.start - 8) : law.start])
    return bool(before) and (text[law.start - 2].isalpha() or dated)


def _apart(start: int, end: int, words: Sequence[Word]) -> bool:
    return all(end <= word.start or start >= word.end for word in words)


def _beside_number(question: str, mention: Mention) -> bool:
    before = question[max(0, mention.start - 40) : mention.start]
    return bool(_AFTER_NAME.match(question, mention.end) or _BEFORE_NAME.search(before))


def _between(question: str, start: int, end: int, names: DocumentNames) -> Iterator[Word]:
    cut = False  # whether the last word was another one: a second one says no more
    for match in _PATTERN.finditer(question, start, end):
        if text := match["plain"] or match["word"]:
            word = _plain(text, match, names, cut)
            if word is None:
                continue
            yield word
            cut = word.role == "other"
        elif match["stop"] or (match["number"] and _is_amount(question, match)):
            yield Word("other", *match.span())
            cut = True
        elif match["container"]:
            yield from _container(match)
            cut = False
        else:
            yield _piece(match)
            cut = False


def _plain(text: str, match: re.Match[str], names: DocumentNames, cut: bool) -> Word | None:
    if ids := names.with_code(text):
        firm = _CAPITALS.fullmatch(text) is not None  # "AktG" is no ordinary word
        return Word("document", *match.span(), document_ids=ids, firm=firm)
    if (
        match["word"]
        and _CAPITALS.fullmatch(text)
        and not _is_no_code(text, names)
        and not _LONGER_NAME.match(match.string, match.end())
    ):
        return Word("unknown", *match.span(), firm=False)
    glue = text.lower() in GLUE_WORDS or names.is_publisher(text)
    return None if cut or glue else Word("other", *match.span())


def _is_no_code(text: str, names: DocumentNames) -> bool:
    return text in NOT_CODES or names.is_publisher(text)


def _container(match: re.Match[str]) -> Iterator[Word]:
    """Yield "Part 5", and the number after its dot in "Part 5.13.3.9"."""
    spelt, number = _CONTAINER_PARTS.findall(match["container"].lower())[0]
    unit = vocabulary.unit_of(spelt) or spelt
    plural = spelt not in CONTAINER_WORDS
    yield Word("container", *match.span("container"), segments(f"{unit} {number}"), plural=plural)
    if inner := match["in_container"]:
        yield _number(inner, match.span("in_container"))


def _piece(match: re.Match[str]) -> Word:
    """Return the word that a match of `_PATTERN` stands for, if a number or guidance."""
    text, span = match.group(), match.span()
    if match["cfr"]:
        return _cfr_number(text, span)
    if match["section"]:
        found = _alphanumerics(text)
        return Word("number", *span, (f"section {found[1]}", *found[2:]), 1, "section")
    if match["unit"]:
        spelt = match["unit"].lower().rstrip(".")
        unit, plural = UNIT_WORDS[spelt], spelt in _PLURAL_WORDS
        return replace(_number(match["of_unit"], span), unit=unit, plural=plural)
    if match["guidance_on"]:
        heading, number = text.rsplit(", ", 1)
        return Word("guidance", *span, (*segments(heading), _alphanumerics(number)[-1]))
    if match["guidance"]:
        return Word("guidance", *span, tuple(w for w in _alphanumerics(text) if w not in _SILENT))
    return _number(text, span, "heading" if match["heading"] else "number")


def _number(text: str, span: tuple[int, int], role: Role = "number") -> Word:
    if coded := _INDIVISIBLE.match(text):
        first = segments(coded[0])[0]
        return Word(role, *span, (first, *_alphanumerics(text[coded.end() :])), 1)
    found = _alphanumerics(text)
    unbracketed = text.split("(", 1)[0].rstrip(" .")
    before_brackets = _alphanumerics(unbracketed)
    letters = (i for i, part in enumerate(before_brackets) if i and part.isalpha())
    suffix = _SUFFIX.search(unbracketed)
    core = next(letters, len(before_brackets))
    return Word(role, *span, found, core, suffix=suffix.group(1) if suffix else "")


def _cfr_number(text: str, span: tuple[int, int]) -> Word:
    number, _, brackets = text.lower().partition("(")
    named = re.match(r"[^\W\d_]+|§+", number)
    unit = UNIT_WORDS[named[0]] if named else "" if "." not in number else "section"
    core = tuple(re.findall(r"\d[a-z0-9-]*", number))
    said = (*core, *_alphanumerics(brackets))
    plural = named is not None and named[0] in _PLURAL_WORDS
    return Word("number", *span, said, len(core), unit, plural=plural)


def _alphanumerics(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z0-9]+", text.lower()))


def _is_amount(question: str, match: re.Match[str]) -> bool:
    return bool(
        _MEASURE.match(question, match.end()) or _CURRENCY.search(question[: match.start()][-12:])
    )
