"""What a statement changes in the words of its passage: numbers, negations, words of obligation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from generation.verification import Finding
from generation.verify.checks.measures import KINDS, SAME_UNIT, TIMES, measures_of
from generation.verify.compare.alignment import Difference, differences
from generation.verify.compare.forces import (
    EXCEPTIONS,
    NEGATIONS,
    OPPOSITES,
    Force,
    forces_in,
    is_carried,
)
from generation.verify.compare.sources import Source, Window
from generation.verify.compare.words import Word, words_of
from search.language import vocabulary
from search.text.stop_words import FUNCTION_WORDS

LONGEST_CHANGE = 6
"""Words: a longer difference is another wording, in which nothing lies beside anything."""

FEWEST_SHARED = 3
"""Words that are the same directly around a difference, for it to be a change of the passage."""

_DEMANDS: frozenset[Force] = frozenset({"duty", "ban", "advice", "advice against"})


LONGEST_MOVED = 60
"""Words: a longer stretch that has no counterpart where it is is not looked for elsewhere."""

_PARTS = {
    "sub-rule",
    *vocabulary.spellings(
        ["section", "subsection", "rule", "paragraph", "subparagraph"], "en", plural=False
    ),
}

_UNABLE = frozenset({"unable", "fail", "fails", "failed", "failure", "impossible"})

_HARMLESS = {"without": {"delay", "undue", "prejudice", "limitation"}, "not": {"limited"}}
"""Negation → words behind it with which it denies nothing."""


def changes_in(
    said: Sequence[Word], window: Window, asked: frozenset[str], others: Sequence[Source] = ()
) -> list[Finding]:
    """Return what differs between the words of a statement and those of its passage, in place.

    Args:
        said: the statement.
        window: the nearest words of the passage.
        asked: numbers of the question, which may be repeated.
        others: further passages that the statement cites: a number may stand where one has it.
    """
    source = words_of(window.text)
    pairs = {
        (one.form, other.form)
        for words in (source, *(other.words for other in others))
        for one, other in pairwise(words)
    }
    known = asked | window.source.context_numbers
    bans = _Bans(said, source, others)
    findings: list[Finding] = []
    for difference in _with_moved(bans.differences, source):
        if _is_change(difference):
            findings += _of(difference, known, bans)
        findings += _inserted(difference, said, pairs, known)
    return findings


class _Bans:
    """Where statement and passage forbid, beyond the words of one difference."""

    def __init__(
        self, said: Sequence[Word], source: Sequence[Word], others: Sequence[Source]
    ) -> None:
        self.differences = differences(said, source)
        self._said = forces_in(_text(said))
        self._is_unable = any(word.form in _UNABLE for word in source) or any(
            word.form in _UNABLE or word.shown == "cannot" for one in others for word in one.words
        )
        self._elsewhere = [_forces(one.source) for one in self.differences]

    def is_case(self, words: str) -> bool:
        """Return whether `cannot` states a case, as in `if it cannot be completed`."""
        return words == "cannot" and all(one != words for _, one in self._said)

    def is_inability(self, difference: Difference) -> bool:
        """Return whether such a case is one of the passage, or of another that is cited beside it:
        `is unable to complete`.
        """
        denying = [word.shown for word in difference.said if word.form == "not"]
        return self._is_unable and any(map(self.is_case, denying))

    def is_moved(self, difference: Difference) -> bool:
        """Return whether the statement forbids here what the passage forbids in another place.

        In the passive `must not be told` stands behind whom it concerns. The passage has no force
        in this place, and the same ban in one that the statement does not have.
        """
        ours = _forces(difference.said)
        if [force for force, _ in ours] != ["ban"] or _forces(difference.source):
            return False
        return any(ours[0] in there for there in self._elsewhere)


def _with_moved(found: Sequence[Difference], source: Sequence[Word]) -> Iterator[Difference]:
    """Yield differences; where a clause is in another place, those within the clause."""
    for one in found:
        if LONGEST_CHANGE < len(one.said) <= LONGEST_MOVED:
            yield from differences(one.said, source)
        else:
            yield one


def _is_change(difference: Difference) -> bool:
    if max(len(difference.said), len(difference.source)) > LONGEST_CHANGE:
        return False
    shared = difference.before + difference.after
    if len(difference.said) == len(difference.source) == 1:
        return shared > 0
    return shared >= FEWEST_SHARED


def _of(difference: Difference, known: frozenset[str], bans: _Bans) -> Iterator[Finding]:
    said, source = difference.said, difference.source
    ours, theirs = set(_values(said)), set(_values(source))
    ours -= {one for one in ours if _is_known(one, frozenset(theirs))}
    # A number of the passage's own name may be put in anywhere: "Under Rule 3.5, …".
    named = ours <= known and len(said) + len(source) > 2
    if theirs and ours - theirs and not named and _counts(said, source):
        yield Finding(
            "number", f"The statement says {_shown(said)}, but the passage says {_shown(source)}."
        )
    yield from _other_measure(difference)
    negated, denied = _negations(said), _negations(source)
    if _is_limit(said, source) or _is_need(said, source) or bans.is_moved(difference):
        return
    if bans.is_inability(difference):
        negated = []
    if _turned(negated, denied) and _touches(difference):
        if negated:
            message = f"The statement adds “{negated[0]}” to the words of the passage."
        else:
            message = f"The statement omits “{denied[0]}”, which the passage has."
        yield Finding("negation", message)
        return
    yield from _other_force(said, source, bans)
    for pair in OPPOSITES:
        one, other = pair & _forms(said), pair & _forms(source)
        if one and other and one != other and len(one) == len(other) == 1:
            message = f"The statement says “{min(one)}”, but the passage says “{min(other)}”."
            yield Finding("negation", message)
            return


def _is_limit(said: Sequence[Word], source: Sequence[Word]) -> bool:
    """Return whether a time limit is put in other words: `by` for `no later than`."""
    ours, theirs = _forms(said), _forms(source)
    return "later" in theirs and "later" not in ours and bool(ours & {"by", "within", "before"})


def _is_need(said: Sequence[Word], source: Sequence[Word]) -> bool:
    """Return whether a condition is put in other words: `needs X` for `not without X`."""
    return "without" in _forms(source) and bool(
        {"need", "needs", "require", "requires"} & _forms(said)
    )


def _turned(negated: Sequence[str], denied: Sequence[str]) -> bool:
    """Return whether one side denies, or excepts, and the other does not."""
    if bool(negated) != bool(denied):
        return True
    return EXCEPTIONS.isdisjoint(negated) != EXCEPTIONS.isdisjoint(denied)


def _other_measure(difference: Difference) -> Iterator[Finding]:
    """Yield another unit, currency or limit in the place of the passage's own, and a lost %."""
    said, source = difference.said, difference.source
    ours, theirs = (measures_of(*(word.form for word in side)) for side in (said, source))
    swapped = any(ours[kind] and theirs[kind] and ours[kind] != theirs[kind] for kind in KINDS)
    left = _touches(difference) and not (_values(said) or _values(source))  # its number agrees
    if swapped or (left and ours["share"] != theirs["share"]):
        here, there = _shown(said) if said else "nothing", _shown(source) if source else "nothing"
        yield Finding("number", f"The statement says {here}, but the passage says {there}.")


def _other_force(said: Sequence[Word], source: Sequence[Word], bans: _Bans) -> Iterator[Finding]:
    ours, theirs = _forces(said), _forces(source)
    there = {force for force, _ in theirs}
    for force, words in ours:
        if there and force not in there and not bans.is_case(words):
            yield Finding(
                "force", f"The statement says “{words}”, but the passage says “{theirs[0][1]}”."
            )
            return


def _forces(words: Sequence[Word]) -> list[tuple[Force, str]]:
    return forces_in(_text(words))


def _text(words: Sequence[Word]) -> str:
    """Return words as they are shown; `cannot` counts as two and is shown once."""
    pairs = zip((None, *words), words, strict=False)
    return " ".join(
        word.shown for before, word in pairs
        if before is None or word.form != "not" or word.shown != before.shown
    )  # fmt: skip


def _inserted(
    difference: Difference, said: Sequence[Word], pairs: set[tuple[str, str]], known: frozenset[str]
) -> Iterator[Finding]:
    """Yield numbers that the passage has, but not beside the words they are beside here."""
    if _values(difference.source) or difference.before + difference.after < FEWEST_SHARED:
        return
    numbers = {word.form for word in difference.said if word.is_number} - known
    if not numbers or len(difference.said) > LONGEST_CHANGE:
        return
    for one, other in pairwise(said):
        if (one.form, other.form) in pairs:
            numbers -= {one.form, other.form}
    for number in sorted(numbers):
        yield Finding("number", f"The passage does not have “{number}” in this place.")


def _touches(difference: Difference) -> bool:
    """Return whether a negation that one side lacks is between shared words on both sides."""
    return difference.before > 0 and difference.after > 0


def _counts(said: Sequence[Word], source: Sequence[Word]) -> bool:
    """Return whether one side has a number that is more than `one` or `second`."""
    return any(word.is_number for word in (*said, *source)) or len(said) == len(source) == 1


def _values(words: Sequence[Word]) -> list[str]:
    return [word.value for word in words if word.value is not None]


def _forms(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.form for word in words)


def _negations(words: Sequence[Word]) -> list[str]:
    forms = [word.form for word in words]
    found = []
    for place, form in enumerate(forms):
        beside = forms[place + 1 : place + 3]
        if form not in NEGATIONS or set(beside) & _HARMLESS.get(form, set()):
            continue
        if not (form == "not" and forms[max(0, place - 1) : place] == ["or"]):  # "whether or not"
            found.append(form)
    return found


def _shown(words: Sequence[Word]) -> str:
    return "“" + " ".join(word.shown for word in words if word.shown) + "”"


def new_numbers(
    said: Sequence[Word], sources: Sequence[Source], asked: frozenset[str]
) -> list[Finding]:
    """Return the numbers that no source and no question has; a rule may be cited less deeply."""
    known = frozenset().union(asked, *(source.numbers for source in sources))
    findings = []
    for word in said:
        if word.is_number and not _is_known(word.form, known):
            findings.append(
                Finding("number", f"“{word.shown}” does not appear in any cited passage.")
            )
    return list(dict.fromkeys(findings))


def _is_known(form: str, known: frozenset[str]) -> bool:
    if form in known:
        return True
    return "." in form and any(one.startswith((f"{form}(", f"{form}.")) for one in known)


def other_forces(claim: str, window: Window) -> list[Finding]:
    """Return words of obligation in a statement that its part of the passage does not carry.

    Args:
        claim: folded.
        window: the nearest stretches of the passage. A passage without any word of obligation is
            an item of a list whose introduction is elsewhere, and nothing can be said.
    """
    there = {force for force, _ in forces_in(window.text)}
    # "must not pay until the bank has confirmed" is a duty to wait for it.
    there |= {"duty"} if "ban" in there and "until" in window.text.split() else set()
    if not window.source.forces or "only" in window.text.split():
        return []
    for force, words in forces_in(claim):
        if is_carried(force, there):
            continue
        if force in _DEMANDS or there & _DEMANDS:
            return [Finding("force", f"The statement says “{words}”, {_bears(there)}.")]
    return []


def _bears(forces: set[Force]) -> str:
    if not forces:
        return "but the passage has no such word there"
    told = {
        "duty": "a duty", "ban": "a ban", "release": "a release from a duty", "advice": "advice",
        "advice against": "advice against it", "leave": "a permission",
    }  # fmt: skip
    return "but the passage gives " + " and ".join(told[force] for force in sorted(forces))


def number_of_other_unit(said: Sequence[Word], window: Window) -> list[Finding]:
    """Return numbers that the passage has, but not before the word they come before here.

    "within 3 days" does not follow from "within 10 days", whatever else is counted in threes.
    """
    counts, counted = _counted(said), _counted(words_of(window.text))
    findings = list(_unit_of_other_number(counts, counted))
    for unit, ours in counts.items():
        theirs = counted.get(unit)
        if theirs and not any(_is_known(one, frozenset(theirs)) for one in ours):
            shown = " or ".join(sorted(theirs))
            message = f"The statement says {min(ours)} {unit}, but the passage says {shown} {unit}."
            findings.append(Finding("number", message))
    return findings


def _unit_of_other_number(
    said: Mapping[str, set[str]], source: Mapping[str, set[str]]
) -> Iterator[Finding]:
    """Yield times that the passage has in another unit alone: 40 days, where it has 40 weeks."""
    for unit, numbers in said.items():
        for number in sorted(numbers if unit in TIMES else ()):
            theirs = [one for one in source if one in TIMES and number in source[one]]
            if theirs and unit not in theirs:
                shown = " or ".join(f"{number} {one}" for one in sorted(theirs))
                message = f"The statement says {number} {unit}, but the passage says {shown}."
                yield Finding("number", message)


def other_paragraphs(said: Sequence[Word], window: Window) -> Iterator[Finding]:
    """Yield references such as "subsection (1)" where the passage has only "subsection (2)"."""
    source = window.source
    named, theirs = _paragraphs(said), dict(_paragraphs(source.words))
    marks = {word.form for word in source.words if word.kind == "mark"}
    for one, mark in named:
        if one in theirs and mark not in marks and mark not in source.context:
            message = f"The statement says “{one} {mark}”, but the passage says “{one} "
            yield Finding("number", f"{message}{theirs[one]}”.")


def _paragraphs(words: Sequence[Word]) -> list[tuple[str, str]]:
    """Return words such as `paragraph` with the number in brackets that comes after each."""
    pairs = ((one.form, other) for one, other in pairwise(words) if one.form in _PARTS)
    return [(one, other.form) for one, other in pairs
            if other.kind == "mark" and other.form[1].isdigit()]  # fmt: skip


def _counted(words: Sequence[Word]) -> dict[str, set[str]]:
    """Return unit → the numbers that are directly before it."""
    found: dict[str, set[str]] = {}
    for word, following in pairwise(words):
        unit = following.kind == "word" and following.form not in FUNCTION_WORDS
        if word.kind == "number" and unit:
            one = following.form.removesuffix("s")
            found.setdefault(SAME_UNIT.get(one, one), set()).add(word.form)
    return found
