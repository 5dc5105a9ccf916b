"""The terms that a passage defines, and the defined terms that another one uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from search.language import vocabulary
from search.provisions.documents.titles import document_code, normalised
from search.records import DocumentSummary, Passage

LONGEST_TERM = 8
"""Words of the longest term that is looked for; a glossary of 1,300 has few longer ones."""

_GIVES, _TOGETHER, _IN_RELATION, _NO_TERM, _INSIDE, _CALLED = (
    vocabulary.any_of(f"definitions.{key}", "en")
    for key in ("gives", "together", "relation", "no_term", "inside_term", "called")
)
_DEFINES = rf"\s*(?:\t|\s){_GIVES}\b"
_WORDS = r"[^\s,;.()“”]+(?:\s[^\s,;.()“”]+){1,9}"
_RELATION = rf"(?:\s\({_WORDS}\)|,\s{_IN_RELATION}\s{_WORDS},)?"
_QUOTED = re.compile(
    rf"[“\"‘'](?P<term>[^”\"’'\n]{{2,80}})[”\"’']{_RELATION}(?:{_DEFINES}|\s{_TOGETHER}\b)",
    re.IGNORECASE,
)
_ALSO = re.compile(r"[“\"‘'](?P<term>[^”\"’'\n]{2,80})[”\"’']\s(?:or|and)\s(?=[“\"‘'])")
_PLAIN = re.compile(
    rf"^(?:\(?\w{{1,4}}[.)]\s+)?(?:In\s\w+\s\w+,\s)?(?:{_NO_TERM}\s(?:{_CALLED}\s)?)?"
    rf"(?P<term>(?!{_NO_TERM}\b)[A-Z0-9][\w’'&/-]*"
    rf"(?:[ ](?:[A-Z0-9][\w’'&/-]*|{_INSIDE})){{0,7}}?){_DEFINES}",
    re.MULTILINE,
)
_TABLE = re.compile(r"^\s*(?:Defined\s)?Terms?\s*\t\s*(?:Definition|Meaning)s?\s*$", re.IGNORECASE)
_STARS = re.compile(r"(\*{1,2})(?=\S)([^*\n]{2,82})(?<=\S)\1")
_ITEM = re.compile(
    r"\s*(?:\(?[a-zA-Z0-9]{1,4}\)|(?:\d{1,4}[a-zA-Z]?|[a-zA-Z]|[ivxlcIVXLC]{2,5})\.|[•*-])\s"
)
"""What an item of a list begins with; a short word that ends a sentence, "fee. It", is none."""
_GOES_ON = re.compile(
    r"(?!\s*[/\\](?:\w+\s+(?:start|end)|(?:start|end)_\w+)\b)[^\t]*\S[^\t]*$", re.IGNORECASE
)
"""A line that is neither blank nor of a table."""
_OPENS_LIST = (":", "—", "–")
_WORD = re.compile(r"[^\W_]+(?:['’&/-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Definition:
    """A term with the passage that defines it."""

    term: str
    """As the definition writes it."""
    passage: Passage
    text: str
    """The line that defines it and those that belong to it: what continues its sentence or in its
    cell, and the items of a list."""

    @property
    def opening(self) -> str:
        """The line that defines it."""
        return self.text.partition("\n")[0].strip()


def definitions_in(passage: Passage) -> tuple[Definition, ...]:
    """Return the terms that a passage defines: "“Client” means …", or the rows of a glossary."""
    found = dict[str, Definition]()
    lines = _STARS.sub(r"\2", passage.text).split("\n")  # **Client** of Markdown
    table = False
    for place, line in enumerate(lines):
        table = table or _TABLE.match(line) is not None
        for term in _terms_of(line, table):
            if key := term_key(term):
                found.setdefault(key, Definition(term, passage, _whole(lines, place)))
    return tuple(found.values())


def defines(passage: Passage) -> bool:
    """Return whether a passage defines any term."""
    return bool(definitions_in(passage))


def by_key(definitions: Iterable[Definition]) -> dict[str, Definition]:
    """Return definitions by their terms in lower case and singular; the first of a term counts."""
    found: dict[str, Definition] = {}
    for one in definitions:
        found.setdefault(term_key(one.term), one)
    return found


def terms_used(passage: Passage, known: Mapping[str, Definition]) -> tuple[Definition, ...]:
    """Return the definitions of the terms that a passage uses, in the order of their first use.

    A term that is defined with a capital counts where it has one. Of "Client Money" and "Client"
    the longer is meant. What the passage defines itself is left out.
    """
    words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(passage.text)]
    used: dict[str, Definition] = {}
    place = 0
    while place < len(words):
        key, length = _longest(passage.text, words, place, known)
        if key and known[key].passage.id != passage.id:
            used.setdefault(key, known[key])
        place += length or 1
    return tuple(used.values())


def _longest(
    text: str, words: list[tuple[str, int, int]], place: int, known: Mapping[str, Definition]
) -> tuple[str, int]:
    first = words[place]
    end = place + 1
    while end < len(words) and end - place < LONGEST_TERM:
        gap = text[words[end - 1][2] : words[end][1]]
        if not gap.isspace() or "\t" in gap or gap.count("\n") > 1:
            break
        end += 1
    for last in range(end, place, -1):
        term = text[first[1] : words[last - 1][2]]
        definition = known.get(term_key(term))
        if definition and (term[0] == definition.term[0] or definition.term[0].islower()):
            return term_key(definition.term), last - place
    return "", 0


def _whole(lines: Sequence[str], place: int) -> str:
    """Return the line of a definition with what belongs to it.

    In a row of a table these are all lines before the next row; elsewhere the items of a list that
    it opens, and the lines that continue a sentence: lines are cut for their width, and what a
    list leaves open is closed behind it.
    """
    row = "\t" in lines[place] and not _ITEM.match(lines[place])
    whole = [lines[place]]
    for following in lines[place + 1 :]:
        in_row = bool(_ITEM.match(following) or _GOES_ON.match(following))
        goes_on = in_row if row else _continues(whole, following)
        if not goes_on or any(True for _ in _terms_of(following, table=False)):
            break
        whole.append(following)
    return "\n".join(whole).strip()


def _continues(whole: Sequence[str], line: str) -> bool:
    if _ITEM.match(line):
        return any(one.rstrip().endswith(_OPENS_LIST) for one in whole)
    end = whole[-1].rstrip(" \t”\"’')]")[-1:]
    unfinished = end not in {".", ";", "?", "!"} or line.lstrip()[:1].islower()
    return bool(unfinished and _GOES_ON.match(line))


def _terms_of(line: str, table: bool) -> Iterator[str]:
    for pattern in (_QUOTED, _ALSO):
        yield from (match["term"] for match in pattern.finditer(line))
    if plain := _PLAIN.search(line):
        yield plain["term"]
    elif table and not _TABLE.match(line):
        term, _, meaning = (one.strip() for one in line.partition("\t"))
        if meaning and re.fullmatch(r"[A-Z0-9][^()]{1,80}", term):
            yield from term.split(", ")


def term_key(term: str) -> str:
    """Return what a term and its other forms have in common: lower case, singular."""
    words = _WORD.findall(term)
    return (
        " ".join((*(word.lower() for word in words[:-1]), normalised(words[-1]))) if words else ""
    )


GLOSSARY_CODES = frozenset(vocabulary.words("documents.glossary_codes", "en"))
GLOSSARY_WORDS = vocabulary.words("documents.glossaries", "en")
"""What the title of such a document has."""


def is_glossary(document: DocumentSummary) -> bool:
    """Return whether a document defines terms, by its title or DocumentID."""
    title = document.title.casefold()
    codes = {document_code(document.title), document.document_id.upper()}
    return bool(codes & GLOSSARY_CODES) or any(word in title for word in GLOSSARY_WORDS)
