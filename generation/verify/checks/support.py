"""Checks one statement against the passages that it cites."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from generation.statements.answers import Spoken
from generation.statements.forces import content_terms
from generation.statements.quotes import Quoted, hidden_negation, missing_runs, quotations
from generation.statements.silence import Silence, silence_of
from generation.statements.values import values_in
from generation.statements.words import folded, words_of
from generation.text.citation_styles import MARKER, cited_numbers
from generation.verification import Finding, StatementCheck, Verdict
from generation.verify.checks.changes import (
    changes_in,
    new_numbers,
    other_forces,
    other_paragraphs,
    other_quantities,
)
from generation.verify.checks.conditions import cut_off_condition, dropped_condition
from generation.verify.checks.parties import foreign_party, swapped_parties
from generation.verify.compare.sources import Source, Window, window_of
from generation.verify.margins import SUPPORT
from search.text.analyzer import GRAMMAR, term_set
from search.text.shortening import shortened

_BRACKETS = re.compile(r"\s\(((?:[^()]|\([^()]*\))*)\)")
_EDGES = " .,;:-!?'*_()"


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

    Clauses with citations of their own are held against these, if that finds less to say. The
    question (`asked`) and the statements beside this one (`around`) are folded.
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
    cited = [sources[number] for number in spoken.citations if number in sources]
    if silence is not None:
        spoken_of = cited or list(sources.values())
        checked.is_absence = True
        known = frozenset(word.form for word in words_of(asked) if word.is_number)
        checked.wrong += new_numbers(words_of(silence.thing), spoken_of, known)
        checked.wrong += _stated_after_all(silence, spoken_of)
        return checked
    if not spoken.citations:
        checked.notes.append(_uncited(spoken, sources))
        return checked
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


def _stated_after_all(silence: Silence, sources: Sequence[Source]) -> list[Finding]:
    return [
        Finding("number" if silence.kind else "negation", f"[{source.number}] states one.")
        for source in sources
        if silence.kinds & values_in(source.passage.text)
        or (silence.rule and window_of(silence.rule, source).share >= SUPPORT.enough)
    ]


def _uncited(spoken: Spoken, sources: Mapping[int, Source]) -> Finding:
    claim = folded(spoken.claim).strip(_EDGES)
    terms = content_terms(claim)
    for source in sources.values():
        if claim in source.folded:
            return Finding("uncited", f"No citation; its words appear in [{source.number}].")
        if len(terms) > SUPPORT.quote and window_of(terms, source).share >= SUPPORT.enough:
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
        if not missing and len(quoted.text.split()) >= SUPPORT.quote:
            rest.append(claim[place : quoted.start])
            place = quoted.end
    return " ".join([*rest, claim[place:]])


def _is_name(quoted: Quoted, cited: Sequence[Source], asked: str) -> bool:
    """Return whether a short quotation is a heading, a title, or a phrase of the question."""
    if len(quoted.text.split()) >= SUPPORT.quote:
        return False
    texts = [asked, *(source.context for source in cited)]
    return all(any(run in text for text in texts) for run in quoted.runs)


def _check_label(checked: Checked, cited: Sequence[Source]) -> None:
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
    terms = content_terms(claim)
    windows = sorted((window_of(terms, one) for one in cited), key=lambda w: -w.share)
    nearest = windows[0]
    checked.doubts += dropped_condition(folded(rest), nearest, f"{asked} {around}")
    if any(bare in source.folded or bare in source.context for source in cited):
        return
    said = words_of(claim)
    known = frozenset(word.form for word in words_of(asked) if word.is_number)
    checked.wrong += new_numbers(said, cited, known)
    checked.windows = tuple(windows)
    quoted = content_terms(checked.spoken.claim) - terms
    checked.share = _together(terms, windows, len(quoted))
    ours, theirs = _script(claim), _script(nearest.source.folded)
    if ours and theirs and ours != theirs:
        message = (
            f"The statement is in {ours} script and its passage in {theirs}: only "
            "numbers and quotations could be compared."
        )
        checked.doubts.append(Finding("unchecked", message))
        return
    others = [source for source in cited if source is not nearest.source]
    changes = changes_in(said, nearest, known, others) or [*other_quantities(said, nearest)]
    changes += [*other_paragraphs(said, nearest), *swapped_parties(claim, nearest)]
    checked.wrong += [finding for finding in changes if finding not in checked.wrong]
    if not changes:
        checked.doubts += other_forces(claim, nearest) + foreign_party(claim, nearest, asked)
    _weigh(checked)


def _script(text: str) -> str:
    letters = [letter for letter in text[: SUPPORT.letters[1]] if letter.isalpha()]
    if len(letters) < SUPPORT.letters[0]:
        return ""
    scripts = Counter(unicodedata.name(letter, "?").split()[0].title() for letter in letters)
    return scripts.most_common(1)[0][0]


def _without_pinpoints(claim: str, cited: Sequence[Source]) -> str:
    """Return a folded claim without brackets that only name rules that it cites."""

    def kept(found: re.Match[str]) -> str:
        inside = words_of(found[1])
        # A bare (1) may be a paragraph of the passage, which must be the right one.
        numbers = [word for word in inside if word.is_number and not word.form.isalnum()]
        is_name = len(inside) <= SUPPORT.brackets and bool(numbers)
        return " " if is_name and not new_numbers(numbers, cited, frozenset()) else found[0]

    return _BRACKETS.sub(kept, claim)


def _weigh(checked: Checked) -> None:
    if checked.share >= SUPPORT.enough:
        return
    numbers = "".join(f"[{window.source.number}]" for window in checked.windows)
    message = f"{numbers} contains {round(100 * checked.share)} % of its words."
    target = checked.wrong if checked.share < SUPPORT.half else checked.doubts
    target.append(Finding("words", message))


def _check_idle(checked: Checked, cited: Sequence[Source]) -> None:
    if len(cited) < 2:
        return
    terms = content_terms(checked.spoken.claim)
    for source in cited:
        if window_of(terms, source).share < SUPPORT.bears:
            message = f"Citation [{source.number}] shares almost no words with this statement."
            checked.doubts.append(Finding("citation", message))


def _together(terms: frozenset[str], windows: Sequence[Window], quoted: int) -> float:
    """Return the part of the terms that all passages hold together.

    `quoted` counts further terms, in quotations that were found.
    """
    if not terms:
        return 1.0
    held = {t for window in windows for t in window.held}
    return (len(held) + quoted) / (len(terms) + quoted)


_BEHIND = re.compile(rf"[ \t]*[.,;]?[ \t]*((?:{MARKER.pattern}[ \t]*)+)")


def misattributed(text: str, sources: Mapping[int, Source]) -> Iterator[Finding]:
    """Yield a doubt for each passage that a quotation cites and whose words it does not have.

    Only the numbers directly behind a quotation are its own: one at the end of a sentence may
    stand for the rest of it. What no passage has is not told here.
    """
    for quoted in quotations(text):
        behind = _BEHIND.match(text, quoted.end)
        numbers = cited_numbers(behind[1]) if behind else []
        cited = [sources[number] for number in numbers if number in sources]
        lacking = [source for source in cited if missing_runs(quoted, [source.folded])]
        for source in lacking if len(lacking) < len(cited) else ():
            if not _has_content(quoted, source):
                message = (
                    f"The quoted words are not in [{source.number}], which the statement "
                    "cites for them."
                )
                yield Finding("quote", message)


def _has_content(quoted: Quoted, source: Source) -> bool:
    terms = term_set(folded(quoted.text)) - GRAMMAR
    return window_of(terms, source).share >= 1 if terms else True
