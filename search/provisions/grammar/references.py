"""Putting the words of a question together to references: containers, number, guidance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from search.language import vocabulary
from search.provisions.grammar.gaps import (
    AND,
    TO,
    continues,
    is_list,
    is_range,
    joins,
    leads_inside,
)
from search.provisions.grammar.words import Word
from search.provisions.numbering import container_kind, named_container
from search.provisions.roman import roman_value
from search.text.analyzer import FUNCTION_WORDS
from search.text.characters import LETTERS


def sorts_of(piece: str) -> frozenset[str]:
    """Return what a piece of a number may be: `i` is a letter and a numeral; `2a` is a figure."""
    if piece[:1].isdigit():
        return frozenset({"figure"})
    sorts = {"letter": len(piece) <= 2, "numeral": roman_value(piece)}
    return frozenset(sort for sort, it_may_be in sorts.items() if it_may_be)


def level_of(pieces: Sequence[str], number: Sequence[str], core: int) -> int:
    """Return where in a number pieces of a list continue: `(2)` behind 5(1)(a) goes to 5(2).

    They take the place of the innermost piece of their own sort, by preference one that they come
    directly after, so that `(i)` behind (h) is a letter.

    Args:
        pieces: of the next member of the list, without the number that it leaves out.
        number: of the member before.
        core: how many of its pieces come before the first bracket; they stay.
    """
    sorts = sorts_of(pieces[0])
    inner = range(len(number) - 1, core - 1, -1)
    alike = [place for place in inner if sorts & sorts_of(number[place])]
    next_one = (place for place in alike if _comes_after(number[place], pieces[0]))
    fallback = max(core, len(number) - len(pieces))
    return next(next_one, alike[0] if alike else fallback)


def _comes_after(one: str, other: str) -> bool:
    if one.isdecimal() and other.isdecimal():
        return int(other) == int(one) + 1
    first, second = roman_value(one), roman_value(other)
    if first and second and second == first + 1:
        return True
    return len(one) == len(other) == 1 and ord(other) == ord(one) + 1


INNER_UNITS = vocabulary.units_of("inner")
"""Rule words of what is inside a rule or an attachment."""

_ASIDE = frozenset({"", ","})
_OF_ANOTHER = re.compile(
    rf"(?:(?:,\s?|,?\s{vocabulary.alternatives(AND | TO)}\s|\s?[–-]\s?)\(?\w{{1,4}}\)?){{0,8}}"
    r"\s(?:of|in)\s"
)
"""Behind "Article 5, paragraph 2" or a list: of Schedule 1."""
_NOUN = re.compile(r"\s(?P<word>[a-z][\w-]*)")
_VERBS = frozenset(vocabulary.words("asked.rules_do", "en"))


@dataclass(frozen=True, slots=True)
class Reference:
    """A rule number while it is put together from words; see `Word` for the fields."""

    start: int = 0
    end: int = 0
    containers: tuple[str, ...] = ()
    number: tuple[str, ...] = ()
    core: int = 0
    unit: str = ""
    plural: bool = False
    """Whether its rule word was plural, or that of its only container."""
    heading: tuple[str, ...] = ()
    guidance: tuple[str, ...] = ()
    suffix: str = ""
    inner: int = 0
    """How many segments at the end of the number stood before it: 1 in "(b) of 3.4.2"."""
    inner_unit: str = ""
    """The rule word of these: `paragraph` in "paragraph 2 of Article 5"."""
    below: int = 0
    """How many segments at the end came with a word of their own: 1 in "Article 6, paragraph 1"."""
    below_unit: str = ""
    """That word."""

    def __bool__(self) -> bool:
        return bool(self.number or self.containers or self.guidance)

    def through(self, word: Word) -> Reference:
        """Return the reference stretched to the end of a word."""
        return replace(self, start=self.start if self else word.start, end=word.end)


@dataclass(slots=True)
class Cluster:
    """Words with nothing but glue between them."""

    documents: list[Word] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


def runs(question: str, words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield runs of words that may form references, cut where other words are."""
    run: list[Word] = []
    for i, word in enumerate(words):
        before = run[-1] if run else None
        after = words[i + 1] if i + 1 < len(words) else None
        if _belongs(question, before, word, after):
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _belongs(question: str, before: Word | None, word: Word, after: Word | None) -> bool:
    if word.role == "heading":
        return before is not None and question[before.end : word.start] == " "
    if word.role == "document" and not word.firm:
        return _code_in_place(question, before, word, after)
    return word.role != "other"


def _code_in_place(question: str, before: Word | None, word: Word, after: Word | None) -> bool:
    rest = question[word.end :]
    if after and after.role in {"number", "container", "guidance"}:
        bare = after.role == "number" and not after.unit and len(after.segments) == 1
        gap = question[word.end : after.start]
        if re.fullmatch(r" (?:rulebook )?|: ", gap) and not (
            bare and question[after.end :].strip(" ?.")
        ):
            return True
    if before and before.role in {"number", "container", "guidance"}:
        gap = question[before.end : word.start]
        if re.fullmatch(r" (?:of|in) (?:the )?", gap):
            return True
        return re.fullmatch(r",? ", gap) is not None and not re.match(r"\s\w", rest)
    return False


def assemble(question: str, words: Sequence[Word]) -> Cluster:
    """Put the words of a run together to references; documents are bound later."""
    cluster = Cluster()
    current, previous, gap = Reference(), words[0], ""
    for word in words:
        between = question[previous.end : word.start] if word is not previous else ""
        named = previous.role in {"document", "unknown"}
        # In "section 92 of FSMR, rule 6.1.1" the rule is not what section 92 is of.
        gap = between if named and ("," in between or joins(between)) else f"{gap} {between}"
        previous = word
        if word.role in {"document", "unknown"}:
            cluster.documents.append(word)
            continue
        if below := _below(question, current, word, gap):
            current, gap = below, ""
            continue
        joined = joins(gap)
        grown = _grow(current, word, joined, gap)
        if grown is None:
            cluster.references.append(current)
            grown = _begun(question, current, word)
        current, gap = grown, ""
    if current:
        cluster.references.append(current)
    _complete_guidance(cluster.references)
    share_attachment(cluster.references)
    _share_division(question, cluster.references)
    _share_whole(question, cluster.references)
    return cluster


def _below(question: str, current: Reference, word: Word, gap: str) -> Reference | None:
    """Return "Article 6, paragraph 1" as 6(1), if the paragraph is not one of something else."""
    is_sign = current.unit == "article" and question[word.start] == "§"
    unit = "paragraph" if is_sign else word.unit
    if not current.number or unit not in INNER_UNITS or word.core != 1 or gap.strip() not in _ASIDE:
        return None
    around = current.below_unit or current.unit
    ranks = vocabulary.units()
    inside = around not in ranks or ranks[around].rank < ranks[unit].rank
    if not inside or _OF_ANOTHER.match(question, word.end):
        return None
    number = (*current.number, *word.segments)
    wider = replace(current.through(word), number=number, plural=False)
    return replace(wider, below=len(word.segments), below_unit=unit)


def _grow(current: Reference, word: Word, joined: bool, gap: str) -> Reference | None:
    bare = word.role == "number" and not (word.unit or word.core > 1)
    listed = bool(current.containers) and bare
    if listed and current.plural and not current.number and "," in gap:
        return None  # "Parts 2, 3 and 4"
    if joined and (current.number or current.guidance or listed or word.role == "guidance"):
        return None
    wider = current.through(word)
    if word.role == "container":
        plural = word.plural and not current
        added = replace(wider, containers=(*current.containers, *word.segments), plural=plural)
        return None if _apart(current, word, joined, gap) else added
    if word.role == "guidance":
        return None if current.guidance else replace(wider, guidance=word.segments)
    if word.role == "heading":
        return replace(wider, heading=word.segments)
    return _with_number(current, word, gap)


def _with_number(current: Reference, word: Word, gap: str) -> Reference | None:
    in_range = current.containers and is_range(gap) and word.core < 2 and not word.unit
    if current.containers and word.unit and joins(gap, "") and not current.number:
        return None  # "Chapter 3 and Section 4.4"
    if _beside_another_chapter(current, word, gap) or (in_range and not current.number):
        return None  # "chapters 2 to 4"
    wider = current.through(word)
    if current.number:
        ranged = current.core == word.core and is_range(gap)
        return _inside(wider, word) if leads_inside(gap) and not ranged else None
    unit, plural = word.unit or current.unit, word.plural or current.plural
    number = replace(wider, number=word.segments, core=word.core, suffix=word.suffix)
    return replace(number, unit=unit, plural=plural)


def _apart(current: Reference, word: Word, joined: bool, gap: str) -> bool:
    """Return whether a container begins a reference of its own, as in "Part 4 and Chapter 2"."""
    kind = word.segments[0].split(" ")[0]
    if kind in {segment.split(" ")[0] for segment in current.containers}:
        return True
    beside = current.unit == "paragraph" and "," in gap  # "paragraph 105, Chapter 14 of COBS"
    return (joined and bool(current.containers)) or (
        beside and container_kind(word.segments[0]) == "division"
    )


def _beside_another_chapter(current: Reference, word: Word, gap: str) -> bool:
    """Distinguish "Chapter 12, Rule 15.3" (two rules) from "Chapter 6, Rule 6.2.2" (one)."""
    if not current.containers or "," not in gap or not word.unit or word.core < 2:
        return False
    name, _, number = current.containers[-1].partition(" ")
    return name == "chapter" and number != word.segments[0]


def _inside(current: Reference, word: Word) -> Reference | None:
    """Return "paragraph (b) of 3.4.2" as 3.4.2(b), "paragraph 2 of Guidance to 3.4.2" likewise."""
    if current.core > 1 or word.core < 1 or current.unit == word.unit == "article":
        return None  # "Article 48 in Article 49" are two
    number = replace(current, number=word.segments, core=word.core, suffix=word.suffix)
    number = replace(number, unit=word.unit, plural=False)
    if current.guidance == ("guidance",):
        return replace(number, guidance=("guidance", *current.number))
    number = replace(number, number=(*word.segments, *current.number))
    if current.inner:  # "(b) of paragraph 2 of Article 5"
        return number
    return replace(number, inner=len(current.number), inner_unit=current.unit)


def _begun(question: str, last: Reference, word: Word) -> Reference:
    start = _inherited(question, last, word)
    if start.number:
        return replace(start, number=(*start.number, *word.segments))
    if start.containers and word.role == "number" and not last.number:
        return start
    return _grow(start, word, False, "") or start


def _inherited(question: str, last: Reference, word: Word) -> Reference:
    """Return what "sections 5 and 6" hands on from 5 to 6."""
    empty = Reference(word.start, word.end)
    if word.role == "container":
        return replace(empty, containers=_outer(question, last, word))
    if word.role != "number":
        return empty
    if not last.number:  # "chapters 2 and 3": the second is a container like the first
        return _as_container(last, word) or empty
    listed = continues(question[last.end : word.start])
    kept = _kept(last, word) if listed else ()
    if kept:
        below = len(word.segments) if word.core else last.below
        return replace(last, start=word.start, end=word.end, number=kept, below=below)
    if word.core == 0:
        return empty  # "Rule 6.4.1, paragraph (2)"
    alike = word.core == last.core and (last.core > 1 or _goes_on(question, last, word))
    shared = last.plural or alike  # "Section 4.11 and 4.12", "section 21 or 22"
    unit = last.unit if shared and not word.unit else ""
    alongside = listed and word.unit == last.unit == "section" and word.core == 1
    containers = last.containers if unit or alongside else ()
    return Reference(word.start, word.end, containers, unit=unit, plural=last.plural and bool(unit))


def _kept(last: Reference, word: Word) -> tuple[str, ...]:
    """Return the beginning of a number that a listed one leaves out; empty: it leaves out none."""
    if word.core == 0:  # "3.4.2(a) and (b)"
        return last.number[: level_of(word.segments, last.number, last.core)]
    if last.below and word.core == 1 and word.unit in {"", last.below_unit}:
        return last.number[: -last.below]  # "Article 6, paragraphs 1 and 2"
    return ()


def _outer(question: str, last: Reference, word: Word) -> tuple[str, ...]:
    """Return what "Part 5, Titles I and II" hands on to Title II: Part 5."""
    listed = continues(question[last.end : word.start])
    if last.number or not last.containers[1:] or not listed:
        return ()
    kinds = {one.partition(" ")[0] for one in (last.containers[-1], word.segments[0])}
    return last.containers[:-1] if len(kinds) == 1 else ()


def _goes_on(question: str, last: Reference, word: Word) -> bool:
    """Return whether a bare number continues a list, and counts nothing: "6 persons"."""
    noun = _NOUN.match(question, word.end)
    counting = noun and noun["word"] not in FUNCTION_WORDS | _VERBS
    return not counting and is_list(question[last.end : word.start])


def _as_container(last: Reference, word: Word) -> Reference | None:
    if not last.containers or word.unit or word.core > 1:
        return None
    name, _ = named_container(last.containers[-1])
    containers = (*last.containers[:-1], name + word.segments[0])
    return Reference(word.start, word.end, containers, plural=last.plural)


def _complete_guidance(references: list[Reference]) -> None:
    """Give "and Guidance 3" the number before it; bare "the Guidance" is a document."""
    for i, reference in enumerate(references):
        if reference.unit == "paragraph" and reference.guidance == ("guidance",):
            references[i] = replace(reference, guidance=())  # "paragraph 25 of the Guidance"
        elif reference.guidance and not reference.number and not reference.containers and i:
            last = references[i - 1]
            references[i] = replace(
                last, start=reference.start, end=reference.end, guidance=reference.guidance
            )


def share_attachment(references: list[Reference]) -> None:
    """Give "paragraph 91 or 92 of Schedule 1" the schedule on both sides."""
    for i in range(len(references) - 2, -1, -1):
        here, then = references[i], references[i + 1]
        attached = any(container_kind(one) == "attachment" for one in then.containers)
        alike = here.unit in INNER_UNITS and then.unit in {"", here.unit}
        if attached and alike and then.number and not here.containers:
            references[i] = replace(here, containers=then.containers)


def _share_division(question: str, references: list[Reference]) -> None:
    """Give "chapter 3, chapter 4 of Part 12" the part on both sides, and so "sections 3 and 4"."""
    for i in range(len(references) - 2, -1, -1):
        here, then = references[i], references[i + 1]
        bare = here.number and here.unit == then.unit == "section" and not here.containers
        first = LETTERS.match(question, then.start)
        by_container = first and vocabulary.unit_of(first[0]) != then.unit
        if bare and then.containers and not by_container:
            references[i] = replace(here, containers=then.containers)
        if len(here.containers) == 1 and len(then.containers) > 1 and not here.number:
            kind = here.containers[0].split(" ")[0]
            if not then.number and then.containers[0].split(" ")[0] == kind:
                containers = (*here.containers, *then.containers[1:])
                references[i] = replace(here, containers=containers)


def _share_whole(question: str, references: list[Reference]) -> None:
    """Give "(a) and (b) of 3.4.2" the 3.4.2 on both sides, and so "paragraphs 1 and 2 of 5"."""
    for i in range(len(references) - 2, -1, -1):
        here, then = references[i], references[i + 1]
        listed = continues(question[here.end : then.start])
        alike = here.core == 0 or (listed and here.unit == then.inner_unit in INNER_UNITS)
        if alike and here.number and then.inner and not here.containers:
            whole = replace(then, start=here.start, end=here.end, inner=len(here.number))
            number = (*then.number[: len(then.number) - then.inner], *here.number)
            references[i] = replace(whole, number=number)
