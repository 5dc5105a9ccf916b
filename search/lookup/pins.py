"""What comes before all candidates of a search, because the question asks for it by name."""

from __future__ import annotations

from dataclasses import dataclass

from search.candidates import Candidate
from search.engines.protocol import Engine
from search.law_in_time import left_out
from search.lookup.find import Found, find
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import find_rule_numbers
from search.records import Filters, Passage

NAMED = 1.0
"""Score of a passage that the question names."""
BESIDE_NAMED = 0.5
"""Factor on the fused score of all others, so that they come after and miss the answer's floor."""


@dataclass(frozen=True, slots=True)
class Named:
    """A passage that the question names, or that is below one."""

    candidate: Candidate
    passage: Passage
    score: float
    definition: str = ""
    """What it says of a term whose meaning is asked for; empty: the question names its number."""


def find_pinned(engine: Engine, names: DocumentNames, rule: str, filters: Filters) -> Found:
    """Find a rule by its `ID`, or by document and number.

    Args:
        engine: of the index.
        names: of its documents.
        rule: as a tuning file names it.
        filters: what passages must pass.
    """
    if held := engine.find(filters.having(id=(rule,))):
        return Found(rule, held)
    by_id = Filters({**filters.fields, "id": (rule,)})
    if filters.excluded and (hidden := engine.find(by_id, 1)):
        return Found(rule, past=left_out(hidden[0][1]))
    numbers = [one for one in find_rule_numbers(rule, names) if one.certain and one.document_ids]
    if len(numbers) != 1:
        return Found()
    (one,) = numbers
    return find(engine, one.keys[:1], one.document_ids, filters, one.text, one.divisions)
