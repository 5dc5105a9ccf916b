"""What a statement changes in the words of its passage: numbers, negations, words of obligation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generation.statements.forces import (
    EXCEPTIONS,
    NEGATIONS,
    OPPOSITES,
    Force,
    forces_in,
    is_carried,
)
from generation.statements.words import Word, words_of
from generation.verification import Finding
from generation.verify.compare.quantities import KINDS, measures_of, quantities_in
from generation.verify.compare.sources import Source, Window
from generation.verify.margins import COMPARE
from search.language import vocabulary
from search.text.analyzer import FUNCTION_WORDS

_DEMANDS: frozenset[Force] = frozenset({"duty", "ban", "advice", "advice against"})


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

    Numbers of the question (`asked`) may be repeated, and those of other passages that are cited.
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
        if len(one.said) > COMPARE.change:
            yield from differences(one.said, source)
        else:
            yield one


def _is_change(difference: Difference) -> bool:
    if max(len(difference.said), len(difference.source)) > COMPARE.change:
        return False
    shared = difference.before + difference.after
    if len(difference.said) == len(difference.source) == 1:
        return shared > 0
    return bool(shared >= COMPARE.shared)


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
    pairs = zip((None, *words), words, strict=False)
    return " ".join(
        word.shown for before, word in pairs
        if before is None or word.form != "not" or word.shown != before.shown
    )  # fmt: skip


def _inserted(
    difference: Difference, said: Sequence[Word], pairs: set[tuple[str, str]], known: frozenset[str]
) -> Iterator[Finding]:
    """Yield numbers that the passage has, but not beside the words they are beside here."""
    if _values(difference.source) or difference.before + difference.after < COMPARE.shared:
        return
    numbers = {word.form for word in difference.said if word.is_number} - known
    if not numbers or len(difference.said) > COMPARE.change:
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

    A passage without any word of obligation is an item of a list whose introduction is elsewhere,
    and nothing can be said.
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


def other_quantities(said: Sequence[Word], window: Window) -> Iterator[Finding]:
    """Yield quantities in the place of the passage's: 3 days for 10 days, 40 days for 40 weeks.

    What the passage counts in the same unit, or the same number in another unit of time, is
    compared, unless the statement has that as well.
    """
    ours, theirs = (
        {one._replace(kind="time") if one.is_time else one for one in quantities_in(words)}
        for words in (said, words_of(window.text))
    )
    for one in ours - theirs:
        other = {two for two in theirs if (two.kind, two.unit) == (one.kind, one.unit)}
        if one.is_time and one.amount != "1":
            other |= {two for two in theirs if two.is_time and two.amount == one.amount}
        if other and one.kind != "date" and not other & ours:
            shown = " or ".join(sorted(map(str, other)))
            yield Finding("number", f"The statement says {one}, but the passage says {shown}.")


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
    pairs = ((one.form, other) for one, other in pairwise(words) if one.form in _PARTS)
    return [(one, other.form) for one, other in pairs
            if other.kind == "mark" and other.form[1].isdigit()]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the two differ, between words that they share."""

    said: tuple[Word, ...]
    source: tuple[Word, ...]
    before: int
    """How many words directly before it are the same on both sides."""
    after: int
    """How many directly behind it."""


def differences(said: Sequence[Word], source: Sequence[Word]) -> list[Difference]:
    """Return the differences of two texts by their heaviest common subsequence, in order.

    Only the first `COMPARE.words` words of each side are looked at.
    """
    said, source = said[: COMPARE.words], source[: COMPARE.words]
    ends = [(-1, -1), *_common(said, source), (len(said), len(source))]
    breaks = [k for k, ((i, j), end) in enumerate(pairwise(ends)) if end != (i + 1, j + 1)]
    found = []
    for number, k in enumerate(breaks):
        earlier = breaks[number - 1] if number else 0
        later = breaks[number + 1] if number + 1 < len(breaks) else len(ends) - 2
        (i, j), (i_end, j_end) = ends[k], ends[k + 1]
        found.append(
            Difference(
                tuple(said[i + 1 : i_end]), tuple(source[j + 1 : j_end]), k - earlier, later - k
            )
        )
    return found


def _common(said: Sequence[Word], source: Sequence[Word]) -> list[tuple[int, int]]:
    if not said or not source:
        return []
    forms: dict[str, int] = {}
    left = [forms.setdefault(word.form, len(forms)) for word in said]
    right = np.array([forms.setdefault(word.form, len(forms)) for word in source])
    weights = [1 if word.form in FUNCTION_WORDS else COMPARE.content for word in said]
    table = np.zeros((len(left) + 1, len(right) + 1), dtype=np.int32)
    for row, (form, weight) in enumerate(zip(left, weights, strict=True), start=1):
        above = table[row - 1]
        heaviest = np.where(right == form, above[:-1] + weight, above[1:])
        np.maximum.accumulate(heaviest, out=table[row, 1:])
    return _way_back(table, left, right.tolist(), weights)


def _way_back(
    table: NDArray[np.int32], left: Sequence[int], right: Sequence[int], weights: Sequence[int]
) -> list[tuple[int, int]]:
    pairs = []
    i, j = len(left), len(right)
    while i and j:
        here = table[i, j]
        if left[i - 1] == right[j - 1] and here == table[i - 1, j - 1] + weights[i - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif here == table[i, j - 1]:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]
