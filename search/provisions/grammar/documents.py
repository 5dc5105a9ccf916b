"""Which document a rule number belongs to by the words around it, and whether it is one at all."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter

from search.language import vocabulary
from search.provisions.documents.described import ANY_YEAR
from search.provisions.grammar.gaps import OF, joins, tokens
from search.provisions.grammar.references import Cluster, Reference
from search.provisions.grammar.words import Word
from search.text.analyzer import FUNCTION_WORDS

WEAK_UNITS = frozenset({"point", "clause"})
"""Rule words that ordinary sentences use as well: they need a document beside them."""

TITLE_UNITS = frozenset({"regulation", "rule"})
"""Rule words that end titles, where a year follows them."""

OF_ACTS = frozenset({"part", "schedule", "section"})
"""What acts are divided into: "section 18 and Schedule 2 of FSMR" are both of FSMR."""

_JOINED = frozenset({*vocabulary.languages()["en"].links["and"], ";", "&"})
_ASIDE = frozenset({"", ",", ":", ", in", "the", ", the", ": the", ", in the", "("})
"""What may be between a number and the full name of a law beside it."""
_ARTICLES = frozenset(vocabulary.words("asked.any", "en"))
_start, _end = attrgetter("start"), attrgetter("end")


def document_of(
    text: str, cluster: Cluster, reference: Reference, *, in_rules: bool = False
) -> Word | None:
    """Return the document that a reference of a cluster belongs to by the words, or None.

    It is beside the reference, or is that of a list: "PRU 4.9.16 and 4.9.17", "sections 5 and
    6 of FSMR".

    Args:
        text: a tidy question, or a line of a passage.
        cluster: what the words were put together to.
        reference: one of the cluster.
        in_rules: whether the text has rules of its own, which "and Rule 4.9.17" may mean.
    """
    inside = bisect_left(cluster.documents, reference.start, key=_start)
    beside = [d for d in cluster.documents[inside : inside + 1] if d.start < reference.end]
    after = _first_after(cluster, reference)
    if after and not _between(cluster, reference, after) and _points_back(text, cluster, after):
        gap = text[reference.end : after.start]
        if _leads(gap) and not joins(gap):
            return after
        aside = " ".join(tokens(gap)) in _ASIDE and _may_be_aside(text, after, in_rules)
        if not re.search(r"\w", gap) and (after.role == "document" or gap == " " or aside):
            beside.append(after)
    before = next(named_before(cluster, reference), None)
    if before and not _points_back(text, cluster, before):
        gap = text[before.end : reference.start]
        aside = " ".join(tokens(gap)) in _ASIDE and _may_be_aside(text, before, in_rules)
        if not joins(gap) and (before.role == "document" or _is_beside(gap) or aside):
            beside.insert(0, before)
    if beside:
        return next((d for d in beside if d.role == "document"), beside[0])
    return _shared(text, cluster, reference, in_rules)


def _may_be_aside(text: str, name: Word, in_rules: bool) -> bool:
    """Return whether an unknown name may be the document of a number that a comma parts it from.

    A full name may, and capitals that nothing but leading words come before or behind: "GDPR,
    Article 5" names a law, "for a SPV, Rule 3.4.2" none. In a rule, only a name with its year or
    number may.
    """
    if name.role != "unknown":
        return False
    if in_rules:
        return is_dated(text, name)
    if name.firm:
        return True
    before = re.findall(r"\w+", text[: name.start])
    led = not before or before[-1].lower() in FUNCTION_WORDS - _ARTICLES
    return led or not re.search(r"\w", text[name.end :])


def is_dated(text: str, name: Word) -> bool:
    """Return whether a name of a law has its year or number: `Companies Act 2006`, `575/2013`."""
    said = text[name.start : name.end]
    return name.firm and (
        ANY_YEAR.search(said) is not None or re.search(r"\d/\d", said) is not None
    )


def _is_all(question: str, document: Word, reference: Reference) -> bool:
    """Return whether a question has nothing but capitals and a number: `TFEU 101`."""
    between = question[document.end : reference.start]
    rest = question[: document.start] + question[reference.end :]
    return between == " " and not re.search(r"\w", rest)


def is_rule(question: str, reference: Reference, document: Word | None) -> bool:
    """Return whether a reference is certain enough to be one."""
    known = document is not None and document.role == "document"
    if not reference.number:
        kinds = {segment.split(" ")[0] for segment in reference.containers}
        return bool(kinds) and (known or not kinds <= {"part", "title", "book"})  # "Part 4 firm"
    if reference.core < 1 or reference.containers or reference.core > 2:
        return reference.core > 0
    if reference.unit:
        titled = reference.unit in TITLE_UNITS and ANY_YEAR.fullmatch(reference.number[0])
        weak = reference.unit in WEAK_UNITS and len(reference.number) == 1
        return not titled and (not weak or known or (document is not None and document.firm))
    if document is not None:  # behind a series, whether or not it is held
        name = question[document.start : document.end]
        known = known or (document.firm and name[0].isdigit())
        known = known or _is_all(question, document, reference)
    if not known or document is None or reference.core == 2:
        return known
    if ANY_YEAR.fullmatch(reference.number[0]):
        return False
    gap = question[document.end : reference.start] if document.end <= reference.start else ""
    return gap in {" ", ": ", ", "} or bool(reference.guidance and gap)


def _shared(text: str, cluster: Cluster, reference: Reference, in_rules: bool) -> Word | None:
    named = named_before(cluster, reference)
    before = next(
        (d for d in named if d.role == "document" or not in_rules or is_dated(text, d)), None
    )
    if before and before.role == "unknown" and not before.firm and text[reference.start].isalpha():
        before = None  # in "HGB §§ 5, 6" the 6 is HGB's, in "SPV ... Rule 6" nothing is
    earlier = cluster.references[: bisect_left(cluster.references, reference.start, key=_start)]
    if reference.unit and all(one.unit != reference.unit for one in earlier):
        before = None  # in "section 62 of FSMR and Rule 7.2.1" the rule is another's
    if before and not _points_back(text, cluster, before):
        return before
    after = _first_after(cluster, reference)
    if after and _reaches(text, cluster, reference, after):
        return after
    if before and in_rules and _is_own(text, cluster, before, reference):
        return None
    return before


def _first_after(cluster: Cluster, reference: Reference) -> Word | None:
    place = bisect_left(cluster.documents, reference.end, key=_start)
    return cluster.documents[place] if place < len(cluster.documents) else None


def named_before(cluster: Cluster, reference: Reference) -> Iterator[Word]:
    """Yield the documents before a reference, the nearest first."""
    for place in range(bisect_right(cluster.documents, reference.start, key=_end) - 1, -1, -1):
        yield cluster.documents[place]


def _between(cluster: Cluster, reference: Reference, document: Word) -> list[Reference]:
    first = bisect_left(cluster.references, reference.end, key=_start)
    return cluster.references[first : bisect_left(cluster.references, document.start, key=_start)]


def _points_back(text: str, cluster: Cluster, document: Word) -> bool:
    """Return whether a document is that of what comes before it: "6.1.1 AML, 3.7.1 COBS"."""
    references = cluster.references
    before = bisect_right(references, document.start, key=_end) - 1
    after = bisect_left(references, document.end, key=_start)
    if before < 0:
        return False
    gap = text[references[before].end : document.start]
    joined = not _JOINED.isdisjoint(tokens(gap))
    if after == len(references) or _leads(gap):
        return not joined
    away = _distance(text[document.end : references[after].start])
    if _distance(gap) != away:
        return _distance(gap) < away
    return not joined and cluster.references[0].start < cluster.documents[0].start


def _distance(gap: str) -> int:
    """Return how far a document is from a reference by what is between: 0 is beside it."""
    return 0 if _is_beside(gap) else 1 if _JOINED.isdisjoint(tokens(gap)) else 2


def _is_beside(gap: str) -> bool:
    return gap == " " or gap.lower() == " rulebook "


def _leads(gap: str) -> bool:
    return next((one in OF for one in tokens(gap) if one[0].isalpha()), False)


def _reaches(text: str, cluster: Cluster, reference: Reference, document: Word) -> bool:
    """Return whether a document is that of all of a list before it: "sections 5 and 6 of FSMR"."""
    members = [reference, *_between(cluster, reference, document)]
    words = [one for one in tokens(text[: document.start][-10:]) if one != "the"]
    led = bool(words) and words[-1] in OF
    of_all = members[0].plural and text[members[-1].end : document.start] == " "
    return (
        (led or of_all or document.role == "document")
        and len({_kind(one) for one in members}) == 1
        and _points_back(text, cluster, document)
    )


def _kind(reference: Reference) -> str:
    """Return what the members of one list share: their rule word, or that of the container."""
    if not reference.number:
        kind = reference.containers[-1].split(" ")[0] if reference.containers else "guidance"
    else:
        kind = "rule" if reference.core > 1 else reference.unit
    return "section" if kind in OF_ACTS else kind


def _is_own(text: str, cluster: Cluster, document: Word, reference: Reference) -> bool:
    """Return whether a rule word after a document starts again: "Rule 1.1 of FEE and Rule 2.1"."""
    first = bisect_left(cluster.references, document.end, key=_start)
    last = bisect_right(cluster.references, reference.start, key=_start)
    return any(
        (r.core > 1 or not r.number) and (r.unit or r.containers) and text[r.start].isalpha()
        for r in cluster.references[first:last]
    )
