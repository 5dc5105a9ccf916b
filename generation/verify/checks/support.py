"""Checks one statement against the passages that it cites."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from generation.verification import Finding, StatementCheck, Verdict
from generation.verify.checks.attribution import misattributed
from generation.verify.checks.changes import (
    changes_in,
    new_numbers,
    number_of_other_unit,
    other_forces,
    other_paragraphs,
)
from generation.verify.checks.conditions import cut_off_condition, dropped_condition
from generation.verify.checks.parties import foreign_party, swapped_parties
from generation.verify.compare.languages import not_compared
from generation.verify.compare.quotes import Quoted, hidden_negation, missing_runs, quotations
from generation.verify.compare.silence import silence_of, stated_after_all
from generation.verify.compare.sources import Source, Window, window_of
from generation.verify.compare.statements import Spoken
from generation.verify.compare.words import folded, words_of
from search.language import vocabulary
from search.text.analyzer import term_set
from search.text.shortening import shortened

ENOUGH = 0.75
"""Part of a statement's terms that its passages must hold for the words alone to support it. In
the development half of the benchmark 1 in 100 sentences of other passages has more than 0.7, and 1
in 100 paraphrases less than 0.85."""

TOO_LITTLE = 0.5
"""Below this part a statement is not supported, whatever its passages are about."""

BEARS = 0.2
"""A passage that holds less of a statement is cited in vain."""

LONG_QUOTE = 5
"""Words from which a confirmed quotation speaks for itself; shorter ones are terms within the
writer's own sentence."""

MOST_IN_BRACKETS = 6
"""Words of a rule's name in brackets, such as `(COBS 17.8.4(a))`."""

_BRACKETS = re.compile(r"\s\(((?:[^()]|\([^()]*\))*)\)")
_EDGES = " .,;:-!?'*_()"

_FORCE_TERMS = term_set(" ".join(vocabulary.words("forces.compared", "en")))
"""Words of obligation are compared by what they bind to, not as words."""


@dataclass(slots=True)
class Checked:
    """A statement, what was found, and what a judge would need."""

    spoken: Spoken
    wrong: list[Finding] = field(default_factory=list)
    """Each enough to say that the passages do not support it."""
    doubts: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    """What the reader should know; the verdict does not depend on it."""
    share: float = 1.0
    """Part of the terms that the passages hold, 0 to 1."""
    is_absence: bool = False
    """Whether it says that no passage states a kind of value, and was held against them all."""
    windows: tuple[Window, ...] = ()
    """The nearest words of each passage, best first; empty where nothing had to be compared."""

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        if not (self.spoken.citations or self.is_absence):
            return "uncited"
        if self.wrong:
            return "unsupported"
        return "partly" if self.doubts else "supported"

    def check(self) -> StatementCheck:
        """Return the record."""
        findings = (*self.wrong, *self.doubts, *self.notes)
        spoken = self.spoken
        return StatementCheck(
            spoken.text, spoken.citations, self.verdict, findings, spoken.start, spoken.end
        )


def check_statement(
    spoken: Spoken, sources: Mapping[int, Source], asked: str, around: str = ""
) -> Checked:
    """Check a statement by its words alone.

    Clauses with citations of their own are held against these, if that finds less to say.

    Args:
        spoken: the statement.
        sources: number of a citation → the passage.
        asked: the question, folded: what it says may be repeated.
        around: the statements before and behind it, folded: a condition may be told there.
    """
    whole = _checked(spoken, sources, asked, around)
    clauses = () if whole.verdict == "supported" else spoken.clauses
    if len(clauses) < 2:
        return whole
    parts = [_checked(one, sources, asked, f"{around} {folded(spoken.claim)}") for one in clauses]
    apart = Checked(
        spoken,
        wrong=[finding for one in parts for finding in one.wrong],
        doubts=[finding for one in parts for finding in one.doubts],
        notes=[finding for one in parts for finding in one.notes],
        share=min(one.share for one in parts),
        windows=tuple(window for one in parts for window in one.windows),
    )
    return min(apart, whole, key=lambda one: (len(one.wrong), len(one.doubts)))


def _checked(
    spoken: Spoken, sources: Mapping[int, Source], asked: str, around: str = ""
) -> Checked:
    checked = Checked(spoken)
    silence = silence_of(spoken.claim)
    if silence is not None and silence.further:
        apart = _checked(replace(spoken, text=silence.further), sources, asked, around)
        apart.spoken = spoken
        return apart
    if silence is not None:
        spoken_of = _spoken_of(spoken, sources)
        checked.is_absence = True
        known = frozenset(word.form for word in words_of(asked) if word.is_number)
        checked.wrong += new_numbers(words_of(silence.thing), spoken_of, known)
        checked.wrong += stated_after_all(silence, spoken_of)
        return checked
    if not spoken.citations:
        checked.notes.append(_uncited(spoken, sources))
        return checked
    cited = [sources[number] for number in spoken.citations if number in sources]
    for number in spoken.citations:
        # Of shared numbers a wrong one is told of the answer, and not of each that shares it.
        if number not in sources and not (cited and spoken.shared):
            finding = Finding("citation", f"[{number}] is not a passage of this answer.")
            (checked.doubts if cited else checked.wrong).append(finding)
    if cited:
        rest = _check_quotes(checked, cited, asked)
        checked.doubts += misattributed(spoken.text, sources)
        checked.doubts += cut_off_condition(spoken.claim, cited)
        _check_label(checked, cited)
        _check_words(checked, rest, cited, asked, around)
        if not spoken.shared:
            _check_idle(checked, cited)
    return checked


def _spoken_of(spoken: Spoken, sources: Mapping[int, Source]) -> list[Source]:
    """Return the passages that a statement cites; all where it cites none."""
    cited = [sources[number] for number in spoken.citations if number in sources]
    return cited or list(sources.values())


def _uncited(spoken: Spoken, sources: Mapping[int, Source]) -> Finding:
    claim = folded(spoken.claim).strip(_EDGES)
    terms = terms_of(claim)
    for source in sources.values():
        if claim in source.folded:
            return Finding("uncited", f"No citation; its words appear in [{source.number}].")
        if len(terms) > LONG_QUOTE and window_of(terms, source).share >= ENOUGH:
            message = f"No citation; most of its words appear in [{source.number}]."
            return Finding("uncited", message)
    return Finding("uncited", "No citation, and no cited passage supports it.")


def _check_quotes(checked: Checked, cited: Sequence[Source], asked: str) -> str:
    """Look up what is quoted; return the statement without the long quotations that were found."""
    claim, rest, place = checked.spoken.claim, [], 0
    texts = [source.folded for source in cited]
    for quoted in quotations(claim):
        missing = missing_runs(quoted, texts)
        if missing and not _is_name(quoted, cited, asked):
            message = f"The quoted words “{shortened(missing[0])}” are not in the cited passage."
            checked.wrong.append(Finding("quote", message))
        elif hidden := hidden_negation(quoted, texts):
            message = f"An ellipsis in the quotation hides “{hidden}”."
            checked.wrong.append(Finding("negation", message))
        if not missing and len(quoted.text.split()) >= LONG_QUOTE:
            rest.append(claim[place : quoted.start])
            place = quoted.end
    return " ".join([*rest, claim[place:]])


def _is_name(quoted: Quoted, cited: Sequence[Source], asked: str) -> bool:
    """Return whether a short quotation is a heading, a title, or a phrase of the question."""
    if len(quoted.text.split()) >= LONG_QUOTE:
        return False
    texts = [asked, *(source.context for source in cited)]
    return all(any(run in text for text in texts) for run in quoted.runs)


def _check_label(checked: Checked, cited: Sequence[Source]) -> None:
    """Compare the number of the rule that a quotation is put under with that of its passage."""
    # Without a title nothing tells which numbers belong to the document's name.
    named = [source for source in cited if source.passage.document_title]
    if checked.spoken.label and named == list(cited):
        label = words_of(folded(checked.spoken.label))
        checked.wrong += new_numbers(label, cited, frozenset())


def _check_words(
    checked: Checked, rest: str, cited: Sequence[Source], asked: str, around: str
) -> None:
    claim = _without_pinpoints(folded(rest), cited)
    bare = claim.strip(_EDGES)
    if not bare:
        return
    terms = terms_of(claim)
    windows = sorted((window_of(terms, one) for one in cited), key=lambda w: -w.share)
    nearest = windows[0]
    checked.doubts += dropped_condition(folded(rest), nearest, f"{asked} {around}")
    if any(_holds_whole(source, bare) for source in cited):
        return
    said = words_of(claim)
    known = frozenset(word.form for word in words_of(asked) if word.is_number)
    checked.wrong += new_numbers(said, cited, known)
    checked.windows = tuple(windows)
    quoted = terms_of(checked.spoken.claim) - terms
    checked.share = _together(terms, windows, len(quoted))
    unread = not_compared(claim, nearest.source.folded)
    if unread:
        checked.doubts.append(Finding("unchecked", unread))
        return
    others = [source for source in cited if source is not nearest.source]
    changes = changes_in(said, nearest, known, others) or number_of_other_unit(said, nearest)
    changes += [*other_paragraphs(said, nearest), *swapped_parties(claim, nearest)]
    checked.wrong += [finding for finding in changes if finding not in checked.wrong]
    if not changes:
        checked.doubts += other_forces(claim, nearest) + foreign_party(claim, nearest, asked)
    _weigh(checked)


def _without_pinpoints(claim: str, cited: Sequence[Source]) -> str:
    """Return a folded claim without brackets that only name rules that it cites."""

    def kept(found: re.Match[str]) -> str:
        inside = words_of(found[1])
        # A bare (1) may be a paragraph of the passage, which must be the right one.
        numbers = [word for word in inside if word.is_number and not word.form.isalnum()]
        is_name = len(inside) <= MOST_IN_BRACKETS and bool(numbers)
        return " " if is_name and not new_numbers(numbers, cited, frozenset()) else found[0]

    return _BRACKETS.sub(kept, claim)


def _weigh(checked: Checked) -> None:
    if checked.share >= ENOUGH:
        return
    numbers = "".join(f"[{window.source.number}]" for window in checked.windows)
    message = f"{numbers} contains {round(100 * checked.share)} % of its words."
    target = checked.wrong if checked.share < TOO_LITTLE else checked.doubts
    target.append(Finding("words", message))


def _check_idle(checked: Checked, cited: Sequence[Source]) -> None:
    """Find citations beside others that have nothing to do with the statement."""
    if len(cited) < 2:
        return
    terms = terms_of(checked.spoken.claim)
    for source in cited:
        if window_of(terms, source).share < BEARS:
            message = f"Citation [{source.number}] shares almost no words with this statement."
            checked.doubts.append(Finding("citation", message))


def _together(terms: frozenset[str], windows: Sequence[Window], quoted: int) -> float:
    """Return the part of the terms that all passages hold together.

    Args:
        terms: of the writer's own words.
        windows: the nearest words of each passage.
        quoted: how many further terms are in quotations that were found.
    """
    if not terms:
        return 1.0
    held = {t for window in windows for t in window.held}
    return (len(held) + quoted) / (len(terms) + quoted)


def _holds_whole(source: Source, bare: str) -> bool:
    return bare in source.folded or bare in source.context


def terms_of(text: str) -> frozenset[str]:
    """Return the index terms of a text that tell what it is about."""
    return term_set(text) - _FORCE_TERMS
