"""Citations that name a rule in place of a number: `(Rule 3.5.8)`, `[COBS 3.5.8(b)]`.

A statement without a numbered citation gets the number of the passage that it names, in brackets or
in its words: `As PIN 6.6.8 requires, …`, `Passage 1 says …`.
Where a number is, the name is a reference that the rule itself makes, and is left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from generation.text.citation_styles import MARKER, with_passages_in_words
from generation.text.labels import document_label
from generation.text.sentences import sentence_pieces
from search.lookup.find import ByNumber
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import RuleNumber, find_rule_numbers
from search.provisions.grammar.words import has_number
from search.provisions.numbering import container_kind, lookup_keys, segments
from search.records import DocumentSummary, Passage

_GROUP = re.compile(r"[(\[](?P<named>(?:[^()\[\]\n]|\([^()\[\]\n]{1,8}\)){2,200})[)\]]")
_PLAIN_NUMBER = 3
"""A number of so many parts, `3.5.8`, is one of a rule; `10.5` may be a percentage."""


def with_numbers(text: str, passages: Sequence[Passage]) -> str:
    """Return a text in which statements that name a passage also have its number."""
    pieces = sentence_pieces(text)
    if not (passages and any(map(_may_name, pieces))):
        return text
    named = _Named(passages)
    return "".join(named.numbered(piece) if _may_name(piece) else piece for piece in pieces)


def _may_name(piece: str) -> bool:
    return has_number(piece) and not MARKER.search(piece)


class _Named:
    def __init__(self, passages: Sequence[Passage]) -> None:
        self._most = len(passages)
        labels = [document_label(one) for one in passages]
        counts = Counter(labels)
        self._names = DocumentNames([DocumentSummary(one, one, n) for one, n in counts.items()])
        self._labels = {passage.id: label for passage, label in zip(passages, labels, strict=True)}
        self._places = {passage.id: place for place, passage in enumerate(passages, start=1)}
        self._held = ByNumber(passages)

    def numbered(self, piece: str) -> str:
        """Return a sentence with the numbers of the passages that it names."""
        for marked in (with_passages_in_words(piece, self._most), _GROUP.sub(self._marked, piece)):
            if marked != piece:
                return marked
        end, before = 0, {0}
        for rule in find_rule_numbers(piece, self._names):
            place = piece.find(rule.text, end)
            if place >= 0 and (number := self._number(rule)) not in before:
                before.add(number)
                end = place + len(rule.text)
                marker = f" [{number}]"
                piece = f"{piece[:end]}{marker}{piece[end:]}"
                end += len(marker)
        return piece

    def _marked(self, group: re.Match[str]) -> str:
        numbers = dict.fromkeys(filter(None, self._named_in(group["named"])))
        markers = "".join(f"[{number}]" for number in numbers)
        return f"{group[0]} {markers}" if markers else group[0]

    def _named_in(self, words: str) -> Iterator[int]:
        rules = find_rule_numbers(words, self._names)
        yield from map(self._number, rules)
        number = segments(words)
        if not rules and (len(number) >= _PLAIN_NUMBER or not number[:1][0].isdigit()):
            yield self._only(lookup_keys(words)[:1], ())

    def _number(self, rule: RuleNumber) -> int:
        whole = container_kind(rule.keys[0].rpartition("/")[2]) in {"division", "attachment"}
        keys = [key for key in rule.keys if not (whole and key.isdecimal())]
        return 0 if rule.unknown_document else self._only(keys, rule.document_ids)

    def _only(self, keys: Sequence[str], document_ids: Sequence[str]) -> int:
        for key in keys:
            found = self._held.having(key)
            own = [one for one in found if self._labels[one.id] in document_ids] or found
            if own:
                return self._places[own[0].id] if len(own) == 1 else 0
        return 0
