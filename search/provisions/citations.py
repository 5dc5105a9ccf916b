"""How passages that are shown together are cited, so that no two are taken for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from search.records import Passage


def distinct_citations(passages: Sequence[Passage]) -> list[str]:
    """Return how each passage is cited.

    A document is called by its DocumentID too where another of them has its title, such as two
    versions of a rulebook; a part of a long passage says which part it is.
    """
    titled: defaultdict[str, set[str]] = defaultdict(set)
    for passage in passages:
        titled[passage.document_title].add(passage.document_id)
    return [_cited(one, shares_title=len(titled[one.document_title]) > 1) for one in passages]


def _cited(passage: Passage, *, shares_title: bool) -> str:
    cited = passage.citation()
    notes = [passage.document_id] if shares_title else []
    notes += [f"part {passage.part}"] if passage.part else []
    return f"{cited} ({', '.join(notes)})" if notes else cited
