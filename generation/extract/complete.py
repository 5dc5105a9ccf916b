"""Add what quoted words say nothing without: sub-paragraphs that they name, what they except from.

Of words that only say to whom their rule applies, what it then says is added too; of a conflict
that is quoted by half, the other side.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from generation.extract.asked import AskedKind
from generation.extract.choose import Selection
from generation.extract.margins import COMPLETE
from generation.extract.silence import STATES
from generation.extract.units import units_in
from generation.library import Library
from generation.records import Conflict
from generation.statements.conditions import takes_back
from generation.statements.markers import find_marker
from generation.statements.units import stretches_in
from generation.statements.values import values_in
from search.language import vocabulary
from search.records import Hit, Passage, RetrieverScore, Scores

FOLLOWED: frozenset[AskedKind] = frozenset({"time", "money", "percent"})
"""Kinds that are looked for in another rule; numbers of some sort are in nearly each."""

_UNIT = vocabulary.pattern(["paragraph", "subparagraph", "subsection"], "en", short=False)
_OF_RULE = "|".join(
    vocabulary.pattern(vocabulary.units_of("rule", "inner"), code, short=False)
    for code in ("en", "de", "fr")
)
_WORDINGS = {
    name: re.compile(pattern.replace("UNIT", _UNIT).replace("OF_RULE", _OF_RULE))
    for name, pattern in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text("utf-8")
    ).items()
}


def complete(hits: list[Hit], selection: Selection, library: Library | None) -> list[Hit]:
    """Quote what the selection says nothing without; return the hits, with those behind them."""
    found = [] if library is None else siblings_named(_words_quoted(hits, selection), library)
    selection.add(units_in(hits_of(found)), len(hits))
    return [*hits, *hits_of(found)]


def rules_that_state(
    kinds: Collection[AskedKind], passage: Passage, words: str, library: Library
) -> list[Passage]:
    """Return the rules that quoted words name and that have a kind of value asked for.

    A question for a retention period is answered by "the period in Rule 3.3.2" only there.
    """
    wanted = {value for kind in FOLLOWED.intersection(kinds) for value in STATES[kind]}
    named = library.cited([replace(passage, text=words)]) if wanted else []
    return [one for one in named if one.id != passage.id and values_in(one.text, wanted)]


def with_conflicts(
    conflicts: Sequence[Conflict], hits: Sequence[Hit], selection: Selection
) -> list[Conflict]:
    """Quote the other side of each conflict of which one side is quoted; return these conflicts."""
    places = {hit.id: place for place, hit in enumerate(hits)}
    found = []
    for conflict in conflicts:
        quoted = [(passage.id, words) for passage, words in _words_quoted(hits, selection)]
        hidden = [
            side for side in conflict
            if not any(side.hit.id == key and side.sentence in words for key, words in quoted)
        ]  # fmt: skip
        if len(hidden) == len(conflict) or any(side.hit.id not in places for side in hidden):
            continue
        found.append(conflict)
        for side in hidden:
            units = (one for one in units_in([side.hit]) if side.sentence in one.unit.text)
            selection.add(islice(units, 1), places[side.hit.id])
    return found


def hits_of(passages: Iterable[Passage]) -> list[Hit]:
    """Return passages as hits whose rules are named by number."""
    scores = Scores(RetrieverScore(1.0, 1.0, 1), number=1.0)
    return [Hit(1, 1.0, scores, passage) for passage in passages]


def named_parts(text: str) -> Iterator[str]:
    """Yield the sub-paragraphs of its own rule that a text names: `(2)`."""
    for found in _WORDINGS["named"].finditer(text):
        yield found["part"]


def siblings_named(quoted: Iterable[tuple[Passage, str]], library: Library) -> list[Passage]:
    """Return the sub-paragraphs that quoted words name and that are not quoted themselves.

    What these name in their turn is among them, for else they would be as incomplete.
    """
    latest = list(quoted)
    shown = {passage.id for passage, _ in latest}
    found: list[Passage] = []
    for _ in range(COMPLETE.steps):
        beside = [one for one in _named_by(latest, library) if one.id not in shown]
        found += beside
        shown.update(one.id for one in beside)
        latest = [(one, one.text) for one in beside]
    return found


def _words_quoted(hits: Sequence[Hit], selection: Selection) -> list[tuple[Passage, str]]:
    return [
        (hits[one.candidate.hit].passage, " ".join(stretches_in(one.statement, one.pieces)))
        for one in selection.chosen
    ]


def _named_by(pairs: Sequence[tuple[Passage, str]], library: Library) -> Iterator[Passage]:
    for passage, words in pairs:
        wanted = {*_named_in(passage, words), *_beside(passage, words)}
        if wanted:
            named = library.numbered(passage.document_id, wanted)
            yield from (one for one in named if len(one.text.split()) <= COMPLETE.words)


def _named_in(passage: Passage, words: str) -> Iterator[str]:
    number = passage.passage_id.strip()
    if last := _WORDINGS["last"].search(number):
        yield from (number[: last.start()] + part for part in named_parts(words))


def _beside(passage: Passage, words: str) -> list[str]:
    """Return the numbers of what quoted words say nothing without.

    Of an exception, this is what it names or, where it names nothing, the number before; of words
    on whom a rule applies to, the numbers behind.
    """
    marker = find_marker(words)
    text = words[marker.end :] if marker else words
    own = _WORDINGS["own"].fullmatch(passage.passage_id.strip())
    if own is None:
        return []
    rule, label, end = own["rule"], int(own["label"]), own["end"] or ""
    if _WORDINGS["scope"].match(text) and rule.endswith("("):
        return [f"{rule}{label + step}{end}" for step in range(1, COMPLETE.governed + 1)]
    if not takes_back(text):
        return []
    named = _WORDINGS["excepted"].search(text)
    if named and named["number"]:
        return [f"{named['number']}{end}"]
    return [f"{rule}{named['label'] if named else label - 1}{end}"]
