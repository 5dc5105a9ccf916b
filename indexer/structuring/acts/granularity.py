"""How much of an act is one passage: whole articles, paragraphs, clauses, or every point."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from indexer.structuring.acts.provisions import Provision

Granularity = Literal["point", "clause", "paragraph", "article"]
"""`article`: an article with all that is in it. `paragraph`: its numbered paragraphs. `clause`: as
`paragraph`, and list items that stand alone are passages of their own. `point`: every numbered
item is."""

GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
"""What `--granularity` takes."""

DEFAULT_GRANULARITY: Granularity = "clause"
"""The practice of hand-made rulebooks: a list that completes its clause stays with it."""

CLAUSE_WORDS = 400
"""A clause that has more words with its lists is parted from them: about the 512 tokens that the
encoder which ships reads at once (1.3 tokens a word in the CRR, measured)."""

DEFINITION = re.compile(
    r"[‘“\"'«][^’”\"'»]{1,120}[’”\"'»][^.;:]{0,160}?\s(?:means?|has|have|includes?|refers?)\b"
)
"""How a definition of an EU act begins: `‘institution’ means …`."""

_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?。！？][’”\"»)]*$")
_ALWAYS_APART = frozenset({"division", "article", "annex", "section", "recital", "frame"})


def apart(provision: Provision, granularity: Granularity) -> list[bool]:
    """Return for each part of a provision whether it is a passage of its own; texts never are."""
    parts = provision.parts
    found = [isinstance(part, Provision) and _is_apart(part, granularity) for part in parts]
    if granularity == "clause":
        long = _words(provision) > CLAUSE_WORDS
        lists = _lists(provision)
        repeated = _repeated([parts[start:end] for start, end in lists])
        for start, end in lists:
            if repeated & _numbers(parts[start:end]):
                continue  # such numbers would name other passages too
            if long or _stand_alone(parts[:start], parts[start:end]):
                found[start:end] = [isinstance(p, Provision) and bool(p.number)
                                    for p in parts[start:end]]  # fmt: skip
    return found


def is_definition(provision: Provision) -> bool:
    """Return whether a provision begins with a quoted term and what it means."""
    first = next((part for part in provision.parts if isinstance(part, str)), "")
    return bool(DEFINITION.match(first))


def _is_apart(part: Provision, granularity: Granularity) -> bool:
    if part.level in _ALWAYS_APART:
        return True
    if part.level == "footnote":
        return True
    if part.level == "paragraph":
        return granularity != "article" and bool(part.number)
    return granularity == "point" and bool(part.number)


_WITHIN_RUN = frozenset({"point", "footnote"})


def _lists(provision: Provision) -> list[tuple[int, int]]:
    """Return (start, end) of each run of points; footnotes in between do not end it."""
    runs: list[tuple[int, int]] = []
    start = None
    for index, part in enumerate([*provision.parts, ""]):
        point = isinstance(part, Provision) and part.level == "point"
        if point and start is None:
            start = index
        elif start is not None and (isinstance(part, str) or part.level not in _WITHIN_RUN):
            runs.append((start, index))
            start = None
    return runs


def _stand_alone(before: Sequence[str | Provision], items: Sequence[str | Provision]) -> bool:
    """Return whether the items of a list say something without the clause before them."""
    points = [item for item in items if isinstance(item, Provision) and item.level == "point"]
    texts = [part for part in before if isinstance(part, str) or part.level != "footnote"]
    intro = texts[-1] if texts else ""
    if not isinstance(intro, str) or not intro or _SENTENCE_END.search(intro):
        return True
    return 2 * sum(map(is_definition, points)) >= len(points)


def _repeated(lists: Sequence[Sequence[str | Provision]]) -> set[str]:
    counts = Counter(number for items in lists for number in _numbers(items))
    return {number for number, count in counts.items() if count > 1}


def _numbers(items: Sequence[str | Provision]) -> set[str]:
    points = (one for one in items if isinstance(one, Provision) and one.level == "point")
    return {point.number for point in points if point.number}


def _words(provision: Provision) -> int:
    count = 0
    for part in provision.parts:
        count += len(_WORD.findall(part)) if isinstance(part, str) else (
            0 if part.level == "footnote" else _words(part)
        )  # fmt: skip
    return count
