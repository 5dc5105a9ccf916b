"""Recognise a sentence that says what passages do not state, by its form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generation.statements.markers import has_verb
from generation.statements.quotes import quotations
from generation.statements.values import ValueKind
from generation.statements.words import folded
from search.language import vocabulary
from search.text.analyzer import term_set


def _any(name: str) -> str:
    return vocabulary.any_of(f"silence.{name}", "en")


_EXACTLY = rf"(?: {_any('adverbs')})*"
_OF = rf"(?:{_any('determiners')} )?(?:{_any('which')} )*"
_FOUND = rf"(?: {_any('which')})*{_EXACTLY}"
_PASSAGES, _TEXTS = (rf"{_OF}{_any(name)}{_FOUND}" for name in ("passages", "texts"))
_NOT = rf"(?:do|does|did)(?: not|n't){_EXACTLY}"
_NONE = rf"(?:no|none of the|none of these|neither|nothing in the) (?:{_any('which')} )*"
_REPORT = re.compile(
    rf"(?:\w+, )?(?:{_PASSAGES} (?:{_NOT} {_any('states')}\b|says? nothing\b"
    rf"|leaves?(?: \w+){{0,6}} open\b|(?:is|are){_EXACTLY} silent\b)"
    rf"|{_TEXTS} {_NOT} {_any('holds')}\b"
    rf"|{_NONE}(?:{_any('passages')}{_FOUND} {_any('states_alone')}"
    rf"|{_any('texts')}{_FOUND} {_any('holds_alone')})\b"
    rf"|there is no (?:\w+ ){{0,2}}?{_any('accounts')}\b"
    rf"|(?P<who>{_PASSAGES}) (?:{_any('states')}|{_any('states_alone')}|{_any('holds')}"
    rf"|{_any('holds_alone')}) no(?= (?P<active>[^,;]+))"
    rf"|no (?P<passive>[^,;:.]+?) (?:is|are){_EXACTLY} {_any('stated')}(?P<here> here| there)?\b"
    rf"|(?P<negated>[^,;:.]+?) (?:is|are) not{_EXACTLY} {_any('stated')}\b)"
)
_TEXT = re.compile(_TEXTS)
_IN = re.compile(rf" (?:in|by) {_PASSAGES}")
_ASKING = frozenset(vocabulary.words("silence.asking", "en"))
_FURTHER = re.compile(rf"[;:()]|,|[.!?](?=.)| - |\b{_any('joins')}\b")
"""Where a further clause may begin, which may claim anything."""
_JOINED = re.compile(rf"^[ ,;:().!?-]*(?:{_any('joins')}\b[ ,]*)*")

_RULE = re.compile(r"\d+(?:\.\d+){2,}(?:\(\w{1,4}\))*")
"""The number of a rule, which is no figure: `4.2.1(b)`."""
_DASHES = str.maketrans(dict.fromkeys("–—―", " - "))
"""Between clauses it may be without blanks, where folded it would be a hyphen."""
_VALUES: dict[str, ValueKind] = {
    noun: kind
    for kind in ("time", "money", "percent", "number")
    for noun in vocabulary.words(f"silence.values.{kind}", "en")
}
_LIKE: dict[ValueKind, frozenset[ValueKind]] = {
    "time": frozenset({"time", "date"}), "number": frozenset({"number", "percent", "money"}),
}  # fmt: skip
_THAT = "that "

LONGEST_TERM = 3
"""Words of a term in quotation marks."""


@dataclass(frozen=True, slots=True)
class Silence:
    """What a sentence reports as not stated."""

    thing: str
    """Folded."""
    further: str
    """What the sentence claims besides, folded; empty: nothing."""
    kind: ValueKind | None
    """The kind of value that it says is not stated, where that is all it says."""

    @property
    def is_frame(self) -> bool:
        """Whether it claims nothing that could be looked up."""
        figures = any(map(str.isdigit, _RULE.sub("", self.thing)))
        return not (self.further or self.kind or figures or self.rule)

    @property
    def rule(self) -> frozenset[str]:
        """Index terms of the rule of which it says that it is not stated; none: it names none."""
        return term_set(self.thing) if self.thing.startswith(_THAT) else frozenset()

    @property
    def kinds(self) -> frozenset[ValueKind]:
        """The kinds of value any of which would belie it."""
        return _LIKE.get(self.kind, frozenset({self.kind})) if self.kind else frozenset()


def silence_of(claim: str) -> Silence | None:
    """Return what a sentence reports as not stated; None: it reports no such thing."""
    text = folded(claim.translate(_DASHES)).rstrip(" .")
    found = _REPORT.match(text)
    if found is None:
        return None
    if any(len(one.text.split()) > LONGEST_TERM for one in quotations(claim)):
        return None
    rest, noun = text[found.end() :], found["active"] or found["passive"] or ""
    subject = found["passive"] or found["negated"]
    within = _IN.match(rest) if subject else None
    read = within or found["here"] or (found["who"] and _TEXT.fullmatch(found["who"]))
    # "No licence is given" says what the law is, "no deadline is given" what the text has.
    if has_verb(subject or "") or not (read or noun in _VALUES or not (noun or subject)):
        return None
    rest = rest[within.end() :] if within else rest
    place = _further(rest)
    thing = f"{subject}{rest}" if subject else rest.strip()
    further = "" if place is None else _JOINED.sub("", rest[place:]).strip()
    return Silence(thing, further, None if further else _VALUES.get(noun))


def _further(rest: str) -> int | None:
    """Return where a further claim begins behind what is not stated, None if there is none.

    A claim is a clause with a subject before its verb; questions that are left open are none.
    """
    marks = [*_FURTHER.finditer(rest)]
    for mark, end in zip(marks, [*(one.start() for one in marks[1:]), len(rest)], strict=False):
        piece = rest[mark.end() : end].strip()
        subject = piece.partition(" ")[0]
        asks = re.split(r"\W", piece)[0] in _ASKING
        if subject and not asks and has_verb(piece) and not has_verb(subject):
            return mark.start()
    return None
