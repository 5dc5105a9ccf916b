"""Which document a rule number belongs to by the words around it, and whether it is one at all."""

from __future__ import annotations

import re

from search.rule_numbers.references import JOIN, Cluster, Reference
from search.rule_numbers.words import Word

WEAK_UNITS = frozenset({"point", "clause"})
"""Rule words that ordinary sentences use as well: they need a document beside them."""

TITLE_UNITS = frozenset({"regulation", "rule"})
"""Rule words that end titles, where a year follows them."""

_AFTER_CODE = re.compile(r" (?:rulebook )?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")


def document_of(question: str, cluster: Cluster, reference: Reference) -> Word | None:
    """Return the document that stands beside a reference of a cluster, or None."""
    before = [d for d in cluster.documents if d.end <= reference.start]
    after = [d for d in cluster.documents if d.start >= reference.end]
    beside = [d for d in cluster.documents if reference.start <= d.start < reference.end][:1]
    if after:
        gap = question[reference.end : after[0].start]
        if re.match(r"\W*(?:of|in|under|to)\b", gap) and not JOIN.search(gap):
            return after[0]
        if not re.search(r"\w", gap) and (after[0].role == "document" or gap == " "):
            beside.append(after[0])
    if before:
        gap = question[before[-1].end : reference.start]
        if not JOIN.search(gap) and (before[-1].role == "document" or _AFTER_CODE.fullmatch(gap)):
            beside.insert(0, before[-1])
    if beside:
        return next((d for d in beside if d.role == "document"), beside[0])
    return _shared(question, cluster, reference)


def is_rule(question: str, reference: Reference, document: Word | None) -> bool:
    """Tell whether a reference is certain enough to be one."""
    known = document is not None and document.role == "document"
    if not reference.number:
        kinds = {segment.split(" ")[0] for segment in reference.containers}
        return bool(kinds) and (known or not kinds <= {"part", "title", "book"})  # "Part 4 firm"
    if reference.core < 1 or reference.containers or reference.core > 2:
        return reference.core > 0
    if reference.unit:
        titled = reference.unit in TITLE_UNITS and _YEAR.fullmatch(reference.number[0])
        return not titled and (known or reference.unit not in WEAK_UNITS)
    if not known or document is None or reference.core == 2:
        return known
    if _YEAR.fullmatch(reference.number[0]):
        return False
    gap = question[document.end : reference.start] if document.end <= reference.start else ""
    return gap in {" ", ": ", ", "} or bool(reference.guidance and gap)


def _shared(question: str, cluster: Cluster, reference: Reference) -> Word | None:
    """Return the document of a list of rules: "PRU 4.9.16 and 4.9.17", "5 and 6 of FSMR"."""
    earlier = [r for r in cluster.references if r.start < reference.start]
    other_unit = reference.unit and all(r.unit != reference.unit for r in earlier)
    if not other_unit:  # but in "section 62 of FSMR and Rule 7.2.1" the rule is another's
        for document in reversed(cluster.documents):
            if document.role == "document" and document.end <= reference.start:
                return document
    after = [d for d in cluster.documents if d.start >= reference.end]
    if after and re.search(r"\b(?:of|in|under)(?: the)? $", question[: after[0].start]):
        return after[0]
    if earlier and other_unit:
        return None
    return next((d for d in after if d.role == "document"), None)
