"""Compare rules as somebody cited them with their document as it is now."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from search.law_in_time import not_in_force
from search.provisions.context import heading_words
from search.provisions.numbering import ANYWHERE, lookup_keys
from search.records import Passage
from search.text.wording import wording

_ALIKE = 0.5
"""Share of common words from which a text below the same heading may be a rule's new version."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What became of a rule."""

    change: Literal["changed", "moved", "removed", "not-in-force"]
    number: str = ""
    """Where a moved rule is now."""
    words_changed: bool = True


class Rules:
    """The rules of one document by number and by words; IDs, places and sources do not count."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._words = cache(lambda at: wording(passages[at].text))
        self._keys = [_keys(one.passage_id) for one in passages]
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for at, keys in enumerate(self._keys):
            for key in keys:
                self._places[key].append(at)

    def change_of(self, then: Passage) -> RuleChange | None:
        """Return what became of a rule; None if its words are in force under its number."""
        words, keys = wording(then.text), _keys(then.passage_id)
        own = next((self._places[key] for key in keys if key in self._places), [])
        if held := [at for at in own if words in (self._words(at), self._below(at))]:
            ended = not_in_force(self._passages[held[0]]) and not not_in_force(then)
            return RuleChange("not-in-force", words_changed=False) if ended else None
        same = [at for at in range(len(self._passages)) if self._words(at) == words]
        if then.kind == "footnote" and any(self._passages[at].kind == then.kind for at in same):
            return None  # footnotes get other numbers
        if self._is_within(words if then.part else f"{_last(keys[0])} {words}", keys[0]):
            return None  # the document is cut otherwise now
        elsewhere = {self._passages[at].passage_id for at in same if words}
        if len(elsewhere) == 1:
            return RuleChange("moved", elsewhere.pop(), words_changed=False)
        if not elsewhere and (number := self._new_number(then, words, own)):
            return RuleChange("moved", number)
        return RuleChange("changed" if own else "removed")

    def _below(self, at: int) -> str:
        """Return the words of a passage and, with their labels, those of all below it."""
        found, above = [self._words(at)], f"{self._keys[at][0]}/"
        while (at := at + 1) < len(self._keys) and self._keys[at][0].startswith(above):
            found += (_last(self._keys[at][0]), self._words(at))
        return " ".join(found)

    def _is_within(self, words: str, key: str) -> bool:
        """Return whether the passages of a number, or of the nearest above it, have these words."""
        while key and key not in self._places:
            key = key.rpartition("/")[0]
        whole = " ".join(map(self._words, self._places.get(key, ())))
        return f" {words} " in f" {whole} "

    def _new_number(self, then: Passage, words: str, own: Sequence[int]) -> str:
        above = then.breadcrumb[-1] if then.breadcrumb else ""
        heading, ours = heading_words(above), Counter(words.split())
        best, number = _ALIKE, ""
        for at in (*own, *range(len(self._passages))) if heading else ():
            one, theirs = self._passages[at], Counter(self._words(at).split())
            share = 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())
            if share > best:
                crumb = one.breadcrumb[-1] if one.breadcrumb else ""
                moved = at not in own and crumb != above and heading_words(crumb) == heading
                best, number = share, one.passage_id if moved else ""
        return number


def _keys(number: str) -> tuple[str, ...]:
    """Return the forms of a number, with fewer and fewer of the divisions that it is in."""
    keys = [key for key in lookup_keys(number) if not key.startswith(ANYWHERE)]
    return tuple(keys) or (number.casefold(),)


def _last(key: str) -> str:
    return key.rpartition("/")[2]
