"""Takes an answer apart into statements, each with its citations and its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from generation.statements.forces import forces_in
from generation.statements.quotes import quotations
from generation.statements.silence import silence_of
from generation.statements.words import folded
from generation.text.citation_styles import MARKER, cited_numbers
from generation.text.phrases import NOT_INDEXED, NOT_QUOTED, OWN_LINES
from generation.text.sentences import split_sentences
from search.language import vocabulary

_LISTED = re.compile(r"(?: [^\s,.;:]+,)*(?: [^\s,;:]+)\.")
"""Single words in a row: no clause can be made of them that claims something."""

MOST_OF_A_TITLE = 2
"""Words between two commas of a title."""


def is_frame(claim: str) -> bool:
    """Return whether a sentence only says what the passages lack."""
    if claim.startswith(NOT_QUOTED):
        rules = claim.removeprefix(NOT_QUOTED).rstrip(".").split(", ")
        return not forces_in(folded(claim)) and all(map(_is_numbered, rules))
    if claim.startswith(NOT_INDEXED):
        return _LISTED.fullmatch(claim.removeprefix(NOT_INDEXED)) is not None
    silence = silence_of(claim)
    return silence is not None and silence.is_frame


def _is_numbered(rule: str) -> bool:
    """Return whether a name and what can be the number of a rule are all: `GEN 3.5.8`, `COBS I`."""
    if len(rule.split()) <= MOST_OF_A_TITLE and any(map(str.isdigit, rule)):
        return True  # of a title with commas, such as `Health Act, 2004, c. 3, Sched. A`
    named, _, number = rule.strip().rpartition(" ")
    if number.startswith("(") or not (named[:1].isupper() or named in ("", "paragraph")):
        return False
    return any(char.isdigit() or char.isupper() for char in number)


FEWEST_WORDS = 4
"""What cites nothing and has fewer words is a phrase, not a statement."""

_CLAUSE_END = re.compile(
    rf"(?:{MARKER.pattern})(?:; (?:and |but )?|, (?:and|but|while|whereas) )(?=\w)"
)
_BULLET = re.compile(r"[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+")
_MARKERS = re.compile(rf"(?:{MARKER.pattern}[ \t]*)+")
_AFTER_STOP = re.compile(
    rf"(?<=[.!?”\"’)*])[ \t]?(?>(?:{MARKER.pattern}[ \t]?)+)[.]?(?=[ \t]*[A-Z0-9“\"(*])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNFINISHED = re.compile(r"[;,:—–]\s*(?:and|or)?\s*$|,?\s(?:and|or)\s*$", re.IGNORECASE)
_POINTING = frozenset(vocabulary.words("pointing.words", "en"))
"""Words of a sentence that tells only where something is."""

_LABEL = re.compile(r"\*\*[^*\n]{1,300}\*\*[ \t]*(?:\([^\n]{0,300}?\)[ \t]*)?:[ \t]*(?=[“\"\n]|$)")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One statement as it is in the answer."""

    text: str
    """White space folded, without the bullet."""
    citations: tuple[int, ...]
    start: int
    end: int
    """Offsets in the answer, bullet excluded."""
    shared: bool = False
    """Whether the citations stand for other statements as well."""

    def moved(self, characters: int) -> Spoken:
        """Return the same statement so much further on."""
        return replace(self, start=self.start + characters, end=self.end + characters)

    @property
    def label(self) -> str:
        """The bold name of a rule that a quotation follows, such as `**COBS 3.5.8**:`."""
        found = _LABEL.match(self.text)
        return found[0] if found else ""

    @property
    def claim(self) -> str:
        """The statement without its citations and its label."""
        return _MARKERS.sub("", self.text[len(self.label) :]).strip()

    @property
    def clauses(self) -> tuple[Spoken, ...]:
        """The clauses of a sentence each of which has citations of its own: "A [1], and B [2]."""
        cuts = [found.end() for found in _CLAUSE_END.finditer(self.text)]
        pieces = [self.text[a:b] for a, b in pairwise([0, *cuts, len(self.text)])]
        made = [replace(self, text=piece.strip(), citations=_citations(piece)) for piece in pieces]
        whole = all(one.citations and len(_WORD.findall(one.claim)) >= FEWEST_WORDS for one in made)
        return tuple(made) if whole and not quotations(self.text) else (self,)


@lru_cache(maxsize=16)  # what reads an answer reads it several times
def statements_in(text: str) -> tuple[Spoken, ...]:
    """Return the statements of an answer whose citations are unified, in order.

    A statement is a sentence or a whole quotation; citations behind the stop belong to the
    sentence before. Headings, introductions, and sentences that only speak of the answer itself
    are none, and questions are none either.
    """
    groups = (_shared(text, group) for group in _paragraphs(text))
    return tuple(one for group in groups for one in group if _is_statement(one))


def sentences_in(text: str) -> list[Spoken]:
    """Return everything that an answer says, sentence by sentence, headings among it, in order."""
    found: list[Spoken] = []
    for start, end in _blocks(text):
        if shown := " ".join(text[start:end].split()):
            found += list(_of_block(text, start, end)) or [Spoken(shown, (), start, end)]
    return found


def _paragraphs(text: str) -> list[list[Spoken]]:
    """Return the sentences of each paragraph, list or table.

    What only points to passages belongs to what is above it.
    """
    made: list[list[Spoken]] = [[]]
    for start, end in _blocks(text):
        if text[start:end].strip():
            made[-1] += _of_block(text, start, end)
        else:
            made.append([])
    joined: list[list[Spoken]] = []
    for group in filter(None, made):
        if joined and all(map(_points, group)):
            joined[-1] += group
        else:
            joined.append(group)
    return joined


def _shared(text: str, group: Sequence[Spoken]) -> list[Spoken]:
    """Return sentences with the numbers that they share.

    Numbers that stand alone, or in a sentence that only points to them ("Passages [1] and [2] are
    relevant."), are those of all that comes before them and has none. A list is one sentence: what
    its last item cites, those that continue in it cite too; what its introduction cites, all items.
    """
    made = list(group)
    for place in range(len(made) - 1, -1, -1):
        above = place - 1
        while above >= 0 and made[place].citations and not made[above].citations:
            if not (_points(made[place]) or _goes_on(made[above])):
                break
            made[above] = _citing(made[above], made[place].citations)
            above -= 1
    introduced: tuple[int, ...] = ()
    for place, one in enumerate(made):
        if one.citations:
            introduced = one.citations if one.claim.endswith(":") else ()
        elif "\n" in text[made[place - 1].end : one.start]:
            made[place] = _citing(one, introduced)
    return made


def _points(spoken: Spoken) -> bool:
    """Return whether a sentence has nothing but numbers, and words that point to them."""
    return bool(spoken.citations) and set(_WORD.findall(folded(spoken.claim))) <= _POINTING


def _goes_on(spoken: Spoken) -> bool:
    return bool(_UNFINISHED.search(spoken.claim))


def _citing(spoken: Spoken, numbers: tuple[int, ...]) -> Spoken:
    """Return a sentence with numbers, unless it says nothing that could rest on them."""
    words, figures = _WORD.findall(spoken.claim), any(map(str.isdigit, spoken.claim))
    if is_frame(spoken.claim) or (len(words) < FEWEST_WORDS and not figures):
        return spoken
    return replace(spoken, citations=numbers, shared=bool(numbers))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line; a line continues while a quotation is open."""
    start, place, depth = None, 0, 0
    for line in text.splitlines(keepends=True):
        blank = not line.strip()
        if start is None:
            start = place
        depth += line.count("“") - line.count("”")
        if blank or depth <= 0:
            yield start, place + len(line)
            start, depth = None, 0
        place += len(line)
    if start is not None:
        yield start, place


def _of_block(text: str, start: int, end: int) -> Iterator[Spoken]:
    bullet = _BULLET.match(text, start, end)
    start = bullet.end() if bullet else start
    if text[start:end].lstrip().startswith("#"):
        return
    if text.startswith(OWN_LINES, start):
        shown = " ".join(text[start:end].split())
        yield Spoken(shown, _citations(shown), start, end)
        return
    label = _LABEL.match(text, start, end)
    # The headings in a label have full stops of their own.
    spans = _joined(text, _sentences(text, label.end() if label else start, end))
    if label and spans:
        spans[0] = (start, spans[0][1])
    for first, last in spans:
        shown = " ".join(text[first:last].split())
        yield Spoken(shown, _citations(shown), first, last)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    # Where the first sentence has its numbers in front, so have the others.
    cuts = [
        found.start() if _MARKERS.match(text, start) else found.end()
        for found in _AFTER_STOP.finditer(text, start, end)
    ]
    for first, last in zip([start, *cuts], [*cuts, end], strict=True):
        place = first
        for sentence in split_sentences(text[first:last]):
            place = text.index(sentence, place, last)
            yield place, place + len(sentence)
            place += len(sentence)


def _joined(text: str, spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sentences with the citations that follow them; one continues while a quote is open."""
    made: list[tuple[int, int]] = []
    depth = straight = 0
    for first, last in spans:
        piece = text[first:last]
        opened = depth > 0 or straight % 2 == 1
        if made and (opened or _MARKERS.fullmatch(piece)):
            made[-1] = (made[-1][0], last)
        elif made and (lead := _MARKERS.match(piece)) and not cited_numbers(text[slice(*made[-1])]):
            made[-1] = (made[-1][0], first + lead.end())
            made.append((first + lead.end(), last))
        else:
            made.append((first, last))
        depth = max(0, depth + piece.count("“") - piece.count("”"))
        straight += piece.count('"')
    return made


def _citations(shown: str) -> tuple[int, ...]:
    """Return the numbers cited; those in quotations, which may be the source's, only for want of
    others.
    """
    outside, place = [], 0
    for quoted in quotations(shown):
        outside.append(shown[place : quoted.start])
        place = quoted.end
    return tuple(cited_numbers(" ".join([*outside, shown[place:]])) or cited_numbers(shown))


def _is_statement(spoken: Spoken) -> bool:
    claim = spoken.claim.strip("*_ ")
    if _points(spoken) or claim.rstrip("”\"’'").endswith("?"):
        return False
    words = _WORD.findall(claim)
    if not words or (len(words) < FEWEST_WORDS and not spoken.citations):
        return False
    if is_frame(claim):
        return False
    # An introduction states nothing unless it binds: "A firm must, within a day, do this:".
    return not claim.endswith(":") or bool(forces_in(folded(claim)))
