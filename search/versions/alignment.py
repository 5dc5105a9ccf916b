"""Which rule of one version of a work is which of another."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from search.provisions.context import heading_words
from search.provisions.numbering import ATTACHMENTS, DIVISIONS, lookup_keys, segments
from search.records import Passage
from search.text.wording import wording

SAME_NUMBER, SAME_HEADING, LEAST = 0.35, 0.25, 0.35
"""What the same number and the same heading add to the share of common words of two rules, and what
the sum must exceed for them to be one rule in the order of the text."""
MOVED = 0.6
"""Share of common words from which a rule that left the order of the text is the same rule."""
MAYBE_MOVED = 0.4
"""Share from which it may be; a pair in the order of the text with less gives way to a move."""
UNLIKE = 0.09
"""Share of the rare words of the shorter rule below which its number, without a heading of before,
was used again for another rule."""
_RUN = 3
"""Words of a run that two rules share before they are compared."""
_COMMON = 12
"""Rules that have a run in a version: one that more of them have says nothing."""


@dataclass(frozen=True, eq=False)
class Rule:
    """What a number names in a version: a passage, and those below it that count to it."""

    passages: tuple[Passage, ...]

    @property
    def number(self) -> str:
        """The number as the source writes it."""
        return self.passages[0].passage_id

    @property
    def order(self) -> int:
        """The place of its first passage in the index."""
        return self.passages[0].order

    @cached_property
    def key(self) -> str:
        """The number in normal form (`search.provisions.numbering`)."""
        return next(iter(lookup_keys(self.number)), self.number.casefold())

    @cached_property
    def text(self) -> str:
        """What it says, with the labels of the parts."""
        own = self.number
        return "\n".join(
            f"{one.passage_id.removeprefix(own).strip(' .')} {one.text}".strip()
            if one.passage_id != own and one.passage_id.startswith(own)
            else one.text
            for one in self.passages
        )

    @cached_property
    def wording(self) -> tuple[str, ...]:
        """Its words in the form in which versions are compared."""
        return tuple(wording(self.text).split())

    @cached_property
    def heading(self) -> str:
        """Its heading, or empty."""
        first = self.passages[0]
        line, _, below = first.text.partition("\n")
        if first.kind == "heading" or (below and len(line) <= _LONGEST_HEADING):
            return line.strip()
        return ""

    @cached_property
    def counted(self) -> Counter[str]:
        """How often it has each word."""
        return Counter(self.wording)


_LONGEST_HEADING = 200


def rules_of(passages: Sequence[Passage]) -> list[Rule]:
    """Return the articles, sections, schedules or paragraphs of a document, in its order.

    Footnotes, headings of divisions and what stands before the first rule are none.
    """
    held = {one.id: one for one in passages}
    title = passages[0].document_title if passages else ""
    roots = [
        (_root(one, held), one)
        for one in passages
        if one.kind != "footnote" and (one.passage_id != title or len(passages) == 1)
    ]
    of_others = {one.parent for root, one in roots if root is one}
    runs = groupby(roots, lambda pair: pair[0].passage_id)
    found = (tuple(one for _, one in run) for _, run in runs)
    return [Rule(one) for one in found if not _is_division(one, of_others)]


def passages_of(passages: Sequence[Passage]) -> list[Rule]:
    """Return each passage of the rules of a document as a rule of its own."""
    return [part for rule in rules_of(passages) for part in parts_of(rule)]


def parts_of(rule: Rule) -> list[Rule]:
    """Return the passages of a rule as rules of their own."""
    return [Rule((one,)) for one in rule.passages]


def _root(passage: Passage, held: dict[str, Passage]) -> Passage:
    while (above := held.get(passage.parent or "")) and _is_part(passage, above):
        passage = above
    return passage


def _is_part(passage: Passage, above: Passage) -> bool:
    """Return whether a passage is a paragraph of the rule above it, and no rule of its own."""
    more = passage.passage_id.removeprefix(above.passage_id)
    if more == passage.passage_id:
        return False
    around = segments(above.passage_id)
    if any(one.partition(" ")[0] in ATTACHMENTS for one in around):
        return True
    is_division = around[-1:] and around[-1].partition(" ")[0] in DIVISIONS
    return not is_division and not more.lstrip(" .-")[:1].isdecimal()


def _is_division(passages: Sequence[Passage], of_others: Collection[str | None]) -> bool:
    """Return whether these are headings of other rules, by the IDs that are above such."""
    if any(one.kind != "heading" for one in passages):
        return False
    last = segments(passages[0].passage_id)[-1:]
    return (
        any(one.id in of_others for one in passages)
        or not any(letter.isdecimal() for letter in passages[0].passage_id)
        or bool(last and last[0].partition(" ")[0] in DIVISIONS)
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """A rule before and after; one of them is None where it was added or repealed."""

    old: Rule | None
    new: Rule | None
    maybe: str = ""
    """Number of a repealed rule that an added one may be; it cannot be decided."""


class Likeness:
    """How alike the rules of two versions are, by words that weigh the more the rarer they are."""

    def __init__(self, *versions: Sequence[Rule]) -> None:
        rules = [rule for version in versions for rule in version]
        held = Counter(word for rule in rules for word in rule.counted)
        self._weights = {word: math.log(1 + len(rules) / count) for word, count in held.items()}
        self._of_rules: dict[Rule, float] = {}

    def shares(self, one: Rule, other: Rule) -> tuple[float, float]:
        """Return the share of their words that two rules have in common, 0 to 1: of all words of
        both, and of those of the shorter one.
        """
        if one.wording == other.wording:
            return 1.0, 1.0
        own = [self._weight(rule) for rule in (one, other)]
        less, more = sorted((one.counted, other.counted), key=len)
        common = sum(
            self._weights[word] * min(count, more[word])
            for word, count in less.items()
            if word in more
        )
        return 2 * common / (sum(own) or 1.0), common / (min(own) or 1.0)

    def _weight(self, rule: Rule) -> float:
        if rule not in self._of_rules:
            self._of_rules[rule] = sum(
                self._weights[word] * count for word, count in rule.counted.items()
            )
        return self._of_rules[rule]


def aligned(old: Sequence[Rule], new: Sequence[Rule]) -> list[Pair]:
    """Return the rules of two versions in pairs, in the order of the new one.

    A repealed rule comes after the one that stood before it.
    """
    likeness = Likeness(old, new)
    both = {pair: likeness.shares(old[pair[0]], new[pair[1]]) for pair in _candidates(old, new)}
    scores = {pair: _score(old[pair[0]], new[pair[1]], *one) for pair, one in both.items()}
    shares = {pair: share for pair, (share, _) in both.items()}
    found = dict(_heaviest_chain({pair: score for pair, score in scores.items() if score > 0}))
    matched = {after: before for before, after in found.items()}
    left = sorted(
        (-share, *pair)
        for pair, share in shares.items()
        if share >= MOVED or (old[pair[0]].key == new[pair[1]].key and scores[pair] > 0)
    )
    for share, before, after in left:
        ends = {(before, found.get(before)), (matched.get(after), after)}
        held = [(one, other) for one, other in ends if one is not None and other is not None]
        if not held or (-share >= MOVED and all(shares[one] < MAYBE_MOVED for one in held)):
            for one, other in held:
                del found[one], matched[other]
            found[before], matched[after] = after, before
    maybe = {
        after: old[before].number
        for (before, after), share in sorted(shares.items(), key=lambda one: one[1])
        if share >= MAYBE_MOVED and before not in found and after not in matched
    }
    return list(_in_order(old, new, matched, maybe))


def _score(old: Rule, new: Rule, share: float, of_shorter: float) -> float:
    number = old.key == new.key
    heading = bool(old.heading) and heading_words(old.heading) == heading_words(new.heading)
    if number and of_shorter < UNLIKE and not heading:
        return 0.0
    return share + SAME_NUMBER * number + SAME_HEADING * heading - LEAST


def _candidates(old: Sequence[Rule], new: Sequence[Rule]) -> set[tuple[int, int]]:
    """Return the pairs of places that are worth comparing; what stayed as it was has one alone."""
    stayed = [_by_mark(rules, _whole) for rules in (old, new)]
    found = {
        (before[0], after[0])
        for mark, before in stayed[0].items()
        if len(before) == len(after := stayed[1].get(mark, [])) == 1
    }
    done = [{pair[at] for pair in found} for at in (0, 1)]
    for marks in (_numbers, _runs):
        held = [_by_mark(old, marks, done[0]), _by_mark(new, marks, done[1])]
        for mark, before in held[0].items():
            after = held[1].get(mark, [])
            if max(len(before), len(after)) <= _COMMON:
                found.update((one, other) for one in before for other in after)
    return found


def _by_mark(
    rules: Sequence[Rule],
    marks: Callable[[Rule], set[object]],
    without: Collection[int] = (),
) -> dict[object, list[int]]:
    held: defaultdict[object, list[int]] = defaultdict(list)
    for place, rule in enumerate(rules):
        for mark in marks(rule) if place not in without else ():
            held[mark].append(place)
    return held


def _whole(rule: Rule) -> set[object]:
    return {(rule.key, rule.wording)}


def _numbers(rule: Rule) -> set[object]:
    return {rule.key}


def _runs(rule: Rule) -> set[object]:
    """Return the runs of words of a rule; all its words, where it has fewer."""
    words = rule.wording
    return {words[at : at + _RUN] for at in range(max(len(words) - _RUN + 1, 1))}


def _heaviest_chain(scores: dict[tuple[int, int], float]) -> Iterator[tuple[int, int]]:
    """Yield the pairs, rising in both versions, whose scores have the largest sum."""
    ends: list[int] = []  # places in the new version, rising, with what a chain to there weighs
    weights: list[float] = []
    chains: list[tuple[tuple[int, int], object] | None] = []
    for _, pairs in groupby(sorted(scores), lambda pair: pair[0]):
        held = []
        for pair in pairs:
            at = bisect_left(ends, pair[1])
            weight = scores[pair] + (weights[at - 1] if at else 0.0)
            held.append((pair, weight, chains[at - 1] if at else None))
        for pair, weight, chain in held:
            at = bisect_left(ends, pair[1])
            if at and weights[at - 1] >= weight:
                continue
            stop = at
            while stop < len(ends) and weights[stop] <= weight:
                stop += 1
            ends[at:stop], weights[at:stop] = [pair[1]], [weight]
            chains[at:stop] = [(pair, chain)]
    chain = chains[-1] if chains else None
    while chain is not None:
        pair, chain = chain  # type: ignore[assignment]
        yield pair


def _in_order(
    old: Sequence[Rule], new: Sequence[Rule], matched: dict[int, int], maybe: dict[int, str]
) -> Iterator[Pair]:
    gone = sorted(set(range(len(old))) - set(matched.values()))
    for place, rule in enumerate(new):
        before = matched.get(place)
        while gone and before is not None and gone[0] < before:
            yield Pair(old[gone.pop(0)], None)
        yield Pair(None if before is None else old[before], rule, maybe.get(place, ""))
    for before in gone:
        yield Pair(old[before], None)
